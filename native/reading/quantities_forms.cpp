// The items of a quantity → its reading. The twin of reading/quantities/forms.py and calendar.py.
#include <algorithm>
#include <cmath>

#include "quantities_forms.h"

namespace numberline {
namespace {

using C = Class;
using Terms = QuantityReading::Terms;

constexpr Bits kUnits = bits(C::unit_, C::percent_, C::money_, C::footsign_, C::inchsign_,
                             C::footunit_, C::inchunit_);
constexpr Bits kNouns = bits(C::word_, C::plural_, C::countable_);
constexpr Bits kMinus = bits(C::minus_, C::hyphen_);
constexpr Bits kNumber = bits(C::number_);
constexpr double kLatestShortYear = 35;
constexpr double kFirstLikelyYear = 1800, kLastLikelyYear = 2035;
constexpr double kFirstLikelyAge = 10, kLastLikelyAge = 99;
constexpr size_t kFewestPhoneDigits = 7;
constexpr int kPlusMinus = 8;  // in MODIFIERS of modifiers.py

}  // namespace

double full_year(double digits) { return digits + (digits <= kLatestShortYear ? 2000 : 1900); }

std::vector<const Item*> FormReader::with(Bits classes, size_t from, size_t to) const {
    std::vector<const Item*> found;
    for (size_t index = from; index < to; ++index)
        if (items_[index].has(classes)) found.push_back(&items_[index]);
    return found;
}

std::vector<Amount> FormReader::amounts() {
    std::vector<Amount> found;
    Terms pending;
    int power_sign = 1;
    for (size_t index = 0; index < count_; ++index) {
        const Item& item = items_[index];
        bool raises = is_exponent(index, !found.empty());
        if (item.has(bits(C::number_, C::fiscal_)) && !raises) {
            found.push_back({&item, item.value, pending});
            pending.clear();
            power_sign = 1;
            continue;
        }
        bool is_before = item.has(bits(C::money_)) && precedes_number(index);
        Terms& terms = is_before || found.empty() ? pending : found.back().terms;
        if (raises && !terms.empty()) {
            int& power = terms.back().second;
            int sign = (items_[index - 1].has(kMinus) ? -1 : 1) * (power > 0 ? 1 : -1);
            power = static_cast<int>(item.value) * sign;
            if (reading_.unit_span) reading_.unit_span->second = item.end;
        } else if (item.unit >= 0 && item.has(kUnits)) {
            if (!item.has(bits(C::money_)) || terms.empty()) {
                if (terms.empty() || !reading_.unit_span)
                    reading_.unit_span = {item.start, item.end};
                else if (found.empty() || reading_.unit_span->first > found.back().item->start)
                    reading_.unit_span->second = item.end;
                terms.emplace_back(item.unit, item.power * power_sign);
            }
            power_sign = 1;
        } else if (item.has(bits(C::slash_, C::per_, C::article_))) {
            power_sign = -1;
        } else if (item.has(kNouns) && power_sign > 0) {
            reading_.noun = {item.start, item.end};
        }
    }
    return found;
}

bool FormReader::precedes_number(size_t index) const {
    if (index + 1 == count_ || !items_[index].has(bits(C::currency_))) return false;
    return items_[index + 1].has(bits(C::number_, C::currency_));
}

bool FormReader::is_exponent(size_t index, bool has_number) const {
    const Item& item = items_[index];
    if (!item.is_joined || !has_number || index == 0) return false;
    if (item.has(bits(C::superscript_))) return true;
    const Item& before = items_[index - 1];
    bool is_sign = before.has(bits(C::caret_) | kMinus) && before.is_joined;
    if (!item.has(bits(C::digit_)) || !is_sign || index == 1) return false;
    if (before.has(kMinus) && items_[index - 2].has(bits(C::caret_))) return true;
    return items_[index - 2].has(bits(C::unit_)) && !before.has(bits(C::hyphen_));
}

bool FormReader::read_value() {
    auto found = amounts();
    if (found.empty()) return false;
    reading_.value = found[0].value;
    reading_.terms = found[0].terms;
    if (first().has(kMinus)) reading_.value = -found[0].value;
    return as_money(*found[0].item);
}

bool FormReader::as_money(const Item& number) {
    const Terms& terms = reading_.terms;
    bool is_pound = terms.size() == 1 && terms[0].first == tables_.pound && terms[0].second == 1;
    if (is_pound && number.has(bits(C::scaled_))) {
        reading_.terms[0].first = tables_.sterling;
        reading_.kind = tables_.money;
    }
    return true;
}

bool FormReader::bare() {
    reading_.value = first().value;
    return true;
}

bool FormReader::negative() {
    if (!read_value()) return false;
    reading_.value = -std::abs(*reading_.value);
    return true;
}

bool FormReader::range(bool may_descend) {
    auto found = amounts();
    if (found.size() != 2) return false;
    bool is_range = set_ends(found[0], found[1]);
    if (!is_range && may_descend) {
        std::swap(found[0].value, found[1].value);
        is_range = set_ends(found[0], found[1]);
    }
    return is_range && as_money(*found[1].item);
}

bool FormReader::set_ends(const Amount& first, const Amount& second) {
    double low = first.value, high = second.value;
    if (second.item->scale && !first.item->scale) {
        double factor = std::pow(10.0, second.item->scale);
        if (low < high / factor) low *= factor;
    }
    Terms terms = second.terms.empty() ? first.terms : second.terms;
    if (!first.terms.empty() && !second.terms.empty() && first.terms != second.terms) {
        const auto unit = [&](const Amount& one) -> const Unit& {
            return tables_.units[static_cast<size_t>(one.terms[0].first)];
        };
        if (unit(first).dimension == tables_.money_dimension && second.terms.size() <= 2) {
            terms = {first.terms[0]};
            for (const auto& term : second.terms)
                if (term.second < 0) terms.push_back(term);
        } else if (first.terms.size() == 1 && second.terms.size() == 1) {
            int dimension = unit(first).dimension;
            if (dimension != unit(second).dimension || dimension == tables_.percent_dimension)
                return false;
            low *= unit(first).factor / unit(second).factor;
        }
    }
    if (!(low < high)) return false;
    reading_.low = low;
    reading_.high = high;
    reading_.value = (low + high) / 2;
    reading_.terms = terms;
    return true;
}

bool FormReader::plusminus() {
    auto found = amounts();
    if (found.size() < 2) return false;
    const Amount &first = found[0], &second = found[1];
    reading_.value = first.value;
    reading_.terms = second.terms.empty() ? first.terms : second.terms;
    reading_.low = first.value - std::abs(second.value);
    reading_.high = first.value + std::abs(second.value);
    reading_.modifier = kPlusMinus;
    return true;
}

bool FormReader::spread() {
    if (!read_value()) return false;
    reading_.low = -std::abs(*reading_.value);
    reading_.high = std::abs(*reading_.value);
    reading_.modifier = kPlusMinus;
    return true;
}

bool FormReader::compound() {
    auto found = amounts();
    if (found.size() != 2 || found[0].terms.empty()) return false;
    const Amount &first = found[0], &second = found[1];
    const auto factor = [&](int unit) { return tables_.units[static_cast<size_t>(unit)].factor; };
    double larger = factor(first.terms[0].first);
    double smaller = factor(second.terms.empty() ? tables_.inch : second.terms[0].first);
    if (!(smaller < larger) || second.value * smaller >= larger) return false;
    reading_.value = first.value + second.value * smaller / larger;
    reading_.terms = {first.terms[0]};
    return true;
}

bool FormReader::pair() {
    auto found = amounts();
    if (found.size() != 2) return false;
    reading_.value = found[0].value;
    reading_.terms = found[1].terms;
    reading_.low = std::min(found[0].value, found[1].value);
    reading_.high = std::max(found[0].value, found[1].value);
    return true;
}

bool FormReader::ratio() {
    auto numbers = with(kNumber, 0, count_);
    if (numbers.size() != 2) return false;
    if (numbers[1]->value != 0) {
        double quotient = numbers[0]->value / numbers[1]->value;
        if (std::isfinite(quotient)) reading_.value = quotient;
    }
    return true;
}

bool FormReader::phone() const {
    size_t digits = 0;
    for (const Item* item : with(kNumber, 0, count_))
        digits += item->end - item->start - (item->has(bits(C::signed_)) ? 1 : 0);
    return digits >= kFewestPhoneDigits;
}

bool FormReader::short_year() {
    if (first().end - first().start != 2) return false;
    --reading_.start;
    reading_.end = first().end;
    reading_.value = full_year(first().value);
    return true;
}

bool FormReader::decade() {
    double begin = first().has(bits(C::whole_)) ? first().value : items_[1].value;
    if (std::fmod(begin, 10) != 0) return false;
    if (first().has(bits(C::apostrophe_))) begin = full_year(begin);
    reading_.value = reading_.low = begin;
    reading_.high = begin + (std::fmod(begin, 100) == 0 ? 100 : 10) - 1;
    return true;
}

bool FormReader::era() {
    double sign = with(bits(C::era_), 0, count_)[0]->value;
    auto numbers = with(kNumber, 0, count_);
    double sum = 0;
    for (const Item* number : numbers) {
        if (number->value != std::trunc(number->value)) return false;
        sum += sign * number->value;
    }
    reading_.value = sum / static_cast<double>(numbers.size());
    if (numbers.size() == 2) {
        reading_.low = sign * numbers[0]->value;
        reading_.high = sign * numbers[1]->value;
        if (!(*reading_.low < *reading_.high)) return false;
    }
    return true;
}

bool FormReader::angle() {
    double degrees = 0, share = 1;
    for (const Item* number : with(kNumber, 0, count_)) {
        degrees += number->value / share;
        share *= 60;
    }
    reading_.value = degrees;
    reading_.terms = {{tables_.degree, 1}};
    return true;
}

bool FormReader::footinch() {
    const auto factor = [&](int unit) { return tables_.units[static_cast<size_t>(unit)].factor; };
    reading_.value = first().value + last().value * (factor(tables_.inch) / factor(tables_.foot));
    reading_.terms = {{tables_.foot, 1}};
    return true;
}

bool FormReader::years() {
    double low = first().value, high = last().value;
    if (high < 100) high += low - std::fmod(low, last().has(bits(C::digit_)) ? 10 : 100);
    if (!(low < high)) return false;
    reading_.value = (low + high) / 2;
    reading_.low = low;
    reading_.high = high;
    return true;
}

bool FormReader::shared() {
    reading_.terms = amounts().back().terms;
    reading_.noun.reset();
    reading_.end = first().end;
    reading_.value = first().value;
    return true;
}

bool FormReader::read(Form form) {
    switch (form) {
        case Form::value: return read_value();
        case Form::bare:
        case Form::ordinal:
        case Form::identifier: return bare();
        case Form::negative: return negative();
        case Form::range: return range(false);
        case Form::sorted: return range(true);
        case Form::plusminus: return plusminus();
        case Form::spread: return spread();
        case Form::compound: return compound();
        case Form::pair: return pair();
        case Form::ratio: return ratio();
        case Form::version: return !first().has(kNumber) || bare();
        case Form::phone: return phone();
        case Form::likely: return likely(kFirstLikelyYear, kLastLikelyYear);
        case Form::named: return likely(kFirstLikelyAge, kLastLikelyAge);
        case Form::skip: return true;
        case Form::clocked: return clocked();
        case Form::stopwatch: return stopwatch();
        case Form::short_year: return short_year();
        case Form::decade: return decade();
        case Form::era: return era();
        case Form::angle: return angle();
        case Form::footinch: return footinch();
        case Form::years: return years();
        case Form::date: return date();
        case Form::time: return time();
        case Form::shared: return shared();
        case Form::monthday: return monthday();
        case Form::likelyday: return last().value != 5 && last().value != 10 && monthday();
        case Form::count: break;
    }
    return false;
}

bool read_form(Form form, const QuantityTables& tables, const Item* start, const Item* stop,
               QuantityReading& reading) {
    return FormReader(tables, start, stop, reading).read(form);
}

}  // namespace numberline
