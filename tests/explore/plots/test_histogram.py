"""The histogram holds what was counted, on axes that can be read."""

import numpy as np
import pytest

from numberline.explore.plots.histogram import bin_edges, prototypes_figure
from numberline.numerals.squash import squash


def test_prototypes_figure_draws_every_occurrence_and_prototype():
    pytest.importorskip("matplotlib")
    values, counts = np.array([-5.0, 1, 10, 2000]), np.array([1.0, 50, 20, 7])
    figure = prototypes_figure(values, counts, np.array([1.0, 12, 2000]), "a title")
    above, below = figure.axes
    assert sum(bar.get_height() for bar in above.patches) == 78
    assert sum(bar.get_height() for bar in below.patches) == 3
    assert above.get_yscale() == "log"
    assert [axes.get_title("left") for axes in figure.axes] == [
        "78 occurrences of numerals",
        "3 prototypes",
    ]
    assert figure.get_suptitle() == "a title"
    for axes, heights in ((above, [(-5.0, 1), (1, 50), (10, 20), (2000, 7)]), (below, [(12, 1)])):
        for value, height in heights:
            assert height_over(axes, squash(value)) == height
    assert below.get_xticks() == pytest.approx(squash([-1, 0, 1, 10, 100, 1000]))
    labels = [label.get_text() for label in below.get_xticklabels()]
    assert labels == ["−1", "0", "1", "10", "100", "1,000"]


def height_over(axes, position):
    bars = [bar for bar in axes.patches if bar.get_x() <= position < bar.get_x() + bar.get_width()]
    return sum(bar.get_height() for bar in bars)


def test_the_titles_say_how_much_is_not_shown():
    pytest.importorskip("matplotlib")
    values, counts = np.array([-1e80, 1, 5, 1e80]), np.array([1.0, 1e6, 1e6, 1])
    figure = prototypes_figure(values, counts, np.array([-1e70, 3]))
    assert [axes.get_title("left") for axes in figure.axes] == [
        "2,000,002 occurrences of numerals, 2 of them not shown",
        "2 prototypes, 1 of them not shown",
    ]


def test_a_single_numeral_can_be_drawn():
    assert np.diff(bin_edges(np.array([3.0]), np.array([5.0]))).min() > 0


def test_a_few_numerals_far_out_do_not_squeeze_the_rest():
    values = np.array([1.0, 5, 1e80])
    edges = bin_edges(squash(values), np.array([1e6, 1e6, 1]))
    assert edges[-1] < squash(1e10)
    edges = bin_edges(squash(-values[::-1]), np.array([1, 1e6, 1e6]))
    assert edges[0] > squash(-1e10)


def test_the_outermost_bars_have_room():
    edges = bin_edges(np.array([1.0, 3]), np.ones(2))
    assert edges[0] < 1
    assert edges[-1] > 3
