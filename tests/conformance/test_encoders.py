"""One suite for every encoder: what the rest of the package may rely on."""

import itertools
import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numberline.config import ENCODERS, EncoderConfig
from numberline.encoders import gmm_fit, lstm, mixture, som
from numberline.encoders import weights as weights_module
from numberline.encoders.base import SIDES, LinearEncoder, PrototypeEncoder
from numberline.encoders.registry import encoder_class, encoder_from_state, fit_encoder
from numberline.encoders.weights import SparseWeights
from numberline.errors import (
    ConfigError,
    CorpusError,
    EncoderStateError,
    NumeralsError,
    PrototypesError,
)

CONFIGS = [EncoderConfig(encoder=name) for name in ENCODERS] + [
    EncoderConfig(encoder="som", log="similarity", beta=1.5, prototypes=7),
    EncoderConfig(encoder="gmm", log="none", em="hard", em_start="kmeans", prototypes=7),
    EncoderConfig(encoder="gmm", em_start="random", prototypes=40),
    EncoderConfig(encoder="token", prototypes=3),
    EncoderConfig(encoder="piecewise", log="none", prototypes=2),
    EncoderConfig(encoder="multiscale", log="none", prototypes=2),
]
EXTREMES = [0, -0.0, 1, -1, 0.5, 1e308, -1e308, 1e300, 5e-324, -5e-324, 1e-9, 1e15, 123456.789]
anywhere = st.floats(allow_nan=False, allow_infinity=False)


def corpus_numerals(seed=1):
    """Years, small counts, a few measures and a few odd ones, as text has them."""
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


@pytest.fixture(params=CONFIGS, ids=lambda config: "-".join(map(str, vars(config).values())))
def config(request):
    if request.param.encoder == "lstm":
        pytest.importorskip("torch")
    return request.param


@pytest.fixture
def encoder(config):
    return fitted(config).start(6, np.random.default_rng(3), np.float64)


def fitted(config, values=VALUES, counts=COUNTS):
    return fit_encoder(config, values, counts, np.random.default_rng(2))


def moved(encoder, seed=4):
    """The encoder after some training, so that no side is zero."""
    random = np.random.default_rng(seed)
    for side in SIDES:
        rows = encoder.compose(VALUES, side)
        encoder.absorb(VALUES, random.normal(0, 0.1, rows.shape).astype(rows.dtype), side)
    return encoder


def test_every_encoder_is_tried():
    assert {config.encoder for config in CONFIGS} == set(ENCODERS)
    for name in ENCODERS:
        assert encoder_class(name).name == name


def of_prototypes(encoder, table):
    """Weights without those of other parts, which are added to the average."""
    return table[:, : table.shape[1] - len(getattr(encoder, "other_parts", ()))]


def test_weights_of_an_average_are_shares(config):
    encoder = fitted(config)
    if not (isinstance(encoder, LinearEncoder) and encoder.is_average):
        pytest.skip("no average")
    for weights in encoder.prepare_sides(np.concatenate([VALUES, EXTREMES])).values():
        table = weights.dense()
        assert table.shape == (len(VALUES) + len(EXTREMES), encoder.basis_size)
        assert (table >= 0).all()
        assert of_prototypes(encoder, table).sum(axis=1) == pytest.approx(1, abs=1e-6)


@given(st.lists(anywhere, min_size=1, max_size=20), st.sampled_from(CONFIGS))
@settings(max_examples=200, deadline=None)
def test_every_number_has_a_vector(values, config):
    if config.encoder == "lstm":
        pytest.importorskip("torch")
    encoder = cached_encoder(config)
    rows = encoder.compose(values)
    assert rows.shape == (len(values), 6)
    assert np.isfinite(rows).all()
    if isinstance(encoder, LinearEncoder) and encoder.is_average:
        for weights in encoder.prepare_sides(values).values():
            table = weights.dense()
            assert (table >= 0).all()
            assert of_prototypes(encoder, table).sum(axis=1) == pytest.approx(1, abs=1e-6)


_cache = {}


def cached_encoder(config):
    if config not in _cache:
        _cache[config] = moved(fitted(config).start(6, np.random.default_rng(3)))
    return _cache[config]


