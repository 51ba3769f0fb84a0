"""Maps of numerals and words: every label is there, none on another."""

import numpy as np
import pytest

from numberline.explore.plots.labels import count_overlaps, part_labels
from numberline.explore.plots.map import MAPPED_NUMERALS, plain_value
from numberline.explore.word_map import tsne
from numberline.model.neighbours import unit


def boxes_of(axes):
    axes.figure.canvas.draw()
    return np.array([label.get_window_extent().extents for label in axes.texts])


def test_labels_move_apart_without_hiding_points():
    pytest.importorskip("matplotlib")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 6), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    anchors = np.random.default_rng(5).random((40, 2))
    axes.scatter(*anchors.T)
    for number, (x, y) in enumerate(anchors):
        axes.text(x, y, f"label {number}")
    before = boxes_of(axes)
    assert (count_overlaps(before, before) > 1).any()  # each overlaps itself
    axes.text(1, 1, "a label that goes far beyond the frame")
    anchors = np.vstack([anchors, [1, 1]])
    part_labels(axes)
    frame = axes.get_position().bounds
    after = boxes_of(axes)
    assert axes.get_position().bounds == frame  # drawing does not move what was placed
    assert (count_overlaps(after, after) == 1).all()
    points = axes.transData.transform(anchors)
    assert not count_overlaps(np.concatenate([points, points + 0.01], axis=1), after).any()
    middles = (after[:, :2] + after[:, 2:]) / 2
    assert np.abs(middles - points)[:-1].max() < 120
    assert (after[:, :2] >= 0).all()
    assert (after[:, 2:] <= figure.bbox.size).all()


def test_overlaps_are_counted():
    boxes = np.array([[0, 0, 2, 2], [1, 1, 3, 3], [2, 0, 3, 1], [5, 5, 6, 6]], float)
    assert count_overlaps(boxes, boxes).tolist() == [2, 2, 1, 1]


def test_numbers_of_like_size_lie_together_and_the_same_each_time(planted_model):
    pytest.importorskip("openTSNE")
    numerals = [*range(1, 13), *range(1000, 1012)]
    rows = unit(planted_model.vectors(numerals))
    points = tsne(rows, 1, 12.0)
    assert points.tolist() == tsne(rows, 1, 12.0).tolist()
    small, large = points[:12], points[12:]
    apart = np.linalg.norm(small.mean(axis=0) - large.mean(axis=0))
    assert apart > np.linalg.norm(small - small.mean(axis=0), axis=1).mean()


def test_numerals_are_written_as_people_write_them():
    labels = [plain_value(value) for value in (0.5, 12, 1000, 1984, 10_000, 5e6, 1e9)]
    assert labels == ["0.5", "12", "1,000", "1984", "10,000", "5 million", "1 billion"]
    assert len({plain_value(value) for value in MAPPED_NUMERALS}) == len(MAPPED_NUMERALS)
