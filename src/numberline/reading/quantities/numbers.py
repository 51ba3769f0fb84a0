"""Items → items in which each number is one: 3.5M, 4.5×10⁶, 1'250.00, half a million."""

from __future__ import annotations

import math

from numberline.reading.number_phrases import (
    COUNTING_WORDS,
    SMALL_VALUES,
    Counted,
    read_number,
)
from numberline.reading.quantities.classes import BIT, bits
from numberline.reading.quantities.items import Item

LARGEST_POWER = 300
LARGEST_DAY = 31
MOST_GROUPS = 5  # of digits after blanks
LARGEST_NUMERATOR = 100
NAMED = "word name plural number hyphen unit"
MEASURED = "unit money percent scale hundred dozen"
NO_PART_AFTER = bits("ordinal the word name number")


def joined_numbers(items: list[Item]) -> list[Item]:
    """Return the items with those that make one number replaced by one item."""
    joined: list[Item] = []
    index = 0
    while index < len(items):
        length = read_number_at(items, index, joined[-1] if joined else None)
        if is_negated(joined, items[index]):
            items[index].start = joined.pop().start
            items[index].value = -items[index].value
            items[index].classes &= bits("number integer scaled")
        joined.append(items[index])
        index += length
    return joined


def number_classes(value: float) -> int:
    return bits("number integer") if value % 1 == 0 else BIT["number"]


def is_negated(before: list[Item], one: Item) -> bool:
    """Return whether a number comes after the word minus, but not as in "ten minus two"."""
    if not before or not before[-1].classes & BIT["negative"] or not one.classes & BIT["number"]:
        return False
    return len(before) < 2 or not before[-2].classes & BIT["number"]


def read_number_at(items: list[Item], index: int, before: Item | None) -> int:
    """Let an item hold the number that begins there; return how many items it takes."""
    one = items[index]
    if one.is_numeral:
        end = end_of_grouped(items, index)
        if end == index + 1:
            end = end_of_power(items, index)
        ordinal = has(items, end, "suffix", is_joined=True)
        if ordinal and one.classes & BIT["whole"]:
            set_ordinal(one, one.value)
            one.end = items[end].end
            return end + 1 - index
    else:
        end = end_of_words(items, index, before)
        if end == index or one.classes & BIT["ordinal"]:
            return max(end - index, 1)
    end = end_of_fraction(items, index, end)
    end = end_of_scale(items, index, end, before)
    if has(items, end, "plus", True) and not has(items, end + 1, "number", True):
        one.is_open_ended = True
        end += 1
    one.end = items[end - 1].end
    return end - index


def has(items: list[Item], index: int, classes: str, is_joined: bool | None = None) -> bool:
    """Return whether an item has one of these classes, and a blank before it or not."""
    if index >= len(items) or not items[index].classes & bits(classes):
        return False
    return is_joined is None or items[index].is_joined == is_joined


def set_ordinal(one: Item, value: float) -> None:
    one.classes = bits("ordinal dayth") if 1 <= value <= LARGEST_DAY else BIT["ordinal"]
    one.value = value


def end_of_grouped(items: list[Item], index: int) -> int:
    """Read 1,00,000, 1'250.00 and 10 000, whose groups the scanner takes for numerals."""
    one = items[index]
    if not one.classes & bits("short three") or one.value == 0:
        return index + 1
    for read in (end_of_indian, end_of_swiss, end_of_spaced):
        end, value = read(items, index)
        if end > index + 1:
            one.value, one.classes = value, number_classes(value)
            return end
    return index + 1


def end_of_indian(items: list[Item], index: int) -> tuple[int, float]:
    """Read 1,00,000: groups of two digits, and three in the last."""
    value, end = items[index].value, index + 1
    while items[index].classes & BIT["short"] and is_group(items, end, "comma", "short"):
        if items[end + 1].end - items[end + 1].start != 2:
            break
        value, end = value * 100 + items[end + 1].value, end + 2
    if end == index + 1 or not is_group(items, end, "comma", "three"):
        return index + 1, 0
    return end + 2, value * 1000 + items[end + 1].value


def end_of_swiss(items: list[Item], index: int) -> tuple[int, float]:
    """Read 1'250.00: groups of three digits, the last with decimals."""
    value, end = items[index].value, index + 1
    while is_group(items, end, "apostrophe", "number"):
        group = items[end + 1]
        if not group.classes & bits("three threepoint"):
            break
        value, end = value * 1000 + group.value, end + 2
        if group.classes & BIT["threepoint"]:
            break
    return end, value


