// Sparse rows of weights times a basis, and the transposed product.
//
// The twins of `defined_product` and `defined_adjoint` in src/numberline/encoders/weights.py.
#pragma once
#include <cstddef>
#include <cstdint>

namespace numberline {

struct SparseView {
    size_t rows;
    const int64_t* offsets;  // in [rows + 1]
    const int32_t* columns;  // in [offsets[rows]]
    const float* shares;     // in [offsets[rows]]
};

void sparse_product(const SparseView& weights, size_t dim,
                    const float* basis,  // in [basis size, dim]
                    float* rows);        // out [rows, dim]

void sparse_adjoint(const SparseView& weights, size_t dim,
                    const float* changes,  // in [rows, dim]
                    float* total);         // inout [basis size, dim]

}  // namespace numberline
