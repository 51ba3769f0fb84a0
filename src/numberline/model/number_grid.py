"""Two ends of the number line → numbers between them that a person would write."""

from __future__ import annotations

import numpy as np

from numberline.arrays import Floats

DIGITS = 2  # of the numbers to begin with
SMALLEST_POWER = -3  # 0.001: below, text holds few numbers that could be told apart
LARGEST_POWER = 15
MOST_DECIMALS = 13  # of numbers that a double tells apart from those beside them


def round_numbers(smallest: float, largest: float) -> Floats:
    """Zero and numbers of two digits times a power of ten, of both signs, within the ends."""
    steps = np.arange(10 ** (DIGITS - 1), 10**DIGITS)
    powers = [10.0 ** (power - DIGITS + 1) for power in range(SMALLEST_POWER, LARGEST_POWER + 1)]
    magnitudes = np.round(np.concatenate([steps * power for power in powers]), 12)
    values = np.unique(np.concatenate([-magnitudes, [0.0], magnitudes]))
    return values[(values >= smallest) & (values <= largest)]


def between_neighbours(values: Floats, best: Floats, parts: int = 10) -> Floats:
    """New numbers that divide the way from the best values to those beside them.

    `values` are sorted; the new ones are rounded to one digit more than the way is long.
    """
    places = np.searchsorted(values, best)
    found = []
    for step in (-1, 1):
        beside = np.clip(places + step, 0, len(values) - 1)
        ways = values[beside] - best
        is_way = ways != 0
        shares = np.arange(1, parts) / parts
        points = best[is_way, None] + ways[is_way, None] * shares
        digits = 1 - np.floor(np.log10(np.abs(ways[is_way])))
        found += [
            np.round(row, int(decimals))
            for row, decimals in zip(points, digits.tolist(), strict=True)
            if decimals < MOST_DECIMALS
        ]
    return np.setdiff1d(np.concatenate(found), values) if found else np.zeros(0)
