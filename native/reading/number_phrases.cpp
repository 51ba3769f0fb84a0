#include "number_phrases.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace numberline {
namespace {

constexpr int64_t kAboveAllScales = 1'000'000'000'000'000;
using Kind = CountingKind;

constexpr CountingWord kCountingWords[] = {
    {"zero", Kind::small, 0},       {"one", Kind::small, 1},        {"two", Kind::small, 2},
    {"three", Kind::small, 3},      {"four", Kind::small, 4},       {"five", Kind::small, 5},
    {"six", Kind::small, 6},        {"seven", Kind::small, 7},      {"eight", Kind::small, 8},
    {"nine", Kind::small, 9},       {"ten", Kind::small, 10},       {"eleven", Kind::small, 11},
    {"twelve", Kind::small, 12},    {"thirteen", Kind::small, 13},  {"fourteen", Kind::small, 14},
    {"fifteen", Kind::small, 15},   {"sixteen", Kind::small, 16},   {"seventeen", Kind::small, 17},
    {"eighteen", Kind::small, 18},  {"nineteen", Kind::small, 19},  {"twenty", Kind::tens, 20},
    {"thirty", Kind::tens, 30},     {"forty", Kind::tens, 40},      {"fifty", Kind::tens, 50},
    {"sixty", Kind::tens, 60},      {"seventy", Kind::tens, 70},    {"eighty", Kind::tens, 80},
    {"ninety", Kind::tens, 90},     {"hundred", Kind::hundred, 100},
    {"thousand", Kind::scale, 1'000},
    {"million", Kind::scale, 1'000'000},
    {"billion", Kind::scale, 1'000'000'000},
    {"trillion", Kind::scale, 1'000'000'000'000},
    {"and", Kind::conjunction, 0},  {"a", Kind::article, 0},
};
bool is_gap(const Line& line, size_t end, size_t start) {
    if (start != end + 1) return false;
    char gap = line.shape(end);
    return gap == ' ' || gap == 's' || gap == '-';
}

const CountingWord& counting_word(const Line& line, const Token& token) {
    return token.is_numeral ? kNoCountingWord : counting_word(line, token.start, token.end);
}

// The unbroken run of counting words from a token on.
CountingPhrase phrase_at(const Line& line, const std::vector<Token>& tokens, size_t first) {
    CountingPhrase phrase;
    for (size_t index = first; index < tokens.size() && !phrase.is_full(); ++index) {
        if (index > first && !is_gap(line, tokens[index - 1].end, tokens[index].start)) break;
        const CountingWord& word = counting_word(line, tokens[index]);
        if (word.kind == Kind::none) break;
        phrase.add(word);
    }
    return phrase;
}

std::optional<Counted> read_below_hundred(const CountingPhrase& words, size_t start) {
    const CountingWord& first = words[start];
    if (first.kind == Kind::tens) {
        const CountingWord& ones = words[start + 1];
        bool has_ones = ones.kind == Kind::small && 0 < ones.value && ones.value < 10;
        return has_ones ? Counted{start + 2, first.value + ones.value}
                        : Counted{start + 1, first.value};
    }
    if (first.kind == Kind::small) return Counted{start + 1, first.value};
    return std::nullopt;
}

std::optional<Counted> read_below_thousand(const CountingPhrase& words, size_t start) {
    std::optional<Counted> first;
    if (words[start].kind == Kind::article) {
        Kind following = words[start + 1].kind;
        if (following == Kind::hundred || following == Kind::scale) first = Counted{start + 1, 1};
    } else {
        first = read_below_hundred(words, start);
    }
    if (!first || first->value == 0 || words[first->end].kind != Kind::hundred) return first;
    Counted hundreds{first->end + 1, 100 * first->value};
    size_t skipped = words[hundreds.end].kind == Kind::conjunction ? 1 : 0;
    auto rest = read_below_hundred(words, hundreds.end + skipped);
    return rest && rest->value > 0 ? Counted{rest->end, hundreds.value + rest->value} : hundreds;
}

}  // namespace

const CountingWord& counting_word(const Line& line, size_t start, size_t end) {
    for (const CountingWord& word : kCountingWords)
        if (line.spells(start, end, word.text)) return word;
    return kNoCountingWord;
}

std::optional<Counted> read_number(const CountingPhrase& words) {
    int64_t total = 0, limit = kAboveAllScales;
    size_t end = 0;
    for (;;) {
        size_t skipped = end > 0 && words[end].kind == Kind::conjunction ? 1 : 0;
        auto group = read_below_thousand(words, end + skipped);
        if (!group) break;
        const CountingWord& next = words[group->end];
        int64_t scale = next.kind == Kind::scale ? next.value : 1;
        if (group->value * scale >= limit || (group->value == 0 && end > 0)) break;
        if (scale == 1 || group->value == 0) return Counted{group->end, total + group->value};
        total += group->value * scale;
        end = group->end + 1;
        limit = scale;
    }
    return end > 0 ? std::optional(Counted{end, total}) : std::nullopt;
}

void join_number_words(const Line& line, std::vector<Token>& tokens) {
    size_t kept = 0;
    for (size_t first = 0; first < tokens.size();) {
        auto counted = counting_word(line, tokens[first]).kind == Kind::none
                           ? std::nullopt
                           : read_number(phrase_at(line, tokens, first));
        if (!counted) {
            tokens[kept++] = tokens[first++];
            continue;
        }
        size_t end = tokens[first + counted->end - 1].end;
        tokens[kept++] = Token(tokens[first].start, end, static_cast<double>(counted->value));
        first += counted->end;
    }
    tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(kept), tokens.end());
}

}  // namespace numberline
