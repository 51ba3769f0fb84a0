"""Numbers → figures. Each function returns a matplotlib figure; nothing is shown or written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from numberline.arrays import Floats
from numberline.extras import optional
from numberline.numerals.squash import squash

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NUMERALS, PROTOTYPES = (
    "#4878a8",
    "#c8553d",
)  # tell apart in print, for the colour-blind and at night
GREY = "#808080"
BINS = 120
MAX_TICKS = 14  # more labels would meet
OUTSIDE = 2e-5  # share of the occurrences at either end that is not drawn


def prototypes_figure(
    values: Floats,
    counts: Floats,
    prototypes: Floats,
    title: str = "",
    span: tuple[float, float] | None = None,
) -> Figure:
    """The paper's figure: histograms of numerals and of prototypes on the squashed line.

    `span` are the values between which it is drawn; without, all but the last few are in it.
    """
    figure: Figure = optional("matplotlib.figure", "plot").Figure(
        figsize=(9, 5), layout="constrained"
    )
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
    places, prototype_places = squash(values), squash(prototypes)
    edges = bin_edges(places, counts)
    if span is not None:
        edges = np.linspace(squash(span[0]), squash(span[1]), BINS + 1)
    above.hist(places, edges, weights=counts, color=NUMERALS)
    above.set_yscale("log")
    above.set_ylabel("occurrences")
    below.hist(prototype_places, edges, color=PROTOTYPES)
    below.set_ylabel("prototypes")
    below.yaxis.get_major_locator().set_params(integer=True)
    label_squashed_axis(below, edges[0], edges[-1])
    below.set_xlabel("value")
    for axes, what, drawn, mass in (
        (above, "occurrences of numerals", places, counts),
        (below, "prototypes", prototype_places, np.ones(len(prototypes))),
    ):
        axes.set_title(caption(what, mass, drawn, edges), loc="left", fontsize="medium")
        quiet(axes)
    figure.suptitle(title, x=0.01, ha="left")
    return figure


def bin_edges(places: Floats, counts: Floats) -> Floats:
    """Bins over all but the last few occurrences, which may lie anywhere."""
    reached = np.searchsorted(np.cumsum(counts) / counts.sum(), [OUTSIDE, 1 - OUTSIDE])
    low, high = places[reached]
    room = 0.02 * (high - low) or 0.5
    return np.linspace(low - room, high + room, BINS + 1)


def caption(what: str, mass: Floats, places: Floats, edges: Floats) -> str:
    outside = mass[(places < edges[0]) | (places > edges[-1])].sum()
    return f"{mass.sum():,.0f} {what}" + (f", {outside:,.0f} of them beyond" if outside else "")


def label_squashed_axis(axes: Any, low: float, high: float) -> None:
    """Ticks at powers of ten, labelled in plain values."""
    ticks = plain_ticks(low, high)
    axes.set_xticks(squash(ticks), [plain_label(tick) for tick in ticks.tolist()])


def plain_ticks(low: float, high: float) -> Floats:
    """0 and powers of ten, with both signs, so far apart that their labels do not meet."""
    apart = (high - low) / MAX_TICKS
    step = max(1, int(np.ceil(apart / np.log(10))))
    powers = 10.0 ** np.arange(0, 309, step)
    powers = powers[squash(powers) >= apart]
    ticks = np.concatenate([-powers[::-1], [0.0], powers])
    places = squash(ticks)
    return ticks[(places >= low) & (places <= high)]


def plain_label(value: float) -> str:
    sign = "−" if value < 0 else ""
    if abs(value) < 1e6:
        return f"{sign}{abs(value):,.0f}"
    power = str(round(np.log10(abs(value))))
    return f"{sign}10{power.translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


def quiet(axes: Any) -> None:
    """Frames and ticks that stay in the background, on white as on black."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(colors=GREY, which="both")
    for spine in axes.spines.values():
        spine.set_color(GREY)
