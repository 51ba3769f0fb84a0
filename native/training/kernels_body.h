// All kernels for one instruction set. Included once per set: NUMBERLINE_ISA is its name and its
// namespace, NUMBERLINE_LANES the number of floats in a vector register.
#include "kernels.h"
#include "vector_math.h"
// Below, each file may use those above it.
#include "mixture_body.h"
#include "products_body.h"
#include "support_sums_body.h"
#include "group_rows_body.h"
#include "plan_view_body.h"
#include "windows_body.h"

#define NUMBERLINE_NAME_OF(isa) #isa
#define NUMBERLINE_NAME(isa) NUMBERLINE_NAME_OF(isa)

namespace numberline {
namespace NUMBERLINE_ISA {

extern const Kernels kKernels;
const Kernels kKernels{NUMBERLINE_NAME(NUMBERLINE_ISA),
                       train_windows,
                       sparse_product,
                       mixture_expectation,
                       mixture_posterior,
                       support_sums};

}  // namespace NUMBERLINE_ISA
}  // namespace numberline
