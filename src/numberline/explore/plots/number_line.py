"""A model → its number line in four pieces, with prototypes, and words above their numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from numberline.arrays import Floats
from numberline.explore.answers import Answers
from numberline.explore.landmarks import Landmark, Landmarks
from numberline.explore.plots.style import (
    GREY,
    PROTOTYPES,
    Theme,
    fix_layout,
    hide_heights,
    new_figure,
    quiet,
)
from numberline.explore.plots.ticks import label_round_numbers
from numberline.numerals.squash import squash, unsquash

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PIECES = 4
LENGTH_PART = 0.3  # weight of length in the size of a piece; its prototypes have the rest
SHORTEST = 1e-6  # a shorter line is widened
HILL_HEIGHT = 0.35  # this and the next two are fractions of a piece's height
LOWEST_ROW = 0.42
ROW_HEIGHT = 0.15
ROWS = 4  # of words above a piece
WORDS = 70  # candidates of a piece; those that have room are written
BLANK = 6.0  # pixels between words


def line_figure(answers: Answers, theme: Theme) -> Figure:
    """Draw the number line; each word stands at the number that is most similar to it."""
    figure = new_figure(11, 8.5)
    ends = piece_ends(answers)
    pieces = list(zip(figure.subplots(PIECES, 1), ends[:-1], ends[1:], strict=True))
    figure.suptitle(f"{answers.name}: the number line and its words", x=0.01, ha="left")
    for axes, low, high in pieces:
        draw_piece(axes, answers, theme, float(low), float(high))
    fix_layout(figure)
    for axes, low, high in pieces:
        write_words(axes, answers.landmarks, float(low), float(high))
    return figure


def piece_ends(answers: Answers) -> Floats:
    """Return values that cut the line into pieces of similar length and numbers of prototypes."""
    low, high = squash(np.array(answers.whole_line)).tolist()
    if high - low < SHORTEST:  # a single number, so large that its neighbours squash to the same
        low, high = low - 1, high + 1
    prototypes = squash(answers.prototypes)
    inside = np.unique(prototypes[(prototypes > low) & (prototypes < high)])
    positions = np.concatenate([[low], inside, [high]])
    length = (positions - low) / (high - low)
    size = LENGTH_PART * length + (1 - LENGTH_PART) * np.linspace(0, 1, len(positions))
    return unsquash(np.interp(np.linspace(0, 1, PIECES + 1), size, positions))


def draw_piece(axes: Any, answers: Answers, theme: Theme, low: float, high: float) -> None:
    """Draw the density of numerals and the prototypes of one piece."""
    first, last = float(squash(low)), float(squash(high))
    axes.set_xlim(first, last)
    axes.set_ylim(0, 1)
    heights = np.sqrt(answers.heights(low, high))
    hill = HILL_HEIGHT * heights / max(heights.max(), 1e-9)
    axes.fill_between(np.linspace(first, last, len(hill)), hill, color=theme.hill, lw=0)
    prototypes = squash(answers.prototypes)
    inside = prototypes[(prototypes >= first) & (prototypes <= last)]
    if len(inside):  # an empty plot would confuse the layout
        axes.plot(inside, np.zeros(len(inside)), "o", color=PROTOTYPES, ms=3.5, clip_on=False)
    label_round_numbers(axes, first, last)
    quiet(axes)
    hide_heights(axes)


def write_words(axes: Any, landmarks: Landmarks, low: float, high: float) -> None:
    """Write words in rows above their numbers, the most similar first, as long as there is room."""
    rows: list[list[tuple[float, float]]] = [[] for _ in range(ROWS)]
    canvas = axes.figure.canvas
    left, right = axes.get_window_extent().intervalx
    for landmark in landmarks.along(low, high, WORDS):
        text = axes.text(float(squash(landmark.value)), 0, landmark.word, ha="center", fontsize=8.5)
        extent = text.get_window_extent(canvas.get_renderer())
        start, end = extent.x0 - BLANK, extent.x1 + BLANK
        has_room = [all(end <= a or start >= b for a, b in row) for row in rows]
        if not any(has_room) or start < left - BLANK or end > right + BLANK:
            text.remove()
            continue
        row = has_room.index(True)
        rows[row].append((start, end))
        raise_word(axes, text, landmark, LOWEST_ROW + ROW_HEIGHT * row)


def raise_word(axes: Any, text: Any, landmark: Landmark, height: float) -> None:
    """Lift a word into its row, and draw a line down to its number."""
    position = float(squash(landmark.value))
    text.set_y(height)
    axes.plot([position] * 2, [0, height - 0.02], color=GREY, lw=0.5, ls=":", zorder=0)
