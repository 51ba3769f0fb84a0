"""Labels that lie on their points → labels beside them that hide neither points nor each other.

Each label takes the nearest free corner around its point. (adjustText, a package that moves all
labels at once, parts 130 of them as well, but in 19 seconds instead of 2.)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from numberline.explore.plots.style import GREY, fix_layout

Boxes = npt.NDArray[np.float64]  # left, bottom, right, top of each, in pixels
CLEARANCE = 3.0  # pixels between a point and its label
BLANK = np.array([4.0, 0.0])  # pixels to either side of a label, or words would run together
DIRECTIONS = 16
FARTHEST = 60.0  # pixels between a label and its point
STEP = 6.0  # pixels between the distances that are tried


def part_labels(axes: Any) -> None:
    """Move the texts of the axes apart; thin lines lead from distant labels to their points."""
    canvas = axes.figure.canvas
    fix_layout(axes.figure)
    labels = list(axes.texts)
    anchors = axes.transData.transform([label.get_position() for label in labels])
    taken = np.concatenate([anchors - CLEARANCE, anchors + CLEARANCE], axis=1)
    for label, anchor in zip(labels, anchors, strict=True):
        extent = label.get_window_extent(canvas.get_renderer())
        size = np.array([extent.width, extent.height])
        corner, distance = free_corner(anchor, size, taken, axes.figure.bbox.size)
        taken = np.vstack([taken, [*(corner - BLANK), *(corner + size + BLANK)]])
        label.set_verticalalignment("bottom")
        label.set_position(axes.transData.inverted().transform(corner))
        if distance > STEP:
            ends = axes.transData.inverted().transform([anchor, corner + size / 2])
            axes.plot(ends[:, 0], ends[:, 1], color=GREY, lw=0.4, zorder=0)


def free_corner(anchor: Boxes, size: Boxes, taken: Boxes, paper: Boxes) -> tuple[Boxes, float]:
    """Return the lower left corner of a label on the paper, and its distance from the point.

    If there is no free corner, it is the nearest of those where the label hides least.
    """
    candidates = list(corners_around(anchor, size))
    corners = np.array([corner for corner, _ in candidates])
    overlaps = count_overlaps(np.concatenate([corners, corners + size], axis=1), taken)
    is_cut = (corners < 0).any(axis=1) | (corners + size > paper).any(axis=1)
    return candidates[int((overlaps + is_cut).argmin())]


def corners_around(anchor: Boxes, size: Boxes) -> Iterator[tuple[Boxes, float]]:
    """Yield lower left corners of a label around a point with their distances, nearest first."""
    for distance in np.arange(0, FARTHEST, STEP):
        for turn in np.linspace(0, 2 * np.pi, DIRECTIONS, endpoint=False):
            direction = np.array([np.cos(turn), np.sin(turn)])
            # The middle of the label is so far away that its edge just clears the point.
            reach = size / 2 + CLEARANCE + 1 + distance
            yield anchor + direction * reach - size / 2, float(distance)


def count_overlaps(boxes: Boxes, others: Boxes) -> npt.NDArray[np.intp]:
    """Return how many of the others each box overlaps."""
    meets = (boxes[:, None, :2] < others[None, :, 2:]) & (others[None, :, :2] < boxes[:, None, 2:])
    overlaps: npt.NDArray[np.intp] = meets.all(axis=2).sum(axis=1)
    return overlaps
