// Text and random numbers → which tokens meet in which window.
//
// The twin of src/numberline/training/plan.py, which explains the draws.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace numberline {

constexpr size_t kCentresPerDraw = 4;  // neighbouring centres are told from the same negatives

// One index of an alias table: a draw here gives the index itself or, above the threshold, `other`.
struct AliasEntry {
    uint32_t threshold;
    int32_t other;
};
using AliasTable = std::vector<AliasEntry>;

struct Sampling {
    std::vector<float> keep_probability;  // [words] of an occurrence, when frequent ones are dropped
    AliasTable negatives;                 // [words + numerals]
    AliasTable numeral_negatives;         // [numerals]
    uint32_t window;                      // most tokens to either side
    uint32_t negatives_per_draw;
    uint32_t numerals_per_draw;  // of the negatives, if a numeral is among the centres of the draw

    size_t words() const { return keep_probability.size(); }
    size_t ids() const { return negatives.size(); }
};

// A range of the corpus. Sentences reach beyond it where the range begins or ends within one.
struct TextRange {
    const int32_t* ids;               // in [tokens of the corpus]
    const int64_t* sentence_offsets;  // in [sentences + 1], from the range's first sentence on
    size_t sentences;                 // that have tokens in the range
    int64_t first_token, last_token;  // the last one is not part of the range
};

// Kept tokens, one after the other. Those before the first centre and from the last centre on lie
// outside the range: windows reach across its ends.
struct WindowPlan {
    std::vector<int32_t> ids;            // [tokens]
    std::vector<int32_t> first_context;  // [tokens] contexts are first … last - 1 but the centre
    std::vector<int32_t> last_context;   // [tokens]
    size_t first_centre = 0, last_centre = 0;
    std::vector<int32_t> negatives;  // [draws, negatives per draw] ids
};

class Planner {
  public:
    explicit Planner(const Sampling& sampling) : sampling_(sampling) {}

    const WindowPlan& plan(const TextRange& range, uint64_t key);

  private:
    void plan_sentence(const TextRange& range, int64_t begin, int64_t end, uint64_t key);
    bool is_kept(int32_t id, int64_t position, uint64_t key) const;
    void add_kept_before(const TextRange& range, int64_t begin, int64_t end, uint64_t key);
    void add_kept_within(const TextRange& range, int64_t begin, int64_t end, uint64_t key);
    void add_kept_after(const TextRange& range, int64_t begin, int64_t end, uint64_t key);
    void draw_negatives(uint64_t key);
    bool has_numeral(size_t draw) const;
    uint64_t draws_per_token() const;

    const Sampling& sampling_;
    WindowPlan plan_;
    std::vector<int64_t> positions_;     // of the kept tokens of a sentence
    std::vector<uint64_t> draw_counters_;  // of the first negative of each draw
};

}  // namespace numberline
