// The items of a date or a time of day → its reading. The twin of reading/quantities/calendar.py.
#include <cmath>

#include "quantities_forms.h"

namespace numberline {
namespace {

using C = Class;

constexpr double kDaysOfYear = 365;
constexpr double kHoursOfHalfDay = 12;
constexpr double kDaysBeforeMonth[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
constexpr Bits kNumber = bits(C::number_);

}  // namespace

bool FormReader::date() {
    auto numbers = with(bits(C::number_, C::ordinal_), 0, count_);
    auto months = with(bits(C::month_, C::shortmonth_, C::lowmonth_, C::lowname_), 0, count_);
    const Item* year = nullptr;
    std::vector<const Item*> days;
    double month;
    const Bits is_year = bits(C::year_);
    if (!months.empty()) {
        month = months[0]->value;
        for (const Item* number : numbers) {
            if (!number->has(is_year)) days.push_back(number);
            else if (!year) year = number;
        }
    } else if (numbers.size() != 3) {
        return false;
    } else if (numbers[0]->has(is_year)) {
        year = numbers[0];
        month = numbers[1]->value;
        days = {numbers[2]};
    } else {
        if (numbers[2]->value < 100 && items_[1].has(bits(C::hyphen_))) return false;
        bool is_month_first = numbers[0]->value <= 12;
        year = numbers[2];
        month = numbers[is_month_first ? 0 : 1]->value;
        days = {numbers[is_month_first ? 1 : 0]};
    }
    if (!year && days.empty()) return false;
    for (const Item* number : numbers) reading_.roles.emplace_back(number->start, tables_.date);
    for (const Item* day : days) reading_.roles.emplace_back(day->start, tables_.day);
    if (year) {
        reading_.roles.emplace_back(year->start, tables_.year);
        double number = year->value >= 100 ? year->value : full_year(year->value);
        double before = kDaysBeforeMonth[static_cast<size_t>(month) - 1];
        double day = days.empty() ? 1 : days[0]->value;
        reading_.value = number + (before + day - 1) / kDaysOfYear;
        if (days.size() == 2) {
            reading_.low = reading_.value;
            reading_.high = number + (before + days[1]->value - 1) / kDaysOfYear;
        }
        reading_.calendar[0] = static_cast<int64_t>(number);
    } else if (days.size() == 2 && !(days[0]->value < days[1]->value)) {
        return false;
    }
    reading_.has_calendar = true;
    reading_.calendar[1] = static_cast<int64_t>(month);
    if (!days.empty()) reading_.calendar[2] = static_cast<int64_t>(days[0]->value);
    return true;
}

bool FormReader::monthday() {
    reading_.roles = {{first().start, tables_.date}, {last().start, tables_.day}};
    reading_.has_calendar = true;
    reading_.calendar[1] = static_cast<int64_t>(first().value);
    reading_.calendar[2] = static_cast<int64_t>(last().value);
    return true;
}

bool FormReader::time() {
    auto halves = with(bits(C::meridiem_), 0, count_);
    size_t to = 0;
    while (to < count_ && !items_[to].has(bits(C::dash_, C::hyphen_, C::to_))) ++to;
    std::vector<std::vector<const Item*>> moments{with(kNumber, 0, to)};
    if (to < count_) moments.push_back(with(kNumber, to + 1, count_));
    std::vector<double> hours;
    for (const auto& parts : moments) {
        double hour = parts[0]->value, rest = 0;
        if (!halves.empty()) {
            if (hour > kHoursOfHalfDay) return false;
            hour = std::fmod(hour, kHoursOfHalfDay) + halves.back()->value;
        }
        if (parts.size() > 1) rest += parts[1]->value / 60.0;
        if (parts.size() > 2) rest += parts[2]->value / 3600.0;
        hours.push_back(hour + rest);
    }
    reading_.value = hours[0];
    if (hours.size() == 2) {
        if (!(hours[0] < hours[1])) return false;
        reading_.low = hours[0];
        reading_.high = hours[1];
    }
    const auto& parts = moments[0];
    const auto part = [&](size_t index) {
        return parts.size() > index ? static_cast<int64_t>(parts[index]->value) : 0;
    };
    reading_.has_calendar = true;
    reading_.calendar = {static_cast<int64_t>(hours[0]), part(1), part(2)};
    return true;
}

bool FormReader::clocked() {
    double hour = std::trunc(first().value);
    double minute = std::nearbyint(std::fmod(first().value, 1) * 100);
    if (hour > kHoursOfHalfDay) return false;
    hour = std::fmod(hour, kHoursOfHalfDay) + last().value;
    reading_.value = hour + minute / 60;
    reading_.has_calendar = true;
    reading_.calendar = {static_cast<int64_t>(hour), static_cast<int64_t>(minute), int64_t{0}};
    return true;
}

bool FormReader::stopwatch() {
    double seconds = 0;
    for (const Item* item : with(kNumber, 0, count_)) seconds = seconds * 60 + item->value;
    reading_.value = seconds;
    reading_.terms = {{tables_.second, 1}};
    return true;
}

}  // namespace numberline
