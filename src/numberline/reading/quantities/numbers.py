"""Items → items in which each number is one: 3.5M, 4.5×10⁶, 1'250.00, twenty-five, half a million."""

from __future__ import annotations

import math

from numberline.reading.number_phrases import COUNTING_WORDS, Counted, read_number
from numberline.reading.quantities.classes import BIT, bits
from numberline.reading.quantities.items import Item

LARGEST_POWER = 300
LARGEST_DAY = 31
SIGN = bits("minus hyphen")
MONEY_SCALES = {"m": 6, "b": 9, "t": 12, "mm": 6, "mil": 6}  # small suffixes that only money has


def joined_numbers(items: list[Item]) -> list[Item]:
    """Return the items with those that make one number replaced by one item."""
    joined: list[Item] = []
    index = 0
    while index < len(items):
        length = read_number_at(items, index, joined[-1] if joined else None)
        joined.append(items[index])
        index += length
    return joined


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
        end = end_of_words(items, index)
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
    """Read 1,00,000 and 1'250.00, whose groups the scanner takes for numerals."""
    one = items[index]
    if not one.classes & BIT["short"] or one.value == 0:
        if not (one.classes & BIT["three"] and has(items, index + 1, "apostrophe", True)):
            return index + 1
    value, end = one.value, index + 1
    while end + 1 < len(items) and items[end].is_joined and items[end + 1].is_joined:
        group = items[end + 1]
        digits = group.folded.partition(".")[0]
        is_swiss = items[end].exact == "'" and len(digits) == 3
        is_indian = items[end].exact == "," and len(digits) == 2
        is_last = items[end].exact == "," and len(digits) == 3 and end > index + 1
        if not group.is_numeral or not (is_swiss or is_indian or is_last) or not digits.isdigit():
            break
        value, end = value * 10 ** len(digits) + group.value, end + 2
        if is_last or "." in group.folded:
            break
    indian = end > index + 1 and items[index + 1].exact == ","
    if end == index + 1 or (indian and len(items[end - 1].folded.partition(".")[0]) != 3):
        return index + 1
    one.value, one.classes = value, BIT["number"]
    return end


def end_of_power(items: list[Item], index: int) -> int:
    """Read 10^5, 10⁶, 4.5×10⁶ and 2.48×10−5."""
    one = items[index]
    end, value = read_power(items, index)
    if end > index + 1:
        one.value, one.classes = value, BIT["number"]
        return end
    if not has(items, index + 1, "times") or not has(items, index + 2, "number"):
        return index + 1
    end, value = read_power(items, index + 2, may_be_bare=True)
    if end == index + 3:
        return index + 1
    product = one.value * value
    if not math.isfinite(product):
        return index + 1
    one.value, one.classes = product, BIT["number"]
    return end


def read_power(items: list[Item], index: int, may_be_bare: bool = False) -> tuple[int, float]:
    """Return the end and value of a power; a bare one is 10-3 after a sign of multiplication."""
    base = items[index]
    end = index + 1
    if not base.classes & BIT["whole"]:
        return end, base.value
    has_caret = has(items, end, "caret", True)
    end += has_caret
    is_negative = has(items, end, "minus hyphen", True)
    end += is_negative
    if has(items, end, "superscript", True) and (base.value == 10 or has_caret):
        pass
    elif not (has_caret or (may_be_bare and is_negative and base.value == 10)):
        return index + 1, base.value
    elif not (end < len(items) and items[end].is_numeral and items[end].is_joined):
        return index + 1, base.value
    exponent = items[end].value
    if not 0 <= abs(exponent) <= LARGEST_POWER or exponent != int(exponent):
        return index + 1, base.value
    return end + 1, power_of(base.value, -int(exponent) if is_negative else int(exponent))


def power_of(base: float, exponent: int) -> float:
    if base == 10:
        return float(f"1e{exponent}")
    try:
        return base**exponent
    except (OverflowError, ZeroDivisionError):
        return math.inf


