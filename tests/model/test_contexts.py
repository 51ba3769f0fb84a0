"""Text → gaps → the tokens around each gap and their weights → one row per gap."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import numberline as nl
from numberline.errors import ContextError
from numberline.model.contexts import context_rows, contexts_of
from numberline.model.gaps import gaps_between, numerals_as_gaps, sides_of
from tests.training.small_corpora import planted


@pytest.fixture(scope="module")
def thinned():
    """A model for which frequent words count less; window 2."""
    settings = {"dim": 4, "epochs": 1, "threads": 1, "min_count": 1}
    return nl.train(planted(400), sample=1e-2, window=2, **settings)


def contexts_between(model, *sides, keep_power=0.5):
    return contexts_of(model, gaps_between(model.lookup, sides), keep_power)


def described(model, contexts, gap=0):
    """Return the weight of each word and value around a gap; repeated ones are summed."""
    entries, words = contexts.entries(gap), contexts.tokens.words
    weights = {}
    for id, weight in zip(contexts.ids[entries], contexts.weights[entries], strict=True):
        name = model.words[id] if id < words else float(contexts.tokens.values[id - words])
        weights[name] = weights.get(name, 0) + float(weight)
    return weights


def described_text(model, text):
    return described(model, contexts_between(model, sides_of(model.lookup, text)))


def weights_by_definition(model, left, right, power):
    """Compute the module's formula token by token."""
    weights, window = {}, model.settings.window
    for side in (left[::-1], right):
        distance = 1.0
        for token in filter(model.__contains__, side):
            is_word = isinstance(token, str) and token in model.words
            keep = float(model.keep_probabilities[model.words.index(token)]) if is_word else 1.0
            weight = keep**power * (window + 1 - distance) / window
            if weight > 1e-9:
                weights[token] = weights.get(token, 0) + weight
            distance += keep
    return weights


def test_weights_fall_with_the_distance_to_the_gap(planted_model):
    text = "fillerab fillerab small box few holds ___ pens"
    expected = {"holds": 1.0, "few": 0.8, "box": 0.6, "small": 0.4, "fillerab": 0.2, "pens": 1.0}
    assert described_text(planted_model, text) == pytest.approx(expected)


def test_unknown_words_do_not_count_as_distance(planted_model):
    known = described_text(planted_model, "small box holds ___ pens")
    with_unknown = described_text(planted_model, "small unheard box holds unseen ____ pens")
    assert with_unknown == pytest.approx(known)


def test_other_numerals_are_contexts(planted_model):
    names = ["box", 1250.0, "holds", -3.0, "pens", 0.5]
    contexts = contexts_between(
        planted_model, sides_of(planted_model.lookup, "box 1,250 holds -3 ___ pens ½")
    )
    weights = described(planted_model, contexts)
    assert weights == pytest.approx(dict(zip(names, [0.4, 0.6, 0.8, 1.0, 1.0, 0.8], strict=True)))
    rows = context_rows(planted_model, contexts)
    for side in ("input", "output"):
        expected = np.array([*weights.values()]) @ planted_model.vectors([*weights], side)
        assert getattr(rows, side)[0] == pytest.approx(expected)
    assert rows.weight.tolist() == pytest.approx([sum(weights.values())])


def test_frequent_words_count_less(thinned):
    keep = dict(zip(thinned.words, thinned.keep_probabilities.tolist(), strict=True))
    assert keep["small"] < 0.6
    assert keep["fillerab"] == 1
    weights = described_text(thinned, "fillerab small ___")
    assert weights["small"] == pytest.approx(keep["small"] ** 0.5)
    assert weights["fillerab"] == pytest.approx((2 - keep["small"]) / 2)


tokens = st.lists(st.sampled_from(["small", "box", "few", "fillerab", "unheard", 7.0]), max_size=30)


@given(left=tokens, right=tokens, keep_power=st.sampled_from([0.5, 1.0]))
def test_weights_are_as_defined(thinned, left, right, keep_power):
    contexts = contexts_between(thinned, (left, right), keep_power=keep_power)
    expected = weights_by_definition(thinned, left, right, keep_power)
    assert described(thinned, contexts) == pytest.approx(expected)


@given(sides=st.lists(st.tuples(tokens, tokens), max_size=5))
def test_gaps_of_several_texts_do_not_see_each_other(thinned, sides):
    contexts = contexts_between(thinned, *sides)
    rows = context_rows(thinned, contexts)
    assert len(contexts) == len(rows) == len(sides)
    for gap, pair in enumerate(sides):
        alone = contexts_between(thinned, pair)
        assert described(thinned, contexts, gap) == pytest.approx(described(thinned, alone))
        expected = context_rows(thinned, alone)
        assert rows.input[gap] == pytest.approx(expected.input[0], abs=1e-6)
        assert rows.output[gap] == pytest.approx(expected.output[0], abs=1e-6)
        assert rows.weight[gap] == pytest.approx(expected.weight[0])


@given(text=tokens)
def test_every_numeral_of_a_text_has_the_context_of_a_gap_in_its_place(thinned, text):
    read = thinned.lookup.read_tokens(text)
    contexts = contexts_of(thinned, numerals_as_gaps(read, np.array([0, len(read)])))
    numerals = [index for index, token in enumerate(text) if token == 7.0]
    assert len(contexts) == len(numerals)
    for gap, index in enumerate(numerals):
        alone = contexts_between(thinned, (text[:index], text[index + 1 :]))
        assert described(thinned, contexts, gap) == pytest.approx(described(thinned, alone))


def test_two_lists_are_a_text(planted_model):
    in_text = described_text(planted_model, "small box holds ___ pens")
    for left in (["small", "box", "holds"], ("Small", "box", "holds")):
        assert described_text(planted_model, (left, iter(["pens"]))) == in_text
    scanned = nl.tokenize("small box holds"), nl.tokenize("pens")
    assert described_text(planted_model, scanned) == in_text


@pytest.mark.parametrize(
    ("context", "message"),
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
def test_questions_without_one_gap_are_refused(planted_model, context, message):
    with pytest.raises(ContextError, match=message):
        planted_model.predict(context)


@pytest.mark.filterwarnings("ignore:no word occurs")
def test_a_model_without_words_has_numerals_as_contexts():
    model = nl.train(["5 6 7"] * 20, min_count=1, dim=4, epochs=1, threads=1)
    assert described_text(model, "5 few ___ 7") == {5: 1, 7: 1}
