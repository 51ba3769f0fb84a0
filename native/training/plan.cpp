#include "window_plan.h"

#include <algorithm>

#include "random.h"

namespace numberline {
namespace {

// Draws of a token, counted from its place in the corpus times their number.
constexpr uint64_t kKeepDraw = 0, kWidthDraw = 1, kFirstNegativeDraw = 2;

int32_t drawn(const std::vector<AliasPlace>& table, uint32_t size, uint64_t bits) {
    uint32_t place = random_place(bits, size);
    const AliasPlace alias = table[place];
    // Without a branch, which would have to wait for the table.
    int32_t is_kept = -static_cast<int32_t>(static_cast<uint32_t>(bits) < alias.threshold);
    return (static_cast<int32_t>(place) & is_kept) | (alias.other & ~is_kept);
}

}  // namespace

const WindowPlan& Planner::plan(const int32_t* ids, const int64_t* sentence_ends, size_t sentences,
                                int64_t first_token, int64_t last_token, uint64_t key) {
    forget_numerals();
    // Room for all tokens, so that none has to be checked for; what is not used is cut off again.
    resize_plan(static_cast<size_t>(std::max<int64_t>(0, last_token - first_token)));
    planned_ = 0;
    first_draws_.clear();
    for (size_t sentence = 0; sentence < sentences && first_token < last_token; ++sentence) {
        int64_t end = std::min(sentence_ends[sentence], last_token);
        if (end > first_token) plan_sentence(first_token, end, ids, key);
        first_token = std::max(first_token, end);
    }
    resize_plan(planned_);
    draw_negatives(key);
    return plan_;
}

void Planner::resize_plan(size_t tokens) {
    plan_.input_rows.resize(tokens);
    plan_.output_rows.resize(tokens);
    plan_.first_context.resize(tokens);
    plan_.last_context.resize(tokens);
}

void Planner::plan_sentence(int64_t first, int64_t last, const int32_t* ids, uint64_t key) {
    const uint64_t draws = kFirstNegativeDraw + sampling_.negatives_per_centre;
    const auto words = static_cast<int32_t>(sampling_.words);
    positions_.resize(static_cast<size_t>(last - first));
    size_t kept = 0;
    for (int64_t position = first; position < last; ++position) {
        int32_t id = ids[position];
        uint64_t bits = random_bits(key, static_cast<uint64_t>(position) * draws + kKeepDraw);
        positions_[kept] = position;
        kept += id >= words || random_share(bits) < sampling_.keep_share[static_cast<size_t>(id)];
    }
    if (kept < 2) return;  // a token alone has nothing to learn from
    const auto begin = static_cast<int32_t>(planned_);
    const auto end = begin + static_cast<int32_t>(kept);
    for (size_t place = 0; place < kept; ++place) {
        const size_t at = planned_ + place;
        const auto centre = static_cast<int32_t>(at);
        const int32_t id = ids[positions_[place]];
        const uint64_t counter = static_cast<uint64_t>(positions_[place]) * draws;
        auto width = static_cast<int32_t>(
            1 + random_place(random_bits(key, counter + kWidthDraw), sampling_.window));
        plan_.input_rows[at] = row_of(id, input_slots_, plan_.input_numerals);
        plan_.output_rows[at] = row_of(id, output_slots_, plan_.output_numerals);
        plan_.first_context[at] = std::max(begin, centre - width);
        plan_.last_context[at] = std::min(end, centre + width + 1);
        if (at % kCentresPerDraw == 0) first_draws_.push_back(counter + kFirstNegativeDraw);
    }
    planned_ += kept;
}

// All at once: the processor then looks up many places of the table at a time.
void Planner::draw_negatives(uint64_t key) {
    const uint32_t negatives = sampling_.negatives_per_centre;
    const auto size = static_cast<uint32_t>(sampling_.negatives.size());
    plan_.negative_rows.resize(first_draws_.size() * negatives);
    int32_t* row = plan_.negative_rows.data();
    for (uint64_t first : first_draws_)
        for (uint32_t k = 0; k < negatives; ++k, ++row)
            *row = drawn(sampling_.negatives, size, random_bits(key, first + k));
    if (sampling_.numeral_negatives) draw_numerals(key);
    for (int32_t& id : plan_.negative_rows) id = row_of(id, output_slots_, plan_.output_numerals);
}

// The first negatives of centres with a numeral among them are drawn anew.
void Planner::draw_numerals(uint64_t key) {
    const auto words = static_cast<int32_t>(sampling_.words);
    const auto size = static_cast<uint32_t>(sampling_.numerals.size());
    for (size_t draw = 0; draw < first_draws_.size(); ++draw) {
        if (!has_numeral(draw)) continue;
        int32_t* row = plan_.negative_rows.data() + draw * sampling_.negatives_per_centre;
        for (uint32_t k = 0; k < sampling_.numeral_negatives; ++k)
            row[k] = words + drawn(sampling_.numerals, size, random_bits(key, first_draws_[draw] + k));
    }
}

bool Planner::has_numeral(size_t draw) const {
    const size_t first = draw * kCentresPerDraw, last = std::min(first + kCentresPerDraw, planned_);
    return std::any_of(plan_.output_rows.data() + first, plan_.output_rows.data() + last,
                       [](int32_t row) { return row < 0; });
}

int32_t Planner::row_of(int32_t id, std::vector<int32_t>& slots, std::vector<int32_t>& used) {
    const auto words = static_cast<int32_t>(sampling_.words);
    if (id < words) return id;
    int32_t& slot = slots[static_cast<size_t>(groups_[static_cast<size_t>(id - words)])];
    if (slot < 0) {
        slot = static_cast<int32_t>(used.size());
        used.push_back(id - words);
    }
    return -1 - slot;
}

void Planner::forget_numerals() {
    auto group_of = [&](int32_t numeral) {
        return static_cast<size_t>(groups_[static_cast<size_t>(numeral)]);
    };
    for (int32_t numeral : plan_.input_numerals) input_slots_[group_of(numeral)] = -1;
    for (int32_t numeral : plan_.output_numerals) output_slots_[group_of(numeral)] = -1;
    plan_.input_numerals.clear();
    plan_.output_numerals.clear();
}

}  // namespace numberline
