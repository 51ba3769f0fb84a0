"""What a model of the shop's chat has learnt: the paper's three sentences about Jeff."""

from __future__ import annotations

from pathlib import Path

import pytest

import numberline as nl
from numberline.demo import shop, story
from numberline.model.embeddings import Embeddings

JEFF = "Jeff is {}, so he should wear size {}"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Embeddings:
    corpus = Path(tmp_path_factory.mktemp("demo")) / "chat.txt"
    shop.write_corpus(corpus)
    return nl.train(corpus, threads=1, **story.TRAINING)


@pytest.mark.parametrize(
    ("height", "size", "is_odd"), [("190", "XXL", False), ("160", "XXL", True), ("10", "XS", False)]
)
def test_jeff(model: Embeddings, height: str, size: str, is_odd: bool) -> None:
    (found,) = model.check(JEFF.format(height, size))
    assert found.is_odd is is_odd


def test_lines_of_the_story(model: Embeddings) -> None:
    near_numerals = dict(story.words_near_numerals(model))
    assert list(near_numerals) == ["190", "187.3 (never seen)", "160", "10"]
    near_sizes = dict(story.numerals_near_sizes(model))
    assert list(near_sizes) == list(story.SIZES)
    nearest = [float(near_sizes[size].split(",")[0]) for size in ("xxl", "xs")]
    assert nearest[0] > nearest[1]
