"""The items of a date or a time of day → its reading."""

from __future__ import annotations

from numberline.reading.quantities.classes import BIT, bits
from numberline.reading.quantities.items import Item
from numberline.reading.quantities.lexicon import Lexicon
from numberline.reading.quantities.reading import Reading

DAYS_BEFORE_MONTH = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)
DAYS_OF_YEAR = 365.0
LATEST_SHORT_YEAR = 35
HOURS_OF_HALF_DAY = 12
HIGHEST_MARKS = (5, 10)


def date(items: list[Item], lexicon: Lexicon) -> Reading | None:
    """Read a date: its value is a decimal year, so that dates and years are on one line."""
    reading = Reading(items[0].start, items[-1].end)
    numbers = [item for item in items if item.classes & bits("number ordinal")]
    months = [item for item in items if item.classes & bits("month shortmonth lowmonth lowname")]
    if not months and len(numbers) != 3:
        return None
    parts = parts_of_words(numbers, months[0]) if months else parts_of_digits(numbers)
    is_short = not months and numbers[-1].value < 100 and not numbers[0].classes & BIT["year"]
    if is_short and items[1].classes & BIT["hyphen"]:
        return None  # 3-5-10 may be anything
    year, month, days = parts
    if year is None and not days:
        return None
    for number in numbers:
        reading.roles.append((number.start, "date"))
    for day in days:
        reading.roles.append((day.start, "day"))
    if year is not None:
        reading.roles.append((year.start, "year"))
        numeric = year.value if year.value >= 100 else short_year(year.value)
        before = [DAYS_BEFORE_MONTH[month - 1] + day.value - 1 for day in days or [FIRST_DAY]]
        reading.value = numeric + before[0] / DAYS_OF_YEAR
        if len(days) == 2:
            reading.low, reading.high = reading.value, numeric + before[1] / DAYS_OF_YEAR
    elif len(days) == 2 and not days[0].value < days[1].value:
        return None
    day_of_month = int(days[0].value) if days else None
    reading.calendar = (int(numeric) if year is not None else None, month, day_of_month)
    return reading


def monthday(items: list[Item], lexicon: Lexicon) -> Reading | None:
    """Read 11/30, the 30th of November."""
    month, day = items[0], items[-1]
    reading = Reading(month.start, day.end, calendar=(None, int(month.value), int(day.value)))
    reading.roles += [(month.start, "date"), (day.start, "day")]
    return reading


def likelyday(items: list[Item], lexicon: Lexicon) -> Reading | None:
    """Read 11/30, but not 8/10, which is as often a mark."""
    return None if items[-1].value in HIGHEST_MARKS else monthday(items, lexicon)


FIRST_DAY = Item(0, 0, "", "", value=1.0)


def short_year(digits: float) -> float:
    return digits + (2000 if digits <= LATEST_SHORT_YEAR else 1900)


def parts_of_words(numbers: list[Item], month: Item) -> tuple[Item | None, int, list[Item]]:
    """Return year, month and days of 4 July 2018 or July 4–6."""
    years = [number for number in numbers if number.classes & BIT["year"]]
    days = [number for number in numbers if not number.classes & BIT["year"]]
    return (years[0] if years else None), int(month.value), days


def parts_of_digits(numbers: list[Item]) -> tuple[Item | None, int, list[Item]]:
    """Return year, month and day of 2018-07-04, 7/4/2018 or 31/12/2018."""
    first, second, third = numbers
    if first.classes & BIT["year"]:
        return first, int(second.value), [third]
    month, day = (first, second) if first.value <= 12 else (second, first)
    return third, int(month.value), [day]


def time(items: list[Item], lexicon: Lexicon) -> Reading | None:
    """Read a time of day, or two: the value is in hours after midnight."""
    reading = Reading(items[0].start, items[-1].end)
    halves = [item for item in items if item.classes & BIT["meridiem"]]
    moments = [clock_of(items)]
    to = [index for index, item in enumerate(items) if item.classes & bits("dash hyphen to")]
    if to:
        moments = [clock_of(items[: to[0]]), clock_of(items[to[0] + 1 :])]
    hours = []
    for parts in moments:
        hour, *rest = [item.value for item in parts]
        if halves:
            if hour > HOURS_OF_HALF_DAY:
                return None
            hour = hour % HOURS_OF_HALF_DAY + halves[-1].value
        hours.append(hour + sum(part / 60.0 ** (at + 1) for at, part in enumerate(rest)))
    reading.value = hours[0]
    if len(hours) == 2:
        if not hours[0] < hours[1]:
            return None
        reading.low, reading.high = hours[0], hours[1]
    minutes = [int(part.value) for part in moments[0][1:]]
    reading.calendar = (
        int(hours[0]),
        minutes[0] if minutes else 0,
        minutes[1] if len(minutes) > 1 else 0,
    )
    return reading


def clocked(items: list[Item], lexicon: Lexicon) -> Reading | None:
    """Read 2.17 pm, whose decimals are minutes."""
    number, half = items[0], items[-1]
    hour, minute = int(number.value), round(number.value % 1 * 100)
    if hour > HOURS_OF_HALF_DAY:
        return None
    hour = hour % HOURS_OF_HALF_DAY + int(half.value)
    return Reading(number.start, half.end, hour + minute / 60, calendar=(hour, minute, 0))


def stopwatch(items: list[Item], lexicon: Lexicon) -> Reading | None:
    """Read the seconds of 27:15.51 or 2:03:15.5."""
    seconds = 0.0
    for item in clock_of(items):
        seconds = seconds * 60 + item.value
    return Reading(items[0].start, items[-1].end, seconds, terms=[(lexicon.second, 1)])


def clock_of(items: list[Item]) -> list[Item]:
    return [item for item in items if item.classes & BIT["number"]]
