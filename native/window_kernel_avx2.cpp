#define NUMBERLINE_ISA avx2
#define NUMBERLINE_LANES 8
#include "window_kernel_body.h"
