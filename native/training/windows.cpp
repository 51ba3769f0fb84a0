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
    const size_t slot = numerals_.size();
    for (int64_t at = first; at < last; ++at) {
        const auto prototype = static_cast<size_t>(weights.indices[at]);
        if (prototype >= loads_.size()) {
            entries_.resize(ends_.back());
            throw std::invalid_argument("indices of sparse rows have changed during training");
        }
        entries_.push_back({prototype, weights.weights[at]});
    }
    ends_.push_back(entries_.size());
    const double whole = length(slot);
    bound_ += whole * whole;
    numerals_.push_back(numeral);
    slots_[static_cast<size_t>(numeral)] = static_cast<int32_t>(slot);
    return slot;
}

float ComposedRows::length(size_t slot) const {
    float sum = 0;
    for (const Entry* entry = begin(slot); entry != end(slot); ++entry)
        sum += std::abs(entry->weight);
    return sum;
}

void ComposedRows::limit_loads() {
    if (bound_ <= kLargestLoad) return;
    for (size_t slot = 0; slot < size(); ++slot) {
        const float whole = length(slot);
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