def end_of_words(items: list[Item], index: int) -> int:
    """Read twenty-five, a hundred, twenty-first, half a, a dozen or a third of."""
    one = items[index]
    if one.classes & BIT["ordinal"]:
        set_ordinal(one, one.value)
        return index + 1
    counted = read_counted(items, index)
    if counted is not None:
        one.classes = bits("number counted") | (BIT["one"] if one.folded == "one" else 0)
        one.value = float(counted.value)
        end = counted.end
        if counted.value != 1:
            one.classes &= ~BIT["one"]
        if counted.value % 10 == 0 and has(items, end, "hyphen", True):
            if has(items, end + 1, "ordinal", True) and items[end + 1].value < 10:
                set_ordinal(one, counted.value + items[end + 1].value)
                one.end = items[end + 1].end
                return end + 2
        return end_of_dozen(items, index, end)
    return end_of_part(items, index)


def end_of_dozen(items: list[Item], index: int, end: int) -> int:
    if has(items, end, "dozen"):
        items[index].value *= items[end].value
        return end + 1
    return end


def end_of_part(items: list[Item], index: int) -> int:
    """Read a dozen, half a, half of, and a third of."""
    one = items[index]
    if one.classes & BIT["dozen"] or (
        one.classes & BIT["article"] and has(items, index + 1, "dozen")
    ):
        one.classes, one.value = bits("number counted"), 12.0
        return index + 1 if one.folded == "dozen" else index + 2
    start = index + bool(one.classes & BIT["article"])
    if has(items, start, "half") and has(items, start + 1, "article of the scale hundred dozen"):
        one.classes, one.value = bits("number counted"), 0.5
        is_scaled = has(items, start + 1, "article") and has(
            items, start + 2, "scale hundred dozen"
        )
        end = start + 1 + is_scaled
        return end_of_dozen(items, index, end)
    is_part = has(items, start, "fraction") and has(items, start + 1, "of")
    if start > index and is_part:
        one.classes, one.value = bits("number counted"), 1 / items[start].value
        return start + 1
    return index


def read_counted(items: list[Item], index: int) -> Counted | None:
    """Return the value of number words and the index of the item after them."""
    words, ends = [], []
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
    """Extend a number to two thirds, one-half or two and a half."""
    one = items[index]
    if has(items, end, "and") and has(items, end + 1, "article counting"):
        if has(items, end + 2, "half fraction") and items[end + 1].folded in {"a", "one"}:
            one.value += 1 / items[end + 2].value
            one.classes &= ~BIT["one"]
            return end + 3
    at = end + has(items, end, "hyphen", True)
    if not one.classes & BIT["counted"] or not has(items, at, "half fraction"):
        return end
    is_plural = items[at].folded.endswith("s")
    if is_plural != (one.value > 1) or has(items, at, "unit") or one.value > 100:
        return end
    one.value /= items[at].value
    one.classes &= ~BIT["one"]
    return at + 1


def end_of_scale(items: list[Item], index: int, end: int, before: Item | None) -> int:
    """Extend a number to 3.5M, 3 million or 5 hundred thousand."""
    one = items[index]
    is_money = before is not None and bool(before.classes & BIT["currency"])
    power = 0
    if end < len(items) and items[end].is_joined and items[end].classes & BIT["scale"]:
        power, end = int(items[end].value), end + 1
    elif is_money and end < len(items) and items[end].is_joined:
        power = MONEY_SCALES.get(items[end].folded, 0)
        end += power > 0
    while not one.classes & BIT["fiscal"]:
        at = end + has(items, end, "hyphen", True)
        if not has(items, at, "scale hundred") or len(items[at].folded) < 2:
            break
        power, end = power + int(items[at].value), at + 1
    if not power:
        return end
    scaled = one.value * 10.0**power
    one.value = float(f"{scaled:.15g}") if math.isfinite(scaled) else one.value
    one.classes = BIT["number"] | BIT["scaled"] | (one.classes & bits("counted signed"))
    one.scale = power
    return end
