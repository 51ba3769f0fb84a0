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

Workspace::Workspace(size_t numerals, size_t stride, const Sampling& sampling, RunLimits run_limits)
    : limits(run_limits),
      input(numerals, limits.draws * kCentresPerDraw + 2 * sampling.window, stride),
      output(numerals, limits.draws * (kCentresPerDraw + sampling.negatives_per_draw), stride) {}

}  // namespace numberline
