#include "quantities.h"

#include <algorithm>

namespace numberline {
namespace {

using C = Class;

constexpr size_t kBefore = 5, kAfter = 9;  // tokens around a number that are looked at
constexpr size_t kMostItems = 40;           // that one rule takes
constexpr int kAtLeast = 2;                 // in MODIFIERS of modifiers.py

Scanner without_phrases(Scanner scanner) {
    scanner.options.magnitudes = scanner.options.number_words = false;
    return scanner;
}

size_t lowest_bit(uint64_t members) {
#if defined(__GNUC__)
    return static_cast<size_t>(__builtin_ctzll(members));
#else
    size_t bit = 0;
    while (!(members >> bit & 1)) ++bit;
    return bit;
#endif
}

bool is_taken(const Item& item, const Step& step) {
    if (!item.has(step.classes)) return false;
    const auto blank = static_cast<Blank>(step.first);
    return blank == Blank::any || item.is_joined == (blank == Blank::joined);
}

}  // namespace

QuantityReader::QuantityReader(const Scanner& scanner, std::shared_ptr<const QuantityTables> tables)
    : plain_scanner_(without_phrases(scanner)),
      tables_(std::move(tables)),
      items_reader_(*tables_),
      plain_line_(plain_scanner_.line()) {}

const std::vector<QuantityReading>& QuantityReader::read(std::string_view text) {
    plain_line_.assign(text);
    tokenize(plain_line_, plain_tokens_);
    return read(plain_line_, plain_tokens_);
}

const std::vector<QuantityReading>& QuantityReader::read(const Line& line,
                                                         const std::vector<Token>& tokens) {
    read_line(line, tokens, false);
    return readings_;
}

void QuantityReader::read_line(const Line& line, const std::vector<Token>& tokens,
                               bool needs_kinds) {
    readings_.clear();
    const size_t none = static_cast<size_t>(-1);
    size_t first = none, last = 0;
    bool has_numeral = false;
    auto read_segment = [&] {
        // Without a numeral there is nothing that has a kind.
        if (needs_kinds && !has_numeral) return;
        items_reader_.read(line, tokens, first, last, items_);
        join_numbers(line, items_);
        read_items(needs_kinds);
    };
    for (size_t index = 0; index < tokens.size(); ++index) {
        if (!items_reader_.is_anchor(line, tokens[index])) continue;
        size_t from = index > kBefore ? index - kBefore : 0;
        if (first == none) {
            first = from;
        } else if (from > last) {
            read_segment();
            first = from;
            has_numeral = false;
        }
        last = std::min(index + kAfter, tokens.size());
        has_numeral = has_numeral || tokens[index].is_numeral;
    }
    if (first != none) read_segment();
}

void QuantityReader::read_items(bool needs_kinds) {
    size_t index = 0, free = 0;
    int kind = -1;  // of the quantity that ends where the next item begins
    QuantityReading reading;
    Match found;
    while (index < items_.size()) {
        if (!read_at(index, kind, reading, found)) {
            ++index;
            kind = -1;
            continue;
        }
        if (!needs_kinds && reading.modifier == 0)
            reading.modifier = modifier_of(found.start, found.stop, free);
        kind = reading.kind;
        if (kind != tables_->none) readings_.push_back(std::move(reading));
        index = free = found.stop;
    }
}

RuleSet QuantityReader::candidates(Bits classes) const {
    RuleSet rules{};
    const auto add = [&](uint64_t members, size_t base) {
        for (; members != 0; members &= members - 1) {
            const RuleSet& one = tables_->rules_of_class[base + lowest_bit(members)];
            for (size_t part = 0; part < rules.size(); ++part) rules[part] |= one[part];
        }
    };
    add(classes.low, 0);
    add(classes.high, 64);
    return rules;
}

bool QuantityReader::read_at(size_t index, int kind, QuantityReading& reading, Match& found) const {
    const RuleSet rules = candidates(items_[index].classes);
    const Bits next = index + 1 < items_.size() ? items_[index + 1].classes : Bits{};
    for (size_t part = 0; part < rules.size(); ++part)
        for (uint64_t members = rules[part]; members != 0; members &= members - 1) {
            const Rule& rule = tables_->rules[part * 64 + lowest_bit(members)];
            if (!rule.may_take_one && !next.any(rule.second_classes)) continue;
            if (rule.after >= 0 && rule.after != kind) continue;
            auto match_found = match(rule, index);
            if (!match_found) continue;
            found = *match_found;
            size_t stop = rule.form == Form::shared ? found.end : found.stop;
            reading = QuantityReading();
            const Item* items = items_.data();
            if (!read_form(rule.form, *tables_, items + found.start, items + stop, reading))
                continue;
            if (reading.kind < 0) reading.kind = rule.kind;
            return true;
        }
    return false;
}

std::optional<QuantityReader::Match> QuantityReader::match(const Rule& rule, size_t first) const {
    size_t marks[2] = {first, first};
    size_t end = 0;
    size_t limit = std::min(items_.size(), first + kMostItems);
    if (!run(rule, 0, first, limit, marks, end)) return std::nullopt;
    return Match{marks[0], marks[1], end};
}

bool QuantityReader::run(const Rule& rule, size_t at, size_t index, size_t limit, size_t marks[2],
                         size_t& end) const {
    for (;;) {
        const Step& step = rule.steps[at];
        switch (step.operation) {
            case Operation::end:
                end = index;
                return true;
            case Operation::mark:  // each way through a rule sets both
                marks[step.first] = index;
                ++at;
                break;
            case Operation::split:
                if (run(rule, static_cast<size_t>(step.first), index, limit, marks, end))
                    return true;
                at = static_cast<size_t>(step.second);
                break;
            case Operation::jump:
                at = static_cast<size_t>(step.first);
                break;
            case Operation::behind:
                if (index == 0 || !is_taken(items_[index - 1], step)) return false;
                ++at;
                break;
            default: {
                bool fits = index < limit && is_taken(items_[index], step);
                if (fits != (step.operation == Operation::take)) return false;
                index += step.operation == Operation::take ? 1 : 0;
                ++at;
            }
        }
    }
}

int QuantityReader::modifier_of(size_t start, size_t stop, size_t free) const {
    size_t before = start;  // one beyond the item before
    if (before > free + 1 && items_[before - 1].has(bits(C::article_))) --before;
    if (before > free && items_[before - 1].has(bits(C::modifier_)))
        return static_cast<int>(items_[before - 1].value);
    for (size_t at = start; at < stop; ++at)
        if (items_[at].is_open_ended) return kAtLeast;
    if (stop < items_.size() && items_[stop].has(bits(C::after_))) {
        bool is_before_next = stop + 1 < items_.size() && items_[stop + 1].has(bits(C::number_));
        return is_before_next ? 0 : static_cast<int>(items_[stop].value);
    }
    return 0;
}

int QuantityReader::token_kind(const QuantityReading& reading) const {
    if (reading.kind != tables_->measure) return reading.kind;
    int dimension = tables_->dimension_of_terms(reading.terms);
    return tables_->kind_of_dimension[static_cast<size_t>(dimension)];
}

void QuantityReader::kinds_of(const Line& line, const std::vector<Token>& tokens,
                              std::vector<int32_t>& kinds) {
    kinds.assign(tokens.size(), tables_->plain);
    bool has_numeral = false;
    for (const Token& token : tokens) has_numeral = has_numeral || token.is_numeral;
    if (!has_numeral) return;
    if (line.options.magnitudes || line.options.number_words) {
        plain_line_.assign(line.bytes());
        tokenize(plain_line_, plain_tokens_);
        read_line(plain_line_, plain_tokens_, false);
    } else {
        read_line(line, tokens, true);
    }
    size_t index = 0;
    for (const QuantityReading& reading : readings_) {
        int kind = token_kind(reading);
        for (; index < tokens.size() && tokens[index].start < reading.end; ++index) {
            if (!tokens[index].is_numeral || tokens[index].end <= reading.start) continue;
            kinds[index] = kind;
            for (const auto& [start, role] : reading.roles)
                if (start == tokens[index].start) kinds[index] = role;
        }
    }
}

}  // namespace numberline
