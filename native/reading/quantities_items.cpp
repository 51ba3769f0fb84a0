#include "quantities_items.h"

#include <algorithm>
#include <cmath>

namespace numberline {
namespace {

using C = Class;

constexpr size_t kMostBytesOfCharacter = 4;
constexpr size_t kQuotesBefore = 200;
constexpr size_t kBlanksBefore = 3;
constexpr int kLargestUnitPower = 6;
constexpr double kFirstYear = 1000, kLastYear = 2100;
constexpr double kFirstLikelyYear = 1800, kLastLikelyYear = 2035, kRoundYear = 2000;
constexpr Bits kAnchors = bits(C::counting_, C::hundred_, C::dozen_, C::half_, C::fraction_,
                               C::ordinal_);
constexpr Bits kNoNoun =
    bits(C::function_, C::counting_, C::scale_, C::hundred_, C::dozen_, C::half_, C::month_,
         C::weekday_, C::meridiem_, C::era_, C::unit_, C::money_, C::percent_, C::modifier_,
         C::ordinal_, C::suffix_, C::article_, C::and_, C::or_, C::to_, C::in_, C::of_, C::per_,
         C::the_, C::times_, C::zone_, C::superscript_, C::old_);
constexpr Classes kBlanks(" swm\n");
constexpr Classes kWordStart("aez0");

bool is_ascii_digit(char byte) { return byte >= '0' && byte <= '9'; }

bool ends_with(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

void append_utf8(uint32_t point, std::string& to) {
    if (point < 0x80) {
        to.push_back(static_cast<char>(point));
        return;
    }
    int continuation = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    uint32_t lead_marks = 0xFFu << (7 - continuation) & 0xFFu;
    to.push_back(static_cast<char>(lead_marks | point >> (6 * continuation)));
    while (continuation-- > 0)
        to.push_back(static_cast<char>(0x80u | (point >> (6 * continuation) & 0x3Fu)));
}

Entry joined(const Entry& first, const Entry& second) {
    return {first.classes | second.classes, first.value != 0 ? first.value : second.value,
            first.unit != -1 ? first.unit : second.unit};
}

}  // namespace

void ItemReader::spell(size_t start, size_t end, std::string& to, bool fold) const {
    const auto& to_folded = line_->tables.folded;
    for (size_t at = start; at < end; ++at) {
        uint32_t point = line_->point(at);
        char shape = line_->shape(at);
        if (fold) point = to_folded[point];
        else if (shape == '\'' || shape == '"' || shape == '-') point = static_cast<uint8_t>(shape);
        append_utf8(point, to);
    }
}

// The spelling of some characters: in the line's own memory where it has it.
std::string_view ItemReader::spelled(size_t start, size_t end, bool fold) {
    const Line& line = *line_;
    if (line.is_ascii() && !fold) return line.bytes().substr(start, end - start);
    if (line.is_ascii() && line.options.lowercase) return line.spelling(start, end);
    size_t before = spellings_.size();
    spell(start, end, spellings_, fold);
    return std::string_view(spellings_).substr(before);
}

bool ItemReader::find(std::string_view exact, std::string_view folded, Entry& entry,
                      int* longest) const {
    const Lexicon::Words* first = tables_.lexicon.find(exact);
    const Lexicon::Words* second = exact == folded ? first : tables_.lexicon.find(folded);
    if (longest) *longest = std::max(first ? first->longest : 1, second ? second->longest : 1);
    bool is_exact = first && first->is_exact, is_folded = second && second->is_folded;
    if (is_exact && is_folded) entry = joined(first->exact, second->folded);
    else if (is_exact) entry = first->exact;
    else if (is_folded) entry = second->folded;
    return is_exact || is_folded;
}

bool ItemReader::is_anchor(const Line& line, const Token& token) {
    if (token.is_numeral) return true;
    const auto& folded = line.tables.folded;
    uint32_t first = folded[line.point(token.start)], last = folded[line.point(token.end - 1)];
    bool may_have_digits = line.shape(token.start) == '0' || first == 'f' || first == 'v';
    if (may_have_digits && line.shape(token.end - 1) == '0') return true;
    if (!tables_.lexicon.may_be_anchor(token.end - token.start, first, last)) return false;
    line_ = &line;
    exact_phrase_.clear();
    spell(token.start, token.end, exact_phrase_, true);
    const Lexicon::Words* words = tables_.lexicon.find(exact_phrase_);
    return words && words->is_folded && words->folded.classes.any(kAnchors);
}

void ItemReader::read(const Line& line, const std::vector<Token>& tokens, size_t first, size_t last,
                      std::vector<Item>& items) {
    line_ = &line;
    raw_.clear();
    items.clear();
    size_t start = first > 0 ? tokens[first - 1].end : 0;
    const size_t stop = last < tokens.size() ? tokens[last].start : line.size();
    spellings_.clear();
    spellings_.reserve((stop - start) * kMostBytesOfCharacter * 2);  // so that nothing moves
    for (size_t index = first; index < last; ++index) {
        const Token& token = tokens[index];
        add_signs(start, token.start);
        add(token.start, token.end);
        raw_.back().is_numeral = token.is_numeral;
        raw_.back().value = token.is_numeral ? token.value : 0;
        start = token.end;
    }
    add_signs(start, stop);
    for (size_t index = 0; index < raw_.size();) {
        size_t length = 1;
        if (raw_[index].is_numeral) raw_[index].classes = numeral_classes(raw_[index]);
        else if (!raw_[index].is_break) length = classify(index);
        items.push_back(raw_[index]);
        index += length;
    }
}

void ItemReader::add_signs(size_t start, size_t end) {
    for (size_t at = start; at < end; ++at) {
        if (!kBlanks.has(line_->shape(at))) {
            add(at, at + 1);
        } else if (line_->shape(at) == '\n') {
            raw_.emplace_back();
            Item& one = raw_.back();
            one.start = at;
            one.end = at + 1;
            one.classes = bits(C::other_);
            one.is_break = true;
            one.exact = one.folded = "\n";
        }
    }
}

void ItemReader::add(size_t start, size_t end) {
    raw_.emplace_back();
    Item& one = raw_.back();
    one.start = start;
    one.end = end;
    one.is_joined = start > 0 && !kBlanks.has(line_->shape(start - 1));
    one.exact = spelled(start, end, false);
    one.folded = spelled(start, end, true);
}

size_t ItemReader::classify(size_t index) {
    Item& one = raw_[index];
    bool is_known = false;
    Entry entry;
    size_t length = longest_entry(index, is_known, entry);
    char shape = line_->shape(one.start);
    if (length > 1) {
        one.end = raw_[index + length - 1].end;
        one.is_several = true;
    } else if (!is_known && (shape == 'a' || shape == 'e')) {
        is_known = powered_unit(one, entry);
    }
    if (is_known) {
        one.classes = entry.classes;
        one.value = entry.value;
        one.unit = entry.unit;
    }
    if (kWordStart.has(shape)) {
        if (length == 1) one.classes = one.classes | word_classes(one);
    } else if (shape == '\'' || shape == '"') {
        one.classes = quote_class(one);
    } else if (!is_known) {
        one.classes = bits(C::other_);
    }
    return length;
}

size_t ItemReader::longest_entry(size_t index, bool& is_known, Entry& entry) {
    const Item& one = raw_[index];
    int longest = 1;
    is_known = find(one.exact, one.folded, entry, &longest);
    size_t best = 1;
    if (longest == 1) return best;
    exact_phrase_ = one.exact;
    folded_phrase_ = one.folded;
    int words = 1;
    for (size_t length = 2; length < static_cast<size_t>(2 * longest); ++length) {
        if (words == longest || index + length > raw_.size()) break;
        const Item& following = raw_[index + length - 1];
        if (following.is_numeral) break;
        bool is_sign = following.end == following.start + 1;
        if (is_sign && line_->shape(following.start) == '-' && following.is_joined) continue;
        exact_phrase_.append(" ").append(following.exact);
        folded_phrase_.append(" ").append(following.folded);
        ++words;
        Entry longer;
        if (find(exact_phrase_, folded_phrase_, longer, nullptr)) {
            best = length;
            entry = longer;
            is_known = true;
        }
    }
    return best;
}

namespace {

// The inches of foot-4 in 6-foot-4, or 0.
double inches_after_foot(std::string_view word) {
    size_t hyphen = word.find('-');
    if (hyphen == std::string_view::npos) return 0;
    std::string_view unit = word.substr(0, hyphen), digits = word.substr(hyphen + 1);
    if (unit != "foot" && unit != "feet" && unit != "ft") return 0;
    if (digits.empty() || digits.size() > 2) return 0;
    double inches = 0;
    for (char byte : digits) {
        if (!is_ascii_digit(byte)) return 0;
        inches = inches * 10 + (byte - '0');
    }
    return inches;
}

}  // namespace

bool ItemReader::powered_unit(Item& one, Entry& entry) const {
    if (double inches = inches_after_foot(one.folded)) {
        entry = {bits(C::footinch_), inches, -1};
        return true;
    }
    uint32_t last = line_->point(one.end - 1);
    int power = last < 0x80 ? static_cast<int>(last) - '0' : last == 0xB2 ? 2 : last == 0xB3 ? 3 : 0;
    if (power < 1 || power > kLargestUnitPower || one.end - one.start < 2) return false;
    size_t end = one.end - 1;
    if (line_->shape(end - 1) == '-') {
        --end;
        power = -power;
    }
    std::string exact_base, folded_base;
    spell(one.start, end, exact_base, false);
    spell(one.start, end, folded_base, true);
    Entry base;
    if (!find(exact_base, folded_base, base, nullptr) || !base.classes.any(bits(C::unit_)))
        return false;
    one.power = power;
    entry = {bits(C::unit_) | (base.classes & bits(C::weak_)), 0, base.unit};
    return true;
}

Bits ItemReader::word_classes(Item& one) const {
    std::string_view lower = one.folded;
    if (lower.substr(0, 2) == "fy") {
        if (double year = fiscal_year(one)) {
            one.value = year;
            return bits(C::fiscal_);
        }
    }
    if (is_dotted(one)) return bits(C::dotted_);
    if (one.has(kNoNoun)) return {};
    bool is_possessive = ends_with(lower, "'s");
    if (lower.find('\'') != std::string_view::npos && !is_possessive) return {};
    bool is_plural = one.end - one.start > 3 && lower.back() == 's' && !ends_with(lower, "ss") &&
                     !ends_with(lower, "us") && !ends_with(lower, "is") && !is_possessive;
    Bits plural = is_plural ? bits(C::plural_) : Bits{};
    uint32_t first = line_->point(one.start);
    if (line_->tables.folded[first] == first) return plural | bits(C::word_);
    return plural | (is_initial(one.start) ? bits(C::name_, C::initial_) : bits(C::name_));
}

bool ItemReader::is_initial(size_t start) const {
    size_t at = start;
    while (at > 0 && start - at < kBlanksBefore && kBlanks.has(line_->shape(at - 1))) --at;
    if (at == 0 || kBlanks.has(line_->shape(at - 1))) return true;
    uint32_t point = line_->point(at - 1);
    return point == '.' || point == '!' || point == '?' || point == ':' || point == '"' ||
           point == 0x201C || point == 0x201D || point == 0x2022;
}

double ItemReader::fiscal_year(const Item& one) const {
    std::string_view digits = one.folded.substr(2);
    if (digits.size() != 2 && digits.size() != 4) return 0;
    double year = digits.size() == 2 ? 2000 : 0, number = 0;
    for (char byte : digits) {
        if (!is_ascii_digit(byte)) return 0;
        number = number * 10 + (byte - '0');
    }
    return number + year;
}

bool ItemReader::is_dotted(const Item& one) const {
    std::string_view digits = one.folded;
    if (digits[0] == 'v') digits.remove_prefix(1);
    if (digits.find('.') == std::string_view::npos) return false;
    if (!is_ascii_digit(digits.front()) || !is_ascii_digit(digits.back())) return false;
    return std::all_of(digits.begin(), digits.end(),
                       [](char byte) { return byte == '.' || is_ascii_digit(byte); });
}

Bits ItemReader::quote_class(const Item& one) const {
    if (line_->shape(one.start) == '\'') return bits(C::apostrophe_, C::footsign_);
    size_t straight = 0, opened = 0, closed = 0;
    size_t from = one.start > kQuotesBefore ? one.start - kQuotesBefore : 0;
    for (size_t at = from; at < one.start; ++at) {
        uint32_t point = line_->point(at);
        straight += point == '"';
        opened += point == 0x201C;
        closed += point == 0x201D;
    }
    bool is_open = straight % 2 == 1 || opened > closed;
    return is_open || !one.is_joined ? bits(C::other_) : bits(C::inchsign_);
}

Bits ItemReader::numeral_classes(const Item& one) const {
    Bits all = bits(C::number_);
    const double value = one.value;
    if (std::fmod(value, 1) == 0) all = all | bits(C::integer_);
    if (line_->shape(one.start) == '+') all = all | bits(C::signed_);
    size_t length = one.end - one.start;
    size_t digits = 0;
    while (digits < length && line_->shape(one.start + digits) == '0') ++digits;
    bool has_decimals = digits + 1 < length && line_->shape(one.start + digits) == '.' &&
                        line_->shape(one.start + digits + 1) == '0';
    if (has_decimals || (digits + 1 == length && line_->shape(one.end - 1) == '.')) {
        size_t end = one.start + digits + 1;
        while (end < one.end && line_->shape(end) == '0') ++end;
        if (end == one.end) all = all | bits(C::pointed_);
    }
    if (has_decimals) {
        bool is_two = length == digits + 3 && line_->shape(one.end - 1) == '0';
        if (is_two && (digits == 1 || digits == 2) && std::fmod(value, 1) < 0.595 && value < 25)
            all = all | bits(C::clocked_);
        if (digits == 3) all = all | bits(C::threepoint_);
        if (digits == 2 && value < 60) all = all | bits(C::seconds_);
    }
    if (digits != length) return all;
    all = all | bits(C::whole_);
    if (length == 1) all = all | bits(C::digit_);
    if (length <= 2) {
        all = all | bits(C::short_);
        if (1 <= value && value <= 12) all = all | bits(C::monthno_);
        if (1 <= value && value <= 31) all = all | bits(C::day_);
        if (value <= 24) all = all | bits(C::hour_);
    }
    if (length == 2 && value < 60) all = all | bits(C::sixty_);
    if (length == 3) all = all | bits(C::three_);
    if (length == 4) {
        all = all | bits(C::four_);
        if (kFirstYear <= value && value <= kLastYear) all = all | bits(C::year_);
        bool is_likely = kFirstLikelyYear <= value && value <= kLastLikelyYear;
        if (is_likely && value != kRoundYear) all = all | bits(C::likely_);
    }
    return all;
}

}  // namespace numberline
