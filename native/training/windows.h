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
constexpr float kLargestLoad = 4;      // of a prototype in a group: reference.py says why

// The weights of all numerals: numeral n has the entries offsets[n] … offsets[n + 1] - 1.
struct SparseRows {
    size_t entries;
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

struct Entry {
    uint32_t prototype;
    float weight;
};

// Memory for the rows of numerals that a thread has composed for a group.
class ComposedRows {
  public:
    ComposedRows(size_t numerals, size_t prototypes, size_t capacity, size_t stride);

    std::vector<float> changes;    // [prototypes, stride] zeros, but for sums when a group ends
    std::vector<bool> is_changed;  // [prototypes]

    size_t size() const { return numerals_.size(); }
    size_t entry_count() const { return entries_.size(); }
    int32_t slot_of(size_t numeral) const { return slots_[numeral]; }
    // Add a row; copy its weights, so that a later change of the arrays cannot lead astray. Throw if
    // they reach beyond the arrays, or beyond the prototypes.
    size_t add(int32_t numeral, const SparseRows& weights);
    float* row(size_t slot) const { return rows_ + slot * stride_; }
    float* before(size_t slot) const { return before_ + slot * stride_; }
    const Entry* begin(size_t slot) const { return entries_.data() + ends_[slot]; }
    const Entry* end(size_t slot) const { return entries_.data() + ends_[slot + 1]; }
    // Multiply the weights of each row by the fraction that brings the loads of all its prototypes
    // down to kLargestLoad.
    void limit_loads();
    void clear();

  private:
    std::vector<int32_t> slots_;     // [numerals] index of its row in this group, or -1
    std::vector<int32_t> numerals_;  // of the rows
    std::vector<float> lengths_;     // of the rows: sums of their absolute weights
    std::vector<Entry> entries_;     // of all rows, one after the other
    std::vector<size_t> ends_;       // [rows + 1] in entries_: 0, then the end of each row
    std::vector<float> loads_;       // [prototypes] zeros, but within limit_loads
    double bound_ = 0;               // no load is larger: sum of squared lengths
    size_t stride_;
    std::vector<float> memory_;
    float *rows_, *before_;  // [capacity, stride] as trained, and as composed
};

// The memory of a thread, reused from group to group.
struct Workspace {
    Workspace(const Sampling& sampling, const Tables& tables);

    ComposedRows input, output;
};

struct Loss {
    double sum = 0;     // negative log likelihood of the pairs, in nats
    int64_t pairs = 0;  // of a centre and a context (skip-gram) or its contexts (CBOW)
};

enum class Objective { skipgram, cbow };

struct WindowSettings {
    Objective objective;
    size_t negatives;    // per group
    float score_offset;  // is subtracted from every score
    float learning_rate;
    size_t loss_phase;  // shifts which steps the loss is taken of: one in kLossEvery
};

Loss train_windows(const WindowPlan& plan, const Tables& tables, const WindowSettings& settings,
                   Workspace& workspace);

}  // namespace numberline
