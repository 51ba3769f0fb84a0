// Counts of pairs and tables of vectors → the tables after training on some rows of the counts.
//
// The twin of src/numberline/training/glove_reference.py, which derives the steps.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cooccurrence/pair_products.h"
#include "windows.h"

namespace numberline {

constexpr size_t kCellsPerVisit = 256;  // after which a numeral's row is composed anew

// A side's parameters beside its vectors: biases, and the sums of squares that AdaGrad divides by.
struct GloveSide {
    float* row_squares;   // inout [words + prototypes]
    float* biases;        // inout [ids]
    float* bias_squares;  // inout [ids]
};

struct PairCells {
    size_t ids;
    const int64_t* offsets;   // in [ids + 1]
    size_t cell_count;
    const MatrixCell* cells;  // in [cell_count]: counts
};

struct GloveSettings {
    size_t dim;  // of the vectors, without padding
    float learning_rate, x_max, power;
};

struct GloveLoss {
    double sum = 0;     // of weighted squared errors
    int64_t pairs = 0;  // in either direction
};

// Memory of a thread: the rows of numerals, composed and as they were before.
struct GloveWorkspace {
    std::vector<float> memory;
};

// Train rows first … last - 1, each with the cells up to its diagonal, in both directions.
GloveLoss train_pairs(const PairCells& pairs, const Tables& tables, const GloveSide& input,
                      const GloveSide& output, const GloveSettings& settings, size_t first,
                      size_t last, GloveWorkspace& workspace);

}  // namespace numberline
