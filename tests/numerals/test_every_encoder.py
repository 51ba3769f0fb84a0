"""One suite for every encoder: the laws that the rest of the package relies on."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numberline.errors import (
    ConfigError,
    CorpusError,
    EncoderStateError,
    NumeralsError,
    PrototypesError,
)
from numberline.numerals import gmm_fit, mixture, som, vectors
from numberline.numerals import rows as rows_module
from numberline.numerals.base import SIDES
from numberline.numerals.fixed import Fixed
from numberline.numerals.gmm import Gmm
from numberline.numerals.line import Line
from numberline.numerals.registry import BUILT_IN
from numberline.numerals.rows import rows_of_columns, rows_of_table
from numberline.numerals.som import Som
from numberline.numerals.token import NumeralTokens
from numberline.numerals.values import distinct_numerals
from numberline.numerals.vectors import PrototypeVectors, prototype_values

ENCODERS = [
    *(kind() for kind in BUILT_IN.values()),
    Som(7, log="similarity", beta=1.5),
    Gmm(7, log="none", em="hard", em_start="kmeans"),
    Gmm(40, em_start="random"),
    NumeralTokens(3),
    Line(2, log="none"),
    Line(60),
]
AVERAGING = [encoder for encoder in ENCODERS if encoder.name in ("som", "gmm", "token", "line")]
EXTREMES = [0, -0.0, 1, -1, 0.5, 1e308, -1e308, 1e300, 5e-324, -5e-324, 1e-9, 1e15, 123456.789]
anywhere = st.floats(allow_nan=False, allow_infinity=False)


def corpus_numerals(seed=1):
    """Return years, small counts, measures and odd numbers, as text has them, and their counts."""
    random = np.random.default_rng(seed)
    drawn = np.concatenate(
        [
            random.integers(1900, 2020, 300).astype(float),
            random.geometric(0.3, 500).astype(float),
            np.round(random.lognormal(4, 2, 300), 1),
            [-40, 0, 1e12, 0.001],
        ]
    )
    values, counts = np.unique(drawn, return_counts=True)
    return values, counts.astype(float)


VALUES, COUNTS = corpus_numerals()


@pytest.fixture(params=ENCODERS, ids=str)
def encoder(request):
    return request.param


def fitted_to(encoder, values=VALUES, counts=COUNTS):
    return encoder.fit(*distinct_numerals(values, counts), np.random.default_rng(2))


@pytest.fixture
def fitted(encoder):
    return fitted_to(encoder)


def with_tables(fitted, dim=6):
    """Return vectors as after some training, so that neither side is zero."""
    random = np.random.default_rng(4)
    tables = [
        (table + random.normal(0, 0.1, table.shape)).astype(np.float32)
        for table in fitted.starting_tables(dim, random)
    ]
    return PrototypeVectors(fitted, *tables)


def test_the_suite_covers_every_encoder():
    assert {encoder.name for encoder in ENCODERS} == set(BUILT_IN)


def test_an_encoder_is_frozen_and_equal_by_its_settings(encoder, fitted):
    same = dataclasses.replace(encoder)
    assert same == encoder
    assert hash(same) == hash(encoder)
    for frozen in (encoder, fitted):
        with pytest.raises(dataclasses.FrozenInstanceError):
            frozen.name = "another"


def averaging_weights(fitted, values):
    """Return the weights that make averages of prototypes, of both sides: one row per value."""
    inputs, outputs = (fitted.weights(values, side).dense() for side in SIDES)
    return np.concatenate([inputs, outputs])


@pytest.mark.parametrize("encoder", AVERAGING, ids=str)
def test_weights_are_not_negative_and_sum_to_1(fitted):
    weights = averaging_weights(fitted, np.concatenate([VALUES, EXTREMES]))
    assert (weights >= 0).all()
    assert weights.sum(axis=1) == pytest.approx(1, abs=1e-6)


@given(st.lists(anywhere, min_size=1, max_size=20), st.sampled_from(AVERAGING))
@settings(max_examples=100)
def test_weights_of_any_number_are_not_negative_and_sum_to_1(values, encoder):
    weights = averaging_weights(cached_numerals(encoder).fitted, values)
    assert (weights >= 0).all()
    assert weights.sum(axis=1) == pytest.approx(1, abs=1e-6)


@given(st.lists(anywhere, min_size=1, max_size=20), st.sampled_from(ENCODERS))
@settings(max_examples=200)
def test_every_number_has_a_vector(values, encoder):
    numerals = cached_numerals(encoder)
    rows = numerals.vectors(values)
    assert rows.shape == (len(values), 6)
    assert np.isfinite(rows).all()


_cache = {}


def cached_numerals(encoder):
    if encoder not in _cache:
        _cache[encoder] = with_tables(fitted_to(encoder))
    return _cache[encoder]


@pytest.mark.parametrize("distinct", [[7.0], [0.0], [1e300], [-1e308, 1e308], [5e-324]])
def test_one_or_two_extreme_numerals_can_be_fitted(encoder, distinct):
    smaller = encoder
    if hasattr(encoder, "prototypes"):
        smaller = dataclasses.replace(encoder, prototypes=None)
    fitted = fitted_to(smaller, distinct, np.full(len(distinct), 9.0))
    values = [*distinct, *EXTREMES]
    if encoder in AVERAGING:
        assert averaging_weights(fitted, values).sum(axis=1) == pytest.approx(1, abs=1e-6)
    rows = with_tables(fitted).vectors(values)
    assert rows.shape == (len(values), 6)
    assert np.isfinite(rows).all()


def test_rows_have_the_types_and_bounds_that_kernels_need(fitted):
    rows = fitted.weights(VALUES)
    types = [array.dtype for array in (rows.offsets, rows.indices, rows.weights)]
    assert types == [np.int64, np.int32, np.float32]
    assert len(rows) == len(VALUES)
    assert rows.offsets[0] == 0
    assert rows.offsets[-1] == len(rows.indices) == len(rows.weights)
    assert (np.diff(rows.offsets) >= 1).all()
    assert rows.indices.min() >= 0
    assert rows.indices.max() < rows.size == fitted.size


@pytest.mark.parametrize("side", SIDES)
def test_vectors_are_weights_times_the_table(fitted, side):
    numerals = with_tables(fitted)
    values = np.concatenate([VALUES, EXTREMES])
    plain = fitted.weights(values, side).dense().astype(np.float64) @ numerals.table(side)
    assert numerals.vectors(values, side) == pytest.approx(plain, rel=1e-4, abs=1e-5)
    assert numerals.in_double().vectors(values, side) == pytest.approx(plain, rel=1e-5, abs=1e-8)


@pytest.mark.parametrize("side", SIDES)
def test_double_precision_gives_the_same_vectors(fitted, side):
    numerals = with_tables(fitted)
    before = numerals.vectors(VALUES, side)
    rows = numerals.in_double().vectors(VALUES, side)
    assert before.dtype == np.float32
    assert rows.dtype == np.float64
    assert rows == pytest.approx(before, rel=1e-4, abs=1e-5)
    assert numerals.vectors(VALUES, side).tobytes() == before.tobytes()


def test_rows_may_be_chosen_in_any_order(fitted):
    rows = fitted.weights(VALUES)
    for chosen in ([], [3], [49, 0, 7, 7]):
        assert (rows[np.array(chosen, int)].dense() == rows.dense()[chosen]).all()


def test_the_product_equals_its_definition(fitted):
    random = np.random.default_rng(8)
    rows = fitted.weights(random.choice(VALUES, 50))
    for dim in (1, 7, 64):
        table = random.normal(size=(fitted.size, dim)).astype(np.float32)
        assert rows @ table == pytest.approx(rows.defined_product(table), rel=1e-4, abs=1e-4)
    assert (rows[np.array([], int)] @ table).shape == (0, 64)


def test_tables_and_rows_convert_both_ways():
    table = np.array([[0, 0.5, 0.5], [1, 0, 0], [0, 0, 0]], np.float32)
    rows = rows_of_table(table)
    assert (rows.dense() == table).all()
    assert np.diff(rows.offsets).tolist() == [2, 1, 0]
    columns = rows_of_columns(np.array([[2, 1], [0, 0]]), np.array([[0.5, 0.5], [0, 1]]), 3)
    assert (columns.dense() == table[:2]).all()


@pytest.mark.parametrize(
    ("encoder", "module"), [(Som(), som), (Gmm(), gmm_fit), (Line(), vectors)], ids=str
)
def test_the_size_of_batches_changes_nothing(encoder, module, monkeypatch):
    monkeypatch.setattr(gmm_fit, "native", lambda: None)
    vectors_by_size = []
    for size in (module.BATCH, 7):
        monkeypatch.setattr(module, "BATCH", size)
        vectors_by_size.append(with_tables(fitted_to(encoder)).vectors(VALUES))
    assert vectors_by_size[0] == pytest.approx(vectors_by_size[1], rel=1e-5, abs=1e-6)


def test_native_kernels_change_nothing(encoder, monkeypatch):
    native = with_tables(fitted_to(encoder)).vectors(EXTREMES)
    for module in (rows_module, mixture, gmm_fit):
        monkeypatch.setattr(module, "native", lambda: None)
    assert with_tables(fitted_to(encoder)).vectors(EXTREMES) == pytest.approx(native, abs=1e-4)


def test_state_round_trip(encoder, fitted):
    numerals = with_tables(fitted)
    state = numerals.state()
    assert all(array.dtype.kind == "f" for array in state.values())
    again = encoder.vectors_from_state(state)
    assert again.encoder == encoder
    values = [*EXTREMES, 7, 1987]
    for side in SIDES:
        assert (numerals.vectors(values, side) == again.vectors(values, side)).all()
    assert {name: array.tobytes() for name, array in again.state().items()} == {
        name: array.tobytes() for name, array in state.items()
    }


def test_a_rebuilt_encoder_copies_the_arrays_of_its_state(encoder, fitted):
    state = with_tables(fitted).state()
    again = encoder.vectors_from_state(state)
    expected = again.vectors(VALUES, "output")
    for array in state.values():
        array[:] = 0.5
    assert (again.vectors(VALUES, "output") == expected).all()


def test_state_before_training_round_trip(fitted):
    again = type(fitted).from_state(fitted.encoder, fitted.state())
    first, second = (each.starting_tables(6, np.random.default_rng(3)) for each in (fitted, again))
    assert all((a == b).all() for a, b in zip(first, second, strict=True))


def test_the_state_of_another_encoder_is_refused(encoder, fitted):
    state = with_tables(fitted).state()
    for name, array in state.items():
        rest = {other: state[other] for other in state if other != name}
        for broken in (array[:-1], array[None], np.float64(1), array.astype(int)):
            with pytest.raises(EncoderStateError, match="in the state of the encoder"):
                encoder.vectors_from_state(rest | {name: broken})
        with pytest.raises(EncoderStateError, match=f"lacks {name}; it holds"):
            encoder.vectors_from_state(rest)
    for other in ("colour", "both"):
        with pytest.raises(EncoderStateError, match=f"holds {other}, which it does not know"):
            encoder.vectors_from_state(state | {other: np.zeros(3)})


@pytest.mark.parametrize("encoder", [Som(5), Gmm(5), Line(5), NumeralTokens(5)], ids=str)
def test_positions_that_do_not_ascend_are_refused(encoder):
    state = with_tables(fitted_to(encoder)).state()
    (name,) = {"positions", "means", "knots", "frequent"} & set(state)
    for broken in (state[name][::-1], np.full(5, np.nan)):
        with pytest.raises(EncoderStateError, match=f"{name} .* must be finite ascending numbers"):
            encoder.vectors_from_state(state | {name: broken})


@pytest.mark.parametrize("values", [np.nan, [1, -np.inf], [[1.0, 2.0]], "many", [10**400], [None]])
def test_anything_but_finite_numbers_is_refused(fitted, values):
    with pytest.raises(NumeralsError, match="number"):
        fitted.weights(values)
    with pytest.raises(NumeralsError, match="number"):
        with_tables(fitted).vectors(values)


def test_numbers_may_come_in_any_form(fitted):
    numerals = with_tables(fitted)
    expected = numerals.vectors(np.array([7.0, -2.0]))
    for values in ([7, -2], (7, -2), np.array([7, -2], np.int8), np.array([7, 0, -2.0])[::2]):
        assert (numerals.vectors(values) == expected).all()
    assert numerals.vectors(7) == pytest.approx(expected[:1])
    assert numerals.vectors([]).shape == (0, 6)


def test_numerals_may_come_in_any_order_and_more_than_once(encoder, fitted):
    order = np.random.default_rng(12).permutation(len(VALUES))
    values = np.concatenate([VALUES[order], VALUES])
    counts = np.concatenate([0.25 * COUNTS[order], 0.75 * COUNTS])
    expected = fitted.state()
    for name, array in fitted_to(encoder, values, counts).state().items():
        assert array == pytest.approx(expected[name], rel=1e-12)


@pytest.mark.parametrize(
    ("values", "counts", "message"),
    [
        ([1, np.nan], [1, 1], "nan at index 1"),
        ([1, np.inf], [1, 1], "inf at index 1"),
        ([1, 2], [1, 0], "0.0 is no count"),
        ([1, 2], [-1, 1], "-1.0 is no count"),
        ([1, 2], [1, np.nan], "nan at index 1"),
        ([1, 2], [1, 1e300], r"1e\+300 is no count"),
        ([1, 2, 3], [1, 2], "3 values came with 2 counts"),
    ],
)
def test_values_and_counts_that_cannot_be_fitted_are_refused(values, counts, message):
    with pytest.raises(NumeralsError, match=message):
        distinct_numerals(values, counts)


def test_a_corpus_without_numerals_is_refused():
    with pytest.raises(CorpusError, match="no numerals"):
        distinct_numerals([], [])


def test_labels_are_the_numbers_that_prototypes_stand_for(fitted):
    labels = fitted.labels
    values = prototype_values(with_tables(fitted))
    if fitted.encoder.name in ("fourier", "fixed"):
        assert labels is None
        assert not len(values)
        return
    assert len(labels) == fitted.size
    numbers = labels[~np.isnan(labels)]
    assert np.isnan(labels[len(numbers) :]).all()
    assert fitted.encoder.name in ("token", "line") or len(numbers) == len(labels)
    assert (np.diff(numbers) > 0).all()
    assert values == pytest.approx(numbers)
    assert numbers[0] >= VALUES[0] - 1e-6
    assert numbers[-1] <= VALUES[-1] * (1 + 1e-9)
    heaviest = fitted.weights(numbers).dense().argmax(axis=1)
    if fitted.encoder.name != "gmm":  # a broad component may never be the likeliest
        assert heaviest.tolist() == list(range(len(numbers)))


def test_the_same_seed_gives_the_same_result(encoder):
    first, second = (fitted_to(encoder) for _ in range(2))
    for name, array in first.state().items():
        assert (array == second.state()[name]).all()


def test_another_seed_gives_other_starting_tables(fitted):
    tables = [fitted.starting_tables(6, np.random.default_rng(seed))[0] for seed in (3, 3, 4)]
    assert (tables[0] == tables[1]).all()
    assert (tables[0] != tables[2]).any() == (not fitted.is_frozen)


def test_input_tables_start_small_and_output_tables_at_zero(fitted):
    inputs, outputs = fitted.starting_tables(6, np.random.default_rng(3))
    assert inputs.dtype == outputs.dtype == np.float32
    assert inputs.shape == outputs.shape == (fitted.size, 6)
    if not fitted.is_frozen:
        assert not inputs[fitted.input_size :].any()
        assert not outputs.any()
        assert 0 < np.abs(inputs).max() <= 1 / 6
    assert fitted.is_frozen == isinstance(fitted.encoder, Fixed)


@pytest.mark.parametrize("encoder", [Som(9), Gmm(9), NumeralTokens(9), Line(9)], ids=str)
def test_more_prototypes_than_numerals_are_refused(encoder):
    with pytest.raises(PrototypesError, match=r"prototypes=9 but the corpus holds 2 distinct"):
        fitted_to(encoder, [1.0, 2.0], np.ones(2))


def test_default_number_of_prototypes_is_the_rule_of_thumb():
    for encoder in (Som(), Gmm(), Line()):
        labels = fitted_to(encoder).labels
        assert np.isfinite(labels).sum() == round(math.log(len(VALUES)) ** 2)


def test_settings_are_checked():
    for beta in (0, -1.0, np.nan, np.inf, 1e9, "2", None, True):
        with pytest.raises(ConfigError, match=r"beta=.*above 0"):
            Som(beta=beta)
    assert type(Som(beta=np.float32(2)).beta) is float
    for encoder in (Som, Gmm, Line, NumeralTokens):
        for prototypes in (0, -1, 2.0, "3", True, 2**31):
            with pytest.raises(ConfigError, match=r"prototypes=.*a whole number from 1"):
                encoder(prototypes=prototypes)
    for encoder, name, known in (
        (Som, "log", "one of dataset, similarity"),
        (Gmm, "log", "one of dataset, none"),
        (Line, "log", "one of dataset, none"),
        (Gmm, "em", "one of soft, hard"),
        (Gmm, "em_start", "one of random, som, kmeans"),
    ):
        with pytest.raises(ConfigError, match=rf"{name}='sum', but .*{known}$"):
            encoder(**{name: "sum"})
    with pytest.raises(ConfigError, match=r"min_count=.*a whole number from 1"):
        NumeralTokens(min_count=0)


def test_input_vectors_are_made_of_the_first_prototypes(fitted):
    values = np.concatenate([VALUES, EXTREMES])
    assert fitted.weights(values, "input").indices.max() < fitted.input_size
    if fitted.labels is not None and fitted.encoder.name != "token":
        assert np.isfinite(fitted.labels).sum() == fitted.input_size
