#include "pair_table.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace numberline {

namespace {

constexpr size_t kFewestSlots = 1 << 12;
constexpr int kDigitBits = 11;  // of a key, sorted in one pass

inline void prefetch(const void* address) {
#if defined(__GNUC__)
    __builtin_prefetch(address, 1);
#else
    (void)address;
#endif
}

// Sort by key, one digit after the other, beginning with the lowest.
void radix_sort(std::vector<PairEntry>& pairs, uint64_t largest_key) {
    std::vector<PairEntry> sorted(pairs.size());
    for (int shift = 0; shift < 64 && largest_key >> shift; shift += kDigitBits) {
        std::array<size_t, (1 << kDigitBits) + 1> starts{};
        const auto digit = [shift](const PairEntry& pair) {
            return pair.key >> shift & ((1 << kDigitBits) - 1);
        };
        for (const PairEntry& pair : pairs) ++starts[digit(pair) + 1];
        for (size_t d = 1; d < starts.size(); ++d) starts[d] += starts[d - 1];
        for (const PairEntry& pair : pairs) sorted[starts[digit(pair)]++] = pair;
        pairs.swap(sorted);
    }
}

void append(std::vector<PairEntry>& pairs, const PairEntry& pair) {
    if (!pairs.empty() && pairs.back().key == pair.key)
        pairs.back().units += pair.units;
    else
        pairs.push_back(pair);
}

std::vector<PairEntry> merged(const std::vector<PairEntry>& a, const std::vector<PairEntry>& b) {
    std::vector<PairEntry> both;
    both.reserve(a.size() + b.size());
    size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) append(both, a[i].key <= b[j].key ? a[i++] : b[j++]);
    for (; i < a.size(); ++i) append(both, a[i]);
    for (; j < b.size(); ++j) append(both, b[j]);
    return both;
}

std::vector<PairEntry> entries_within(const PairsView& run, uint64_t first, uint64_t last) {
    std::vector<PairEntry> pairs;
    const uint64_t* begin = std::lower_bound(run.keys, run.keys + run.size, first);
    const uint64_t* end = std::lower_bound(begin, run.keys + run.size, last);
    pairs.reserve(end - begin);
    for (const uint64_t* key = begin; key != end; ++key)  // others, if the keys are not sorted
        if (*key >= first && *key < last) append(pairs, {*key, run.units[key - run.keys]});
    return pairs;
}

}  // namespace

PairTable::PairTable(uint64_t ids, std::vector<uint32_t> units, size_t most_slots)
    : ids_(ids), units_(std::move(units)), most_slots_(most_slots) {
    size_t slots = kFewestSlots;
    while (slots < 16 * units_.size()) slots *= 2;  // one token always fits
    resize(slots);
}

void PairTable::resize(size_t slots) {
    std::vector<PairEntry> before(slots, {kEmpty, 0});
    before.swap(slots_);
    shift_ = 64;
    for (size_t size = slots; size > 1; size /= 2) --shift_;
    used_ = 0;
    for (const PairEntry& pair : before)
        if (pair.key != kEmpty) add(pair);
}

void PairTable::add(const PairEntry& pair) {
    size_t slot = slot_of(pair.key);
    while (slots_[slot].key != pair.key) {
        if (slots_[slot].key == kEmpty) {
            slots_[slot].key = pair.key;
            ++used_;
            break;
        }
        slot = slot + 1 == slots_.size() ? 0 : slot + 1;
    }
    slots_[slot].units += pair.units;
}

int64_t PairTable::count(const int32_t* tokens, const int64_t* sentence_offsets, size_t sentences,
                         int64_t first, int64_t last) {
    const int64_t* sentence = std::upper_bound(sentence_offsets, sentence_offsets + sentences, first);
    int64_t begin = sentence == sentence_offsets ? 0 : std::max<int64_t>(0, sentence[-1]);
    // The pairs of a token are added one token later, when their slots have come into the cache.
    std::vector<PairEntry> pending, next;
    int64_t at = first;
    for (; at < last; ++at) {
        if (is_full()) {
            if (slots_.size() >= most_slots_) break;
            resize(2 * slots_.size());
        }
        for (; sentence != sentence_offsets + sentences && *sentence <= at; ++sentence)
            begin = std::max<int64_t>(0, *sentence);
        const int64_t reach = std::min<int64_t>(at - begin, static_cast<int64_t>(units_.size()));
        const auto later = static_cast<uint64_t>(tokens[at]);
        next.clear();
        for (int64_t distance = 1; distance <= reach; ++distance) {
            const auto earlier = static_cast<uint64_t>(tokens[at - distance]);
            if (later >= ids_ || earlier >= ids_) continue;
            const uint64_t key = std::max(earlier, later) * ids_ + std::min(earlier, later);
            prefetch(&slots_[slot_of(key)]);
            next.push_back({key, units_[distance - 1]});
        }
        for (const PairEntry& pair : pending) add(pair);
        pending.swap(next);
    }
    for (const PairEntry& pair : pending) add(pair);
    return at;
}

std::vector<PairEntry> PairTable::take() {
    std::vector<PairEntry> pairs;
    pairs.reserve(used_);
    for (PairEntry& pair : slots_) {
        if (pair.key != kEmpty) pairs.push_back(pair);
        pair = {kEmpty, 0};
    }
    used_ = 0;
    return pairs;
}

SortedPairs sorted_pairs(std::vector<PairEntry> pairs, uint64_t ids, bool is_swapped) {
    if (is_swapped)
        for (PairEntry& pair : pairs) pair.key = pair.key % ids * ids + pair.key / ids;
    radix_sort(pairs, ids * ids);
    SortedPairs sorted;
    sorted.keys.reserve(pairs.size());
    sorted.units.reserve(pairs.size());
    for (const PairEntry& pair : pairs)
        for (uint64_t left = pair.units; left;) {
            const auto part = static_cast<uint32_t>(std::min<uint64_t>(left, UINT32_MAX));
            sorted.keys.push_back(pair.key);
            sorted.units.push_back(part);
            left -= part;
        }
    return sorted;
}

PairRows merged_rows(const std::vector<PairsView>& runs, uint64_t ids, uint64_t first, uint64_t last,
                     double units_of_one) {
    std::vector<std::vector<PairEntry>> parts;
    for (const PairsView& run : runs)
        parts.push_back(entries_within(run, first * ids, last * ids));
    while (parts.size() > 1) {  // two by two, so that a pair is moved only log2(runs) times
        std::vector<std::vector<PairEntry>> halves;
        for (size_t part = 0; part + 1 < parts.size(); part += 2) {
            halves.push_back(merged(parts[part], parts[part + 1]));
            parts[part] = parts[part + 1] = {};
        }
        if (parts.size() % 2) halves.push_back(std::move(parts.back()));
        parts.swap(halves);
    }
    PairRows rows;
    rows.lengths.resize(last - first);
    if (parts.empty()) return rows;
    rows.cells.resize(2 * parts[0].size());
    int32_t* to = rows.cells.data();
    for (const PairEntry& pair : parts[0]) {
        ++rows.lengths[pair.key / ids - first];
        const PairCell cell{static_cast<int32_t>(pair.key % ids),
                            static_cast<float>(pair.units / units_of_one)};
        std::memcpy(to, &cell, sizeof cell);
        to += 2;
    }
    return rows;
}

}  // namespace numberline
