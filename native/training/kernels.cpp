#include "kernels.h"

#include <atomic>

namespace numberline {

namespace baseline {
extern const Kernels kKernels;
}
#if defined(NUMBERLINE_X86)
namespace avx2 {
extern const Kernels kKernels;
}
namespace avx512 {
extern const Kernels kKernels;
}
#endif

namespace {

std::atomic<const Kernels*> chosen{nullptr};

}  // namespace

const std::vector<const Kernels*>& available_kernels() {
    static const std::vector<const Kernels*> available = [] {
        std::vector<const Kernels*> found{&baseline::kKernels};
#if defined(NUMBERLINE_X86)
        __builtin_cpu_init();
        if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
            found.push_back(&avx2::kKernels);
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512vl"))
            found.push_back(&avx512::kKernels);
#endif
        return found;
    }();
    return available;
}

const Kernels& kernels() {
    const Kernels* asked = chosen.load();
    return asked ? *asked : *available_kernels().back();
}

bool use_kernels(std::string_view instruction_set) {
    for (const Kernels* found : available_kernels())
        if (found->instruction_set == instruction_set) {
            chosen = found;
            return true;
        }
    return false;
}

}  // namespace numberline
