// All kernels for one instruction set. Included once per set, with NUMBERLINE_ISA naming it and its
// namespace, and NUMBERLINE_LANES the floats of a vector register.
#include "kernels.h"
#include "vector_math.h"
//
#include "mixture_body.h"
#include "products_body.h"
#include "batch_rows_body.h"
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
                       mixture_posterior};

}  // namespace NUMBERLINE_ISA
}  // namespace numberline
