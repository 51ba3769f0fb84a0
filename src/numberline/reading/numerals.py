"""Characters of a line → the numeral that begins there, and its value.

These rules define numerals in training and in queries. native/reading/numerals.cpp follows them
function by function and must read every input alike. `start`, `end` and `index` count characters of
the line; shapes.py explains the classes of characters.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from numberline.reading.shapes import ascii_digits, fold, shape_of, vulgar_fractions
from numberline.settings import TextSettings

JOINING_LETTERS = {"x", "ft"}  # 4x100, 6ft2: two quantities, not an identifier
SQUARED_UNITS = {"mm", "cm", "m", "km"}  # 120m2, 5cm3: a quantity and its unit
PLAIN_DENOMINATORS = {2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 32, 64, 100}
LONG_DENOMINATOR = 16  # above it numerators have one digit: 5/32 is a fraction, 29/32 a size
MAX_UNIT_FRACTION_DIGITS = 4  # in the denominator of 1/250, which need not be a plain one
MAX_MIXED_DIGITS = 3  # digits before a fraction: 8 1/2 is one numeral, but 2019 1/3 is two
MAX_EXPONENT = 10**9  # more than the digits of any line
MAX_POWER = 22  # the largest power of ten that a double holds exactly

# Powers of ten, read if TextSettings.magnitudes is set. Suffixes are case-sensitive: 5M is not 5 m.
MAGNITUDE_SUFFIXES = {"k": 3, "K": 3, "M": 6, "B": 9, "T": 12}
MONEY_SUFFIXES = {"m": 6, "MM": 6, "mm": 6, "b": 9, "t": 12}
MAGNITUDE_WORDS = {
    "hundred": 2,
    "thousand": 3,
    "lakh": 5,
    "million": 6,
    "mn": 6,
    "crore": 7,
    "billion": 9,
    "bn": 9,
    "trillion": 12,
    "tn": 12,
}


class Line:
    """A text and its shape, padded with line ends so that rules may look beyond the end."""

    def __init__(self, text: str, settings: TextSettings) -> None:
        self.text = text
        self.shape = shape_of(text) + "\n\n\n"
        self.settings = settings
        self.group_marks = ".s" if settings.decimal_comma else ",s"
        self.decimal_mark = "," if settings.decimal_comma else "."

    def run(self, index: int, classes: str) -> int:
        """Return the end of the longest run of characters of these classes from `index` on."""
        shape = self.shape
        while shape[index] in classes:
            index += 1
        return index

    def letters(self, start: int, end: int) -> str:
        """Return the text from `start` to `end` in lower case."""
        return fold(self.text[start:end], lowercase=True)

    def digits(self, start: int, end: int) -> str:
        """Return the digits between `start` and `end` as 0 to 9, without other characters."""
        kept = [self.text[index] for index in range(start, end) if self.shape[index] == "0"]
        return ascii_digits("".join(kept))


class Reading(NamedTuple):
    """The end and value of a numeral; 1e400, which is not finite, becomes a word later."""

    end: int
    value: float


class Core(NamedTuple):
    """A numeral in digits, with decimals and exponent, but no fraction or magnitude."""

    end: int
    mantissa: str
    exponent: int
    is_whole: bool  # no decimals and no exponent, so that a fraction may follow

    def value(self, power: int = 0) -> float:
        """Return the value times ten to the `power`, rounded once: 1.005 thousand is 1005."""
        return float(f"{self.mantissa}e{self.exponent + power}")


def read_numeral(line: Line, start: int, continues: bool) -> Reading | None:
    """Read the numeral whose first digit, decimal mark or vulgar fraction is at `start`.

    `continues` is true if only a comma or space lies between `start` and the numeral before it. The
    two are then items of a list such as 1,2,345, without groups of digits or decimal commas. The
    result is None for identifiers such as 192.168.0.1 or 8k78.
    """
    if line.shape[start] == "f":
        fraction = Reading(start + 1, vulgar_fractions()[line.text[start]])
        return with_magnitude(line, start, fraction, None)
    groups_end = None if continues else end_of_groups(line, start)
    if groups_end is not None:
        core = read_core(line, start, groups_end, continues)
        if not is_identifier(line, start, core.end) and math.isfinite(core.value()):
            return complete(line, start, core)
    core = read_core(line, start, line.run(start, "0"), continues)
    if is_identifier(line, start, core.end):
        # With a decimal comma 1,234.5 is no numeral, but 1 in a list is one.
        core = read_core(line, start, line.run(start, "0"), continues=True)
    return None if is_identifier(line, start, core.end) else complete(line, start, core)


def complete(line: Line, start: int, core: Core) -> Reading:
    """Return the core, extended by a fraction or magnitude that follows it."""
    alone = Reading(core.end, core.value())
    if not math.isfinite(alone.value):
        return alone
    fraction = with_fraction(line, start, alone) if core.is_whole else None
    if fraction is not None:
        return with_magnitude(line, start, fraction, None)
    return with_magnitude(line, start, alone, core)


def end_of_groups(line: Line, start: int) -> int | None:
    """Return the end of digits such as 1,234,567; None unless all groups have three digits."""
    end = line.run(start, "0")
    mark = line.shape[end]
    is_first_group = 1 <= end - start <= 3 and line.digits(start, start + 1) != "0"
    if not is_first_group or mark not in line.group_marks:
        return None
    first_end = end
    while line.shape[end] == mark and line.shape[end + 1] == "0":
        group_end = line.run(end + 1, "0")
        if group_end - end != 4:
            return None
        end = group_end
    return end if end > first_end else None


def read_core(line: Line, start: int, whole_end: int, continues: bool) -> Core:
    """Read the decimals and exponent after the whole part, which ends at `whole_end`."""
    decimals_end = end_of_decimals(line, whole_end, continues)
    mantissa = f"{line.digits(start, whole_end)}.{line.digits(whole_end, decimals_end)}"
    end = end_of_exponent(line, decimals_end)
    exponent = saturated(line.digits(decimals_end, end))
    if line.shape[decimals_end + 1] in "-~":
        exponent = -exponent
    return Core(end, mantissa, exponent, end == whole_end)


def saturated(digits: str) -> int:
    """Return the value of some digits, at most MAX_EXPONENT."""
    significant = digits.lstrip("0")
    return int(significant or "0") if len(significant) < 10 else MAX_EXPONENT


def end_of_decimals(line: Line, whole_end: int, continues: bool) -> int:
    """Return the end of the decimal mark and decimals, or `whole_end` if there are none."""
    shape = line.shape
    mark = shape[whole_end]
    if shape[whole_end + 1] != "0" or mark not in {".", line.decimal_mark}:
        return whole_end
    end = line.run(whole_end + 1, "0")
    is_list = continues or (shape[end] == "," and shape[end + 1] == "0")
    return whole_end if mark == "," and is_list else end


def end_of_exponent(line: Line, start: int) -> int:
    """Return the end of e5, E+5 or e-5, or `start` if no exponent begins there."""
    if line.shape[start] != "e":
        return start
    digits_start = start + 2 if line.shape[start + 1] in "-~+" else start + 1
    end = line.run(digits_start, "0")
    return end if end > digits_start else start


def is_identifier(line: Line, start: int, end: int) -> bool:
    """Return whether the digits continue after `end`, as in 1.2.3, 8k78 or 1_000."""
    shape = line.shape
    if shape[end] == "." and shape[end + 1] == "0":
        return True
    if shape[end] not in "ae_":
        return False
    letters_end = line.run(end, "aem")
    if shape[letters_end] == "_":
        return shape[letters_end + 1] in "aez0"
    is_hexadecimal = line.digits(start, end) == "0"  # 0x10
    is_unit = end_of_unit(line, end) is not None and not is_hexadecimal
    return shape[letters_end] == "0" and not is_unit


def end_of_unit(line: Line, start: int) -> int | None:
    """Return the end of the letters after a numeral if digits may follow them, or None.

    Such letters are those of 4x100, 6ft2 and 04T12:30, and the m2 of 120m2.
    """
    letters_end = line.run(start, "aem")
    if line.shape[letters_end] != "0":
        return None
    letters = line.letters(start, letters_end)
    if letters == "t":
        return letters_end if line.shape[letters_end : letters_end + 3] == "00:" else None
    is_square_or_cube = line.digits(letters_end, letters_end + 1) in "23"
    if letters in SQUARED_UNITS and is_square_or_cube:
        return letters_end + 1 if line.shape[letters_end + 1] not in "aezm0_" else None
    return letters_end if letters in JOINING_LETTERS else None


def with_fraction(line: Line, start: int, whole: Reading) -> Reading | None:
    """Extend whole digits to 3½, 1/2 or 3 1/2; return None in 120/80 and 12:30."""
    if line.shape[max(start - 1, 0)] in "/|:":
        return None
    following = line.shape[whole.end]
    if following in "/|":
        return read_slashed(line, start)
    if following not in "f s":
        return None
    fraction_start = whole.end if following == "f" else whole.end + 1
    is_short = whole.end - start <= MAX_MIXED_DIGITS and line.digits(start, start + 1) != "0"
    fraction = None
    if line.shape[fraction_start] == "f":
        fraction = Reading(fraction_start + 1, vulgar_fractions()[line.text[fraction_start]])
    elif line.shape[fraction_start] == "0" and is_short:
        fraction = read_slashed(line, fraction_start)
    if fraction is None or fraction.value >= 1:
        return None
    return Reading(fraction.end, whole.value + fraction.value)


def with_magnitude(line: Line, start: int, reading: Reading, core: Core | None) -> Reading:
    """Extend a reading to 3 million, $3M or 5k; `core` is None if it holds a fraction."""
    if not line.settings.magnitudes:
        return reading
    is_money = line.shape[max(start - 1, 0)] == "$"
    end, power = read_magnitudes(line, reading.end, is_money)
    value = reading.value * 10.0**power if core is None else core.value(power)
    return Reading(end, value) if math.isfinite(value) else reading


def read_magnitudes(line: Line, start: int, is_money: bool) -> tuple[int, int]:
    """Return the end and power of ten of a suffix, or of words such as 'hundred million'."""
    end = line.run(start, "aem")
    suffix = line.text[start:end]
    power = MAGNITUDE_SUFFIXES.get(suffix, MONEY_SUFFIXES.get(suffix, 0) if is_money else 0)
    power = power or MAGNITUDE_WORDS.get(line.letters(start, end), 0)
    if power and line.shape[end] not in "z0_":
        return end, power
    power, end = 0, start
    while line.shape[end] in " s-":
        word_end = line.run(end + 1, "aem")
        step = MAGNITUDE_WORDS.get(line.letters(end + 1, word_end), 0)
        if not step or line.shape[word_end] in "z0_" or power + step > MAX_POWER:
            break
        end, power = word_end, power + step
    return end, power


def read_slashed(line: Line, start: int) -> Reading | None:
    """Read 1/2 or 1⁄2; None for ratios and dates such as 24/7, 2013/14 and 1/2/2018."""
    shape = line.shape
    slash = line.run(start, "0")
    end = line.run(slash + 1, "0")
    if shape[slash] not in "/|" or end == slash + 1:
        return None
    if (shape[end] in "/|." and shape[end + 1] == "0") or is_identifier(line, slash + 1, end):
        return None
    over, under = line.digits(start, slash), line.digits(slash + 1, end)
    if shape[slash] == "/" and not is_plain_fraction(over, under):
        return None
    numerator, denominator = float(over), float(under)
    if denominator == 0 or not math.isfinite(numerator) or not math.isfinite(denominator):
        return None
    return Reading(end, numerator / denominator)


def is_plain_fraction(over: str, under: str) -> bool:
    """Return whether a slash between these digits makes a fraction: in 3/4, but not in 9/11."""
    if over[0] == "0" or under[0] == "0" or len(under) > MAX_UNIT_FRACTION_DIGITS:
        return False
    if over == "1":
        return under != "1"
    numerator, denominator = int(over[: len(under) + 1]), int(under)
    return (
        numerator < denominator
        and denominator in PLAIN_DENOMINATORS
        and (numerator < 10 or denominator <= LONG_DENOMINATOR)
        and math.gcd(numerator, denominator) == 1  # 6/8 is a musical metre, 30/32 a size
    )


def plain_number(value: float) -> str:
    """Return a value as text, with no more digits than it needs: 190, 0.5, 6.02e+23."""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
