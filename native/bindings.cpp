// Python ↔ C++: arrays in, arrays out. Nothing but checks and conversions happens in bindings.
#include "bindings.h"

#include <stdexcept>

namespace numberline {

void require_sparse_rows(const ConstArray<int64_t>& offsets, const ConstArray<int32_t>& indices,
                         const ConstArray<float>& weights, size_t rows, size_t prototypes) {
    require_aligned(offsets, "offsets");
    require_aligned(indices, "indices");
    require_aligned(weights, "weights");
    if (offsets.size() != rows + 1 || offsets.data()[0] != 0 || indices.size() != weights.size() ||
        offsets.data()[rows] != static_cast<int64_t>(indices.size()))
        throw std::invalid_argument(
            "the parts of sparse rows do not fit: offsets must be one more than rows, "
            "from 0 to the number of indices, and as many weights as indices");
    for (size_t row = 0; row < rows; ++row)
        require(offsets.data()[row] <= offsets.data()[row + 1], "offsets must not fall");
    for (size_t at = 0; at < indices.size(); ++at)
        require(indices.data()[at] >= 0 && static_cast<size_t>(indices.data()[at]) < prototypes,
                "an index of sparse rows lies beyond the table");
}

}  // namespace numberline

NB_MODULE(_native, module) {
    numberline::bind_text(module);
    numberline::bind_quantities(module);
    numberline::bind_training(module);
    numberline::bind_kernels(module);
}
