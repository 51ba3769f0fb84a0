#include "windows.h"

namespace numberline {

ComposedRows::ComposedRows(size_t numeral_count, size_t capacity, size_t stride)
    : slots(numeral_count, -1), stride_(stride), memory_(2 * capacity * stride + kRowAlignment) {
    const size_t misplaced =
        reinterpret_cast<uintptr_t>(memory_.data()) / sizeof(float) % kRowAlignment;
    rows_ = memory_.data() + (kRowAlignment - misplaced) % kRowAlignment;
    before_ = rows_ + capacity * stride;
    numerals.reserve(capacity);
}

Workspace::Workspace(const Sampling& sampling, size_t stride)
    : input(sampling.ids() - sampling.words(),
            kCentresPerGroup + 2 * sampling.window, stride),
      output(sampling.ids() - sampling.words(),
             kCentresPerGroup + sampling.negatives_per_group, stride) {}

}  // namespace numberline
