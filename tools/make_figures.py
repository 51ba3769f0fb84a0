"""The demo's folder → docs/images/method-*.png, the figures of docs/method.md.

    numberline demo && python tools/make_figures.py numberline-demo

Needs the extra plot.
"""

import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
from few_colours import reduce_colours
from matplotlib.figure import Figure

import numberline as nl
from numberline.explore.plots.style import GREY, NUMERALS, PROTOTYPES, quiet
from numberline.explore.plots.ticks import label_powers, label_round_numbers
from numberline.model.neighbours import unit
from numberline.numerals.squash import squash, unsquash

IMAGES = Path(__file__).parents[1] / "docs/images"
PROTOTYPES_SHOWN = 50  # more could not be told apart
ENCODERS = (nl.Som(PROTOTYPES_SHOWN), nl.Gmm(PROTOTYPES_SHOWN), nl.Line(PROTOTYPES_SHOWN))
UNSEEN = 155.3  # in no message of the chat
HEIGHTS = np.arange(140.0, 206.0)  # cm
HALF_WINDOW = 2  # cm to either side of each height: curves are means over 5 cm
SIZES = ("xs", "s", "m", "l", "xl", "xxl")
LABEL_GAP = 0.03  # between labels at the ends of curves, in cosine


def new_figure(height, rows=1, **settings):
    figure = Figure(figsize=(9, height), layout="constrained")
    return figure, figure.subplots(rows, 1, **settings)


def rare_figure(vocabulary):
    """Draw the percentage of distinct words and numerals by their largest number of occurrences."""
    figure, axes = new_figure(3.6)
    counts = {"numerals": vocabulary.numeral_counts, "words": vocabulary.word_counts}
    for (name, counted), colour in zip(counts.items(), (PROTOTYPES, NUMERALS), strict=True):
        ascending = np.sort(counted)
        percent = 100 * np.arange(1, len(ascending) + 1) / len(ascending)
        axes.step(ascending, percent, where="post", color=colour, label=f"{len(counted):,} {name}")
    axes.axvline(4.5, color=GREY, ls=":")
    axes.text(4.8, 8, "fewer than five times:\nno vector in word2vec", color=GREY)
    axes.set(
        xscale="log", ylim=(0, 102), xlabel="occurrences", ylabel="distinct words or numerals, %"
    )
    axes.legend(frameon=False, loc="lower right")
    quiet(axes)
    return figure


def prototypes_figure(vocabulary, fitted_encoders):
    """Draw the numerals of the text on the squashed line, and the prototypes of each encoder."""
    figure, (above, below) = new_figure(4.4, 2, sharex=True, height_ratios=(3, 2))
    positions = squash(vocabulary.numeral_values)
    above.hist(positions, 150, weights=vocabulary.numeral_counts, color=NUMERALS)
    above.set(yscale="log", ylabel="occurrences")
    for lane, fitted in enumerate(fitted_encoders):
        dots = squash(fitted.labels)
        below.plot(dots, np.full(len(dots), -lane), "|", color=PROTOTYPES, ms=14, mew=1.3)
    names = [fitted.encoder.name for fitted in fitted_encoders]
    below.set_yticks(-np.arange(len(names)), names)
    below.set_ylim(0.6 - len(names), 0.6)
    label_powers(below, positions.min(), positions.max())
    below.set_xlabel("value")
    for axes in (above, below):
        quiet(axes)
    return figure


def weights_figure(fitted_encoders):
    """Draw the weight of each prototype along the line; those of an unseen numeral in red."""
    figure, panels = new_figure(5.6, len(fitted_encoders), sharex=True, sharey=True)
    first, last = squash(np.array([119.9, 230.0]))
    positions = np.linspace(first, last, 900)
    for axes, fitted in zip(panels, fitted_encoders, strict=True):
        table = fitted.weights(unsquash(positions)).dense()
        of_unseen = fitted.weights([UNSEEN]).dense()[0]
        for column in np.flatnonzero(table.max(axis=0) > 0.02):
            colour = PROTOTYPES if of_unseen[column] > 0.1 else NUMERALS
            axes.plot(positions, table[:, column], color=colour, lw=1.4)
        axes.axvline(float(squash(UNSEEN)), color=GREY, ls=":")
        axes.set(xlim=(first, last), ylim=(0, 1.05), ylabel="weight")
        axes.set_title(fitted.encoder.name, loc="left", fontsize="medium")
        quiet(axes)
    label_round_numbers(panels[-1], first, last)
    panels[-1].set_xlabel(f"value; dotted: {UNSEEN}")
    return figure


def learnt_figure(model):
    """Draw the cosine of each size with each height."""
    figure, axes = new_figure(3.8)
    rows = unit(model.vectors(HEIGHTS.tolist()))
    last = []
    for number, size in enumerate(SIZES):
        cosines = rows @ unit(model.vectors([size]))[0]
        window = np.full(2 * HALF_WINDOW + 1, 1 / (2 * HALF_WINDOW + 1))
        smooth = np.convolve(np.pad(cosines, HALF_WINDOW, mode="edge"), window, "valid")
        fraction = number / (len(SIZES) - 1)
        colour = [(1 - fraction) * a + fraction * b for a, b in zip(*end_colours(), strict=True)]
        axes.plot(HEIGHTS, smooth, color=colour, lw=2)
        last.append(smooth[-1])
    for size, height in zip(SIZES, spread(np.array(last)), strict=True):
        axes.annotate(size, (HEIGHTS[-1], height), (6, -3), textcoords="offset points")
    axes.set(xlabel="number (a height in cm)", ylabel="cosine with the size")
    quiet(axes)
    return figure


def spread(heights):
    """Return heights in the same order, with the lower of two that are too close moved down."""
    apart = heights.copy()
    order = np.argsort(-heights)
    for above, below in pairwise(order):
        apart[below] = min(apart[below], apart[above] - LABEL_GAP)
    return apart


def end_colours():
    """Return the colours of the smallest and the largest size."""
    from matplotlib.colors import to_rgb

    return to_rgb(NUMERALS), to_rgb(PROTOTYPES)


def main():
    folder = Path(sys.argv[1])
    vocabulary = nl.count(folder / "chat.txt", min_count=1)
    values, counts = vocabulary.numeral_values, vocabulary.numeral_counts.astype(float)
    fitted = [encoder.fit(values, counts, np.random.default_rng(1)) for encoder in ENCODERS]
    figures = {
        "rare": rare_figure(vocabulary),
        "prototypes": prototypes_figure(vocabulary, fitted),
        "weights": weights_figure(fitted),
        "learnt": learnt_figure(nl.load(folder / "model")),
    }
    for name, figure in figures.items():
        path = IMAGES / f"method-{name}.png"
        figure.savefig(path, dpi=130)
        reduce_colours(path)


if __name__ == "__main__":
    main()
