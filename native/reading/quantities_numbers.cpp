// Items → items in which each number is one. The twin of reading/quantities/numbers.py.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

#include "number_phrases.h"
#include "quantities_items.h"

namespace numberline {
namespace {

using C = Class;

constexpr double kLargestPower = 300;
constexpr double kLargestDay = 31;
constexpr size_t kMostGroups = 5;
constexpr double kLargestNumerator = 100;
constexpr size_t kMostDigits = 15;
constexpr Bits kMeasured =
    bits(C::unit_, C::money_, C::percent_, C::scale_, C::hundred_, C::dozen_);
constexpr Bits kNamed =
    bits(C::word_, C::name_, C::plural_, C::number_, C::hyphen_, C::unit_);
constexpr Bits kNoPartAfter = bits(C::ordinal_, C::the_, C::word_, C::name_, C::number_);
constexpr Bits kHalfOrFraction = bits(C::half_, C::fraction_);
constexpr Bits kHyphen = bits(C::hyphen_);

enum class Gap { any, joined, free };

Bits number_classes(double value) {
    return std::fmod(value, 1) == 0 ? bits(C::number_, C::integer_) : bits(C::number_);
}

struct End {
    size_t end;
    double value;
};

// The items of a line while their numbers are read; names and rules are those of numbers.py.
class Numbers {
  public:
    Numbers(const Line& line, std::vector<Item>& items) : line_(line), items_(items) {}
    size_t read_at(size_t index, const Item* before);

  private:
    bool has(size_t index, Bits classes, Gap gap = Gap::any) const {
        if (index >= items_.size() || !items_[index].has(classes)) return false;
        return gap == Gap::any || items_[index].is_joined == (gap == Gap::joined);
    }
    static void set_ordinal(Item& one, double value) {
        one.classes = 1 <= value && value <= kLargestDay ? bits(C::ordinal_, C::dayth_)
                                                         : bits(C::ordinal_);
        one.value = value;
    }
    static void drop(Item& one, Bits classes) { one.classes = one.classes & ~classes; }
    CountingWord word(size_t index) const;
    size_t end_of_grouped(size_t index);
    End end_of_indian(size_t index) const;
    End end_of_swiss(size_t index) const;
    End end_of_spaced(size_t index) const;
    bool is_group(size_t index, Bits mark, Bits classes) const {
        return has(index, mark, Gap::joined) && has(index + 1, classes, Gap::joined);
    }
    size_t end_of_power(size_t index);
    End read_power(size_t index, bool may_be_bare) const;
    size_t end_of_words(size_t index, const Item* before);
    bool extends_to_ordinal(size_t index, int64_t value) const;
    size_t end_of_point(size_t index, size_t end);
    size_t end_of_dozen(size_t index, size_t end);
    size_t end_of_part(size_t index, const Item* before);
    std::optional<Counted> read_counted(size_t index) const;
    size_t end_of_fraction(size_t index, size_t end);
    size_t end_of_scale(size_t index, size_t end, const Item* before);

