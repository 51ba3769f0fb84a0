#include "plan.h"

#include <algorithm>
#include <stdexcept>

#include "random.h"

namespace numberline {
namespace {

// The draws of a token, counted from its index in the corpus times the draws per token.
constexpr uint64_t kKeepDraw = 0, kWidthDraw = 1, kFirstNegativeDraw = 2;

int32_t drawn(const AliasTable& table, uint32_t size, uint64_t bits) {
    const uint32_t index = random_index(bits, size);
    const AliasEntry entry = table[index];
    // Without a branch, which would have to wait for the table.
    const int32_t is_kept = -static_cast<int32_t>(static_cast<uint32_t>(bits) < entry.threshold);
    return (static_cast<int32_t>(index) & is_kept) | (entry.other & ~is_kept);
}

}  // namespace

const WindowPlan& Planner::plan(const Block& block, uint64_t key) {
    plan_.ids.clear();
    plan_.first_context.clear();
    plan_.last_context.clear();
    group_counters_.clear();
    plan_.first_centre = plan_.last_centre = 0;
    const int64_t* const end = corpus_.sentence_offsets + corpus_.sentences;
    const int64_t* begin = std::upper_bound(corpus_.sentence_offsets, end, block.first_token);
    if (begin != corpus_.sentence_offsets) --begin;
    for (; begin < end && *begin < block.last_token; ++begin)
        plan_sentence(block, begin[0], begin[1], key);
    draw_negatives(key);
    return plan_;
}

uint64_t Planner::draws_per_token() const {
    return kFirstNegativeDraw + sampling_.negatives_per_group;
}

bool Planner::is_kept(int64_t token, uint64_t key) const {
    const auto id = static_cast<size_t>(corpus_.ids[token]);
    const uint64_t bits =
        random_bits(key, static_cast<uint64_t>(token) * draws_per_token() + kKeepDraw);
    return id >= sampling_.words() || random_fraction(bits) < sampling_.keep_probability[id];
}

void Planner::plan_sentence(const Block& block, int64_t begin, int64_t end, uint64_t key) {
    if (begin < 0 || begin > end || end > corpus_.tokens)
        throw std::invalid_argument("sentence_offsets have changed: sentences beyond the corpus");
    const int64_t first = std::max(begin, block.first_token);
    const int64_t last = std::min(end, block.last_token);
    tokens_.clear();
    add_kept_before(begin, first, key);
    const size_t before = tokens_.size();
    add_kept_within(first, last, key);
    const size_t centres_end = tokens_.size();
    add_kept_after(last, end, key);
    const size_t kept = tokens_.size();
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
        const uint64_t counter = static_cast<uint64_t>(tokens_[at]) * draws_per_token();
        const auto width = static_cast<int32_t>(
            1 + random_index(random_bits(key, counter + kWidthDraw), sampling_.window));
        const int32_t id = corpus_.ids[tokens_[at]];
        if (id < 0 || static_cast<size_t>(id) >= sampling_.ids())
            throw std::invalid_argument("an id beyond the vocabulary");
        plan_.ids[start + at] = id;
        plan_.first_context[start + at] = std::max(sentence_begin, centre - width);
        plan_.last_context[start + at] = std::min(sentence_end, centre + width + 1);
        const bool is_centre = at >= before && at < centres_end;
        if (is_centre && (start + at - plan_.first_centre) % kCentresPerGroup == 0)
            group_counters_.push_back(counter + kFirstNegativeDraw);
    }
}

// Add the kept tokens that windows reach before `end`, where the block begins.
void Planner::add_kept_before(int64_t begin, int64_t end, uint64_t key) {
    for (int64_t token = end - 1; token >= begin && tokens_.size() < sampling_.window; --token)
        if (is_kept(token, key)) tokens_.push_back(token);
    std::reverse(tokens_.begin(), tokens_.end());
}

void Planner::add_kept_within(int64_t begin, int64_t end, uint64_t key) {
    if (begin >= end) return;
    size_t kept = tokens_.size();
    tokens_.resize(kept + static_cast<size_t>(end - begin));
    for (int64_t token = begin; token < end; ++token) {
        tokens_[kept] = token;
        kept += is_kept(token, key);
    }
    tokens_.resize(kept);
}

void Planner::add_kept_after(int64_t begin, int64_t end, uint64_t key) {
    const size_t most = tokens_.size() + sampling_.window;
    for (int64_t token = begin; token < end && tokens_.size() < most; ++token)
        if (is_kept(token, key)) tokens_.push_back(token);
}

// All at once: the processor then looks up many entries of the table at a time.
void Planner::draw_negatives(uint64_t key) {
    const uint32_t negatives = sampling_.negatives_per_group;
    const auto ids = static_cast<uint32_t>(sampling_.ids());
    const auto words = static_cast<int32_t>(sampling_.words());
    const auto numerals = static_cast<uint32_t>(sampling_.numeral_negatives.size());
    plan_.negatives.resize(group_counters_.size() * negatives);
    int32_t* id = plan_.negatives.data();
    for (uint64_t first : group_counters_)
        for (uint32_t k = 0; k < negatives; ++k, ++id)
            *id = drawn(sampling_.negatives, ids, random_bits(key, first + k));
    if (sampling_.numerals_per_group == 0) return;
    // Where a centre is a numeral, the first negatives are drawn anew, among numerals.
    for (size_t group = 0; group < group_counters_.size(); ++group) {
        if (!has_numeral(group)) continue;
        id = plan_.negatives.data() + group * negatives;
        for (uint32_t k = 0; k < sampling_.numerals_per_group; ++k)
            id[k] = words + drawn(sampling_.numeral_negatives, numerals,
                                  random_bits(key, group_counters_[group] + k));
    }
}

bool Planner::has_numeral(size_t group) const {
    const auto words = static_cast<int32_t>(sampling_.words());
    const size_t first = plan_.first_centre + group * kCentresPerGroup;
    const size_t last = std::min(first + kCentresPerGroup, plan_.last_centre);
    return std::any_of(plan_.ids.begin() + static_cast<std::ptrdiff_t>(first),
                       plan_.ids.begin() + static_cast<std::ptrdiff_t>(last),
                       [=](int32_t id) { return id >= words; });
}

}  // namespace numberline
