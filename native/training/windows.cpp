#include "windows.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace numberline {

ComposedRows::ComposedRows(size_t numeral_count, size_t prototypes, size_t capacity, size_t stride)
    : is_changed(prototypes), slots_(numeral_count, -1), ends_(1), loads_(prototypes),
      stride_(stride), memory_(2 * capacity * stride + kRowAlignment) {
    const size_t misplaced =
        reinterpret_cast<uintptr_t>(memory_.data()) / sizeof(float) % kRowAlignment;
    rows_ = memory_.data() + (kRowAlignment - misplaced) % kRowAlignment;
    before_ = rows_ + capacity * stride;
    numerals_.reserve(capacity);
}

size_t ComposedRows::add(int32_t numeral, const SparseRows& weights) {
    const int64_t first = weights.offsets[numeral], last = weights.offsets[numeral + 1];
    if (first < 0 || first > last || static_cast<size_t>(last) > weights.entries)
        throw std::invalid_argument("offsets of sparse rows have changed during training");
    const size_t slot = numerals_.size(), begin = entries_.size();
    const auto count = static_cast<size_t>(last - first);
    const int32_t* indices = weights.indices + first;
    entries_.resize(begin + count);
    Entry* entries = entries_.data() + begin;
    bool is_within = true;
    float length = 0;
    for (size_t at = 0; at < count; ++at) {
        const Entry entry{static_cast<uint32_t>(indices[at]), weights.weights[first + at]};
        is_within &= entry.prototype < loads_.size();
        length += std::abs(entry.weight);
        entries[at] = entry;
    }
    if (!is_within) {
        entries_.resize(begin);
        throw std::invalid_argument("indices of sparse rows have changed during training");
    }
    ends_.push_back(entries_.size());
    lengths_.push_back(length);
    bound_ += static_cast<double>(length) * length;
    numerals_.push_back(numeral);
    slots_[static_cast<size_t>(numeral)] = static_cast<int32_t>(slot);
    return slot;
}

void ComposedRows::limit_loads() {
    if (bound_ <= kLargestLoad) return;
    for (size_t slot = 0; slot < size(); ++slot) {
        const float whole = lengths_[slot];
        for (const Entry* entry = begin(slot); entry != end(slot); ++entry)
            loads_[entry->prototype] += whole * std::abs(entry->weight);
    }
    for (size_t slot = 0; slot < size(); ++slot) {
        float largest = kLargestLoad;
        for (const Entry* entry = begin(slot); entry != end(slot); ++entry)
            largest = std::max(largest, loads_[entry->prototype]);
        if (largest == kLargestLoad) continue;
        for (size_t at = ends_[slot]; at < ends_[slot + 1]; ++at)
            entries_[at].weight *= kLargestLoad / largest;
    }
    for (const Entry& entry : entries_) loads_[entry.prototype] = 0;
}

void ComposedRows::clear() {
    for (int32_t numeral : numerals_) slots_[static_cast<size_t>(numeral)] = -1;
    numerals_.clear();
    lengths_.clear();
    entries_.clear();
    ends_.resize(1);
    bound_ = 0;
}

Workspace::Workspace(const Sampling& sampling, const Tables& tables)
    : input(sampling.ids() - sampling.words(), tables.prototypes,
            kCentresPerGroup + 2 * static_cast<size_t>(sampling.window), tables.stride),
      output(sampling.ids() - sampling.words(), tables.prototypes,
             kCentresPerGroup + static_cast<size_t>(sampling.negatives_per_group),
             tables.stride) {}

}  // namespace numberline