    const Line& line_;
    std::vector<Item>& items_;
};

size_t Numbers::read_at(size_t index, const Item* before) {
    Item& one = items_[index];
    size_t end;
    if (one.is_numeral) {
        end = end_of_grouped(index);
        if (end == index + 1) end = end_of_power(index);
        if (has(end, bits(C::suffix_), Gap::joined) && one.has(bits(C::whole_))) {
            set_ordinal(one, one.value);
            one.end = items_[end].end;
            return end + 1 - index;
        }
    } else {
        end = end_of_words(index, before);
        if (end == index || one.has(bits(C::ordinal_))) return std::max<size_t>(end - index, 1);
    }
    end = end_of_fraction(index, end);
    end = end_of_scale(index, end, before);
    if (has(end, bits(C::plus_), Gap::joined) && !has(end + 1, bits(C::number_), Gap::joined)) {
        one.is_open_ended = true;
        ++end;
    }
    one.end = items_[end - 1].end;
    return end - index;
}

CountingWord Numbers::word(size_t index) const {
    const Item& one = items_[index];
    constexpr Bits kMayCount =
        bits(C::counting_, C::scale_, C::hundred_, C::and_, C::article_);
    if (one.is_numeral || one.is_several || !one.has(kMayCount)) return kNoCountingWord;
    return counting_word(line_, one.start, one.end);
}

size_t Numbers::end_of_grouped(size_t index) {
    Item& one = items_[index];
    if (!one.has(bits(C::short_, C::three_)) || one.value == 0) return index + 1;
    for (int way = 0; way < 3; ++way) {
        End read = way == 0 ? end_of_indian(index) : way == 1 ? end_of_swiss(index)
                                                              : end_of_spaced(index);
        if (read.end > index + 1) {
            one.value = read.value;
            one.classes = number_classes(read.value);
            return read.end;
        }
    }
    return index + 1;
}

End Numbers::end_of_indian(size_t index) const {
    double value = items_[index].value;
    size_t end = index + 1;
    const Bits comma = bits(C::comma_);
    while (items_[index].has(bits(C::short_)) && is_group(end, comma, bits(C::short_))) {
        const Item& group = items_[end + 1];
        if (group.end - group.start != 2) break;
        value = value * 100 + group.value;
        end += 2;
    }
    if (end == index + 1 || !is_group(end, comma, bits(C::three_))) return {index + 1, 0};
    return {end + 2, value * 1000 + items_[end + 1].value};
}

End Numbers::end_of_swiss(size_t index) const {
    double value = items_[index].value;
    size_t end = index + 1;
    while (is_group(end, bits(C::apostrophe_), bits(C::number_))) {
        const Item& group = items_[end + 1];
        if (!group.has(bits(C::three_, C::threepoint_))) break;
        value = value * 1000 + group.value;
        end += 2;
        if (group.has(bits(C::threepoint_))) break;
    }
    return {end, value};
}

End Numbers::end_of_spaced(size_t index) const {
    double value = items_[index].value;
    size_t end = index + 1;
    bool has_zero = false;
    for (; end < index + kMostGroups && has(end, bits(C::three_), Gap::free); ++end) {
        value = value * 1000 + items_[end].value;
        has_zero = has_zero || items_[end].value < 100;
    }
    return has_zero ? End{end, value} : End{index + 1, 0};
}

size_t Numbers::end_of_power(size_t index) {
    Item& one = items_[index];
    End power = read_power(index, false);
    if (power.end > index + 1) {
        one.value = power.value;
        one.classes = number_classes(power.value);
        return power.end;
    }
    if (!has(index + 1, bits(C::times_)) || !has(index + 2, bits(C::number_))) return index + 1;
    power = read_power(index + 2, true);
    double product = one.value * power.value;
    if (power.end == index + 3 || !std::isfinite(product)) return index + 1;
    one.value = product;
    one.classes = number_classes(product);
    return power.end;
}

double power_of(double base, int exponent) {
    if (base == 10) return std::strtod(("1e" + std::to_string(exponent)).c_str(), nullptr);
    double power = std::pow(base, exponent);
    return std::isfinite(power) ? power : std::numeric_limits<double>::infinity();
}

End Numbers::read_power(size_t index, bool may_be_bare) const {
    const Item& base = items_[index];
    const End none{index + 1, base.value};
    size_t end = index + 1;
    bool has_caret = has(end, bits(C::caret_), Gap::joined);
    if (!has_caret && !base.has(bits(C::whole_))) return none;
    end += has_caret ? 1 : 0;
    bool is_negative = has(end, bits(C::minus_, C::hyphen_), Gap::joined);
    end += is_negative ? 1 : 0;
    bool is_raised = has(end, bits(C::superscript_), Gap::joined) && (base.value == 10 || has_caret);
    if (!is_raised) {
        if (!has_caret && !(may_be_bare && is_negative && base.value == 10)) return none;
        if (end >= items_.size() || !items_[end].is_numeral || !items_[end].is_joined) return none;
    }
    double exponent = items_[end].value;
    if (!(std::abs(exponent) <= kLargestPower) || exponent != std::trunc(exponent)) return none;
    int whole = static_cast<int>(exponent);
    return {end + 1, power_of(base.value, is_negative ? -whole : whole)};
}

size_t Numbers::end_of_words(size_t index, const Item* before) {
    Item& one = items_[index];
    if (one.has(bits(C::ordinal_))) {
        set_ordinal(one, one.value);
        return index + 1;
    }
    auto counted = read_counted(index);
    if (!counted) return end_of_part(index, before);
    one.classes = bits(C::number_, C::integer_, C::counted_);
    if (counted->value == 1) one.classes = one.classes | bits(C::one_);
    one.value = static_cast<double>(counted->value);
    size_t end = counted->end;
    if (extends_to_ordinal(end, counted->value)) {
        size_t last = end + (has(end, bits(C::hyphen_, C::and_)) ? 1 : 0);
        set_ordinal(one, one.value + items_[last].value);
        one.end = items_[last].end;
        return last + 1;
    }
    return end_of_point(index, end_of_dozen(index, end));
}

bool Numbers::extends_to_ordinal(size_t index, int64_t value) const {
    bool has_hyphen = has(index, kHyphen, Gap::joined);
    size_t at = index + (has_hyphen || has(index, bits(C::and_)) ? 1 : 0);
    if (value <= 0 || !has(at, bits(C::ordinal_))) return false;
    if (!has_hyphen && items_[at].has(bits(C::unit_))) return false;
    double ordinal = items_[at].value;
    return (value % 10 == 0 && ordinal < 10) || (value % 100 == 0 && ordinal < 100);
}

size_t Numbers::end_of_point(size_t index, size_t end) {
    Item& one = items_[index];
    if (!has(end, bits(C::pointword_))) return end;
    std::string digits;
    size_t at = end + 1;
    for (; at < items_.size(); ++at) {
        CountingWord digit = word(at);
        if (digit.kind != CountingKind::small || digit.value >= 10) break;
        digits += static_cast<char>('0' + digit.value);
    }
    if (digits.empty()) return end;
    std::string text = std::to_string(static_cast<int64_t>(one.value)) + "." +
                       digits.substr(0, kMostDigits);
    one.value = std::strtod(text.c_str(), nullptr);
    drop(one, bits(C::one_, C::integer_));
    return at;
}

size_t Numbers::end_of_dozen(size_t index, size_t end) {
    if (!has(end, bits(C::dozen_))) return end;
    items_[index].value *= items_[end].value;
    return end + 1;
}

size_t Numbers::end_of_part(size_t index, const Item* before) {
    Item& one = items_[index];
    size_t start = index + (one.has(bits(C::article_)) ? 1 : 0);
    bool is_plural = has(start, bits(C::parts_));
    if (has(start, bits(C::dozen_)) && !is_plural) {
        one.classes = bits(C::number_, C::integer_, C::counted_);
        one.value = 12;
        return start + 1;
    }
    if (!has(start, kHalfOrFraction) || is_plural) return index;
    if (before && before->has(kNoPartAfter)) return index;
    double part = 1 / items_[start].value;
    size_t end = start + 1;
    bool is_half = has(start, bits(C::half_));
    if (is_half && has(end, bits(C::article_)) && has(end + 1, kMeasured)) ++end;
    size_t hyphen = has(end, kHyphen, Gap::joined) ? 1 : 0;
    bool may_be = is_half || start > index;
    bool is_measured = has(end + hyphen, kMeasured) && (may_be || has(end, bits(C::scale_)));
    bool is_part = has(end, bits(C::of_)) && may_be;
    is_part = is_part || (start > index && !is_half && !has(start, bits(C::unit_)) && !has(end, kNamed));
    if (!is_measured && !is_part && !(is_half && has(end, bits(C::the_)))) return index;
    one.classes = bits(C::number_, C::counted_);
    one.value = part;
    return end_of_dozen(index, end);
}

std::optional<Counted> Numbers::read_counted(size_t index) const {
    if (word(index).kind == CountingKind::none) return std::nullopt;
    CountingPhrase words;
    std::vector<size_t> ends;
    for (size_t at = index; at < items_.size() && !words.is_full();) {
        CountingWord one = word(at);
        if (one.kind == CountingKind::none) break;
        words.add(one);
        ends.push_back(++at);
        if (has(at, kHyphen, Gap::joined) && at + 1 < items_.size() && items_[at + 1].is_joined)
            ++at;
    }
    if (ends.empty()) return std::nullopt;
    auto counted = read_number(words);
    if (!counted) return std::nullopt;
    return Counted{ends[counted->end - 1], counted->value};
}

size_t Numbers::end_of_fraction(size_t index, size_t end) {
    Item& one = items_[index];
    if (has(end, bits(C::and_)) && has(end + 1, bits(C::article_, C::counting_))) {
        CountingWord count = word(end + 1);
        double parts = has(end + 1, bits(C::article_))      ? 1
                       : count.kind == CountingKind::small ? static_cast<double>(count.value)
                                                            : 0;
        size_t at = end + 2 + (has(end + 2, kHyphen, Gap::joined) ? 1 : 0);
        if (parts != 0 && has(at, kHalfOrFraction)) {
            one.value += parts / items_[at].value;
            drop(one, bits(C::one_, C::integer_));
            return at + 1;
        }
    }
    size_t at = end + (has(end, kHyphen, Gap::joined) ? 1 : 0);
    if (!one.has(bits(C::counted_)) || !has(at, kHalfOrFraction)) return end;
    bool is_plural = has(at, bits(C::parts_));
    if (is_plural != (one.value > 1) || one.value > kLargestNumerator) return end;
    bool is_quarters = items_[at].value == 4 && is_plural;
    if (is_quarters && !has(at + 1, bits(C::of_) | kMeasured)) return end;
    one.value /= items_[at].value;
    drop(one, bits(C::one_, C::integer_));
    ++at;
    bool is_of_unit = has(at, bits(C::of_)) && has(at + 1, bits(C::article_)) && has(at + 2, kMeasured);
    return is_of_unit ? at + 2 : at;
}

size_t Numbers::end_of_scale(size_t index, size_t end, const Item* before) {
    Item& one = items_[index];
    bool is_money = before && before->has(bits(C::currency_));
    int power = 0;
    if (has(end, bits(C::scale_), Gap::joined)) {
        power = static_cast<int>(items_[end++].value);
    } else if (is_money && has(end, bits(C::moneyscale_), Gap::joined)) {
        power = static_cast<int>(items_[end++].value);
    }
    while (!one.has(bits(C::fiscal_))) {
        size_t at = end + (has(end, kHyphen, Gap::joined) ? 1 : 0);
        if (!has(at, bits(C::scale_, C::hundred_)) || items_[at].end - items_[at].start < 2) break;
        power += static_cast<int>(items_[at].value);
        end = at + 1;
    }
    if (power == 0) return end;
    bool is_parted = has(end, bits(C::and_)) && has(end + 1, bits(C::article_));
    if (is_parted && has(end + 2, kHalfOrFraction)) {
        one.value += 1 / items_[end + 2].value;
        end += 3;
    }
    double scaled = one.value * std::pow(10.0, power);
    if (std::isfinite(scaled)) {
        char text[32];
        std::snprintf(text, sizeof text, "%.15g", scaled);
        one.value = std::strtod(text, nullptr);
    }
    one.classes = number_classes(one.value) | bits(C::scaled_) |
                  (one.classes & bits(C::counted_, C::signed_));
    one.scale = power;
    return end;
}

bool is_negated(const std::vector<Item>& items, size_t kept, const Item& one) {
    if (kept == 0 || !items[kept - 1].has(bits(C::negative_)) || !one.has(bits(C::number_)))
        return false;
    return kept < 2 || !items[kept - 2].has(bits(C::number_));
}

}  // namespace

void join_numbers(const Line& line, std::vector<Item>& items) {
    Numbers numbers(line, items);
    size_t kept = 0;
    for (size_t index = 0; index < items.size();) {
        size_t length = numbers.read_at(index, kept > 0 ? &items[kept - 1] : nullptr);
        Item one = items[index];
        if (is_negated(items, kept, one)) {
            one.start = items[--kept].start;
            one.value = -one.value;
            one.classes = one.classes & bits(C::number_, C::integer_, C::scaled_);
        }
        items[kept++] = one;
        index += length;
    }
    items.resize(kept);
}

}  // namespace numberline
