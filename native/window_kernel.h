// A plan and tables of vectors → the vectors after training on it.
//
// The twin of src/numberline/training/reference.py, which derives the steps. The body is compiled
// for several instruction sets (window_kernel_body.h), and the best that the machine has is chosen.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace numberline {

constexpr size_t kRowAlignment = 16;  // floats; rows are padded to it with zeros, which stay zeros

struct PlanView {
    size_t tokens;
    size_t negatives;              // per centre
    const int32_t* input_rows;     // in [tokens]
    const int32_t* output_rows;    // in [tokens]
    const int32_t* first_context;  // in [tokens]
    const int32_t* last_context;   // in [tokens]
    const int32_t* negative_rows;  // in [tokens, negatives]
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

using WindowKernel = Loss (*)(const PlanView&, const TablesView&, float learning_rate, Objective);

struct InstructionSet {
    std::string_view name;
    WindowKernel kernel;
};

// Those that were compiled and that this machine has, the best last.
const InstructionSet* instruction_sets(size_t& count);

}  // namespace numberline
