#include "scanner.h"

#include <cmath>
#include <optional>
#include <string_view>

#include "number_phrases.h"
#include "numerals.h"

namespace numberline {
namespace {

constexpr std::string_view kCountedPrefixes[] = {
    "and", "by",   "early", "for", "in",  "late", "mid", "of",    "or",
    "over", "per", "post",  "pre", "sub", "to",   "top", "under", "vs"};
constexpr std::string_view kCurrencyCodes[] = {
    "AUD", "BRL", "CAD", "CHF", "CNY", "DKK", "EUR", "GBP", "HKD", "INR", "JPY", "KRW",
    "MXN", "NOK", "NZD", "PLN", "RMB", "RUB", "Rs",  "SEK", "SGD", "USD", "ZAR"};
constexpr size_t kNowhere = static_cast<size_t>(-1);

constexpr Classes kStartsNumeral("0f.-~+");
constexpr Classes kSigns("-~+");
constexpr Classes kNoPointAfter("aezm0f.)_");
constexpr Classes kNoSignAfter("aezm0f.)_-~+");
constexpr Classes kStartsWord("aez0");
constexpr Classes kInWord("aez0m");
constexpr Classes kAnyLetter("aez");
constexpr Classes kHyphenPart("aem0_");
constexpr Classes kBlank(" wsm\n");
constexpr Classes kOutside(" ws\n");

bool is_free(const Line& line, size_t start, size_t quantity_end) {
    const Classes& not_after = line.shape(start) == '.' ? kNoPointAfter : kNoSignAfter;
    if (start > 0 && not_after.has(line.shape(start - 1))) return false;
    if (start == quantity_end) return false;
    if (line.shape(start) != '-' || quantity_end == kNowhere) return true;
    for (size_t at = quantity_end; at < start; ++at)
        if (line.shape(at) != ' ') return true;
    return false;
}

std::optional<Token> numeral_at(const Line& line, size_t start, size_t numeral_end,
                                size_t quantity_end) {
    bool has_sign = kSigns.has(line.shape(start));
    size_t digits_start = start + (has_sign ? 1 : 0);
    char first = line.shape(digits_start);
    bool is_point = first == '.' && line.shape(digits_start + 1) == '0';
    if (first != '0' && first != 'f' && !is_point) return std::nullopt;
    if ((has_sign || is_point) && !is_free(line, start, quantity_end)) return std::nullopt;
    bool continues = false;
    if (digits_start > 0 && numeral_end == digits_start - 1) {
        char before = line.shape(digits_start - 1);
        continues = before == ',' || before == 's';
    }
    auto reading = read_numeral(line, digits_start, continues);
    if (!reading || (has_sign && !std::isfinite(reading->value))) return std::nullopt;
    bool is_negative = has_sign && line.shape(start) != '+';
    double value = (is_negative ? -reading->value : reading->value) + 0.0;  // no -0.0
    return Token(start, reading->end, value);
}

bool belongs_to_quantity(const Line& line, size_t index, size_t numeral_end) {
    char kind = line.shape(index);
    if (kind == '$') return true;
    if (index != numeral_end) return false;
    char following = line.shape(index + 1);
    if (kind == '\'') return !kAnyLetter.has(following) || end_of_unit(line, index + 1);
    return kind == '"' || (kind == ':' && following == '0');
}

bool joins(const Line& line, size_t start, size_t hyphen) {
    size_t end = line.run(hyphen + 1, kHyphenPart);
    bool has_digit = false;
    for (size_t at = hyphen + 1; at < end && !has_digit; ++at) has_digit = line.shape(at) == '0';
    char first = line.shape(hyphen + 1);
    if (!has_digit || (first != 'a' && first != 'e' && first != '0')) return false;
    if (first == '0')
        for (std::string_view prefix : kCountedPrefixes)
            if (line.spells(start, hyphen, prefix)) return false;
    return true;
}

bool is_currency(const Line& line, size_t start, size_t end) {
    if (end - start > 3) return false;
    for (std::string_view code : kCurrencyCodes)
        if (line.is(start, end, code)) return true;
    return false;
}

size_t end_of_word(const Line& line, size_t start, size_t quantity_end) {
    bool is_suffix = start == quantity_end;
    if (is_suffix)
        if (auto unit_end = end_of_unit(line, start)) return *unit_end;
    size_t index = line.run_of_letters(start);
    size_t digits_start = start;  // of the latest digits that directly follow a letter
    char latest = index > start ? 'a' : '\n';
    for (;; ++index) {
        char kind = line.shape(index);
        if (kind == ',' && start < digits_start && digits_start < index &&
            index <= digits_start + 3) {
            index = end_of_groups(line, digits_start).value_or(index);
            kind = line.shape(index);
        }
        if (kInWord.has(kind)) {
            if (kind == '0') {
                if (latest == 'z' || is_currency(line, start, index)) break;
                if (latest == 'a' || latest == 'e') digits_start = index;
            }
            if (kind != 'm') latest = kind;
            continue;
        }
        char following = line.shape(index + 1);
        bool goes_on = (kind == '\'' && kAnyLetter.has(following)) ||
                       (kind == '_' && kStartsWord.has(following)) ||
                       (kind == '.' && latest == '0' && following == '0') ||
                       (kind == '-' && latest != 'z' && !is_suffix && joins(line, start, index));
        if (!goes_on) break;
        latest = kind;
    }
    return index;
}

void scan(const Line& line, std::vector<Token>& tokens) {
    size_t numeral_end = kNowhere;   // end of the latest numeral
    size_t quantity_end = kNowhere;  // end of the latest numeral and of the signs after it
    const size_t length = line.size();
    for (size_t index = 0; index < length;) {
        char kind = line.shape(index);
        if (kBlank.has(kind)) {
            ++index;
            continue;
        }
        if (kStartsNumeral.has(kind)) {
            if (auto numeral = numeral_at(line, index, numeral_end, quantity_end)) {
                index = numeral->end;
                if (std::isfinite(numeral->value))
                    numeral_end = quantity_end = index;
                else
                    numeral->is_numeral = false;
                tokens.push_back(*numeral);
                continue;
            }
        }
        if (kStartsWord.has(kind)) {
            size_t end = end_of_word(line, index, quantity_end);
            tokens.emplace_back(index, end);
            index = end;
            continue;
        }
        if (belongs_to_quantity(line, index, numeral_end)) {
            tokens.emplace_back(index, index + 1);
            if (index == quantity_end) quantity_end = index + 1;
        }
        ++index;
    }
}

}  // namespace

void tokenize(const Line& line, std::vector<Token>& tokens) {
    tokens.clear();
    scan(line, tokens);
    if (line.options.number_words) join_number_words(line, tokens);
}

bool parse_numeral(const Line& line, std::vector<Token>& tokens, double& value) {
    tokenize(line, tokens);
    if (tokens.size() != 1 || !tokens[0].is_numeral) return false;
    for (size_t at = 0; at < tokens[0].start; ++at)
        if (!kOutside.has(line.shape(at))) return false;
    for (size_t at = tokens[0].end; at < line.size(); ++at)
        if (!kOutside.has(line.shape(at))) return false;
    value = tokens[0].value;
    return true;
}

}  // namespace numberline
