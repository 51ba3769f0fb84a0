"""Compact model folders: a byte per number of a word's vector."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import numberline as nl
from numberline.errors import StoreError
from numberline.files.store import read_store, write_store
from numberline.model.compact import compact_rows, expanded_rows
from numberline.model.folder import MODEL, model_arrays, model_header

FLOATS = st.floats(-1000, 1000, width=32)


@given(arrays(np.float32, st.tuples(st.integers(0, 5), st.integers(1, 9)), elements=FLOATS))
def test_numbers_are_off_by_half_a_step_of_their_row(rows):
    integers, scales = compact_rows(rows)
    assert integers.dtype == np.int8
    limits = 0.501 * scales[:, None] + 1e-30
    assert (np.abs(expanded_rows(integers, scales) - rows) <= limits).all()


def test_rows_of_zeros_stay_zeros():
    assert not expanded_rows(*compact_rows(np.zeros((2, 3), np.float32))).any()


def test_a_compact_model_answers_almost_alike(planted_model, tmp_path):
    planted_model.save(tmp_path / "whole")
    planted_model.save(tmp_path / "compact", compact=True)
    model = nl.load(tmp_path / "compact")
    assert model.words == planted_model.words
    for first in model.words[:20]:
        for second in ("7", "5000", model.words[0]):
            expected = planted_model.similarity(first, second)
            assert model.similarity(first, second) == pytest.approx(expected, abs=0.02)
    assert model["4321.5"] == pytest.approx(planted_model["4321.5"])  # prototypes are not rounded
    sizes = [(tmp_path / name / MODEL.tensors).stat().st_size for name in ("compact", "whole")]
    assert sizes[0] < sizes[1]


def test_a_compact_model_is_saved_whole_or_compact_again(planted_model, tmp_path):
    planted_model.save(tmp_path / "compact", compact=True)
    model = nl.load(tmp_path / "compact")
    model.save(tmp_path / "again", compact=True)
    model.save(tmp_path / "whole")
    for name in ("again", "whole"):
        same = nl.load(tmp_path / name)
        np.testing.assert_allclose(same.word_input, model.word_input, rtol=1e-6)


@pytest.mark.parametrize("scales", [None, np.ones(3, np.float32)])
def test_scales_that_do_not_fit_are_refused(planted_model, tmp_path, scales):
    found = model_arrays(planted_model, compact=True)
    del found["word_input_scales"]
    if scales is not None:
        found["word_input_scales"] = scales
    (tmp_path / "model").mkdir()
    write_store(tmp_path / "model", MODEL, model_header(planted_model), found)
    assert read_store(tmp_path / "model", MODEL)
    with pytest.raises(StoreError, match="damaged"):
        nl.load(tmp_path / "model")
