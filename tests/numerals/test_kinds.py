"""Rows of kinds: laws of their weights, the mean that stands for no kind, what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import numberline as nl
from numberline.errors import EncoderStateError, NumeralsError
from numberline.numerals.kinds import (
    DECIMALS_WEIGHT,
    NO_KINDS,
    UNKNOWN_KIND,
    fit_kinds,
)
from numberline.numerals.vectors import PrototypeVectors

VALUES = np.array([0, 0.5, 1, 2, 3, 4.25, 7, 12, 100, 1985, 2018, 2019, 1e6])
COUNTS = np.arange(len(VALUES), 0, -1.0)
KINDS = np.array([0, 1, 1, 3, 1, 0, 1, 3, 0, 1, 1, 1, 0])  # of the values; none is of kind 2
ENCODERS = [nl.Line(5), nl.Gmm(5), nl.Som(5), nl.NumeralTokens(5), nl.Fourier()]
SIDES = ("input", "output")
every_encoder = pytest.mark.parametrize("encoder", ENCODERS, ids=str)


def fitted_to_corpus(encoder):
    return encoder.fit(VALUES, COUNTS, np.random.default_rng(1))


def vectors_of(encoder):
    """Return vectors with random tables."""
    fitted, random = fitted_to_corpus(encoder), np.random.default_rng(2)
    kinds = fit_kinds(fitted, VALUES, KINDS, COUNTS, 4)
    shape = fitted.size + kinds.size, 4
    tables = [random.normal(size=shape).astype(np.float32) for _ in SIDES]
    return PrototypeVectors(fitted, *tables, kinds)


@every_encoder
@pytest.mark.parametrize("side", SIDES)
def test_a_kind_adds_its_row_to_the_vector_of_any_number(encoder, side):
    numerals = vectors_of(encoder)
    values = [7.0, 2018.0, 1e9, -3.0]
    size = numerals.fitted.size
    alone = PrototypeVectors(numerals.fitted, numerals.input[:size], numerals.output[:size])
    for kind in (0, 1, 3):
        expected = alone.vectors(values, side) + numerals.table(side)[size + kind]
        assert numerals.vectors(values, side, [kind] * 4) == pytest.approx(expected, abs=1e-5)


@every_encoder
def test_an_input_vector_of_no_known_kind_is_the_mean_over_the_corpus(encoder):
    numerals, values = vectors_of(encoder), np.array([7.0, 0.5, 2018.0])
    fractions = np.bincount(KINDS, COUNTS) / COUNTS.sum()
    of_kinds = [numerals.vectors(values, kinds=np.full(3, kind)) for kind in (0, 1, 3)]
    expected = np.tensordot(fractions[[0, 1, 3]], of_kinds, 1)
    for kinds in (None, [UNKNOWN_KIND] * 3, [2] * 3):  # the corpus holds nothing of kind 2
        assert numerals.vectors(values, kinds=kinds) == pytest.approx(expected, abs=1e-5)


@every_encoder
def test_an_output_vector_of_no_known_kind_is_the_mean_over_kinds_near_it(encoder):
    numerals, values = vectors_of(encoder), np.array([7.0, 12.0, 2018.0, 2017.0])
    fractions = numerals.kind_fractions(values)
    assert fractions.sum(axis=1) == pytest.approx(1, abs=1e-5)
    of_kinds = [numerals.vectors(values, "output", [kind] * 4) for kind in (0, 1, 3)]
    expected = np.einsum("nk,knd->nd", fractions[:, [0, 1, 3]], of_kinds)
    found = numerals.vectors(values, "output")
    assert found == pytest.approx(expected, abs=0.1)  # small fractions are left out


def test_kinds_of_a_number_are_those_around_it():
    values = np.arange(1.0, 100)
    kinds = np.where(values < 40, 1, 2)
    fitted = nl.Line(10).fit(values, np.ones(99), np.random.default_rng(1))
    rows = fit_kinds(fitted, values, kinds, np.ones(99), 3)
    near = rows.fractions_near(fitted.weights([5.5, 20, 80.25, 1e6], "output"))
    assert near.argmax(axis=1).tolist() == [1, 1, 2, 2]
    assert near.max(axis=1).min() > 0.9
    assert rows.fractions == pytest.approx([0, 39 / 99, 60 / 99])


def test_numbers_with_decimals_share_a_row_of_their_output_vectors():
    rows = vectors_of(nl.Gmm(5))
    computed = [36.6 + 0.4, 1e20, -7, 0, 5e-324, 2.5]
    weights = rows.weights(computed, "output").dense()[:, -1]
    assert weights.tolist() == [0, 0, 0, 0, DECIMALS_WEIGHT, DECIMALS_WEIGHT]
    assert not rows.weights(computed, "input").dense()[:, -1].any()


@every_encoder
@pytest.mark.parametrize("side", SIDES)
def test_without_kinds_rows_are_those_of_the_encoder(encoder, side):
    fitted = fitted_to_corpus(encoder)
    values = np.array([7.0, 0.5, 2018.0])
    rows = fitted.weights(values, side)
    assert NO_KINDS.extended(rows, values, None, side) is rows
    one_kind = fit_kinds(fitted, VALUES, np.ones(len(VALUES), int), COUNTS, 3)
    same = one_kind.extended(rows, np.rint(values), [1, 1, 1], side)
    for name in ("offsets", "indices", "weights"):  # one kind alone tells nothing
        assert (getattr(same, name) == getattr(rows, name)).all()


@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.integers(-1, 3)), max_size=9))
def test_rows_are_made_one_by_one(pairs):
    values = np.array([value for value, _ in pairs])
    kinds = np.array([kind for _, kind in pairs], np.int32)
    numerals = _CACHED
    for side in SIDES:
        together = numerals.weights(values, side, kinds).dense()
        alone = [numerals.weights([value], side, [kind]).dense()[0] for value, kind in pairs]
        assert together.tolist() == [row.tolist() for row in alone]


_CACHED = vectors_of(nl.Line(5))


@every_encoder
def test_a_state_gives_the_same_vectors_again(encoder):
    numerals = vectors_of(encoder)
    again = encoder.vectors_from_state(numerals.state())
    values, kinds = np.array([7.0, 0.5, 2018.0]), [-1, 3, 1]
    for side in SIDES:
        found = again.vectors(values, side, kinds)
        assert (found == numerals.vectors(values, side, kinds)).all()
        doubled = numerals.in_double().vectors(values, side, kinds)
        assert doubled == pytest.approx(found, abs=1e-5)


def test_wrong_kinds_and_fractions_are_refused():
    numerals = vectors_of(nl.Gmm(5))
    for kind in (4, -2):
        with pytest.raises(NumeralsError, match=f"kind {kind} is none of the 4"):
            numerals.vectors([7.0], kinds=[kind])
    with pytest.raises(NumeralsError, match="2 numbers came with 1 kinds"):
        numerals.vectors([7.0, 8.0], kinds=[1])
    state = numerals.state()
    for wrong in (np.ones(4), np.ones(3) / 3, np.array([2.0, -1.0, 0.0, 0.0])):
        changed = state | {"kind_fractions": wrong.astype(np.float32)}
        with pytest.raises(EncoderStateError, match="kind"):
            nl.Gmm(5).vectors_from_state(changed)
    for name in ("kind_fractions", "kinds_near"):
        with pytest.raises(EncoderStateError, match=f"lacks {name}"):
            nl.Gmm(5).vectors_from_state({n: array for n, array in state.items() if n != name})
