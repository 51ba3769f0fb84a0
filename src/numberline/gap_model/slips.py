"""A number of a text → what it becomes by a slip: wrong numbers of kinds that occur in texts.

    digits swapped      two different adjacent digits change places: 1962 → 1926
    magnitude slipped   a zero or the decimal point slips: 120 → 12, 125 → 12.5, 3.5 → 35 or 350
    unit slipped        the number is converted to another unit: 180 cm → 71 inches
    from the text       another number of the same text takes its place
    of its kind         a number of the corpus takes its place, drawn by counts from those with the
                        same sign and decimals, and as many digits before the point or one more or
                        fewer

A slip always changes the number. The result has a finite value, is not written with an exponent,
and has few decimals. With one seed, results are the same.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from numberline.arrays import Floats
from numberline.reading.numerals import plain_number
from numberline.reading.vocabulary import Vocabulary

MOST_DECIMALS = 6  # a value with more was written as a fraction, such as 1/3, or with an exponent
POWERS_OF_TEN = (1, 1, -1, -1, 2)  # by which magnitudes slip; hundredfold is rarer
LEADING_ZERO = re.compile(r"-?0\d")
UNIT_FACTORS = (
    2.54,  # centimetres of an inch
    2.2046,  # pounds of a kilogram
    1.609,  # kilometres of a mile
    3.28,  # feet of a metre
    12.0,  # inches of a foot, months of a year
    60.0,  # minutes of an hour
    1000.0,  # metres of a kilometre, grams of a kilogram
)


class Kind(NamedTuple):
    """The sign and the digits before and after the point that numbers share."""

    is_negative: bool
    whole_digits: int  # before the decimal point
    decimals: int

    def neighbours(self) -> list[Kind]:
        """Return the kinds with one digit fewer, as many, and one more before the point."""
        return [self._replace(whole_digits=self.whole_digits + step) for step in (-1, 0, 1)]


@dataclass(frozen=True, eq=False)
class CountedNumbers:
    """Distinct numbers, ascending, and how often the first 0, 1, 2, … of them occur together."""

    values: Floats
    cumulative_counts: npt.NDArray[np.int64]  # [values + 1]

    @staticmethod
    def of(values: Floats, counts: npt.NDArray[np.int64]) -> CountedNumbers:
        return CountedNumbers(values, np.concatenate([[0], np.cumsum(counts)]))

    def draw_another(self, value: float, random: np.random.Generator) -> float | None:
        """Draw a number other than `value` by counts; None if there is none."""
        below = int(self.cumulative_counts[np.searchsorted(self.values, value, "left")])
        equal = int(self.cumulative_counts[np.searchsorted(self.values, value, "right")]) - below
        others = int(self.cumulative_counts[-1]) - equal
        if others == 0:
            return None
        drawn = int(random.integers(others))
        occurrence = drawn if drawn < below else drawn + equal
        return float(self.values[np.searchsorted(self.cumulative_counts, occurrence, "right") - 1])


@dataclass(frozen=True, eq=False)
class KindsOfNumerals:
    """The numerals of a corpus, together with those of the neighbouring kinds, by kind."""

    numbers: dict[Kind, CountedNumbers]

    @staticmethod
    def of(vocabulary: Vocabulary) -> KindsOfNumerals:
        """Sort the numerals of a vocabulary once, for many draws."""
        indices: dict[Kind, list[int]] = defaultdict(list)
        for index, value in enumerate(vocabulary.numeral_values.tolist()):
            if is_plain(value):
                for kind in kind_of(value).neighbours():
                    indices[kind].append(index)
        values, counts = vocabulary.numeral_values, vocabulary.numeral_counts
        return KindsOfNumerals(
            {
                kind: CountedNumbers.of(values[chosen], counts[chosen])
                for kind, chosen in indices.items()
            }
        )

    def draw_another(self, value: float, random: np.random.Generator) -> float | None:
        """Draw another number of a similar kind by counts; None if the corpus has none."""
        numbers = self.numbers.get(kind_of(value))
        return numbers.draw_another(value, random) if numbers else None


def slipped(
    operation: str,
    value: float,
    beside: Iterable[float],
    numerals: KindsOfNumerals,
    random: np.random.Generator,
) -> float | None:
    """Return what a number becomes by an operation; None where the operation is impossible.

    `beside` are the other numbers of the text.
    """
    if not is_plain(value):
        return None
    if operation == OF_ITS_KIND:
        return numerals.draw_another(value, random)
    possible = beside if operation == FROM_THE_TEXT else RESULTS[operation](value)
    results = [result for result in possible if result != value and is_plain(result)]
    return results[int(random.integers(len(results)))] if results else None


def digits_swapped(value: float) -> list[float]:
    """Return all numbers that differ by two different adjacent digits that changed places."""
    text = plain_number(value)
    swapped = [
        text[:index] + text[index + 1] + text[index] + text[index + 2 :]
        for index in range(len(text) - 1)
        if text[index : index + 2].isdecimal() and text[index] != text[index + 1]
    ]
    return [float(one) for one in swapped if not LEADING_ZERO.match(one)]


def magnitude_slipped(value: float) -> list[float]:
    """Return the number times and divided by ten, and times a hundred; likelier ones repeat."""
    number = Decimal(plain_number(value))
    return [float(number.scaleb(power)) for power in POWERS_OF_TEN if may_slip(value, power)]


def may_slip(value: float, power: int) -> bool:
    """Refuse to put a decimal point before the only digit of a whole number."""
    return not (power < 0 and value.is_integer() and abs(value) < 10)


def unit_slipped(value: float) -> list[float]:
    """Return the number in other units, rounded to its decimals; its sign stays."""
    converted = [
        *(value * factor for factor in UNIT_FACTORS),
        *(value / factor for factor in UNIT_FACTORS),
        value * 1.8 + 32,  # °C → °F
        (value - 32) / 1.8,
    ]
    rounded = [round(one, kind_of(value).decimals) for one in converted]
    return [one for one in rounded if one * value > 0]


RESULTS: dict[str, Callable[[float], list[float]]] = {
    "digits swapped": digits_swapped,
    "magnitude slipped": magnitude_slipped,
    "unit slipped": unit_slipped,
}
FROM_THE_TEXT, OF_ITS_KIND = "from the text", "of its kind"
OPERATIONS = (*RESULTS, FROM_THE_TEXT, OF_ITS_KIND)


def is_plain(value: float) -> bool:
    """Tell whether a number is written in digits with few decimals, and without an exponent."""
    text = plain_number(value)
    return text.lstrip("-").replace(".", "", 1).isdecimal() and decimals_of(text) <= MOST_DECIMALS


def kind_of(value: float) -> Kind:
    """Return the kind of a plain number."""
    text = plain_number(abs(value))
    return Kind(value < 0, len(text.partition(".")[0]), decimals_of(text))


def decimals_of(text: str) -> int:
    return len(text.partition(".")[2])
