"""Ticks are round numbers, and their labels do not meet."""

import numpy as np
import pytest

from numberline.explore.plots.histogram import bin_edges
from numberline.explore.plots.ticks import (
    compact,
    power_label,
    powers_between,
    round_numbers_between,
)
from numberline.numerals.squash import squash


@pytest.mark.parametrize(
    ("value", "label"), [(0, "0"), (-10, "−10"), (1e5, "100,000"), (1e6, "10⁶"), (-1e12, "−10¹²")]
)
def test_labels_of_powers(value, label):
    assert power_label(value) == label


@pytest.mark.parametrize("largest", [1, 10, 2000, 1e13, 1e80, 1e308])
def test_labels_do_not_meet(largest):
    edges = bin_edges(squash(np.array([-3.0, 1, largest])), np.ones(3))
    positions = squash(powers_between(edges[0], edges[-1]))
    assert 2 <= len(positions) <= 16
    assert np.diff(positions).min() >= (edges[-1] - edges[0]) / 15


def test_ticks_are_round_and_apart():
    ticks = round_numbers_between(float(squash(70)), float(squash(520)))
    assert {100, 200, 500} <= set(ticks.tolist())
    assert np.diff(squash(ticks)).min() >= (squash(520) - squash(70)) / 12
    assert [compact(value) for value in (1984, 10_000, 2.5e6, -3e9)] == [
        *["1984", "10k", "2.5M", "-3B"]
    ]
