#include "plan.h"

#include <algorithm>
#include <stdexcept>

#include "random.h"

namespace numberline {
namespace {

// Draws of a token, counted from its position in the corpus times their number.
constexpr uint64_t kKeepDraw = 0, kWidthDraw = 1, kFirstNegativeDraw = 2;

int32_t drawn(const AliasTable& table, uint32_t size, uint64_t bits) {
    const uint32_t index = random_index(bits, size);
    const AliasEntry entry = table[index];
    // Without a branch, which would have to wait for the table.
    const int32_t is_kept = -static_cast<int32_t>(static_cast<uint32_t>(bits) < entry.threshold);
    return (static_cast<int32_t>(index) & is_kept) | (entry.other & ~is_kept);
}

}  // namespace

const WindowPlan& Planner::plan(const TextRange& range, uint64_t key) {
    plan_.ids.clear();
    plan_.first_context.clear();
    plan_.last_context.clear();
    draw_counters_.clear();
    plan_.first_centre = plan_.last_centre = 0;
    for (size_t sentence = 0; sentence < range.sentences; ++sentence)
        plan_sentence(range, range.sentence_offsets[sentence], range.sentence_offsets[sentence + 1],
                      key);
    draw_negatives(key);
    return plan_;
}

uint64_t Planner::draws_per_token() const {
    return kFirstNegativeDraw + sampling_.negatives_per_draw;
}

bool Planner::is_kept(int32_t id, int64_t position, uint64_t key) const {
    const uint64_t bits =
        random_bits(key, static_cast<uint64_t>(position) * draws_per_token() + kKeepDraw);
    return static_cast<size_t>(id) >= sampling_.words() ||
           random_fraction(bits) < sampling_.keep_probability[static_cast<size_t>(id)];
}

void Planner::plan_sentence(const TextRange& range, int64_t begin, int64_t end, uint64_t key) {
    const int64_t first = std::max(begin, range.first_token);
    const int64_t last = std::min(end, range.last_token);
    positions_.clear();
    add_kept_before(range, begin, first, key);
    const size_t before = positions_.size();
    add_kept_within(range, first, last, key);
    const size_t centres_end = positions_.size();
    add_kept_after(range, last, end, key);
    const size_t kept = positions_.size();
    if (kept < 2 || centres_end == before) return;  // a token alone has nothing to learn from
    const size_t start = plan_.ids.size();
    if (plan_.last_centre == 0) plan_.first_centre = start + before;
    plan_.last_centre = start + centres_end;
    plan_.ids.resize(start + kept);
    plan_.first_context.resize(start + kept);
    plan_.last_context.resize(start + kept);
    const auto sentence_begin = static_cast<int32_t>(start);
    const auto sentence_end = static_cast<int32_t>(start + kept);
    for (size_t at = 0; at < kept; ++at) {
        const auto centre = static_cast<int32_t>(start + at);
        const uint64_t counter = static_cast<uint64_t>(positions_[at]) * draws_per_token();
        const auto width = static_cast<int32_t>(
            1 + random_index(random_bits(key, counter + kWidthDraw), sampling_.window));
        const int32_t id = range.ids[positions_[at]];
        if (id < 0 || static_cast<size_t>(id) >= sampling_.ids())
            throw std::invalid_argument("an id beyond the vocabulary");
        plan_.ids[start + at] = id;
        plan_.first_context[start + at] = std::max(sentence_begin, centre - width);
        plan_.last_context[start + at] = std::min(sentence_end, centre + width + 1);
        const bool is_centre = at >= before && at < centres_end;
        if (is_centre && (start + at - plan_.first_centre) % kCentresPerDraw == 0)
            draw_counters_.push_back(counter + kFirstNegativeDraw);
    }
}

// The kept tokens from `begin` to `end`, which is where the range begins: as many as a window reaches.
void Planner::add_kept_before(const TextRange& range, int64_t begin, int64_t end, uint64_t key) {
    for (int64_t at = end - 1; at >= begin && positions_.size() < sampling_.window; --at)
        if (is_kept(range.ids[at], at, key)) positions_.push_back(at);
    std::reverse(positions_.begin(), positions_.end());
}

void Planner::add_kept_within(const TextRange& range, int64_t begin, int64_t end, uint64_t key) {
    if (begin >= end) return;
    size_t kept = positions_.size();
    positions_.resize(kept + static_cast<size_t>(end - begin));
    for (int64_t at = begin; at < end; ++at) {
        positions_[kept] = at;
        kept += is_kept(range.ids[at], at, key);
    }
    positions_.resize(kept);
}

void Planner::add_kept_after(const TextRange& range, int64_t begin, int64_t end, uint64_t key) {
    const size_t most = positions_.size() + sampling_.window;
    for (int64_t at = begin; at < end && positions_.size() < most; ++at)
        if (is_kept(range.ids[at], at, key)) positions_.push_back(at);
}

// All at once: the processor then looks up many entries of the table at a time.
void Planner::draw_negatives(uint64_t key) {
    const uint32_t negatives = sampling_.negatives_per_draw;
    const auto ids = static_cast<uint32_t>(sampling_.ids());
    const auto words = static_cast<int32_t>(sampling_.words());
    const auto numerals = static_cast<uint32_t>(sampling_.numeral_negatives.size());
    plan_.negatives.resize(draw_counters_.size() * negatives);
    int32_t* id = plan_.negatives.data();
    for (uint64_t first : draw_counters_)
        for (uint32_t k = 0; k < negatives; ++k, ++id)
            *id = drawn(sampling_.negatives, ids, random_bits(key, first + k));
    if (sampling_.numerals_per_draw == 0) return;
    // The first negatives of centres with a numeral among them are drawn anew.
    for (size_t draw = 0; draw < draw_counters_.size(); ++draw) {
        if (!has_numeral(draw)) continue;
        id = plan_.negatives.data() + draw * negatives;
        for (uint32_t k = 0; k < sampling_.numerals_per_draw; ++k)
            id[k] = words + drawn(sampling_.numeral_negatives, numerals,
                                  random_bits(key, draw_counters_[draw] + k));
    }
}

bool Planner::has_numeral(size_t draw) const {
    const auto words = static_cast<int32_t>(sampling_.words());
    const size_t first = plan_.first_centre + draw * kCentresPerDraw;
    const size_t last = std::min(first + kCentresPerDraw, plan_.last_centre);
    return std::any_of(plan_.ids.begin() + static_cast<std::ptrdiff_t>(first),
                       plan_.ids.begin() + static_cast<std::ptrdiff_t>(last),
                       [=](int32_t id) { return id >= words; });
}

}  // namespace numberline
