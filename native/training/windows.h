// A plan and tables of vectors → the tables after training on it.
//
// The twin of src/numberline/training/reference.py, which derives the steps.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "plan.h"

namespace numberline {

constexpr size_t kRowAlignment = 16;  // floats; rows are padded to it with zeros, which stay zeros
constexpr size_t kCentresPerStep = 2;  // whose scores are all taken before any row moves

// Rows of weights of all numerals: numeral n has entries offsets[n] … offsets[n + 1] - 1.
struct SparseRows {
    const int64_t* offsets;   // in [numerals + 1]
    const int32_t* indices;   // in [entries] prototypes
    const float* weights;     // in [entries]
};

struct Side {
    float* table;           // inout [words + prototypes, stride]
    SparseRows numerals;    // in; a numeral's row is composed of prototypes
};

struct Tables {
    size_t words, prototypes;
    size_t stride;      // floats from one row to the next, a multiple of kRowAlignment
    bool is_frozen;     // prototypes stay as they are
    Side input, output;
};

// Rows of numerals that a thread has composed for a run of draws; reused from run to run.
class ComposedRows {
  public:
    ComposedRows(size_t numerals, size_t capacity, size_t stride);

    std::vector<int32_t> slots;     // [numerals] row of the run, or -1
    std::vector<int32_t> numerals;  // of the run's rows
    std::vector<float> changes;     // [prototypes, stride] summed up when a run ends; zeros between
    std::vector<bool> is_changed;   // [prototypes]
    float* row(size_t slot) const { return rows_ + slot * stride_; }
    float* before(size_t slot) const { return before_ + slot * stride_; }

  private:
    size_t stride_;
    std::vector<float> memory_;
    float *rows_, *before_;  // [capacity, stride] as trained, and as composed
};

// What a run may hold: its numerals do not see each other move until it ends.
struct RunLimits {
    size_t draws;
    size_t numerals;  // among its centres; the draw that reaches it is the run's last
};

struct Workspace {
    Workspace(size_t numerals, size_t stride, const Sampling& sampling, RunLimits limits);

    RunLimits limits;
    ComposedRows input, output;
};

struct Loss {
    double sum = 0;     // of -log likelihood over the pairs that were looked at
    int64_t pairs = 0;  // of a centre and a context (skip-gram) or its contexts (CBOW)
};

enum class Objective { skipgram, cbow };

struct WindowSettings {
    Objective objective;
    float learning_rate;
    float score_offset;  // log of the odds that scores start from, or 0
    size_t loss_phase;   // the loss is looked at in some steps only; this is the first
};

Loss train_windows(const WindowPlan& plan, size_t negatives_per_draw, const Tables& tables,
                   const WindowSettings& settings, Workspace& workspace);

}  // namespace numberline
