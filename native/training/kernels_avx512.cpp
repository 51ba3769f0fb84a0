#define NUMBERLINE_ISA avx512
#define NUMBERLINE_LANES 16
#include "kernels_body.h"
