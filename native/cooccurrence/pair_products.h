// A matrix made of counts of pairs, times a table of vectors.
//
// The twin of defined_product in src/numberline/training/ppmi_matrix.py.
#pragma once
#include <cstddef>
#include <cstdint>

namespace numberline {

// A cell of a sparse row: PairCell in pair_table.h, or its logarithm.
struct MatrixCell {
    int32_t column;
    float value;
};

// The matrix has max(0, value + row term + column term) in each cell.
struct PairMatrix {
    size_t ids;
    const int64_t* offsets;     // in [ids + 1]
    size_t cell_count;
    const MatrixCell* cells;    // in [cell_count]
    const float* row_terms;     // in [ids]
    const float* column_terms;  // in [ids]
};

// products = rows first … last - 1 of the matrix, times the table. Each row is summed in the order
// of its cells, so that results do not depend on how rows are divided among threads.
void pair_products(const PairMatrix& matrix, size_t first, size_t last, size_t dim,
                   const float* table,  // in [ids, dim]
                   float* products);    // out [last - first, dim]

}  // namespace numberline
