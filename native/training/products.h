// Short rows of weights times a table of vectors.
//
// The twin of SparseRows.defined_product in src/numberline/numerals/rows.py.
#pragma once
#include <cstddef>
#include <cstdint>

namespace numberline {

struct SparseView {
    size_t rows;
    const int64_t* offsets;  // in [rows + 1]
    const int32_t* indices;  // in [offsets[rows]]
    const float* weights;    // in [offsets[rows]]
};

// vectors += rows * table.
void sparse_product(const SparseView& rows, size_t dim,
                    const float* table,  // in [size, dim]
                    float* vectors);     // inout [rows, dim]

}  // namespace numberline
