// Rows of weights, dense or sparse, times a basis; and the transposed products.
//
// The twins of what src/numberline/encoders/weights.py defines in NumPy.
#pragma once
#include <cstddef>
#include <cstdint>

namespace numberline {

// A matrix that may be read across: element (i, k) is at data[i * row_step + k * column_step].
struct StridedMatrix {
    size_t rows;
    size_t columns;
    const float* data;
    size_t row_step;
    size_t column_step;
};

// rows += weights * basis.
void matrix_product(const StridedMatrix& weights, size_t dim,
                    const float* basis,  // in [columns of weights, dim]
                    float* rows);        // inout [rows of weights, dim]

struct SparseView {
    size_t rows;
    const int64_t* offsets;  // in [rows + 1]
    const int32_t* columns;  // in [offsets[rows]]
    const float* shares;     // in [offsets[rows]]
};

// rows += weights * basis.
void sparse_product(const SparseView& weights, size_t dim,
                    const float* basis,  // in [basis size, dim]
                    float* rows);        // inout [rows, dim]

// total += transposed weights * changes.
void sparse_adjoint(const SparseView& weights, size_t dim,
                    const float* changes,  // in [rows, dim]
                    float* total);         // inout [basis size, dim]

}  // namespace numberline
