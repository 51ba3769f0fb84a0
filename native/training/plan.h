// A block of text and random numbers → which tokens meet in which windows.
//
// The twin of src/numberline/training/plan.py, which explains the pieces of a text and the draws.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace numberline {

constexpr size_t kCentresPerGroup = 4;  // neighbouring centres that share their negatives
// Limits that keep all counts of a plan within 32 bits.
constexpr uint32_t kLargestWindow = 1000, kMostNegatives = 1000;  // as in settings.py
constexpr int64_t kMostBlockTokens = int64_t{1} << 28;

// An entry of an alias table: drawing it gives its index or, from the threshold on, `other`.
struct AliasEntry {
    uint32_t threshold;
    int32_t other;
};
using AliasTable = std::vector<AliasEntry>;

struct Sampling {
    std::vector<float> keep_probability;  // [words] that an occurrence is kept
    AliasTable negatives;                 // [words + numerals]
    AliasTable numeral_negatives;         // [numerals]
    uint32_t window;                      // most tokens on each side
    uint32_t negatives_per_group;
    uint32_t numerals_per_group;  // of these negatives, if one of the centres is a numeral

    size_t words() const { return keep_probability.size(); }
    size_t ids() const { return negatives.size(); }
};

struct Corpus {
    const int32_t* ids;  // in [tokens]
    int64_t tokens;
    const int64_t* sentence_offsets;  // in [sentences + 1] ascending
    size_t sentences;
};

struct Block {
    int64_t first_token, last_token;  // the last one is not part of the block
};

// Kept tokens, one after the other. Those before the first centre and from the last centre on lie
// outside the block: windows reach across its ends where these cut a sentence.
struct WindowPlan {
    std::vector<int32_t> ids;            // [kept]
    std::vector<int32_t> first_context;  // [kept] contexts are first … last - 1, but the centre
    std::vector<int32_t> last_context;   // [kept]
    size_t first_centre = 0, last_centre = 0;
    std::vector<int32_t> negatives;  // [groups, negatives per group] ids
};

class Planner {
  public:
    Planner(const Corpus& corpus, const Sampling& sampling) : corpus_(corpus), sampling_(sampling) {}

    int64_t tokens() const { return corpus_.tokens; }
    const WindowPlan& plan(const Block& block, uint64_t key);

  private:
    void plan_sentence(const Block& block, int64_t begin, int64_t end, uint64_t key);
    bool is_kept(int64_t token, uint64_t key) const;
    void add_kept_before(int64_t begin, int64_t end, uint64_t key);
    void add_kept_within(int64_t begin, int64_t end, uint64_t key);
    void add_kept_after(int64_t begin, int64_t end, uint64_t key);
    void draw_negatives(uint64_t key);
    bool has_numeral(size_t group) const;
    uint64_t draws_per_token() const;

    const Corpus corpus_;
    const Sampling& sampling_;
    WindowPlan plan_;
    std::vector<int64_t> tokens_;           // kept ones of a sentence, as indices into the corpus
    std::vector<uint64_t> group_counters_;  // of the first negative of each group
};

}  // namespace numberline
