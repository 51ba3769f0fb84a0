// Ids of a text → how often each two of them occur near each other, as sorted pairs.
//
// src/numberline/cooccurrence/definition.py says what is counted. Counts are whole numbers of units,
// so that their sums do not depend on the order in which threads and blocks add them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace numberline {

// Pairs of ids, row * ids + column, in ascending order. A pair whose units exceed 32 bits occurs
// more than once.
struct SortedPairs {
    std::vector<uint64_t> keys;
    std::vector<uint32_t> units;
};

struct PairEntry {
    uint64_t key;
    uint64_t units;
};

// A hash table of the pairs of one thread.
class PairTable {
  public:
    // units[d - 1] is what two tokens at distance d count.
    PairTable(uint64_t ids, std::vector<uint32_t> units, size_t most_slots);

    // Count the pairs whose later token is one of first … last - 1. Return the token before which
    // the table was full, or `last`.
    int64_t count(const int32_t* tokens, const int64_t* sentence_offsets, size_t sentences,
                  int64_t first, int64_t last);

    // Empty the table. Each pair is returned with the larger id first, or with the smaller.
    std::vector<PairEntry> take();
    uint64_t ids() const { return ids_; }

  private:
    size_t slot_of(uint64_t key) const { return static_cast<size_t>(key * kHash >> shift_); }
    void add(const PairEntry& pair);
    void resize(size_t slots);
    bool is_full() const { return used_ + units_.size() > slots_.size() / 8 * 5; }

    static constexpr uint64_t kHash = 0x9E3779B97F4A7C15u;
    static constexpr uint64_t kEmpty = UINT64_MAX;  // no key, since ids are below 2^31
    const uint64_t ids_;
    const std::vector<uint32_t> units_;
    const size_t most_slots_;
    std::vector<PairEntry> slots_;
    int shift_ = 0;
    size_t used_ = 0;
};

// Sort the pairs with the larger id first, or with the smaller: together, both directions of each.
SortedPairs sorted_pairs(std::vector<PairEntry> pairs, uint64_t ids, bool is_swapped);

// The count of one pair, within the row of its centre.
struct PairCell {
    int32_t column;
    float count;
};

struct PairRows {
    std::vector<int64_t> lengths;  // cells of each row
    std::vector<int32_t> cells;    // the bytes of PairCells, two items for each
};

struct PairsView {
    const uint64_t* keys;
    const uint32_t* units;
    size_t size;
};

// Add up sorted pairs of rows first … last - 1; pairs of other rows are left out.
PairRows merged_rows(const std::vector<PairsView>& runs, uint64_t ids, uint64_t first, uint64_t last,
                     double units_of_one);

}  // namespace numberline
