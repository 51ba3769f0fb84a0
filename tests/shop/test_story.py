"""What a model of the shop's chat has learnt: the paper's three sentences about Jeff."""

import pytest

import numberline as nl
from numberline_shop import story, write_corpus


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """Train as the demo does it, but in one thread: the same bytes each time."""
    corpus = tmp_path_factory.mktemp("demo") / "chat.txt"
    write_corpus(corpus)
    return nl.train(corpus, threads=1, **story.TRAINING)


@pytest.mark.parametrize(
    ("height", "size", "is_odd"), [("190", "XXL", False), ("160", "XXL", True), ("10", "XS", False)]
)
def test_jeff(model, height, size, is_odd):
    sentence = f"Jeff is {height}, so he should wear size {size}"
    assert sentence in story.SENTENCES
    (numeral,) = model.check(sentence)
    assert numeral.text == height
    assert numeral.is_odd is is_odd


def test_the_size_speaks_against_a_height_that_does_not_fit(model):
    (small,) = model.check("Jeff is 160, so he should wear size XXL")
    assert "xxl" in small.against
    assert small.better[0].value > 175


def test_ten_is_the_age_of_who_wears_the_smallest_size(model):
    texts = [f"Jeff is ___, so he should wear size {size}" for size in ("XS", "XXL")]
    smallest, largest = model.score_gaps(texts, [10, 190])
    assert smallest[0] > 1 > smallest[1]
    assert largest[0] < 1 < largest[1]


def test_words_beside_heights_are_sizes(model):
    nearest = dict(story.words_near_numerals(model))
    assert list(nearest) == ["190", "187.3 (never seen)", "160", "10"]
    assert "xxl" in nearest["190"]
    assert "xxl" in nearest["187.3 (never seen)"]
    assert {"xs", "s"} & set(nearest["160"].split(", "))


def test_heights_beside_sizes_grow_with_them(model):
    nearest = dict(story.heights_near_sizes(model))
    assert tuple(nearest) == story.SIZES
    heights = {size: float(heights.split(",")[0]) for size, heights in nearest.items()}
    assert 174 <= heights["xxl"] <= 195  # nine tenths of the heights beside xxl in the chat
    assert heights["xxl"] > heights["m"] > heights["xs"]


def test_verdicts(model):
    verdicts = dict(story.checked_sentences(model))
    assert tuple(verdicts) == story.SENTENCES
    assert [verdict.split(":")[0] for verdict in verdicts.values()] == ["fits", "odd", "fits"]
