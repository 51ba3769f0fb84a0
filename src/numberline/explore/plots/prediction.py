"""A model and a text with a gap → which numbers are expected there, and which in general.

The figure says if the model has no gap model; no warning does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from numberline.explore.answers import Answers
from numberline.explore.line import short_number
from numberline.explore.plots.style import GREY, PROTOTYPES, Theme, hide_heights, new_figure, quiet
from numberline.explore.plots.ticks import label_round_numbers
from numberline.explore.sentences import expected
from numberline.model.gaps import GAP
from numberline.numerals.squash import squash

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def prediction_figure(answers: Answers, text: str, theme: Theme) -> Figure:
    """Draw the distribution of the number in the gap ___ before that of all numerals."""
    gap = GAP.search(text)
    assert gap is not None
    answer = expected(answers.model, text, *gap.span())
    first, last = float(squash(answer["low"])), float(squash(answer["high"]))
    figure = new_figure(9, 4)
    axes = figure.subplots()
    positions = np.linspace(first, last, len(answer["here"]))
    axes.fill_between(positions, answer["in_general"], color=theme.hill, lw=0, label="in general")
    axes.plot(positions, answer["here"], color=PROTOTYPES, label="in this gap")
    interval: dict[str, Any] = {
        "lw": 5,
        "solid_capstyle": "butt",
        "clip_on": False,
        "label": "nine in ten",
    }
    axes.plot(squash(answer["interval"]), [0, 0], color=PROTOTYPES, **interval)
    axes.set_xlim(first, last)
    axes.set_ylim(0)
    label_round_numbers(axes, first, last)
    likely = ", ".join(short_number(one["value"]) for one in answer["likely"])
    axes.set_title(f"{text}\nlikely: {likely}", loc="left", fontsize="medium")
    if answers.model.gap_model is None:
        axes.set_xlabel("without a gap model: words are read in any order", color=GREY)
    quiet(axes)
    hide_heights(axes)
    axes.legend(frameon=False)
    return figure
