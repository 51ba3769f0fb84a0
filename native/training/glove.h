// Counts of pairs and tables of vectors → the tables after training on some rows of the counts.
//
// The twin of src/numberline/training/glove_reference.py, which derives the steps.
#pragma once
#include <cstddef>
#include <cstdint>

#include "cooccurrence/pooling.h"

namespace numberline {

// The parameters of a side: vectors, biases, and the sums of squares that AdaGrad divides by.
struct GloveSide {
    float* rows;          // inout [ids, stride]
    float* row_squares;   // inout [ids]
    float* biases;        // inout [ids]
    float* bias_squares;  // inout [ids]
};

struct GloveSettings {
    size_t dim, stride;  // length of a vector, and with its padding
    float learning_rate, x_max, power;
};

struct GloveLoss {
    double sum = 0;     // of weighted squared errors
    int64_t pairs = 0;  // in either direction
};

// Train rows first … last - 1, each with the cells before its diagonal, in both directions.
GloveLoss train_pairs(const PairCells& pairs, const GloveSide& input, const GloveSide& output,
                      const GloveSettings& settings, size_t first, size_t last);

}  // namespace numberline
