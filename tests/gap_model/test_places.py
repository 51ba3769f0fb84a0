"""Ids and bounds of gaps → the ids on both sides, by hand and against a slow loop."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from numberline.gap_model.places import FAR, NO_TOKEN, neighbours


def by_definition(ids, text_start, start, end, text_end):
    """Look at one place after the other."""
    left = [ids[at] if at >= text_start else NO_TOKEN for at in range(start - FAR, start)]
    right = [ids[at] if at < text_end else NO_TOKEN for at in range(end, end + FAR)]
    return left + right


def test_the_nearest_tokens_are_in_the_middle():
    ids = np.arange(100, 110)
    (found,) = neighbours(ids, *(np.array([bound]) for bound in (2, 5, 6, 9)))
    assert found[FAR - 4 : FAR].tolist() == [NO_TOKEN, 102, 103, 104]
    assert found[FAR : FAR + 4].tolist() == [106, 107, 108, NO_TOKEN]
    assert set(found[: FAR - 3]) == set(found[FAR + 3 :]) == {NO_TOKEN}


@given(st.data())
def test_neighbours_are_as_defined(data):
    ids = np.array(data.draw(st.lists(st.integers(0, 9), max_size=70)), np.int64)
    gap = st.lists(st.integers(0, len(ids)), min_size=4, max_size=4).map(sorted)
    gaps = data.draw(st.lists(gap, max_size=5))
    bounds = np.array(gaps, np.int64).reshape(-1, 4)
    found = neighbours(ids, *bounds.T)
    assert found.shape == (len(gaps), 2 * FAR)
    assert found.tolist() == [by_definition(ids, *one) for one in gaps]
