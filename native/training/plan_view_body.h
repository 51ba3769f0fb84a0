// Included once per instruction set: see kernels_body.h.
#include <algorithm>

#include "windows.h"

namespace numberline {
namespace NUMBERLINE_ISA {
namespace {

struct Span {
    size_t first, last;  // last is the one after its end
};

// A plan, read centre by centre.
class PlanView {
  protected:
    PlanView(const WindowPlan& plan, size_t words, size_t negatives)
        : plan_(plan), words_(static_cast<int32_t>(words)), negatives_(negatives) {}

    bool is_numeral(int32_t id) const { return id >= words_; }
    const int32_t* negatives_of(size_t centre) const {
        return plan_.negatives.data() +
               (centre - plan_.first_centre) / kCentresPerGroup * negatives_;
    }
    // The contexts, with the centre among them.
    Span contexts_of(size_t centre) const {
        return {static_cast<size_t>(plan_.first_context[centre]),
                static_cast<size_t>(plan_.last_context[centre])};
    }
    size_t end_of_step(size_t first) const {
        return std::min(first + kCentresPerStep, plan_.last_centre);
    }
    size_t end_of_group(size_t first) const {
        return std::min(first + kCentresPerGroup, plan_.last_centre);
    }

    const WindowPlan& plan_;
    const int32_t words_;
    const size_t negatives_;  // per group
};

}  // namespace
}  // namespace NUMBERLINE_ISA
}  // namespace numberline
