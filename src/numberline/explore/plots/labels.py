"""Labels that lie on their points → labels beside them that hide neither points nor each other.

Each label takes the first free place around its point, those nearest first. (adjustText, a package
that moves all labels at once, parts 130 of them as well, but in 19 seconds instead of 2.)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from numberline.explore.plots import GREY

Boxes = npt.NDArray[np.float64]  # left, bottom, right, top of each, in pixels
CLEARANCE = 3.0  # pixels between a point and its label
BLANK = np.array([4.0, 0.0])  # pixels to either side of a label, or words would run together
DIRECTIONS = 16
FURTHEST = 60.0  # pixels that a label may go away
STEP = 6.0


def part_labels(axes: Any) -> None:
    """Move the texts of the axes; a thin line leads back from those that had to go far."""
    canvas = axes.figure.canvas
    canvas.draw()  # only then it is known where things are
    axes.figure.set_layout_engine("none")  # and there they stay
    labels = list(axes.texts)
    anchors = axes.transData.transform([label.get_position() for label in labels])
    taken = np.concatenate([anchors - CLEARANCE, anchors + CLEARANCE], axis=1)
    for label, anchor in zip(labels, anchors, strict=True):
        extent = label.get_window_extent(canvas.get_renderer())
        size = np.array([extent.width, extent.height])
        place, distance = free_place(anchor, size, taken, axes.figure.bbox.size)
        taken = np.vstack([taken, [*(place - BLANK), *(place + size + BLANK)]])
        label.set_verticalalignment("bottom")
        label.set_position(axes.transData.inverted().transform(place))
        if distance > STEP:
            ends = axes.transData.inverted().transform([anchor, place + size / 2])
            axes.plot(ends[:, 0], ends[:, 1], color=GREY, lw=0.4, zorder=0)


def free_place(anchor: Boxes, size: Boxes, taken: Boxes, paper: Boxes) -> tuple[Boxes, float]:
    """The lower left corner of a label on the paper, and how far from the point it is.

    Where all is taken, it is the first place that hides least.
    """
    places = list(places_around(anchor, size))
    corners = np.array([corner for corner, _ in places])
    overlaps = count_overlaps(np.concatenate([corners, corners + size], axis=1), taken)
    is_cut = (corners < 0).any(axis=1) | (corners + size > paper).any(axis=1)
    return places[int((overlaps + is_cut).argmin())]


def places_around(anchor: Boxes, size: Boxes) -> Iterator[tuple[Boxes, float]]:
    for distance in np.arange(0, FURTHEST, STEP):
        for turn in np.linspace(0, 2 * np.pi, DIRECTIONS, endpoint=False):
            direction = np.array([np.cos(turn), np.sin(turn)])
            # The label's middle is so far off that its edge just clears the point.
            reach = size / 2 + CLEARANCE + 1 + distance
            yield anchor + direction * reach - size / 2, float(distance)


def count_overlaps(boxes: Boxes, others: Boxes) -> npt.NDArray[np.intp]:
    """How many of the others each box overlaps."""
    meets = (boxes[:, None, :2] < others[None, :, 2:]) & (others[None, :, :2] < boxes[:, None, 2:])
    overlaps: npt.NDArray[np.intp] = meets.all(axis=2).sum(axis=1)
    return overlaps