def end_of_spaced(items: list[Item], index: int) -> tuple[int, float]:
    """Read 10 000: groups of three digits after blanks, one of which begins with 0.

    Other numbers of three digits in a row are as often a list.
    """
    value, end, has_zero = items[index].value, index + 1, False
    while end < index + MOST_GROUPS and has(items, end, "three", is_joined=False):
        value, has_zero = value * 1000 + items[end].value, has_zero or items[end].value < 100
        end += 1
    return (end, value) if has_zero else (index + 1, 0)


def is_group(items: list[Item], index: int, mark: str, classes: str) -> bool:
    """Return whether a mark is at an item and digits directly follow it."""
    return has(items, index, mark, is_joined=True) and has(
        items, index + 1, classes, is_joined=True
    )


def end_of_power(items: list[Item], index: int) -> int:
    """Read 10^5, 10⁶, 4.5×10⁶ and 2.48×10−5."""
    one = items[index]
    end, value = read_power(items, index)
    if end > index + 1:
        one.value, one.classes = value, number_classes(value)
        return end
    if not has(items, index + 1, "times") or not has(items, index + 2, "number"):
        return index + 1
    end, value = read_power(items, index + 2, may_be_bare=True)
    if end == index + 3:
        return index + 1
    product = one.value * value
    if not math.isfinite(product):
        return index + 1
    one.value, one.classes = product, number_classes(product)
    return end


def read_power(items: list[Item], index: int, may_be_bare: bool = False) -> tuple[int, float]:
    """Return the end and value of a power; a bare one is 10-3 after a sign of multiplication."""
    base = items[index]
    end = index + 1
    has_caret = has(items, end, "caret", True)
    if not has_caret and not base.classes & BIT["whole"]:
        return end, base.value
    end += has_caret
    is_negative = has(items, end, "minus hyphen", True)
    end += is_negative
    is_raised = has(items, end, "superscript", True) and (base.value == 10 or has_caret)
    may_be = has_caret or (may_be_bare and is_negative and base.value == 10)
    is_number = end < len(items) and items[end].is_numeral and items[end].is_joined
    if not (is_raised or (may_be and is_number)):
        return index + 1, base.value
    exponent = items[end].value
    if not 0 <= abs(exponent) <= LARGEST_POWER or exponent != int(exponent):
        return index + 1, base.value
    return end + 1, power_of(base.value, -int(exponent) if is_negative else int(exponent))


def power_of(base: float, exponent: int) -> float:
    if base == 10:
        return float(f"1e{exponent}")
    try:
        return math.pow(base, exponent)
    except (OverflowError, ValueError):
        return math.inf


def end_of_words(items: list[Item], index: int, before: Item | None) -> int:
    """Read twenty-five, a hundred, twenty-first, half a, a dozen or a third of."""
    one = items[index]
    if one.classes & BIT["ordinal"]:
        set_ordinal(one, one.value)
        return index + 1
    counted = read_counted(items, index)
    if counted is not None:
        one.classes = bits("number integer counted") | (BIT["one"] if counted.value == 1 else 0)
        one.value = float(counted.value)
        end = counted.end
        if extends_to_ordinal(items, end, counted.value):
            last = end + has(items, end, "hyphen and")
            set_ordinal(one, counted.value + items[last].value)
            one.end = items[last].end
            return last + 1
        return end_of_point(items, index, end_of_dozen(items, index, end))
    return end_of_part(items, index, before)


def extends_to_ordinal(items: list[Item], index: int, value: int) -> bool:
    """Return whether an ordinal ends a number: twenty-first, two hundred and fifth."""
    has_hyphen = has(items, index, "hyphen", True)
    at = index + (has_hyphen or has(items, index, "and"))
    if value <= 0 or not has(items, at, "ordinal"):
        return False
    if not has_hyphen and items[at].classes & BIT["unit"]:
        return False  # a twenty second delay
    ordinal = items[at].value
    return (value % 10 == 0 and ordinal < 10) or (value % 100 == 0 and ordinal < 100)


def end_of_point(items: list[Item], index: int, end: int) -> int:
    """Extend a number to five point two five."""
    one = items[index]
    if not has(items, end, "pointword"):
        return end
    digits, at = "", end + 1
    while at < len(items) and SMALL_VALUES.get(items[at].folded, 10) < 10:
        digits, at = digits + str(SMALL_VALUES[items[at].folded]), at + 1
    if not digits:
        return end
    one.value = float(f"{int(one.value)}.{digits[:15]}")
    one.classes &= ~bits("one integer")
    return at


def end_of_dozen(items: list[Item], index: int, end: int) -> int:
    if has(items, end, "dozen"):
        items[index].value *= items[end].value
        return end + 1
    return end