@pytest.mark.parametrize("side", SIDES)
def test_in_double_it_gives_the_same_vectors(config, side):
    encoder = moved(fitted(config).start(6, np.random.default_rng(3)))
    before = encoder.compose(VALUES, side)
    rows = encoder.in_double().compose(VALUES, side)
    assert before.dtype == np.float32
    assert rows.dtype == np.float64
    assert rows == pytest.approx(before, rel=1e-4, abs=1e-5)
    assert encoder.compose(VALUES, side).tobytes() == before.tobytes()


@pytest.mark.parametrize("side", SIDES)
def test_compose_is_weights_times_basis(encoder, side):
    moved(encoder)
    if not isinstance(encoder, LinearEncoder):
        pytest.skip("not linear")
    values = np.concatenate([VALUES, EXTREMES])
    weights = encoder.weights(values) if side == "input" else encoder.output_weights(values)
    plain = weights.dense().astype(np.float64) @ encoder.bases[side]
    assert encoder.compose(values, side) == pytest.approx(plain, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_what_comes_back_is_added(encoder, dtype, order):
    if not isinstance(encoder, LinearEncoder):
        pytest.skip("not linear")
    random = np.random.default_rng(8)
    weights = encoder.weights(VALUES)
    changes = random.normal(size=(len(VALUES), 7)).astype(dtype)
    before = np.array(random.normal(size=(encoder.basis_size, 7)), dtype, order=order)
    total = before.copy(order="K")
    weights.add_adjoint(changes, total)
    expected = before + weights.dense().T.astype(np.float64) @ changes
    assert total == pytest.approx(expected, rel=1e-3, abs=1e-3)
    assert total.flags[f"{order}_CONTIGUOUS"]


@pytest.mark.parametrize("side", SIDES)
def test_squares_are_those_of_the_dense_table(encoder, side):
    if not isinstance(encoder, LinearEncoder):
        pytest.skip("not linear")
    weights = encoder.prepare(np.concatenate([VALUES, EXTREMES]), side)
    expected = (weights.dense().astype(np.float64) ** 2).sum(axis=1)
    assert weights.squares() == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("side", SIDES)
def test_absorb_is_the_adjoint_of_compose(config, encoder, side):
    """For any step s of the parameters: <changes, J s> = <Jᵀ changes, s>, J by differences."""
    if config.encoder == "fixed":
        pytest.skip("not trained")
    moved(encoder)
    random = np.random.default_rng(5)
    values = random.choice(VALUES, 20)
    changes = random.normal(size=(20, 6))
    before = encoder.state()
    encoder.absorb(values, changes, side)
    absorbed = {name: array - before[name] for name, array in encoder.state().items()}
    trained = [name for name in before if name.startswith(side)]
    assert all(not absorbed[name].any() for name in before if name not in trained)
    steps = {name: random.normal(size=before[name].shape) for name in trained}
    size = 1e-6
    rows = [
        encoder_from_state(
            config, before | {name: before[name] + sign * size * steps[name] for name in trained}
        ).compose(values, side)
        for sign in (1, -1)
    ]
    along_step = (rows[0] - rows[1]) / (2 * size)
    expected = sum(float(np.vdot(absorbed[name], steps[name])) for name in trained)
    assert np.vdot(changes, along_step) == pytest.approx(expected, rel=1e-6)
    assert abs(expected) > 1e-3


def test_a_numeral_met_twice_counts_twice(encoder):
    moved(encoder)
    state = encoder.state()
    changes = np.random.default_rng(6).normal(size=(1, 6))
    once, twice = (encoder_from_state(encoder.config, state) for _ in range(2))
    once.absorb([7.0], 2 * changes)
    twice.absorb([7.0, 7.0], np.concatenate([changes, changes]))
    for name, array in once.state().items():
        assert array == pytest.approx(twice.state()[name])


@pytest.mark.parametrize("side", SIDES)
def test_prepared_values_save_work_and_change_nothing(encoder, side):
    moved(encoder)
    rows = np.array([5, 3, 5, 0])
    taken = encoder.prepare_sides(VALUES)[side][rows]
    assert len(taken) == 4
    plain = encoder.compose(VALUES[rows], side)
    assert encoder.compose(taken, side) == pytest.approx(plain, rel=1e-12)
    changes = np.random.default_rng(7).normal(size=(4, 6))
    other = encoder_from_state(encoder.config, encoder.state())
    encoder.absorb(taken, changes, side)
    other.absorb(VALUES[rows], changes, side)
    for name, array in encoder.state().items():
        assert array == pytest.approx(other.state()[name])


def test_sides_are_prepared_apart_only_where_they_differ(encoder):
    inputs, outputs = encoder.prepare_sides(VALUES).values()
    assert (inputs is outputs) == (not encoder.has_own_outputs)
    if encoder.has_own_outputs:
        assert (inputs.dense() != outputs.dense()).any()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_precision_is_that_of_the_parameters(config, dtype):
    encoder = fitted(config).start(6, np.random.default_rng(3), dtype)
    changes = np.random.default_rng(14).normal(size=(6, len(VALUES))).astype(dtype).T
    assert encoder.compose(VALUES).dtype == dtype
    encoder.absorb(VALUES, changes)
    again = fitted(config).start(6, np.random.default_rng(3), dtype)
    again.absorb(VALUES, np.ascontiguousarray(changes))
    assert all(array.dtype == dtype for name, array in encoder.state().items() if "put_" in name)
    assert (encoder.compose(VALUES) == again.compose(VALUES)).all()
    if isinstance(encoder, LinearEncoder):
        assert encoder.weights(VALUES).adjoint(changes).dtype == dtype


@pytest.mark.parametrize(
    ("name", "module"), [("som", som), ("lstm", lstm), ("gmm", gmm_fit)], ids=["som", "lstm", "gmm"]
)
def test_batches_change_nothing(name, module, monkeypatch):
    if name == "lstm":
        pytest.importorskip("torch")
    monkeypatch.setattr(gmm_fit, "native", lambda: None)
    changes = np.random.default_rng(13).normal(size=(len(VALUES), 6))
    found = []
    for size in (module.BATCH, 7):
        monkeypatch.setattr(module, "BATCH", size)
        encoder = fitted(EncoderConfig(encoder=name))
        encoder.start(6, np.random.default_rng(3), np.float64).absorb(VALUES, changes)
        found.append(encoder.compose(VALUES))
    assert found[0] == pytest.approx(found[1], rel=1e-6, abs=1e-9)


def test_state_round_trip(encoder, config):
    moved(encoder)
    state = encoder.state()
    assert all(isinstance(array, np.ndarray) and array.dtype != object for array in state.values())
    again = encoder_from_state(config, state)
    for side, value in itertools.product(SIDES, [*EXTREMES, 7, 1987]):
        assert (encoder.compose([value], side) == again.compose([value], side)).all()


def test_state_is_a_snapshot(encoder, config):
    """Neither the encoder that gave it nor one made of it trains in its arrays."""
    moved(encoder)
    state = encoder.state()
    again = encoder_from_state(config, state)
    expected = again.compose(VALUES, "output")
    moved(encoder, seed=10)
    assert (encoder_from_state(config, state).compose(VALUES, "output") == expected).all()
    moved(again, seed=11)
    assert (encoder_from_state(config, state).compose(VALUES, "output") == expected).all()


def test_state_before_training_round_trip(config):
    encoder = fitted(config)
    rows = [
        each.start(6, np.random.default_rng(3)).compose(EXTREMES)
        for each in (encoder, encoder_from_state(config, encoder.state()))
    ]
    assert (rows[0] == rows[1]).all()


def test_a_state_that_is_not_the_encoders_is_refused(encoder, config):
    state = encoder.state()
    for name, array in state.items():
        rest = {other: state[other] for other in state if other != name}
        for broken in (array[:-1], array[None], np.float64(1), array.astype(int)):
            with pytest.raises(EncoderStateError, match="in the state of the encoder has shape"):
                encoder_from_state(config, rest | {name: broken})
        with pytest.raises(EncoderStateError, match=f"lacks {name}; it holds"):
            encoder_from_state(config, rest)
    for other in ("colour", "both_basis"):
        with pytest.raises(EncoderStateError, match=f"holds {other}, which it does not know"):
            encoder_from_state(config, state | {other: np.zeros(3)})


def test_training_from_several_threads(encoder):
    """Updates may race, as in Hogwild, but none is refused and nothing breaks."""
    prepared = encoder.prepare(VALUES)
    changes = np.full((len(VALUES), 6), 1e-6)

    def train(side):
        for _ in range(20):
            encoder.absorb(prepared, changes, side)
            encoder.compose(prepared, side)

    with ThreadPoolExecutor(4) as threads:
        for done in [threads.submit(train, side) for side in SIDES * 2]:
            done.result()
    assert np.isfinite(encoder.compose(VALUES)).all()


@pytest.mark.parametrize("values", [np.nan, [1, -np.inf], [[1.0, 2.0]], "many", [10**400], [None]])
def test_what_is_no_number_is_refused(encoder, values):
    with pytest.raises(NumeralsError, match="number"):
        encoder.compose(values)
    with pytest.raises(NumeralsError, match="number"):
        encoder.prepare(values)


def test_numbers_may_come_in_any_form(encoder):
    expected = encoder.compose(np.array([7.0, -2.0]))
    for values in ([7, -2], (7, -2), np.array([7, -2], np.int8), np.array([7, 0, -2.0])[::2]):
        assert (encoder.compose(values) == expected).all()
    assert encoder.compose(7) == pytest.approx(expected[:1])
    assert encoder.compose([]).shape == (0, 6)
    encoder.absorb([], np.zeros((0, 6)))


def test_numerals_may_come_in_any_order_and_more_than_once(config):
    order = np.random.default_rng(12).permutation(len(VALUES))
    values = np.concatenate([VALUES[order], VALUES])
    counts = np.concatenate([0.25 * COUNTS[order], 0.75 * COUNTS])
    expected = fitted(config).state()
    for name, array in fitted(config, values, counts).state().items():
        assert array == pytest.approx(expected[name], rel=1e-12)


def test_what_cannot_be_fitted_is_refused(config):
    for values, counts, message in (
        ([1, np.nan], [1, 1], "nan at place 1"),
        ([1, np.inf], [1, 1], "inf at place 1"),
        ([1, 2], [1, 0], "0.0 is no count"),
        ([1, 2], [-1, 1], "-1.0 is no count"),
        ([1, 2], [1, np.nan], "nan at place 1"),
        ([1, 2], [1, 1e300], r"1e\+300 is no count"),
        ([1, 2, 3], [1, 2], "3 values came with 2 counts"),
    ):
        with pytest.raises(NumeralsError, match=message):
            fitted(replace(config, prototypes=None), values, counts)


@pytest.mark.parametrize("distinct", [[7.0], [0.0], [1e300], [-1e308, 1e308], [5e-324]])
def test_few_and_odd_numerals(config, distinct):
    encoder = fitted(
        replace(config, prototypes=None), np.array(distinct), np.full(len(distinct), 9.0)
    )
    if isinstance(encoder, LinearEncoder) and encoder.is_average:
        for weights in encoder.prepare_sides([*distinct, *EXTREMES]).values():
            shares = of_prototypes(encoder, weights.dense())
            assert shares.sum(axis=1) == pytest.approx(1, abs=1e-6)
    rows = encoder.start(5, np.random.default_rng(1)).compose([*distinct, *EXTREMES])
    assert rows.shape == (len(distinct) + len(EXTREMES), 5)
    assert np.isfinite(rows).all()


def test_prototypes_lie_among_the_numerals(config):
    encoder = fitted(config)
    if not isinstance(encoder, PrototypeEncoder):
        pytest.skip("no prototypes")
    found = encoder.prototype_values
    assert len(found) + len(encoder.other_parts) == encoder.basis_size
    assert (np.diff(found) >= 0).all()
    assert len(np.unique(found)) == len(found) or config.encoder == "multiscale"
    assert found[0] >= VALUES[0] - 1e-6
    assert 100 < found[-1] <= VALUES[-1] * (1 + 1e-9)


def test_one_seed_one_result(config):
    first, second = (fitted(config).start(6, np.random.default_rng(3)).state() for _ in range(2))
    assert first.keys() == second.keys()
    assert all((first[name] == second[name]).all() for name in first)


def test_another_seed_another_start(encoder, config):
    other = fitted(config).start(6, np.random.default_rng(4), np.float64)
    differs = (encoder.compose(VALUES) != other.compose(VALUES)).any()
    assert differs == (config.encoder != "fixed")


def test_sides_begin_as_words_do(encoder):
    if not isinstance(encoder, LinearEncoder) or encoder.name == "fixed":
        pytest.skip("starts in its own way")
    assert not encoder.bases["output"].any()
    assert 0 < np.abs(encoder.bases["input"]).max() <= 1 / 6
    assert encoder.start(6, np.random.default_rng(3)).compose([5.0]).dtype == np.float32


@pytest.mark.parametrize("name", ["gmm", "token", "piecewise", "multiscale"])
def test_sparse_kernels_equal_their_definition(name):
    random = np.random.default_rng(8)
    weights = fitted(EncoderConfig(encoder=name)).weights(random.choice(VALUES, 50))
    assert isinstance(weights, SparseWeights)
    for rows in ([], [3], [49, 0, 7, 7]):
        chosen = weights[np.array(rows, np.int32)]
        assert (chosen.dense() == weights.defined_rows(np.array(rows, np.int32)).dense()).all()
        assert (chosen.dense() == weights.dense()[rows]).all()
    for dim in (1, 7, 64):
        basis = random.normal(size=(weights.basis_size, dim)).astype(np.float32)
        changes = random.normal(size=(50, dim)).astype(np.float32)
        assert weights @ basis == pytest.approx(weights.defined_product(basis), rel=1e-4, abs=1e-5)
        assert weights.adjoint(changes) == pytest.approx(
            weights.defined_adjoint(changes), rel=1e-4, abs=1e-5
        )
    assert (weights[np.array([], int)] @ basis).shape == (0, 64)


@pytest.mark.parametrize("name", ["gmm", "piecewise"])
def test_the_same_without_kernels(name, monkeypatch):
    config = EncoderConfig(encoder=name)
    changes = np.random.default_rng(9).normal(size=(len(VALUES), 6)).astype(np.float32)
    found = []
    for is_built in (True, False):
        if not is_built:
            for module in (weights_module, mixture, gmm_fit):
                monkeypatch.setattr(module, "native", lambda: None)
        encoder = fitted(config).start(6, np.random.default_rng(3))
        encoder.absorb(VALUES, changes)
        found.append(encoder.compose(EXTREMES))
    assert found[0] == pytest.approx(found[1], abs=1e-4)


def test_more_prototypes_than_numerals_are_refused():
    for name in ("som", "gmm", "token", "piecewise", "multiscale"):
        with pytest.raises(PrototypesError, match=r"prototypes=9 but the corpus holds 2 distinct"):
            fitted(EncoderConfig(encoder=name, prototypes=9), np.array([1.0, 2.0]), np.ones(2))


def test_settings_that_an_encoder_has_no_use_for_are_refused():
    for settings_ in ({"encoder": "gmm", "beta": 2.0}, {"encoder": "fixed", "prototypes": 5}):
        with pytest.raises(ConfigError, match="left out"):
            fitted(EncoderConfig(**settings_))
    for encoder, log in (("som", "none"), ("gmm", "similarity"), ("fixed", "none")):
        with pytest.raises(ConfigError, match=r"log='"):
            fitted(EncoderConfig(encoder=encoder, log=log))
    for beta in (0, -1.0, np.nan, np.inf, 1e9, "2", None, True):
        with pytest.raises(ConfigError, match=r"beta=.*above 0"):
            EncoderConfig(encoder="som", beta=beta)
    assert type(EncoderConfig(encoder="som", beta=np.float32(2)).beta) is float
    for prototypes in (0, -1, 2.0, "3", True, 2**31):
        with pytest.raises(ConfigError, match=r"prototypes=.*a whole number from 1"):
            EncoderConfig(prototypes=prototypes)
    for name, known in (
        ("encoder", "one of som, gmm"),
        ("log", "one of dataset, similarity, none"),
        ("em", "one of soft, hard"),
        ("em_start", "one of random, som, kmeans"),
    ):
        with pytest.raises(ConfigError, match=known):
            EncoderConfig(**{name: "sum"})
    with pytest.raises(CorpusError, match="no numerals"):
        fitted(EncoderConfig(), np.empty(0), np.empty(0))


def test_default_number_of_prototypes_is_the_rule_of_thumb():
    size = fitted(EncoderConfig(encoder="som")).basis_size
    assert size == round(math.log(len(VALUES)) ** 2)
