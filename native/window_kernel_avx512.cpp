#define NUMBERLINE_ISA avx512
#define NUMBERLINE_LANES 16
#include "window_kernel_body.h"
