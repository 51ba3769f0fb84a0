"""Features of contexts over tables of a few words and numbers, by hand."""

import numpy as np
import pytest

from numberline.gap_model.contexts import (
    NUMBER_SIZE,
    ContextTables,
    context_features,
    context_size,
    fit_word_projection,
    number_table,
    word_table,
)
from numberline.gap_model.places import FAR, NEAR, NO_TOKEN
from numberline.gap_model.projection import Projection

WORDS = np.array([[1, 2], [3, 4], [0, 0]], np.float32)  # the words 0 and 1, and zeros
NUMBERS = number_table(np.array([[0.5, -0.5], [7, 8]], np.float32))  # the ids 2 and 3


def features_of(**tokens):
    """Return the near words, near numbers and far sums of ids: `left5` is five places before."""
    ids = np.full((1, 2 * FAR), NO_TOKEN)
    for name, id in tokens.items():
        distance = int(name.removeprefix("left").removeprefix("right"))
        ids[0, FAR - distance if name.startswith("left") else FAR + distance - 1] = id
    (row,) = context_features(ContextTables(WORDS, NUMBERS), ids)
    assert len(row) == context_size(2)
    words, numbers, far = np.split(row, [2 * NEAR * 2, 2 * NEAR * (2 + NUMBER_SIZE)])
    return words.reshape(2 * NEAR, 2), numbers.reshape(2 * NEAR, NUMBER_SIZE), far


def test_each_near_token_fills_the_columns_of_its_place():
    words, numbers, far = features_of(left1=1, right2=3, left5=0)
    assert words[NEAR - 1].tolist() == [3, 4]
    assert words[0].tolist() == [1, 2]
    assert not np.delete(words, [0, NEAR - 1], axis=0).any()
    assert numbers[NEAR + 1].tolist() == [7, 8, *[0] * (NUMBER_SIZE - 4), 1, 0]
    assert not numbers[[0, NEAR - 1]].any()  # words are no numbers
    ends = np.delete(numbers, [0, NEAR - 1, NEAR + 1], axis=0)
    assert (ends == [*[0] * (NUMBER_SIZE - 1), 1]).all()  # the text has no token there
    assert not far.any()


def test_far_words_are_summed_on_each_side():
    words, _, far = features_of(left6=0, left20=1, right6=1, right7=3, right20=1)
    assert not words.any()
    left, right = np.split(far, 2)
    assert left == pytest.approx(np.array([4, 6]) / np.sqrt(3))
    assert right == pytest.approx(np.array([6, 8]) / np.sqrt(3))  # the number does not count


def test_a_table_of_numbers_keeps_their_first_features():
    features = np.arange(40, dtype=np.float32).reshape(2, 20)
    table = number_table(features)
    assert (table[:2, : NUMBER_SIZE - 2] == features[:, : NUMBER_SIZE - 2]).all()
    assert table[:, -2:].tolist() == [[1, 0], [1, 0], [0, 0], [0, 1]]
    assert not table[2:, :-2].any()


def test_a_table_of_words_ends_with_zeros():
    table = word_table(Projection(np.array([[2.0], [1]], np.float32)), WORDS[:2])
    assert table.tolist() == [[4], [10], [0]]


def test_frequent_words_weigh_more_in_their_projection():
    rows = np.array([[2.0, 0], [0, 1]])
    projection = fit_word_projection(rows, np.array([1.0, 100]))  # 4 · √1 is less than 1 · √100
    assert abs(projection(rows)[0]).argmax() == 1
    assert abs(projection(rows)[1]).argmax() == 0
