"""Quantities and pairs of a number and its kind as keys of a model; scores over kinds."""

from decimal import Decimal
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import numberline as nl
from numberline.errors import TokensError, UnknownWordError
from numberline.model.contexts import context_rows, contexts_of
from numberline.model.gaps import gaps_between
from numberline.model.scores import SCORES, Candidates, lift
from numberline.reading.kinds import KIND_INDEX, KINDS
from tests.training.small_corpora import FILLERS

SETTINGS = {"dim": 12, "window": 3, "epochs": 6, "min_count": 1, "threads": 1, "gap_model": False}


@cache
def model(kinds=True):
    """Return a model of roads in km, parcels in kg and prices in dollars."""
    random, lines = np.random.default_rng(1), []
    for _ in range(5000):
        phrase = random.choice(["road is {} km long", "parcel has {} kg weight", "costs ${} here"])
        one, other = random.choice(FILLERS, 2)
        lines.append(f"{one} {phrase.format(random.integers(1, 60))} {other}")
    return nl.train(lines, **SETTINGS, kinds=kinds)


@pytest.mark.parametrize(
    ("key", "value", "kind"),
    [
        ("10 km", 10, "length"),
        ("10km", 10, "length"),
        ("$3.5M", 3_500_000, "money"),
        ("$5", 5, "money"),
        ("-$5", -5, "money"),
        ("7 kg", 7, "mass"),
        ("5'8\"", 17 / 3, "length"),
        ("3–5 kg", 4, "mass"),
        ((10, "length"), 10, "length"),
        (("10", "length"), 10, "length"),
        ((Decimal(10), "money"), 10, "money"),
    ],
)
def test_keys_that_tell_a_kind(key, value, kind):
    expected = model().numerals.vectors([value], kinds=[KIND_INDEX[kind]])[0]
    assert (model()[key] == expected).all()
    assert key in model()
    if isinstance(key, str):
        (quantity,) = nl.quantities(key)
        assert (model()[quantity] == expected).all()


@pytest.mark.parametrize("key", ["-5", "5", 5.0, "1,250.5", ("5", "phone"), "5 °C"])
def test_keys_of_no_learnt_kind(key):
    """No numeral of the corpus is a phone number or a temperature."""
    value = model().lookup.numeral_of(key).value
    assert (model()[key] == model().numerals.vectors([value])[0]).all()


def test_quantities_of_a_dimension_are_alike():
    near = model().similarity("10 km", "12 km")
    assert near > model().similarity("10 km", "10 kg")
    assert near > model().similarity("10 km", "$10")
    assert model().similarity("10 km", "road") > model().similarity("10 kg", "road")
    (distance,) = nl.quantities("10 km")
    metres = model()[distance.base_value, distance.dimension]
    assert model().similarity(metres, "9 km") > model().similarity(metres, "10000 kg")


def test_numerals_of_a_text_have_the_kinds_that_it_tells():
    read = model().lookup.read_text("road is 10 km long, costs $5 here")
    assert read.kinds.tolist() == [KIND_INDEX["length"], KIND_INDEX["money"]]
    read = model().lookup.read_tokens(["10", "5%", nl.tokenize("$7")[1]])
    assert read.kinds.tolist() == [-1, KIND_INDEX["percent"], KIND_INDEX["money"]]


def test_odd_keys_say_what_is_wrong():
    with pytest.raises(TokensError, match=f"'yeer'.* kinds are {KINDS[0]}, {KINDS[1]}, "):
        model()["2019", "yeer"]
    for pair in ((5,), ("5", "money", "x"), (5, 6), (("5", "money"), "money")):
        with pytest.raises(TokensError, match="write a number and its kind"):
            model()[pair]
    with pytest.raises(TokensError, match="neither a word nor a number"):
        model()[Path("5")]
    for key in ("10 km road", "10 km and 5 kg", "mp3", "b-52"):
        with pytest.raises(UnknownWordError):
            model()[key]


def test_a_model_without_kinds_reads_quantities_as_numbers():
    plain = model(kinds=False)
    assert (plain["10 km"] == plain["10"]).all()
    with pytest.raises(TokensError, match="learnt no kinds"):
        plain["10", "length"]


def test_scores_are_means_over_the_kinds_of_a_number():
    ours, values = model(), np.array([7.0, 7.5, 2000.0])
    gaps = gaps_between(ours.lookup, [(["road", "is"], ["km"]), (["costs"], ["here"])])
    contexts = context_rows(ours, contexts_of(ours, gaps))
    candidates = Candidates.of_numerals(ours, values)
    fractions = ours.numerals.kind_fractions(values)
    found = np.exp(SCORES["lift"](contexts, candidates))
    kinds = np.flatnonzero(fractions.max(axis=0) > 0.02)
    expected = np.zeros((2, 3))
    for kind in kinds.tolist():
        sides = (ours.numerals.vectors(values, s, [kind] * 3) for s in ("input", "output"))
        of_kind = np.exp(lift(contexts, Candidates(ours, *sides)))
        expected += np.where(fractions[:, kind] >= 0.02, fractions[:, kind], 0) * of_kind
    assert found == pytest.approx(expected, rel=1e-3)
