#include "window_plan.h"

#include <algorithm>

#include "random.h"

namespace numberline {
namespace {

// Draws of a token, counted from its place in the corpus times their number.
constexpr uint64_t kKeepDraw = 0, kWidthDraw = 1, kFirstNegativeDraw = 2;

}  // namespace

const WindowPlan& Planner::plan(const int32_t* ids, const int64_t* sentence_ends, size_t sentences,
                                int64_t first_token, int64_t last_token, uint64_t key) {
    forget_numerals();
    plan_.input_rows.clear();
    plan_.output_rows.clear();
    plan_.first_context.clear();
    plan_.last_context.clear();
    plan_.negative_rows.clear();
    for (size_t sentence = 0; sentence < sentences && first_token < last_token; ++sentence) {
        int64_t end = std::min(sentence_ends[sentence], last_token);
        if (end > first_token) plan_sentence(first_token, end, ids, key);
        first_token = std::max(first_token, end);
    }
    return plan_;
}

void Planner::plan_sentence(int64_t first, int64_t last, const int32_t* ids, uint64_t key) {
    const uint64_t draws = kFirstNegativeDraw + sampling_.negatives_per_centre;
    const auto words = static_cast<int32_t>(sampling_.words);
    positions_.clear();
    for (int64_t position = first; position < last; ++position) {
        int32_t id = ids[position];
        uint64_t bits = random_bits(key, static_cast<uint64_t>(position) * draws + kKeepDraw);
        if (id >= words || random_share(bits) < sampling_.keep_share[static_cast<size_t>(id)])
            positions_.push_back(position);
    }
    if (positions_.size() < 2) return;  // a token alone has nothing to learn from
    const auto begin = static_cast<int32_t>(plan_.input_rows.size());
    const auto end = begin + static_cast<int32_t>(positions_.size());
    for (int32_t place = begin; place < end; ++place) {
        int64_t position = positions_[static_cast<size_t>(place - begin)];
        int32_t id = ids[position];
        const uint64_t counter = static_cast<uint64_t>(position) * draws;
        auto width = static_cast<int32_t>(
            1 + random_place(random_bits(key, counter + kWidthDraw), sampling_.window));
        plan_.input_rows.push_back(row_of(id, input_slots_, plan_.input_numerals));
        plan_.output_rows.push_back(row_of(id, output_slots_, plan_.output_numerals));
        plan_.first_context.push_back(std::max(begin, place - width));
        plan_.last_context.push_back(std::min(end, place + width + 1));
        for (uint32_t k = 0; k < sampling_.negatives_per_centre; ++k) {
            uint64_t bits = random_bits(key, counter + kFirstNegativeDraw + k);
            uint32_t drawn = random_place(bits, static_cast<uint32_t>(sampling_.negatives.size()));
            const AliasPlace& alias = sampling_.negatives[drawn];
            auto negative = static_cast<int32_t>(drawn);
            if (static_cast<uint32_t>(bits) >= alias.threshold) negative = alias.other;
            plan_.negative_rows.push_back(
                negative == id ? kNoRow : row_of(negative, output_slots_, plan_.output_numerals));
        }
    }
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
