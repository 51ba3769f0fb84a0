// Text and random numbers → which rows meet in which window: all of a block but the arithmetic.
//
// The twin of src/numberline/training/plan.py, which explains the draws.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace numberline {

constexpr size_t kCentresPerDraw = 4;  // neighbouring centres are told from the same negatives

// One place of an alias table: a draw here gives the place itself or, above the threshold, `other`.
struct AliasPlace {
    uint32_t threshold;
    int32_t other;
};

struct Sampling {
    size_t words;                      // ids below are words, the others numerals
    std::vector<float> keep_share;     // [words] share of occurrences that subsampling keeps
    std::vector<AliasPlace> negatives; // [words + numerals]
    uint32_t window;                   // widest reach to either side
    uint32_t negatives_per_centre;
    std::vector<AliasPlace> numerals;  // [numerals] the same of numerals alone
    uint32_t numeral_negatives;        // drawn from that for centres with a numeral among them
};

// Rows are coded as one number: a word's id, or -1 - r for row r of the block's numerals.
struct WindowPlan {
    std::vector<int32_t> input_rows;    // [tokens] of each kept token as a context
    std::vector<int32_t> output_rows;   // [tokens] of each kept token as a centre
    std::vector<int32_t> first_context; // [tokens] contexts are first … last - 1 but the centre
    std::vector<int32_t> last_context;  // [tokens]
    std::vector<int32_t> negative_rows; // [draws, negatives per centre]
    std::vector<int32_t> input_numerals;   // a numeral of each input row of the block
    std::vector<int32_t> output_numerals;  // a numeral of each output row of the block
};

class Planner {
  public:
    // `groups` numbers the numerals; those of one number share their rows.
    Planner(const Sampling& sampling, std::vector<int32_t> groups, size_t group_count)
        : sampling_(sampling), groups_(std::move(groups)), input_slots_(group_count, -1),
          output_slots_(group_count, -1) {}

    // Plan the tokens first_token … last_token - 1 of a corpus.
    const WindowPlan& plan(const int32_t* ids,         // in [tokens of the corpus]
                           const int64_t* sentence_ends,  // in [sentences], of those that follow
                           size_t sentences, int64_t first_token, int64_t last_token, uint64_t key);
    const WindowPlan& latest() const { return plan_; }
    const Sampling& sampling() const { return sampling_; }

  private:
    void plan_sentence(int64_t first, int64_t last, const int32_t* ids, uint64_t key);
    void draw_negatives(uint64_t key);
    void draw_numerals(uint64_t key);
    bool has_numeral(size_t draw) const;
    void resize_plan(size_t tokens);
    int32_t row_of(int32_t id, std::vector<int32_t>& slots, std::vector<int32_t>& used);
    void forget_numerals();
    const Sampling& sampling_;
    std::vector<int32_t> groups_;  // [numerals]
    WindowPlan plan_;
    size_t planned_ = 0;                 // tokens that are in the plan
    std::vector<int64_t> positions_;     // of the kept tokens of a sentence
    std::vector<uint64_t> first_draws_;  // counters of the negatives
    std::vector<int32_t> input_slots_;   // [groups] row in this block, -1 if it has none yet
    std::vector<int32_t> output_slots_;
};

}  // namespace numberline
