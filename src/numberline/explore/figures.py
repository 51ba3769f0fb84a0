"""A model → figures of its number line, of similar numbers, and of what a gap should hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from numberline.arrays import Floats
from numberline.explore.answers import Answers
from numberline.explore.landmarks import Landmark, Landmarks
from numberline.explore.plots import GREY, PROTOTYPES, label_squashed_axis, plain_label, quiet
from numberline.explore.prototypes import short_number
from numberline.explore.sentences import expected
from numberline.explore.themes import Theme
from numberline.extras import optional
from numberline.model.gaps import GAP
from numberline.numerals.squash import squash, unsquash

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROWS = 4  # pieces into which the line is cut
LENGTH = 0.3  # how much length counts there; prototypes, the rest
SHORTEST = 1e-6  # line that is not widened
LANES = 4  # of words above a piece
FIRST_LANE, LANE = 0.42, 0.15  # of the height of a piece
WORDS = 70  # of a piece, of which those that have room are written
BLANK = 6.0  # pixels between words
HEAT_POINTS = 361
LARGEST_POWER = 6  # the similarity of 1 … 10⁶


def line_figure(answers: Answers, theme: Theme) -> Figure:
    """The number line in pieces; words stand where they are at home."""
    figure = new_figure(11, 8.5)
    ends = piece_ends(answers)
    pieces = figure.subplots(ROWS, 1)
    figure.suptitle(f"{answers.name}: the number line and its words", x=0.01, ha="left")
    for axes, low, high in zip(pieces, ends[:-1], ends[1:], strict=True):
        draw_piece(axes, answers, theme, float(low), float(high))
    figure.canvas.draw()  # only then it is known where things are
    figure.set_layout_engine("none")  # and there they stay
    for axes, low, high in zip(pieces, ends[:-1], ends[1:], strict=True):
        write_words(axes, answers.landmarks, float(low), float(high))
    return figure


def piece_ends(answers: Answers) -> Floats:
    """Values that cut the line into pieces of about as many prototypes, and about one length."""
    low, high = squash(np.array(answers.whole_line)).tolist()
    if high - low < SHORTEST:  # one number, and so large that those beside it are squashed into it
        low, high = low - 1, high + 1
    prototypes = squash(answers.prototypes)
    inside = np.unique(prototypes[(prototypes > low) & (prototypes < high)])
    places = np.concatenate([[low], inside, [high]])
    length = (places - low) / (high - low)
    reached = LENGTH * length + (1 - LENGTH) * np.linspace(0, 1, len(places))
    return unsquash(np.interp(np.linspace(0, 1, ROWS + 1), reached, places))


def draw_piece(axes: Any, answers: Answers, theme: Theme, low: float, high: float) -> None:
    first, last = float(squash(low)), float(squash(high))
    axes.set_xlim(first, last)
    axes.set_ylim(0, 1)
    heights = np.sqrt(answers.heights(low, high))
    places = np.linspace(first, last, len(heights))
    axes.fill_between(places, 0.35 * heights / max(heights.max(), 1e-9), color=theme.hill, lw=0)
    prototypes = squash(answers.prototypes)
    inside = prototypes[(prototypes >= first) & (prototypes <= last)]
    if len(inside):  # nothing has no place, and would confuse the layout
        axes.plot(inside, np.zeros(len(inside)), "o", color=PROTOTYPES, ms=3.5, clip_on=False)
    label_piece(axes, first, last)
    quiet(axes)
    axes.spines["left"].set_visible(False)
    axes.set_yticks([])


def write_words(axes: Any, landmarks: Landmarks, low: float, high: float) -> None:
    """In lanes above their places, the most similar first; what has no room is left out."""
    lanes: list[list[tuple[float, float]]] = [[] for _ in range(LANES)]
    canvas = axes.figure.canvas
    left, right = axes.get_window_extent().intervalx
    for landmark in landmarks.along(low, high, WORDS):
        text = axes.text(float(squash(landmark.value)), 0, landmark.word, ha="center", fontsize=8.5)
        extent = text.get_window_extent(canvas.get_renderer())
        start, end = extent.x0 - BLANK, extent.x1 + BLANK
        is_free = [all(end <= a or start >= b for a, b in lane) for lane in lanes]
        if not any(is_free) or start < left - BLANK or end > right + BLANK:
            text.remove()
            continue
        lane = is_free.index(True)
        lanes[lane].append((start, end))
        raise_word(axes, text, landmark, FIRST_LANE + LANE * lane)


def raise_word(axes: Any, text: Any, landmark: Landmark, height: float) -> None:
    place = float(squash(landmark.value))
    text.set_y(height)
    axes.plot([place, place], [0, height - 0.02], color=GREY, lw=0.5, ls=":", zorder=0)


def label_piece(axes: Any, first: float, last: float) -> None:
    """Round numbers; a piece may be so short that powers of ten are too far apart."""
    ticks = round_ticks(first, last)
    axes.set_xticks(squash(ticks), [compact(tick) for tick in ticks.tolist()])


def round_ticks(first: float, last: float, most: int = 12) -> Floats:
    """Round numbers between two places of the squashed line, the roundest first."""
    apart = (last - first) / most
    low, high = unsquash([first, last]).tolist()
    found: list[float] = []
    for power in range(18, -4, -1):
        for digit in (5, 1):
            step = digit * 10.0**power
            counts = np.arange(
                np.ceil(low / step), min(np.floor(high / step), low / step + 400) + 1
            )
            for value in np.round(counts * step, 6).tolist():
                place = float(squash(value))
                if all(abs(place - squash(other)) >= apart for other in found):
                    found.append(value)
    return np.sort(found)


def compact(value: float) -> str:
    """20k, 3M; and below ten thousand all digits, as years have them."""
    for unit, letter in ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= max(unit, 1e4):
            return short_number(value / unit) + letter
    return short_number(value)


def similarity_figure(answers: Answers, theme: Theme) -> Figure:
    """How similar the whole numbers from 1 to a million are to each other."""
    figure = new_figure(7.6, 6.6)
    axes = figure.subplots()
    rows = answers.landmarks.numeral_rows(np.rint(np.logspace(0, LARGEST_POWER, HEAT_POINTS)))
    picture = axes.imshow(
        rows @ rows.T,
        cmap=theme.heat(),
        vmin=0,
        vmax=1,
        origin="lower",
        extent=(0, LARGEST_POWER, 0, LARGEST_POWER),
    )
    powers = np.arange(LARGEST_POWER + 1)
    labels = [plain_label(10.0**power) for power in powers.tolist()]
    axes.set_xticks(powers, labels)
    axes.set_yticks(powers, labels)
    quiet(axes)
    bar = figure.colorbar(picture, label="cosine", shrink=0.8)
    bar.outline.set_visible(False)
    axes.set_title(f"{answers.name}: how similar numbers are", loc="left", fontsize="medium")
    return figure


def prediction_figure(answers: Answers, text: str, theme: Theme) -> Figure:
    """What is expected in the gap ___ of a text, before what is so in general."""
    gap = GAP.search(text)
    assert gap is not None
    answer = expected(answers.model, text, *gap.span())
    first, last = float(squash(answer["low"])), float(squash(answer["high"]))
    figure = new_figure(9, 4)
    axes = figure.subplots()
    places = np.linspace(first, last, len(answer["here"]))
    axes.fill_between(places, answer["in_general"], color=theme.hill, lw=0, label="in general")
    axes.plot(places, answer["here"], color=PROTOTYPES, label="in this gap")
    axes.plot(
        squash(answer["interval"]),
        [0, 0],
        color=PROTOTYPES,
        lw=5,
        solid_capstyle="butt",
        clip_on=False,
        label="nine in ten",
    )
    axes.set_xlim(first, last)
    axes.set_ylim(0)
    label_squashed_axis(axes, first, last)
    likely = ", ".join(short_number(one["value"]) for one in answer["likely"])
    axes.set_title(f"{text}\nlikely: {likely}", loc="left", fontsize="medium")
    quiet(axes)
    axes.spines["left"].set_visible(False)
    axes.set_yticks([])
    axes.legend(frameon=False)
    return figure


def new_figure(width: float, height: float) -> Figure:
    """With a canvas, so that texts can be measured."""
    figure: Figure = optional("matplotlib.figure", "plot").Figure(
        figsize=(width, height), layout="constrained"
    )
    optional("matplotlib.backends.backend_agg", "plot").FigureCanvasAgg(figure)
    return figure
