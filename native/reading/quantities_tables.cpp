#include "quantities_tables.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace numberline {
namespace {

uint64_t hash_of(std::string_view text) {
    constexpr uint64_t kFactor = 0x9e3779b97f4a7c15u;
    uint64_t hash = text.size() * kFactor;
    while (!text.empty()) {
        uint64_t eight = 0;
        size_t length = std::min<size_t>(text.size(), sizeof eight);
        std::memcpy(&eight, text.data(), length);
        hash = (hash ^ eight) * kFactor;
        hash ^= hash >> 32;
        text.remove_prefix(length);
    }
    return hash;
}

// The steps that take an item and can come next, from a step on; `ends` if the rule can end there.
std::vector<size_t> next_takes(const Rule& rule, size_t from, bool& ends) {
    std::vector<size_t> takes, todo{from};
    std::vector<bool> seen(rule.steps.size());
    while (!todo.empty()) {
        size_t at = todo.back();
        todo.pop_back();
        if (seen[at]) continue;
        seen[at] = true;
        const Step& step = rule.steps[at];
        switch (step.operation) {
            case Operation::end: ends = true; break;
            case Operation::take: takes.push_back(at); break;
            case Operation::jump: todo.push_back(static_cast<size_t>(step.first)); break;
            case Operation::split:
                todo.push_back(static_cast<size_t>(step.first));
                todo.push_back(static_cast<size_t>(step.second));
                break;
            default: todo.push_back(at + 1);
        }
    }
    return takes;
}

}  // namespace

const std::vector<std::string>& class_names() {
    static const std::vector<std::string> names = {
#define X(name) #name,
        NUMBERLINE_CLASSES(X)
#undef X
    };
    return names;
}

const std::vector<std::string>& form_names() {
    static const std::vector<std::string> names = {
        "value",   "bare",       "negative", "range",   "plusminus", "spread", "compound",
        "pair",    "ratio",      "ordinal",  "identifier", "version", "phone", "likely",
        "named",   "sorted",     "skip",     "clocked", "stopwatch", "short",  "decade",
        "era",     "years",      "date",     "time",    "shared", "monthday", "likelyday", "angle", "footinch"};
    return names;
}

Lexicon::Words& Lexicon::words(const std::string& spelling) {
    uint64_t hash = hash_of(spelling);
    size_t mask = slots_.size() - 1;
    size_t at = hash & mask;
    for (; slots_[at].index >= 0; at = (at + 1) & mask)
        if (spellings_[static_cast<size_t>(slots_[at].index)] == spelling)
            return words_[static_cast<size_t>(slots_[at].index)];
    if (words_.size() * 2 >= slots_.size()) {
        std::vector<Slot> old(slots_.size() * 2);
        old.swap(slots_);
        mask = slots_.size() - 1;
        for (const Slot& slot : old) {
            if (slot.index < 0) continue;
            at = slot.hash & mask;
            while (slots_[at].index >= 0) at = (at + 1) & mask;
            slots_[at] = slot;
        }
        at = hash & mask;
        while (slots_[at].index >= 0) at = (at + 1) & mask;
    }
    slots_[at] = {hash, static_cast<int32_t>(words_.size())};
    spellings_.push_back(spelling);
    words_.emplace_back();
    return words_.back();
}

void Lexicon::add(const std::string& spelling, bool is_exact, const Entry& entry) {
    Words& one = words(spelling);
    (is_exact ? one.is_exact : one.is_folded) = true;
    (is_exact ? one.exact : one.folded) = entry;
}

void Lexicon::finish(Bits anchors) {
    for (size_t index = 0; index < words_.size(); ++index) {
        const std::string& text = spellings_[index];
        if (!words_[index].is_folded || !words_[index].folded.classes.any(anchors)) continue;
        bool is_ascii = true;
        for (char byte : text) is_ascii = is_ascii && static_cast<uint8_t>(byte) < 0x80;
        if (!is_ascii) throw std::invalid_argument("number words must be ASCII");
        anchors_[anchor_hash(text.size(), static_cast<uint8_t>(text.front()),
                             static_cast<uint8_t>(text.back()))] = true;
    }
}

const Lexicon::Words* Lexicon::find(std::string_view spelling) const {
    uint64_t hash = hash_of(spelling);
    size_t mask = slots_.size() - 1;
    for (size_t at = hash & mask; slots_[at].index >= 0; at = (at + 1) & mask) {
        if (slots_[at].hash != hash) continue;
        size_t index = static_cast<size_t>(slots_[at].index);
        if (spellings_[index] == spelling) return &words_[index];
    }
    return nullptr;
}

void QuantityTables::check() const {
    auto require = [](bool holds, const char* message) {
        if (!holds) throw std::invalid_argument(message);
    };
    const auto units_count = static_cast<int>(units.size());
    const auto dimensions = static_cast<int>(kind_of_dimension.size());
    require(rules.size() <= kMostRules, "too many rules");
    for (int unit : {pound, sterling, inch, foot, second, degree})
        require(unit >= 0 && unit < units_count, "a unit that is not in the table");
    for (const Unit& unit : units)
        require(unit.dimension >= 0 && unit.dimension < dimensions, "a dimension without a kind");
    for (const auto& [exponents, dimension] : dimension_of)
        require(dimension >= 0 && dimension < dimensions, "a dimension without a kind");
    for (int dimension : {other_dimension, money_dimension})
        require(dimension >= 0 && dimension < dimensions, "a dimension without a kind");
    for (const Rule& rule : rules) {
        const auto steps = static_cast<int>(rule.steps.size());
        require(steps > 0 && rule.steps.back().operation == Operation::end,
                "a rule that does not end");
        for (const Step& step : rule.steps) {
            if (step.operation == Operation::split || step.operation == Operation::jump)
                require(step.first >= 0 && step.first < steps, "a step beyond the rule");
            if (step.operation == Operation::split)
                require(step.second >= 0 && step.second < steps, "a step beyond the rule");
            if (step.operation == Operation::mark)
                require(step.first == 0 || step.first == 1, "a mark that is not 0 or 1");
        }
    }
}

void QuantityTables::index_rules() {
    for (Rule& rule : rules) {
        bool is_empty = false;
        for (size_t first : next_takes(rule, 0, is_empty))
            for (size_t second : next_takes(rule, first + 1, rule.may_take_one))
                rule.second_classes = rule.second_classes | rule.steps[second].classes;
    }
    rules_of_class.assign(static_cast<size_t>(Class::count), RuleSet{});
    for (size_t index = 0; index < rules.size(); ++index)
        for (size_t name = 0; name < rules_of_class.size(); ++name)
            if (rules[index].first_classes.any(bits(static_cast<Class>(name))))
                rules_of_class[name][index / 64] |= uint64_t{1} << index % 64;
}

int QuantityTables::dimension_of_terms(const std::vector<std::pair<int32_t, int>>& terms) const {
    if (terms.size() == 1 && terms[0].second == 1)
        return units[static_cast<size_t>(terms[0].first)].dimension;
    std::array<int, 8> sum{};
    for (const auto& [index, power] : terms) {
        const Unit& unit = units[static_cast<size_t>(index)];
        if (unit.dimension == money_dimension) return money_dimension;
        for (size_t axis = 0; axis < sum.size(); ++axis) sum[axis] += power * unit.exponents[axis];
    }
    for (const auto& [exponents, dimension] : dimension_of)
        if (exponents == sum) return dimension;
    return other_dimension;
}

}  // namespace numberline
