"""Two ends of the number line → numbers between them that a person would write."""

from __future__ import annotations

import numpy as np

from numberline.arrays import Floats

DIGITS = 2  # of a round number, before its zeros
SMALLEST_POWER = -3  # of ten: text holds few numbers below 0.001
LARGEST_POWER = 15
MAX_DECIMALS = 13  # doubles hardly tell apart numbers in gaps that need more
PARTS = 10  # equal steps between two neighbouring numbers


def round_numbers(smallest: float, largest: float) -> Floats:
    """Return zero and all ± two digits · 10ᵖ between the ends, ascending."""
    steps = np.arange(10 ** (DIGITS - 1), 10**DIGITS)
    powers = [10.0 ** (power - DIGITS + 1) for power in range(SMALLEST_POWER, LARGEST_POWER + 1)]
    magnitudes = np.round(np.concatenate([steps * power for power in powers]), 12)
    values = np.unique(np.concatenate([-magnitudes, [0.0], magnitudes]))
    return values[(values >= smallest) & (values <= largest)]


def between_neighbours(values: Floats, chosen: Floats) -> Floats:
    """Divide the gaps on both sides of each chosen value into ten; return the new numbers.

    `values` ascend. New numbers are rounded one place after the first digit of the gap.
    """
    indices = np.searchsorted(values, chosen)
    fractions = np.arange(1, PARTS) / PARTS
    parts = [np.zeros(0)]
    for step in (-1, 1):
        beside = np.clip(indices + step, 0, len(values) - 1)
        gaps = values[beside] - chosen
        is_gap = gaps != 0
        points = chosen[is_gap, None] + gaps[is_gap, None] * fractions
        decimals = 1 - np.floor(np.log10(np.abs(gaps[is_gap])))
        parts += [
            np.round(row, int(digits))
            for row, digits in zip(points, decimals.tolist(), strict=True)
            if digits < MAX_DECIMALS
        ]
    return np.setdiff1d(np.concatenate(parts), values)
