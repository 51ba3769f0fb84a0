"""Several scales of knots at once: what each adds, and what is left of them in small corpora."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberline.config import EncoderConfig
from numberline.encoders.base import SIDES
from numberline.encoders.explained import explain
from numberline.encoders.multiscale import LARGEST_SHARE_OF_DECIMALS, SCALES
from numberline.encoders.registry import encoder_from_state, fit_encoder
from numberline.encoders.squash import squash, unsquash
from numberline.errors import EncoderStateError

COARSE, MIDDLE, FINE = range(3)


def fit(values, counts=None, **settings):
    counts = np.ones(len(values)) if counts is None else counts
    config = EncoderConfig(encoder="multiscale", **settings)
    return fit_encoder(config, np.array(values, float), counts, np.random.default_rng(1))


def knots_of(encoder, scale):
    return encoder.knots[encoder.scales == scale]


HUNDREDS = fit(np.arange(900), prototypes=30)


SHARES = {
    "input": np.array([scale.input_share for scale in SCALES]),
    "output": np.array([scale.output_share for scale in SCALES]),
}


def test_shares_are_those_of_an_average():
    for shares in SHARES.values():
        assert shares.sum() == pytest.approx(1)
        assert shares.min() >= 0


def test_scales_go_from_coarse_to_fine_and_input_vectors_are_the_coarser():
    sizes = [scale.knots for scale in SCALES]
    assert sizes == sorted(sizes)
    inputs, outputs = (np.cumsum(SHARES[side]) for side in SIDES)
    assert (inputs >= outputs).all()
    assert SHARES["input"][FINE] == 0


@pytest.mark.parametrize(
    ("distinct", "settings", "sizes"),
    [
        (900, {"prototypes": 40}, [16, 31, 400]),
        (900, {}, [18, 36, 460]),  # (ln 900)² = 46.3
        (40, {}, [6, 11, 40]),  # no more knots than there are numerals
        (5, {}, [1, 2, 5]),
        (2, {}, [1, 2, 2]),  # as one tells nothing apart
        (1, {}, [1, 1, 1]),
        (5, {"prototypes": 5}, [2, 4, 5]),
        (5, {"prototypes": 1}, [1, 2, 5]),
    ],
)
def test_each_scale_has_its_number_of_distinct_knots(distinct, settings, sizes):
    encoder = fit(np.arange(distinct), **settings)
    assert [len(knots_of(encoder, scale)) for scale in range(3)] == sizes
    for scale in range(3):
        assert (np.diff(knots_of(encoder, scale)) > 0).all()
    assert (np.diff(encoder.knots) >= 0).all()
    assert encoder.basis_size == sum(sizes) + 1  # that of decimals
    for side, weights in encoder.prepare_sides(np.arange(-3, distinct + 3)).items():
        table = weights.dense()
        for scale, share in enumerate(SHARES[side]):
            of_scale = table[:, :-1][:, encoder.scales == scale]
            assert of_scale.sum(axis=1) == pytest.approx(share, abs=1e-6)


@given(st.integers(1, 60), st.integers(1, 60))
def test_coarse_knots_are_some_of_the_middle_ones(distinct, prototypes):
    """So that vectors bend in no more places than the middle scale has."""
    encoder = fit(np.arange(distinct), prototypes=min(prototypes, distinct))
    coarse, middle = knots_of(encoder, COARSE), knots_of(encoder, MIDDLE)
    assert set(coarse) <= set(middle)
    if len(coarse) > 1:
        assert [coarse[0], coarse[-1]] == [middle[0], middle[-1]]


def test_what_texts_count_has_knots_of_its_own_on_both_scales():
    """A fifth of the middle knots: there are 47, and 0 to 9 are one in a thousand numerals."""
    values = np.arange(900.0)
    encoder = fit(values, np.where(values < 10, 10.0, 100.0), prototypes=60)
    assert len(knots_of(encoder, MIDDLE)) == 47
    for scale in (COARSE, MIDDLE):
        assert set(squash(np.arange(10.0))) <= set(knots_of(encoder, scale))


def test_what_a_text_does_not_count_has_none():
    encoder = fit(np.arange(150.0, 200), prototypes=40)
    assert unsquash(encoder.knots.min()) == pytest.approx(150)


def test_knots_of_all_scales_are_frequent_numerals():
    """Thousands of the ten middle ones, hundreds of the 130 fine ones."""
    values = np.arange(1000.0, 10000)
    encoder = fit(
        values, np.where(values % 1000, 1.0, 900.0) + 20 * (values % 100 == 0), prototypes=13
    )
    inner = {scale: unsquash(knots_of(encoder, scale))[1:-1] for scale in range(3)}
    assert (np.rint(inner[MIDDLE]) % 1000 == 0).all()
    assert {*range(1100, 9901, 100)} <= set(np.rint(inner[FINE]).tolist())


def test_what_is_rare_and_large_is_told_apart():
    """One numeral in 300 is above 2,000, and one alone beyond all others."""
    rare = [factor * 10**power for power in range(4, 10) for factor in (1, 2, 5)]
    values = np.array([*range(2000), *rare, 2e80])
    counts = np.array([30.0] * 2000 + [10.0] * len(rare) + [1.0])
    encoder = fit(values, counts, prototypes=200)
    large = unsquash(knots_of(encoder, MIDDLE))[-3:]
    assert 2000 < large[0] < large[-1] < 1e10
    rows = encoder.weights([1e4, 1e6, 1e8]).dense()
    lengths = np.linalg.norm(rows, axis=1)
    alike = rows @ rows.T / np.outer(lengths, lengths)
    assert alike[np.triu_indices(3, k=1)].max() < 0.9


def test_numerals_that_meet_on_the_squashed_line_have_one_knot_per_scale():
    encoder = fit([1, 1e308, np.nextafter(1e308, np.inf)], prototypes=3)
    for scale, size in ((COARSE, 1), (MIDDLE, 2), (FINE, 2)):
        assert len(knots_of(encoder, scale)) == size


@given(st.integers(-1000, 10**7), st.sampled_from(["dataset", "none"]), st.sampled_from(SIDES))
def test_a_vector_is_the_weighted_sum_of_interpolations(tenths, log, side):
    """NumPy interpolates each dimension of each scale on its own, and what decimals add."""
    encoder = cached(log)
    value = tenths / 10
    place = squash(value) if log == "dataset" else value
    *rows, of_decimals = encoder.bases[side]
    by_scales = sum(
        share * np.array([np.interp(place, knots_of(encoder, scale), column) for column in columns])
        for scale, share in enumerate(SHARES[side])
        for columns in [np.array(rows)[encoder.scales == scale].T]
    )
    is_fine = encoder.scales == FINE
    there = np.interp(place, encoder.knots[is_fine], encoder.shares_of_decimals[is_fine])
    share = there if tenths % 10 else 0
    expected = by_scales + share * of_decimals
    assert encoder.compose([value], side)[0] == pytest.approx(expected, rel=1e-4, abs=1e-6)


def share_of_decimals(encoder, value):
    return encoder.weights([value]).dense()[0, -1]


def test_decimals_have_a_large_share_where_they_are_usual_and_none_where_there_are_none():
    """Up to 100 every other numeral has one digit after the point, beyond that none has."""
    values = np.concatenate([np.arange(1, 100, 0.5), np.arange(100, 400)])
    encoder = fit(values, prototypes=40)
    assert share_of_decimals(encoder, 20.5) == pytest.approx(LARGEST_SHARE_OF_DECIMALS)
    assert share_of_decimals(encoder, 20.123) == pytest.approx(LARGEST_SHARE_OF_DECIMALS)
    assert share_of_decimals(encoder, 300.5) == 0
    assert 0 < share_of_decimals(encoder, 104.5) < LARGEST_SHARE_OF_DECIMALS
    between = encoder.weights([300, 301]).dense().mean(axis=0)
    assert encoder.weights([300.5]).dense()[0] == pytest.approx(between, abs=1e-3)


@pytest.mark.parametrize(("around", "share"), [(0, 0), (1, 0), (2, 5 / 11), (3, 1), (11, 1)])
def test_decimals_have_all_if_half_as_usual_as_in_the_text_and_nothing_below_a_quarter(
    around, share
):
    """Every numeral is a fine knot here, and asks the five on either side.

    Half of the text has decimals, and so many of the eleven around the 94th: two are 4/11 of what
    is usual, and so between a quarter and a half.
    """
    values, places = np.arange(100.0), np.arange(100)
    values[(places < 50 - around) | (places >= 89) & (places < 89 + around)] += 0.5
    encoder = fit(values, prototypes=10)
    assert knots_of(encoder, FINE) == pytest.approx(squash(values))
    shares = encoder.shares_of_decimals[encoder.scales == FINE]
    assert shares[94] == pytest.approx(LARGEST_SHARE_OF_DECIMALS * share)
    assert shares[20] == pytest.approx(LARGEST_SHARE_OF_DECIMALS)
    assert shares[70] == 0


def test_what_is_usual_is_counted_by_occurrences():
    """Either is one numeral of eleven around it; 10.5 is one of 101 occurrences, 30.5 40 of 50."""
    values = np.array(sorted([*range(40), 10.5, 30.5]))
    counts = np.ones(42)
    counts[values == 30.5] = 40
    counts[(values >= 5) & (values <= 15) & (values != 10.5)] = 10
    encoder = fit(values, counts)
    assert share_of_decimals(encoder, 10.5) == 0
    assert share_of_decimals(encoder, 30.5) == pytest.approx(LARGEST_SHARE_OF_DECIMALS)


@pytest.mark.parametrize(("whole", "expected"), [(0, 0.0), (25, 1 / 3), (75, 1.0), (90, 1.0)])
def test_where_whole_numbers_are_the_exception_they_are_not_told_apart(whole, expected):
    """Nobody knows how they would be used."""
    values = np.array([0.5, 1]) if whole else np.array([0.5])
    counts = np.array([75.0, whole]) if whole < 90 else np.array([1.0, whole])
    encoder = fit(values, counts[: len(values)])
    share = LARGEST_SHARE_OF_DECIMALS * expected
    assert share_of_decimals(encoder, 0.5) == pytest.approx(share, abs=1e-6)


def test_few_knots_ask_as_many_on_either_side():
    first, last = (fit(np.arange(10) + 0.5 * (np.arange(10) == at)) for at in (0, 9))
    shares = [encoder.shares_of_decimals[encoder.scales == FINE] for encoder in (first, last)]
    assert shares[0].tolist() == shares[1][::-1].tolist()


def test_whole_prototypes_stay_whole_on_their_way_over_the_line():
    encoder = fit([*range(1900, 2000), 1950.5], prototypes=50)
    assert not encoder.weights(unsquash(squash(np.arange(1900.0, 2000)))).dense()[:, -1].any()


def test_an_encoder_that_is_fitted_again_has_forgotten_the_first_text():
    again, rng = fit(np.arange(900)), np.random.default_rng(1)
    again.weights([7])
    values, counts = np.array([1, 2.5, 4]), np.ones(3)
    again.fit(values, counts, rng)
    fresh = fit(values, counts)
    assert again.weights(values).dense().tolist() == fresh.weights(values).dense().tolist()


@pytest.mark.parametrize("side", SIDES)
def test_whole_numbers_have_nothing_of_decimals(side):
    encoder = fit([*range(900), 0.5, 0.25], prototypes=30)
    assert not encoder.prepare(np.arange(900.0), side).dense()[:, -1].any()
    assert encoder.prepare([0.5], side).dense()[0, -1] > 0


@pytest.mark.parametrize(
    ("values", "settings"), [([1, 2, 3.5], {"decimals": "none"}), (range(9), {})]
)
def test_without_decimals_vectors_are_the_line_alone(values, settings):
    encoder = fit(list(values), **settings)
    assert not encoder.shares_of_decimals.any()
    assert not encoder.weights([3.5, 1.5]).dense()[:, -1].any()


def test_knots_of_output_vectors_alone_have_no_input_vector():
    encoder = cached("dataset")
    is_unused = encoder.shares_of_inputs == 0
    assert is_unused.tolist() == (encoder.scales == FINE).tolist()
    assert not encoder.bases["input"][:-1][is_unused].any()
    assert encoder.bases["input"][:-1][~is_unused].any(axis=1).all()
    assert encoder.bases["input"][-1].any()


_fitted = {}


def cached(log):
    if log not in _fitted:
        encoder = fit([*np.arange(900) ** 2, 0.5, 7.5, 300.5], prototypes=30, log=log)
        rng = np.random.default_rng(3)
        encoder.start(4, rng, np.float64)
        encoder.bases["output"][:] = rng.normal(size=encoder.bases["output"].shape)
        _fitted[log] = encoder
    return _fitted[log]


@given(st.floats(-1e9, 1e9), st.sampled_from(SIDES))
def test_it_interpolates_on_the_squashed_line(value, side):
    weights = HUNDREDS.prepare([value], side)
    scales = np.count_nonzero(SHARES[side])
    assert scales <= len(weights.shares) <= 2 * scales  # one on a knot
    place = np.clip(squash(value), HUNDREDS.knots[0], HUNDREDS.knots[-1])
    assert weights.dense()[0, :-1] @ HUNDREDS.knots == pytest.approx(place, rel=1e-5, abs=1e-5)


def test_what_is_learnt_of_a_numeral_fades_with_distance_in_steps():
    """All scales carry it to the nearest, those of input vectors further, none far away."""
    encoder = fit(np.arange(900), prototypes=30, log="none")
    fine, coarse = (np.median(np.diff(knots_of(encoder, scale))) for scale in (FINE, COARSE))
    distances = np.abs(knots_of(encoder, FINE) - knots_of(encoder, COARSE)[9])
    at = knots_of(encoder, FINE)[distances.argmin()]
    values = [at, at + 0.5 * fine, at + 2.5 * fine, at + 2.5 * coarse]
    table = encoder.output_weights(values).dense()
    moved = table @ table[0]
    assert (np.diff(moved) < 0).all()
    assert moved[-1] == 0
    reach = [np.flatnonzero(table[row] * table[0]) for row in range(4)]
    assert [set(encoder.scales[columns]) for columns in reach] == [
        {COARSE, MIDDLE, FINE},
        {COARSE, MIDDLE, FINE},
        {COARSE, MIDDLE},
        set(),
    ]


def test_equal_knots_of_several_scales_are_one_prototype_to_those_who_look():
    config = EncoderConfig(encoder="multiscale", log="none", prototypes=4)
    values, counts = np.array([0.0, 5, 10, 20, 30]), np.array([2.0, 6, 12, 6, 4])
    found = explain(config, values, counts, np.random.default_rng(1))
    coarse = np.array([17, 0, 13]) / 30  # its two knots are 0 and 30
    middle = np.array([5, 18, 7]) / 30  # of the six of 5 and of 20, half go to each side
    assert found.values.tolist() == [0, 10, 30]  # others are fine knots, of output vectors alone
    assert found.shares == pytest.approx(SHARES["input"][:FINE] @ [coarse, middle])
    assert found.shares.sum() == pytest.approx(1)


SCALES_OF_FOUR = [0, 0, 1, 1]
SHARES_OF_FOUR = [0.7, 0.7, 0.3, 0.3]


def from_arrays(scales, shares, other_shares=SHARES_OF_FOUR, side="input", decimals=0.0):
    other = "output" if side == "input" else "input"
    state = {"knots": np.arange(4.0), "scales": np.array(scales, float)}
    state["shares_of_decimals"] = np.full(4, decimals)
    state[f"shares_of_{side}s"] = np.array(shares, float)
    state[f"shares_of_{other}s"] = np.array(other_shares, float)
    return encoder_from_state(EncoderConfig(encoder="multiscale"), state)


@pytest.mark.parametrize("broken", [[0, 0, 2, 2], [1, 1, 2, 2], [0, 1, 1.5, 2], [np.nan, 0, 1, 2]])
def test_scales_with_a_gap_are_refused(broken):
    with pytest.raises(EncoderStateError, match="without a gap"):
        from_arrays(broken, SHARES_OF_FOUR)


@pytest.mark.parametrize(
    "broken", [[0.7, 0.6, 0.3, 0.3], [0.7, 0.7, 0.2, 0.2], [1.2, 1.2, -0.2, -0.2], [np.nan] * 4]
)
@pytest.mark.parametrize("side", SIDES)
def test_shares_that_are_no_average_are_refused(broken, side):
    with pytest.raises(EncoderStateError, match=f"shares_of_{side}s .* one of each scale"):
        from_arrays(SCALES_OF_FOUR, broken, side=side)


def test_a_state_says_its_own_shares():
    """Other scales than ours, as a later version may have."""
    encoder = from_arrays(SCALES_OF_FOUR, SHARES_OF_FOUR, [0, 0, 1, 1])
    assert encoder.weights([0.0]).dense()[0] == pytest.approx([0.7, 0, 0.3, 0, 0])
    assert encoder.output_weights([0.0]).dense().tolist() == [[0, 0, 1, 0, 0]]


@pytest.mark.parametrize("broken", [-0.1, 1.1, np.nan])
def test_shares_of_decimals_beyond_0_and_1_are_refused(broken):
    with pytest.raises(EncoderStateError, match=r"shares_of_decimals .* from 0 to 1"):
        from_arrays(SCALES_OF_FOUR, SHARES_OF_FOUR, decimals=broken)


def test_a_state_says_its_own_share_of_decimals():
    encoder = from_arrays(SCALES_OF_FOUR, [1, 1, 0, 0], [0, 0, 1, 1], decimals=0.25)
    assert encoder.weights([0.5]).dense()[0] == pytest.approx([0.5, 0.5, 0, 0, 0.25])
    assert encoder.output_weights([9.5]).dense()[0] == pytest.approx([0, 0, 0, 1, 0.25])
    assert encoder.output_weights([9.0]).dense()[0] == pytest.approx([0, 0, 0, 1, 0])


def test_shares_of_prototypes_are_of_what_lies_on_the_line():
    config = EncoderConfig(encoder="multiscale", log="none", prototypes=2)
    values, counts = np.array([0.0, 10, 10.5]), np.array([2.0, 1, 1])
    found = explain(config, values, counts, np.random.default_rng(1))
    assert found.shares.sum() == pytest.approx(1)
    assert found.values.tolist() == [0, 10.5]  # of the middle scale; the coarse one has 0


@pytest.mark.parametrize("knots", [[], [0, np.nan, 1, 2], [0, 1, 2, np.inf], [3, 2, 1, 0]])
def test_knots_that_are_no_places_in_order_are_refused(knots):
    state = {
        "knots": np.array(knots, float),
        "scales": np.array(SCALES_OF_FOUR, float)[: len(knots)],
    }
    for name in ("shares_of_inputs", "shares_of_outputs"):
        state[name] = np.array(SHARES_OF_FOUR)[: len(knots)]
    state["shares_of_decimals"] = np.zeros(len(knots))
    with pytest.raises(EncoderStateError, match=r"^knots in the state"):
        encoder_from_state(EncoderConfig(encoder="multiscale"), state)


def settled(values, dim=6, **settings):
    """An encoder before and after it settles with the vectors of nine words, and those."""
    encoder, rng = fit(values, **settings).start(dim, np.random.default_rng(1)), drawn()
    for basis in encoder.bases.values():
        basis[:] = rng.normal(size=basis.shape)
    before = encoder_from_state(encoder.config, encoder.state())
    words = rng.normal(size=(2, 9, dim)).astype(np.float32)
    after = words.copy()
    encoder.settle(*after)
    return before, encoder, words, after


def drawn():
    return np.random.default_rng(2)


HALVES = np.arange(0, 90, 0.5)


def test_what_has_settled_has_the_same_scores():
    before, encoder, words, after = settled(HALVES)
    (old_input, old_output), (new_input, new_output) = words, after
    for one, other, one_side, other_side in (
        (old_output, new_output, "input", "input"),
        (old_input, new_input, "output", "output"),
    ):
        told = before.compose(HALVES, one_side) @ one.T
        assert encoder.compose(HALVES, other_side) @ other.T == pytest.approx(told, abs=1e-3)
    assert new_input @ new_output.T == pytest.approx(old_input @ old_output.T, abs=1e-3)


def test_what_has_settled_tells_decimals_apart_by_scores_alone():
    """37.5 is as near to the middle of 37 and 38 as if it had no part of its own."""
    before, encoder, *_ = settled(HALVES)
    apart = []
    for one in (before, encoder):
        left, half, right = one.compose([37.0, 37.5, 38.0])
        apart.append(np.linalg.norm(half - (left + right) / 2))
    assert apart[1] < 0.05 * apart[0]


@pytest.mark.parametrize(
    ("values", "settings"),
    [(HALVES, {"decimals": "vectors"}), (HALVES, {"decimals": "none"}), (np.arange(90), {})],
)
def test_nothing_settles_that_shall_stay_as_it_was_trained(values, settings):
    before, encoder, words, after = settled(values, lengths="trained", **settings)
    assert (words == after).all()
    for side in SIDES:
        assert (before.bases[side] == encoder.bases[side]).all()


def test_what_words_and_numerals_have_in_common_is_made_short_and_what_parts_them_stays():
    encoder, rng = fit(np.arange(90)).start(60, drawn()), drawn()
    words = rng.normal(size=(2, 400, 60)).astype(np.float32)
    for rows, apart in ((words[0], -8), (encoder.bases["input"], 8)):
        rows[:] = rng.normal(size=rows.shape)
        rows[:, 0] += 5
        rows[:, 1] += apart
    encoder.settle(*words)
    of_words, of_numerals = words[0].mean(axis=0), encoder.compose(np.arange(90.0)).mean(axis=0)
    # More than 8 as far as numerals differ along it, too.
    assert of_words[:2] == pytest.approx([1.5, -8], abs=1.5)
    assert of_numerals[:2] == pytest.approx([1.5, 8], abs=1.5)


def test_a_single_word_has_its_say_in_what_is_common():
    encoder, words = fit(np.arange(90)).start(60, drawn()), np.zeros((2, 1, 60), np.float32)
    encoder.bases["input"][:, 0] = words[0, :, 0] = 5
    encoder.settle(*words)
    assert words[0, 0, 0] < 2


def test_rare_words_have_no_say_in_what_is_common():
    tables = np.zeros((2, 2, 100, 60), np.float32)
    tables[:] = drawn().normal(size=(2, 100, 60))
    tables[1, 0, 90:] *= 1000
    found = []
    for words in tables:
        encoder = fit(np.arange(90)).start(60, drawn())
        encoder.settle(*words)
        found.append(encoder.bases["input"])
    assert (found[0] == found[1]).all()


def test_what_numerals_differ_by_is_made_long_and_keeps_its_order():
    before, encoder, *_ = settled(np.arange(90), dim=20)
    old, new = (one.compose(np.arange(90.0)) for one in (before, encoder))
    apart = [np.linalg.norm(rows[1:] - rows[:-1], axis=1) for rows in (old, new)]
    assert 1.1 < np.median(apart[1] / apart[0]) < 1.3  # not along all axes
    assert np.corrcoef(*apart)[0, 1] > 0.8


@pytest.mark.parametrize("values", [[7], [7, 8]])
@pytest.mark.parametrize("words", [0, 1])
def test_few_numerals_and_no_words_settle(values, words):
    encoder = fit(values).start(20, drawn())
    tables = np.ones((2, words, 20), np.float32)
    encoder.settle(*tables)
    assert np.isfinite(encoder.compose([7, 7.5, 1000])).all()
    assert np.isfinite(tables).all()
