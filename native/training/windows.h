// A plan and tables of vectors → the tables after training on it.
//
// The twin of src/numberline/training/reference.py, which derives the steps.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "plan.h"

namespace numberline {

constexpr size_t kRowAlignment = 16;   // floats; rows are padded to it with zeros, which stay zeros
constexpr size_t kCentresPerStep = 2;  // whose scores are all taken before any row moves

// The weights of all numerals: numeral n has the entries offsets[n] … offsets[n + 1] - 1.
struct SparseRows {
    const int64_t* offsets;  // in [numerals + 1]
    const int32_t* indices;  // in [entries] of prototypes
    const float* weights;    // in [entries]
};

struct SideTable {
    float* rows;          // inout [words + prototypes, stride]
    SparseRows numerals;  // the rows of numerals are sums of prototypes with these weights
};

struct Tables {
    size_t words, prototypes;
    size_t stride;   // floats from one row to the next, a multiple of kRowAlignment
    bool is_frozen;  // prototypes never move
    SideTable input, output;
};

// Memory for the rows of numerals that a thread has composed for a group.
class ComposedRows {
  public:
    ComposedRows(size_t numerals, size_t capacity, size_t stride);

    std::vector<int32_t> slots;     // [numerals] index of its row in this group, or -1
    std::vector<int32_t> numerals;  // of the rows
    std::vector<float> changes;     // [prototypes, stride] zeros, but for sums when a group ends
    std::vector<bool> is_changed;   // [prototypes]
    float* row(size_t slot) const { return rows_ + slot * stride_; }
    float* before(size_t slot) const { return before_ + slot * stride_; }

  private:
    size_t stride_;
    std::vector<float> memory_;
    float *rows_, *before_;  // [capacity, stride] as trained, and as composed
};

// The memory of a thread, reused from group to group.
struct Workspace {
    Workspace(const Sampling& sampling, size_t stride);

    ComposedRows input, output;
};

struct Loss {
    double sum = 0;     // negative log likelihood of the pairs, in nats
    int64_t pairs = 0;  // of a centre and a context (skip-gram) or its contexts (CBOW)
};

enum class Objective { skipgram, cbow };

struct WindowSettings {
    Objective objective;
    size_t negatives;  // per group
    float learning_rate;
    size_t loss_phase;  // shifts which steps the loss is taken of: one in kLossEvery
};

Loss train_windows(const WindowPlan& plan, const Tables& tables, const WindowSettings& settings,
                   Workspace& workspace);

}  // namespace numberline
