"""What a model of the shop's chat has learnt: the paper's three sentences about Jeff."""

from __future__ import annotations

import pytest

import numberline as nl
from numberline.model.embeddings import Embeddings
from numberline_shop import shop, story


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Embeddings:
    """Trained as the demo does it, but in one thread: the same bytes each time."""
    corpus = tmp_path_factory.mktemp("demo") / "chat.txt"
    shop.write_corpus(corpus)
    settings = story.training_settings(len(nl.count(corpus).numeral_values))
    assert settings["encoder"] == nl.Line(story.PROTOTYPES)
    return nl.train(corpus, threads=1, **settings)


@pytest.mark.parametrize(
    ("height", "size", "is_odd"), [("190", "XXL", False), ("160", "XXL", True), ("10", "XS", False)]
)
def test_jeff(model: Embeddings, height: str, size: str, is_odd: bool) -> None:
    sentence = f"Jeff is {height}, so he should wear size {size}"
    assert sentence in story.SENTENCES
    (found,) = model.check(sentence)
    assert found.text == height
    assert found.is_odd is is_odd


def test_ten_is_read_as_an_age(model: Embeddings) -> None:
    of_ages = {"yrs", "yo", "y", "years", "year", "old", "age", "boy", "kid"}
    of_bodies = {"cm", "tall", "height", "kg", "lbs"}
    (ten,) = model.check("Jeff is 10, so he should wear size XS")
    assert len(of_ages.intersection(ten.words)) >= 2
    assert not of_bodies.intersection(ten.words)
    (tall,) = model.check("Jeff is 190, so he should wear size XXL")
    assert not of_ages.intersection(tall.words)


def test_verdicts(model: Embeddings) -> None:
    verdicts = dict(story.checked_sentences(model))
    assert tuple(verdicts) == story.SENTENCES
    assert [verdict.split(":")[0] for verdict in verdicts.values()] == ["fits", "odd", "fits"]
    assert "; likelier are " in verdicts[story.SENTENCES[1]]


def test_words_and_numerals_that_are_near(model: Embeddings) -> None:
    names = [name for name, _ in story.words_near_numerals(model)]
    assert names == ["190", "187.3 (never seen)", "160", "10"]
    nearest = dict(story.numerals_near_sizes(model))
    assert tuple(nearest) == story.SIZES
    assert float(nearest["xxl"].split(",")[0]) > float(nearest["xs"].split(",")[0])


def test_a_short_chat_gets_the_default() -> None:
    assert story.training_settings(11) == story.TRAINING
