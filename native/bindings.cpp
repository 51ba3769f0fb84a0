// Python ↔ C++: arrays in, arrays out. Nothing but checks and conversions happens in bindings.
#include "bindings.h"

NB_MODULE(_native, module) {
    numberline::bind_text(module);
    numberline::bind_training(module);
    numberline::bind_kernels(module);
}
