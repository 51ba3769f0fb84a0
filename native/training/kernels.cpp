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
        std::vector<const Kernels*> kernels{&baseline::kKernels};
#if defined(NUMBERLINE_X86)
        __builtin_cpu_init();
        if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
            kernels.push_back(&avx2::kKernels);
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512vl"))
            kernels.push_back(&avx512::kKernels);
#endif
        return kernels;
    }();
    return available;
}

const Kernels& kernels() {
    const Kernels* kernels = chosen.load();
    return kernels ? *kernels : *available_kernels().back();
}

bool use_kernels(std::string_view instruction_set) {
    for (const Kernels* kernels : available_kernels())
        if (kernels->instruction_set == instruction_set) {
            chosen = kernels;
            return true;
        }
    return false;
}

}  // namespace numberline
