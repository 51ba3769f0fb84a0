"""Counts are exact, even for words that differ only beyond what the hash table compares first."""

from collections import Counter
from random import Random

import numpy as np

import numberline as nl
from numberline.reading.corpus import open_corpus
from numberline.reading.counting import count
from numberline.settings import ReadingSettings

PREFIX = "sixteenlettersin"  # what a slot of the table holds of a word


def words_of_one_length(length, random):
    ending = length - len(PREFIX)
    letters = "abcdefghijklmnopqrstuvwxyz"
    return {PREFIX + "".join(random.choices(letters, k=ending)) for _ in range(400)}


def test_long_words_with_the_same_beginning_are_counted_apart():
    assert len(PREFIX) == 16
    random = Random(1)
    words = sorted(w for length in range(17, 41) for w in words_of_one_length(length, random))
    tokens = words + random.choices(words, k=len(words))
    random.shuffle(tokens)
    corpus = open_corpus([" ".join(tokens[at : at + 10]) for at in range(0, len(tokens), 10)])
    corpus.blocks, blocks = lambda: blocks(20_000), corpus.blocks
    vocabulary = count(corpus, ReadingSettings(min_count=1, threads=2))
    counted = dict(zip(vocabulary.words, vocabulary.word_counts.tolist(), strict=True))
    assert counted == Counter(tokens)


def test_numerals_of_a_vocabulary_are_counted():
    vocabulary = nl.count(["7 and 7.5", "7 or 8"], min_count=1)
    values = np.array([7.0, 7.5, 8, 7, -5.5, 1e12])
    assert vocabulary.counts_of(values).tolist() == [2, 1, 1, 2, 0, 0]
