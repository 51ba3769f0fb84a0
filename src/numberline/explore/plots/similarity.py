"""A model → how similar the whole numbers from 1 to a million are to each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from numberline.explore.answers import Answers
from numberline.explore.plots.style import Theme, new_figure, quiet
from numberline.explore.plots.ticks import power_label

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NUMBERS = 361
LARGEST_POWER = 6  # of ten


def similarity_figure(answers: Answers, theme: Theme) -> Figure:
    """Draw the cosine of each pair of numbers; both axes are logarithmic."""
    figure = new_figure(7.6, 6.6)
    axes = figure.subplots()
    numbers = np.rint(np.logspace(0, LARGEST_POWER, NUMBERS))
    rows = answers.landmarks.numeral_rows(numbers)
    ends = (0, LARGEST_POWER)
    picture = axes.imshow(
        rows @ rows.T, cmap=theme.heat(), vmin=0, vmax=1, origin="lower", extent=(*ends, *ends)
    )
    powers = np.arange(LARGEST_POWER + 1)
    labels = [power_label(10.0**power) for power in powers.tolist()]
    axes.set_xticks(powers, labels)
    axes.set_yticks(powers, labels)
    quiet(axes)
    bar = figure.colorbar(picture, label="cosine", shrink=0.8)
    bar.outline.set_visible(False)
    axes.set_title(f"{answers.name}: how similar numbers are", loc="left", fontsize="medium")
    return figure
