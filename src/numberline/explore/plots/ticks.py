"""A stretch of the squashed number line → ticks on its axis, labelled in plain values."""

from __future__ import annotations

from typing import Any

import numpy as np

from numberline.arrays import Floats
from numberline.explore.line import short_number
from numberline.numerals.squash import squash, unsquash

MOST_POWERS = 14  # labels of an axis; more would overlap
MOST_ROUND_NUMBERS = 12
ENOUGH_ROUND_NUMBERS = 7


def label_powers(axes: Any, low: float, high: float) -> None:
    """Put ticks at powers of ten between two squashed values."""
    ticks = powers_between(low, high)
    axes.set_xticks(squash(ticks), [power_label(tick) for tick in ticks.tolist()])


def powers_between(low: float, high: float) -> Floats:
    """Return 0 and powers of ten of both signs, so far apart that their labels do not overlap."""
    gap = (high - low) / MOST_POWERS
    step = max(1, int(np.ceil(gap / np.log(10))))
    powers = 10.0 ** np.arange(0, 309, step)
    powers = powers[squash(powers) >= gap]
    ticks = np.concatenate([-powers[::-1], [0.0], powers])
    positions = squash(ticks)
    return ticks[(positions >= low) & (positions <= high)]


def power_label(value: float) -> str:
    """Return 1,000 for 1000 and 10⁶ for a million."""
    sign = "−" if value < 0 else ""
    if abs(value) < 1e6:
        return f"{sign}{abs(value):,.0f}"
    power = str(round(np.log10(abs(value))))
    return f"{sign}10{power.translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


def label_round_numbers(axes: Any, low: float, high: float) -> None:
    """Put ticks at round numbers: a stretch may be so short that powers of ten are too rare."""
    ticks = round_numbers_between(low, high)
    axes.set_xticks(squash(ticks), [compact(tick) for tick in ticks.tolist()])


def round_numbers_between(low: float, high: float) -> Floats:
    """Return enough numbers between two squashed values, with as few digits as possible."""
    ticks = numbers_of_digits(low, high, 1)
    for digits in range(2, 16):
        if len(ticks) >= ENOUGH_ROUND_NUMBERS:
            break
        ticks = numbers_of_digits(low, high, digits)
    return ticks


def numbers_of_digits(low: float, high: float, digits: int) -> Floats:
    """Return numbers with this many significant digits, far enough apart; ascending."""
    gap = (high - low) / MOST_ROUND_NUMBERS
    first, last = unsquash([low, high]).tolist()
    ticks: list[float] = []
    for power in range(18, -4, -1):
        for digit in (5, 1):
            step = digit * 10.0**power
            start = np.ceil(first / step)
            stop = min(np.floor(last / step), first / step + 400)  # more would never fit
            for value in np.round(np.arange(start, stop + 1) * step, 6).tolist():
                is_round = float(f"{value:.{digits}g}") == value
                if is_round and all(abs(squash(value) - squash(other)) >= gap for other in ticks):
                    ticks.append(value)
    return np.sort(ticks)


def compact(value: float) -> str:
    """Return 20k, 3M; below ten thousand all digits, as years have them."""
    for unit, letter in ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= max(unit, 1e4):
            return short_number(value / unit) + letter
    return short_number(value)
