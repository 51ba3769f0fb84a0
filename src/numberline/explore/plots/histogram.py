"""Numerals and prototypes → the paper's figure: a histogram of each on the squashed line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from numberline.arrays import Floats
from numberline.explore.plots.style import NUMERALS, PROTOTYPES, new_figure, quiet
from numberline.explore.plots.ticks import label_powers
from numberline.numerals.squash import squash

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BINS = 120
OUTSIDE = 2e-5  # fraction of the occurrences at either end that is not drawn


def prototypes_figure(
    values: Floats,
    counts: Floats,
    prototypes: Floats,
    title: str = "",
    span: tuple[float, float] | None = None,
) -> Figure:
    """Draw the occurrences of numerals above, the prototypes below.

    `span` holds the two values between which to draw; by default nearly all numerals are inside.
    """
    figure = new_figure(9, 5)
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
    positions, prototype_positions = squash(values), squash(prototypes)
    edges = bin_edges(positions, counts)
    if span is not None:
        edges = np.linspace(squash(span[0]), squash(span[1]), BINS + 1)
    above.hist(positions, edges, weights=counts, color=NUMERALS)
    above.set_yscale("log")
    above.set_ylabel("occurrences")
    below.hist(prototype_positions, edges, color=PROTOTYPES)
    below.set_ylabel("prototypes")
    below.yaxis.get_major_locator().set_params(integer=True)
    label_powers(below, edges[0], edges[-1])
    below.set_xlabel("value")
    for axes, what, drawn, mass in (
        (above, "occurrences of numerals", positions, counts),
        (below, "prototypes", prototype_positions, np.ones(len(prototypes))),
    ):
        axes.set_title(caption(what, mass, drawn, edges), loc="left", fontsize="medium")
        quiet(axes)
    figure.suptitle(title, x=0.01, ha="left")
    return figure


def bin_edges(positions: Floats, counts: Floats) -> Floats:
    """Return edges around nearly all occurrences: the last few may lie anywhere."""
    ends = np.searchsorted(np.cumsum(counts) / counts.sum(), [OUTSIDE, 1 - OUTSIDE])
    low, high = positions[ends]
    room = 0.02 * (high - low) or 0.5
    return np.linspace(low - room, high + room, BINS + 1)


def caption(what: str, mass: Floats, positions: Floats, edges: Floats) -> str:
    """Return how much there is, and how much of it is not drawn."""
    outside = mass[(positions < edges[0]) | (positions > edges[-1])].sum()
    return f"{mass.sum():,.0f} {what}" + (f", {outside:,.0f} of them not shown" if outside else "")
