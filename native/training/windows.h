// A plan and tables of vectors → the vectors after training on it.
//
// The twin of src/numberline/training/reference.py, which derives the steps.
#pragma once
#include <cstddef>
#include <cstdint>

namespace numberline {

constexpr size_t kRowAlignment = 16;  // floats; rows are padded to it with zeros, which stay zeros

constexpr size_t kCentresPerStep = 2;  // whose scores are all taken before any row moves

struct PlanView {
    size_t tokens;
    size_t negatives;              // per centre
    const int32_t* input_rows;     // in [tokens]
    const int32_t* output_rows;    // in [tokens]
    const int32_t* first_context;  // in [tokens]
    const int32_t* last_context;   // in [tokens]
    const int32_t* negative_rows;  // in [draws, negatives]
};

struct TablesView {
    size_t stride;          // floats from one row to the next, a multiple of kRowAlignment
    float* word_input;      // inout [words, stride]
    float* word_output;     // inout [words, stride]
    float* numeral_input;   // inout [input rows of the block, stride]
    float* numeral_output;  // inout [output rows of the block, stride]
};

struct Loss {
    double sum = 0;     // of -log likelihood over the pairs that were looked at
    int64_t pairs = 0;  // of a centre and a context (skip-gram) or its contexts (CBOW)
};

enum class Objective { skipgram, cbow };

// The loss is looked at in some steps only; `loss_phase` says which is the first.
Loss train_windows(const PlanView& plan, const TablesView& tables, float learning_rate,
                   Objective objective, size_t loss_phase);

}  // namespace numberline
