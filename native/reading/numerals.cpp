#include "numerals.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <string_view>

#include "decimal.h"

namespace numberline {
namespace {

constexpr int64_t kPlainDenominators[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 32, 64, 100};
constexpr int64_t kLongDenominator = 16;
constexpr size_t kMaxUnitFractionDigits = 4;
constexpr size_t kMaxMixedDigits = 3;
constexpr int64_t kMaxExponent = 1'000'000'000;
constexpr int kMaxPower = 22;

constexpr Classes kDigits("0");
constexpr Classes kLetters("aem");
constexpr Classes kWordGoesOn("aezm0_");
constexpr Classes kSlashes("/|");
constexpr Classes kExponentSigns("-~+");

struct Magnitude {
    std::string_view name;
    int power;
};
constexpr Magnitude kSuffixes[] = {{"k", 3}, {"K", 3}, {"M", 6}, {"B", 9}, {"T", 12}};
constexpr Magnitude kMoneySuffixes[] = {{"m", 6}, {"MM", 6}, {"mm", 6}, {"b", 9}, {"t", 12}};
constexpr Magnitude kWords[] = {{"hundred", 2}, {"thousand", 3}, {"lakh", 5},  {"million", 6},
                                {"mn", 6},      {"crore", 7},    {"billion", 9}, {"bn", 9},
                                {"trillion", 12}, {"tn", 12}};

struct Core {
    size_t end;
    Decimal decimal;
    bool is_whole;  // no decimals and no exponent, so that a fraction may follow
};

template <class Action>
void each_digit(const Line& line, size_t start, size_t end, Action action) {
    for (size_t at = start; at < end; ++at)
        if (line.shape(at) == '0') action(line.digit(at));
}

Decimal digits_of(const Line& line, size_t start, size_t end) {
    Decimal decimal;
    each_digit(line, start, end, [&](int digit) { decimal.append(digit); });
    return decimal;
}

size_t end_of_decimals(const Line& line, size_t whole_end, bool continues) {
    char decimal_mark = line.options.decimal_comma ? ',' : '.';
    char mark = line.shape(whole_end);
    if (line.shape(whole_end + 1) != '0' || (mark != '.' && mark != decimal_mark)) return whole_end;
    size_t end = line.run(whole_end + 1, kDigits);
    bool is_list = continues || (line.shape(end) == ',' && line.shape(end + 1) == '0');
    return mark == ',' && is_list ? whole_end : end;
}

size_t end_of_exponent(const Line& line, size_t start) {
    if (line.shape(start) != 'e') return start;
    size_t digits_start = start + (kExponentSigns.has(line.shape(start + 1)) ? 2 : 1);
    size_t end = line.run(digits_start, kDigits);
    return end > digits_start ? end : start;
}

int64_t saturated(const Line& line, size_t start, size_t end) {
    int64_t value = 0;
    each_digit(line, start, end, [&](int digit) {
        if (value < kMaxExponent) value = value * 10 + digit;
    });
    return value < kMaxExponent ? value : kMaxExponent;
}

Core read_core(const Line& line, size_t start, size_t whole_end, bool continues) {
    size_t decimals_end = end_of_decimals(line, whole_end, continues);
    size_t end = end_of_exponent(line, decimals_end);
    Core core{end, digits_of(line, start, whole_end), end == whole_end};
    each_digit(line, whole_end, decimals_end,
               [&](int digit) { core.decimal.append_decimal(digit); });
    if (end > decimals_end) {
        int64_t exponent = saturated(line, decimals_end, end);
        char sign = line.shape(decimals_end + 1);
        core.decimal.scale(sign == '-' || sign == '~' ? -exponent : exponent);
    }
    return core;
}

bool is_identifier(const Line& line, size_t start, size_t end) {
    char kind = line.shape(end);
    if (kind == '.' && line.shape(end + 1) == '0') return true;
    if (kind != 'a' && kind != 'e' && kind != '_') return false;
    size_t letters_end = line.run(end, kLetters);
    if (line.shape(letters_end) == '_') {
        constexpr Classes kStartsWord("aez0");
        return kStartsWord.has(line.shape(letters_end + 1));
    }
    if (line.shape(letters_end) != '0') return false;
    bool is_hexadecimal = digits_of(line, start, end).is_zero_digit();
    return is_hexadecimal || !end_of_unit(line, end);
}

bool is_plain_fraction(const Line& line, size_t start, size_t slash, size_t end) {
    if (line.digit(start) == 0 || line.digit(slash + 1) == 0) return false;
    if (end - slash - 1 > kMaxUnitFractionDigits) return false;
    int64_t over = saturated(line, start, slash), under = saturated(line, slash + 1, end);
    if (over == 1) return under != 1;
    bool is_plain = std::find(std::begin(kPlainDenominators), std::end(kPlainDenominators),
                              under) != std::end(kPlainDenominators);
    return over < under && is_plain && (over < 10 || under <= kLongDenominator) &&
           std::gcd(over, under) == 1;
}

std::optional<Reading> read_slashed(const Line& line, size_t start) {
    size_t slash = line.run(start, kDigits);
    if (!kSlashes.has(line.shape(slash))) return std::nullopt;
    size_t end = line.run(slash + 1, kDigits);
    if (end == slash + 1) return std::nullopt;
    bool goes_on = kSlashes.has(line.shape(end)) || line.shape(end) == '.';
    if (goes_on && line.shape(end + 1) == '0') return std::nullopt;
    if (is_identifier(line, slash + 1, end)) return std::nullopt;
    if (line.shape(slash) == '/' && !is_plain_fraction(line, start, slash, end))
        return std::nullopt;
    double over = digits_of(line, start, slash).value();
    double under = digits_of(line, slash + 1, end).value();
    if (under == 0 || !std::isfinite(over) || !std::isfinite(under)) return std::nullopt;
    return Reading{end, over / under};
}

std::optional<Reading> with_fraction(const Line& line, size_t start, const Reading& whole) {
    constexpr Classes kRatioSigns("/|:");
    if (start > 0 && kRatioSigns.has(line.shape(start - 1))) return std::nullopt;
    char following = line.shape(whole.end);
    if (kSlashes.has(following)) return read_slashed(line, start);
    if (following != 'f' && following != ' ' && following != 's') return std::nullopt;
    size_t fraction_start = whole.end + (following == 'f' ? 0 : 1);
    bool is_short = whole.end - start <= kMaxMixedDigits && line.digit(start) != 0;
    std::optional<Reading> fraction;
    if (line.shape(fraction_start) == 'f')
        fraction = Reading{fraction_start + 1, line.vulgar_fraction(fraction_start)};
    else if (line.shape(fraction_start) == '0' && is_short)
        fraction = read_slashed(line, fraction_start);
    if (!fraction || fraction->value >= 1) return std::nullopt;
    return Reading{fraction->end, whole.value + fraction->value};
}

int word_power(const Line& line, size_t start, size_t end) {
    for (const Magnitude& word : kWords)
        if (line.spells(start, end, word.name)) return word.power;
    return 0;
}

int suffix_power(const Line& line, size_t start, size_t end, bool is_money) {
    for (const Magnitude& suffix : kSuffixes)
        if (line.is(start, end, suffix.name)) return suffix.power;
    if (is_money)
        for (const Magnitude& suffix : kMoneySuffixes)
            if (line.is(start, end, suffix.name)) return suffix.power;
    return word_power(line, start, end);
}

struct Magnitudes {
    size_t end;
    int power;
};

Magnitudes read_magnitudes(const Line& line, size_t start, bool is_money) {
    constexpr Classes kGoesOn("z0_");
    constexpr Classes kGaps(" s-");
    size_t end = line.run(start, kLetters);
    int power = suffix_power(line, start, end, is_money);
    if (power > 0 && !kGoesOn.has(line.shape(end))) return {end, power};
    power = 0;
    end = start;
    while (kGaps.has(line.shape(end))) {
        size_t word_end = line.run(end + 1, kLetters);
        int step = word_power(line, end + 1, word_end);
        if (step == 0 || kGoesOn.has(line.shape(word_end)) || power + step > kMaxPower) break;
        end = word_end;
        power += step;
    }
    return {end, power};
}

Reading with_magnitude(const Line& line, size_t start, const Reading& reading,
                       const Decimal* core) {
    if (!line.options.magnitudes) return reading;
    bool is_money = start > 0 && line.shape(start - 1) == '$';
    auto [end, power] = read_magnitudes(line, reading.end, is_money);
    double value = core ? core->value(power) : reading.value * power_of_ten(power);
    return std::isfinite(value) ? Reading{end, value} : reading;
}

Reading complete(const Line& line, size_t start, const Core& core) {
    Reading alone{core.end, core.decimal.value()};
    if (!std::isfinite(alone.value)) return alone;
    if (core.is_whole)
        if (auto fraction = with_fraction(line, start, alone))
            return with_magnitude(line, start, *fraction, nullptr);
    return with_magnitude(line, start, alone, &core.decimal);
}

}  // namespace

std::optional<size_t> end_of_groups(const Line& line, size_t start) {
    size_t end = line.run(start, kDigits);
    char mark = line.shape(end);
    bool is_group_mark = mark == 's' || mark == (line.options.decimal_comma ? '.' : ',');
    bool is_first_group = 1 <= end - start && end - start <= 3 && line.digit(start) != 0;
    if (!is_first_group || !is_group_mark) return std::nullopt;
    size_t first_end = end;
    while (line.shape(end) == mark && line.shape(end + 1) == '0') {
        size_t group_end = line.run(end + 1, kDigits);
        if (group_end - end != 4) return std::nullopt;
        end = group_end;
    }
    return end > first_end ? std::optional(end) : std::nullopt;
}

std::optional<size_t> end_of_unit(const Line& line, size_t start) {
    size_t letters_end = line.run(start, kLetters);
    if (line.shape(letters_end) != '0') return std::nullopt;
    auto spells = [&](std::string_view word) { return line.spells(start, letters_end, word); };
    if (spells("t")) {
        bool is_time = line.shape(letters_end + 1) == '0' && line.shape(letters_end + 2) == ':';
        return is_time ? std::optional(letters_end) : std::nullopt;
    }
    int digit = line.digit(letters_end);
    if ((digit == 2 || digit == 3) &&
        (spells("mm") || spells("cm") || spells("m") || spells("km")))
        return kWordGoesOn.has(line.shape(letters_end + 1)) ? std::nullopt
                                                            : std::optional(letters_end + 1);
    return spells("x") || spells("ft") ? std::optional(letters_end) : std::nullopt;
}

std::optional<Reading> read_numeral(const Line& line, size_t start, bool continues) {
    if (line.shape(start) == 'f')
        return with_magnitude(line, start, {start + 1, line.vulgar_fraction(start)}, nullptr);
    if (auto groups_end = continues ? std::nullopt : end_of_groups(line, start)) {
        Core core = read_core(line, start, *groups_end, continues);
        if (!is_identifier(line, start, core.end) && std::isfinite(core.decimal.value()))
            return complete(line, start, core);
    }
    size_t whole_end = line.run(start, kDigits);
    Core core = read_core(line, start, whole_end, continues);
    if (is_identifier(line, start, core.end)) core = read_core(line, start, whole_end, true);
    if (is_identifier(line, start, core.end)) return std::nullopt;
    return complete(line, start, core);
}

}  // namespace numberline
