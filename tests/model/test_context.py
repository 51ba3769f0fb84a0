"""What stands around a gap, and how much each of it counts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import numberline as nl
from numberline.errors import ContextError
from numberline.model.context import KnownTokens, context_of, context_weights, weighted_context
from numberline.model.lookup import NUMERAL
from tests.training.small_corpora import planted


@pytest.fixture(scope="module")
def thinned():
    """A model for which frequent words count less; window 2."""
    settings = {"dim": 4, "epochs": 1, "threads": 1, "min_count": 1}
    return nl.train(planted(400), sample=1e-2, window=2, **settings)


def described(model, context):
    """Pairs of a word or a value, and its weight."""
    values = iter(context.values.tolist())
    names = [next(values) if id == NUMERAL else model.words[id] for id in context.ids.tolist()]
    return list(zip(names, context.weights.tolist(), strict=True))


def weights_by_definition(model, left, right, power):
    """The module's formula, token by token."""
    found, window = [], model.settings.window
    for side in (left[::-1], right):
        distance = 1.0
        for token in filter(model.__contains__, side):
            is_word = isinstance(token, str) and token in model.words
            keep = float(model.keep_shares[model.words.index(token)]) if is_word else 1.0
            weight = keep**power * (window + 1 - distance) / window
            if weight > 0:
                found.append((token, weight))
            distance += keep
    return found


def test_weights_by_hand():
    # Window 5, all kept: 5/5, 4/5 ... and nothing beyond.
    assert context_weights(np.ones(7), 5, 0.5).tolist() == pytest.approx(
        [1, 0.8, 0.6, 0.4, 0.2, 0, 0]
    )
    # A word kept in a quarter of cases counts half, and brings the next one nearer.
    weights = context_weights(np.array([0.25, 1.0, 1.0]), 2, 0.5)
    assert weights.tolist() == pytest.approx([0.5 * 1, (3 - 1.25) / 2, (3 - 2.25) / 2])
    # In training it counted a quarter.
    assert context_weights(np.array([0.25, 1.0]), 2, 1.0).tolist() == pytest.approx([0.25, 0.875])
    assert context_weights(np.zeros(0), 5, 0.5).tolist() == []


def test_both_sides_of_a_gap(planted_model):
    context = context_of(planted_model, "small box holds ___ pens")
    expected = [("holds", 1.0), ("box", 0.8), ("small", 0.6), ("pens", 1.0)]
    found = described(planted_model, context)
    assert [name for name, _ in found] == [name for name, _ in expected]
    assert [weight for _, weight in found] == pytest.approx([weight for _, weight in expected])


def test_unknown_words_are_skipped(planted_model):
    text = "small unheard box holds unseen ____ pens"
    plain = context_of(planted_model, "small box holds ___ pens")
    found = context_of(planted_model, text)
    assert described(planted_model, found) == described(planted_model, plain)


def test_numerals_are_contexts(planted_model):
    context = context_of(planted_model, "box 1,250 holds -3 ___ pens ½")
    names = [name for name, _ in described(planted_model, context)]
    assert names == [-3.0, "holds", 1250.0, "box", "pens", 0.5]
    rows = context.vectors(planted_model, "output")
    assert (rows == planted_model.vectors(names, "output")).all()
    total = context.weights @ planted_model.vectors(names, "output")
    assert context.weighted_sum(planted_model, "output") == pytest.approx(total)


def test_frequent_words_count_less(thinned):
    shares = dict(zip(thinned.words, thinned.keep_shares.tolist(), strict=True))
    assert shares["small"] < 0.6
    assert shares["fillerab"] == 1
    found = described(thinned, context_of(thinned, "fillerab small ___"))
    assert found[0] == ("small", pytest.approx(shares["small"] ** 0.5))
    assert found[1] == ("fillerab", pytest.approx((2 - shares["small"]) / 2))


tokens = st.lists(st.sampled_from(["small", "box", "few", "fillerab", "unheard", 7.0]), max_size=30)


@given(left=tokens, right=tokens, weighting=st.sampled_from(["root", "training"]))
def test_weights_are_as_defined(thinned, left, right, weighting):
    found = described(thinned, weighted_context(thinned, left, right, weighting))
    power = {"root": 0.5, "training": 1.0}[weighting]
    expected = weights_by_definition(thinned, left, right, power)
    assert [name for name, _ in found] == [name for name, _ in expected]
    assert [weight for _, weight in found] == pytest.approx([weight for _, weight in expected])


@given(text=tokens)
def test_every_place_of_a_text_has_its_context(thinned, text):
    known = KnownTokens(thinned, text)
    for at in range(len(text)):
        found = known.around(at, at + 1)
        alone = weighted_context(thinned, text[:at], text[at + 1 :])
        assert found.ids.tolist() == alone.ids.tolist()
        assert found.values.tolist() == alone.values.tolist()
        assert found.weights == pytest.approx(alone.weights)


def test_two_lists_are_a_text(planted_model):
    in_text = context_of(planted_model, "small box holds ___ pens")
    for left in (["small", "box", "holds"], ("Small", "box", "holds")):
        in_lists = context_of(planted_model, (left, iter(["pens"])))
        assert described(planted_model, in_lists) == described(planted_model, in_text)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("no gap", "0 gaps"),
        ("a __ b", "0 gaps"),
        ("", "0 gaps"),
        ("___ and ___", "2 gaps"),
        (["few", "many"], "neither a text with a gap"),
        ([["few"]], "neither a text with a gap"),
        ((5, 6), "neither a text with a gap"),
        (None, "neither a text with a gap"),
        (iter(()), "neither a text with a gap"),
    ],
)
def test_questions_without_one_gap(planted_model, given, message):
    with pytest.raises(ContextError, match=message):
        planted_model.predict(given)


@pytest.mark.filterwarnings("ignore:no word occurs")
def test_contexts_in_a_model_without_words():
    model = nl.train(["5 6 7"] * 20, min_count=1, dim=4, epochs=1, threads=1)
    assert context_of(model, "5 few ___ 7").values.tolist() == [5, 7]
