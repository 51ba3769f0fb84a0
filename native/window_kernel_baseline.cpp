#define NUMBERLINE_ISA baseline
#define NUMBERLINE_LANES 4
#include "window_kernel_body.h"
