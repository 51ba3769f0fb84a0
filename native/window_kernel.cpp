#include "window_kernel.h"

#include <array>

namespace numberline {

namespace baseline {
Loss train_windows(const PlanView&, const TablesView&, float, Objective);
}
#if defined(NUMBERLINE_X86)
namespace avx2 {
Loss train_windows(const PlanView&, const TablesView&, float, Objective);
}
namespace avx512 {
Loss train_windows(const PlanView&, const TablesView&, float, Objective);
}
#endif

const InstructionSet* instruction_sets(size_t& count) {
    static std::array<InstructionSet, 3> found;
    static const size_t found_count = [] {
        size_t next = 0;
        found[next++] = {"baseline", baseline::train_windows};
#if defined(NUMBERLINE_X86)
        __builtin_cpu_init();
        if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
            found[next++] = {"avx2", avx2::train_windows};
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512vl"))
            found[next++] = {"avx512", avx512::train_windows};
#endif
        return next;
    }();
    count = found_count;
    return found.data();
}

}  // namespace numberline
