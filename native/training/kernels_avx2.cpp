#define NUMBERLINE_ISA avx2
#define NUMBERLINE_LANES 8
#include "kernels_body.h"
