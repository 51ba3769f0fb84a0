"""Digits and vectors of the D-LSTM: two ways of reading digits, and the state of the networks."""

import copy
import pickle
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import numberline as nl
import numberline_paper
from numberline.errors import EncoderStateError, NumeralsError, TrainingError
from numberline_paper.lstm import Lstm
from numberline_paper.lstm.digits import SYMBOLS, digits_of
from tests.paper.networks import NUMBERS, networks

torch = pytest.importorskip("torch")

from numberline_paper.lstm.prefixes import prefixes_of, read_prefixes  # noqa: E402
from numberline_paper.lstm.vectors import read, vectors_from_state  # noqa: E402

ROOT = Path(__file__).parents[2]
anywhere = st.floats(allow_nan=False, allow_infinity=False)


def written(digits):
    rows = zip(digits.codes, digits.lengths, strict=True)
    return ["".join(SYMBOLS[code] for code in row[:length]) for row, length in rows]


@given(st.lists(anywhere, max_size=9))
def test_digits_represent_the_number(values):
    assert [float(text) for text in written(digits_of(values))] == values


def test_equal_numbers_have_equal_digits():
    assert written(digits_of([190, 190.0, 1e2, -0.5, 6.02e23])) == [
        *["190", "190", "100", "-0.5"],
        "6.02e+23",
    ]


def test_a_batch_of_digits_is_as_wide_as_its_longest_number():
    digits = digits_of([5, 1872, 40])
    assert written(digits[[2, 0]]) == ["40", "5"]
    assert digits[[2, 0]].codes.shape == (2, 2)
    assert [written(batch) for batch in digits.batches(2)] == [["5", "1872"], ["40"]]


@pytest.mark.parametrize("side", ["input", "output"])
def test_a_vector_does_not_depend_on_other_numbers_of_its_batch(side):
    vectors = networks()
    together = vectors.vectors(NUMBERS, side)
    assert together.shape == (len(NUMBERS), 5)
    for number, vector in zip(NUMBERS, together, strict=True):
        assert vectors.vectors([number], side)[0] == pytest.approx(vector, rel=1e-12)
    assert vectors.vectors([], side).shape == (0, 5)


def test_many_numbers_are_composed_in_batches(monkeypatch):
    vectors = networks()
    together = vectors.vectors(NUMBERS)
    monkeypatch.setattr("numberline_paper.lstm.vectors.BATCH_NUMBERS", 5)
    assert vectors.vectors(NUMBERS) == pytest.approx(together, rel=1e-12)


def test_different_sides_and_numbers_have_different_vectors():
    vectors = networks()
    rows = np.concatenate([vectors.vectors([7, 8, 78, 87], side) for side in ("input", "output")])
    assert len(np.unique(rows.round(9), axis=0)) == 8


def test_values_that_are_no_finite_numbers_are_refused():
    for values in ([np.nan], [np.inf], ["seven"], [[1.0]]):
        with pytest.raises(NumeralsError):
            networks().vectors(values)


@given(st.lists(anywhere, min_size=1, max_size=20))
@settings(max_examples=50)
def test_reading_shared_prefixes_once_changes_nothing(values):
    network, digits = networks().input, digits_of(values)
    with torch.no_grad():
        assert torch.allclose(read_prefixes(network, digits), read(network, digits), rtol=1e-9)


def test_gradients_pass_through_shared_prefixes():
    network, digits = networks().input, digits_of(NUMBERS)
    weights = torch.from_numpy(np.random.default_rng(1).normal(size=(len(NUMBERS), 5)))
    gradients = [
        torch.autograd.grad(compose(network, digits), list(network.parameters()), weights)
        for compose in (read, read_prefixes)
    ]
    for one, other in zip(*gradients, strict=True):
        assert torch.allclose(one, other, rtol=1e-9)


def test_each_prefix_occurs_once():
    levels, _ = prefixes_of(digits_of([187.3, 1872, 18, 9, 187.3]))
    assert [len(level.symbols) for level in levels] == [2, 1, 1, 2, 1]


def test_the_state_makes_the_same_vectors():
    vectors = networks()
    same = Lstm().vectors_from_state(vectors.state())
    assert same.dim == 5
    assert same.encoder == vectors.encoder == Lstm()
    for side in ("input", "output"):
        assert (same.vectors(NUMBERS, side) == vectors.vectors(NUMBERS, side)).all()
    for array in vectors.state().values():
        array[...] = 0  # a copy
    assert (same.vectors([7]) == vectors.vectors([7])).all()


def test_the_state_of_another_encoder_is_refused():
    state = networks().state()
    with pytest.raises(EncoderStateError, match="lacks input_bias_ih_l0"):
        vectors_from_state({n: a for n, a in state.items() if n != "input_bias_ih_l0"})
    with pytest.raises(EncoderStateError, match="prototypes, which it does not know"):
        vectors_from_state(state | {"prototypes": np.zeros(3)})
    with pytest.raises(EncoderStateError, match="output_weight_hh_l0"):
        vectors_from_state(state | {"output_weight_hh_l0": np.zeros((20, 4))})


def test_double_precision_is_near_to_single():
    doubles = networks()
    single = vectors_from_state({n: a.astype(np.float32) for n, a in doubles.state().items()})
    assert single.vectors([7]).dtype == np.float32
    assert single.in_double().vectors([7]).dtype == np.float64
    assert single.in_double().vectors(NUMBERS) == pytest.approx(single.vectors(NUMBERS), abs=1e-6)


def test_vectors_can_be_copied_and_pickled():
    vectors = networks()
    for same in (copy.deepcopy(vectors), pickle.loads(pickle.dumps(vectors))):
        assert (same.vectors(NUMBERS) == vectors.vectors(NUMBERS)).all()


def test_numberline_train_names_the_function_that_trains_it():
    with pytest.raises(TrainingError, match=r"numberline_paper\.train_lstm trains it"):
        nl.train(["a 1 b 2"] * 9, encoder=Lstm(), min_count=1)


def test_the_encoder_is_an_entry_point():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    entry = project["entry-points"]["numberline.encoders"]["lstm"]
    assert EntryPoint("lstm", entry, "numberline.encoders").load() is Lstm


def test_the_package_has_two_functions():
    assert numberline_paper.__all__ == ["reproduce", "train_lstm"]
    assert callable(numberline_paper.reproduce)
    assert callable(numberline_paper.train_lstm)
    with pytest.raises(AttributeError, match="no attribute 'other'"):
        _ = numberline_paper.other
