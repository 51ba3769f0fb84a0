#define NUMBERLINE_ISA baseline
#define NUMBERLINE_LANES 4
#include "kernels_body.h"