def end_of_part(items: list[Item], index: int, before: Item | None) -> int:
    """Read a dozen, half a million, half an hour, a quarter mile, and a third of."""
    one = items[index]
    start = index + bool(one.classes & BIT["article"])
    if has(items, start, "dozen") and not has(items, start, "parts"):
        one.classes, one.value = bits("number integer counted"), 12.0
        return start + 1
    if not has(items, start, "half fraction") or has(items, start, "parts"):
        return index
    if before is not None and before.classes & NO_PART_AFTER:
        return index  # the second half of
    part, end = 1 / items[start].value, start + 1
    is_half = has(items, start, "half")
    if is_half and has(items, end, "article") and has(items, end + 1, MEASURED):
        end += 1
    hyphen = has(items, end, "hyphen", True)
    is_scaled = has(items, end, "scale")  # quarter million
    is_measured = has(items, end + hyphen, MEASURED) and (is_half or start > index or is_scaled)
    is_part = has(items, end, "of") and (is_half or start > index)
    # "by a third", but not "a third man" and not "in a quarter"
    is_part |= (
        start > index
        and not is_half
        and not has(items, start, "unit")
        and not has(items, end, NAMED)
    )
    if not (is_measured or is_part or (is_half and has(items, end, "the"))):
        return index
    one.classes, one.value = bits("number counted"), part
    return end_of_dozen(items, index, end)


def read_counted(items: list[Item], index: int) -> Counted | None:
    """Return the value of number words and the index of the item after them."""
    words: list[str] = []
    ends: list[int] = []
    at = index
    while at < len(items) and items[at].folded in COUNTING_WORDS and len(words) < 40:
        words.append(items[at].folded)
        ends.append(at + 1)
        at += 1
        if has(items, at, "hyphen", True) and at + 1 < len(items) and items[at + 1].is_joined:
            at += 1
    counted = read_number([*words, "", ""]) if words else None
    return Counted(ends[counted.end - 1], counted.value) if counted else None


def end_of_fraction(items: list[Item], index: int, end: int) -> int:
    """Extend a number to two thirds, one-half, two and a half or two and three quarters."""
    one = items[index]
    if has(items, end, "and") and has(items, end + 1, "article counting"):
        is_one = has(items, end + 1, "article")
        parts = 1 if is_one else SMALL_VALUES.get(items[end + 1].folded, 0)
        at = end + 2 + has(items, end + 2, "hyphen", True)
        if parts and has(items, at, "half fraction"):
            one.value += parts / items[at].value
            one.classes &= ~bits("one integer")
            return at + 1
    at = end + has(items, end, "hyphen", True)
    if not one.classes & BIT["counted"] or not has(items, at, "half fraction"):
        return end
    if has(items, at, "parts") != (one.value > 1) or one.value > LARGEST_NUMERATOR:
        return end
    is_quarters = items[at].value == 4 and has(items, at, "parts")
    if is_quarters and not has(items, at + 1, f"of {MEASURED}"):
        return end  # three quarters are a time, too
    one.value /= items[at].value
    one.classes &= ~bits("one integer")
    at += 1
    if has(items, at, "of") and has(items, at + 1, "article") and has(items, at + 2, MEASURED):
        at += 2  # three quarters of a mile
    return at


def end_of_scale(items: list[Item], index: int, end: int, before: Item | None) -> int:
    """Extend a number to 3.5M, 3 million or 5 hundred thousand."""
    one = items[index]
    is_money = before is not None and bool(before.classes & BIT["currency"])
    power = 0
    if end < len(items) and items[end].is_joined and items[end].classes & BIT["scale"]:
        power, end = int(items[end].value), end + 1
    elif is_money and end < len(items) and items[end].is_joined:
        power = int(items[end].value) if items[end].classes & BIT["moneyscale"] else 0
        end += power > 0
    while not one.classes & BIT["fiscal"]:
        at = end + has(items, end, "hyphen", True)
        if not has(items, at, "scale hundred") or items[at].end - items[at].start < 2:
            break
        power, end = power + int(items[at].value), at + 1
    if not power:
        return end
    is_parted = has(items, end, "and") and has(items, end + 1, "article")
    if is_parted and has(items, end + 2, "half fraction"):
        one.value += 1 / items[end + 2].value  # 3 million and a half
        end += 3
    scaled = one.value * 10.0**power
    one.value = float(f"{scaled:.15g}") if math.isfinite(scaled) else one.value
    one.classes = number_classes(one.value) | BIT["scaled"] | one.classes & bits("counted signed")
    one.scale = power
    return end
