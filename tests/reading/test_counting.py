"""Counts are exact, also of words that look alike to the tables that count them."""

from collections import Counter
from random import Random

import pytest

import numberline as nl
from numberline.errors import CorpusError
from numberline.reading.corpus import open_corpus
from numberline.reading.indexing import count
from numberline.settings import ReadingSettings

PREFIX = "sixteenlettersin"  # what a slot of the table holds of a word


def words_of_one_length(length, random):
    ending = length - len(PREFIX)
    letters = "abcdefghijklmnopqrstuvwxyz"
    return {PREFIX + "".join(random.choices(letters, k=ending)) for _ in range(400)}


def test_long_words_that_begin_alike_are_told_apart():
    assert len(PREFIX) == 16
    random = Random(1)
    words = sorted(w for length in range(17, 41) for w in words_of_one_length(length, random))
    tokens = words + random.choices(words, k=len(words))
    random.shuffle(tokens)
    corpus = open_corpus([" ".join(tokens[at : at + 10]) for at in range(0, len(tokens), 10)])
    corpus.blocks, blocks = lambda: blocks(20_000), corpus.blocks
    config = ReadingSettings(
        vocabulary=ReadingSettings(min_count=1), machine=ReadingSettings(threads=2)
    )
    vocabulary = count(corpus, config)
    counted = dict(zip(vocabulary.words, vocabulary.word_counts.tolist(), strict=True))
    assert counted == Counter(tokens)


@pytest.mark.parametrize("fine_lines", [0, 1_000_000])
def test_a_byte_that_is_not_utf8_is_found_in_any_block(tmp_path, fine_lines):
    path = tmp_path / "text"
    path.write_bytes(b"fine 5\n" * fine_lines + b"caf\xe9 5\n" + b"fine 5\n" * 9)
    with pytest.raises(CorpusError, match=f"text: byte {7 * fine_lines + 3} is not UTF-8"):
        nl.count(path, strict=True)
