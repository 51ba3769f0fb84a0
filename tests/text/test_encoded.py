"""An encoded corpus as a sequence of sentences; folders whose parts do not fit are refused."""

import numpy as np
import pytest

import numberline as nl

LINES = ["one 1", "two 2 2", "three 3 3 3"]


@pytest.fixture(params=["in memory", "in a folder"])
def encoded(request, tmp_path):
    folder = tmp_path / "encoded" if request.param == "in a folder" else None
    return nl.encode(LINES, folder, min_count=1)


def lengths(sentences):
    return [len(sentence) for sentence in sentences]


def test_sentences_can_be_walked_through(encoded):
    assert lengths(encoded) == [2, 3, 4]
    assert lengths(reversed(encoded)) == [4, 3, 2]
    assert np.concatenate(list(encoded)).tolist() == encoded.ids.tolist()


@pytest.mark.parametrize("kind", [int, np.int64, np.uint8])
def test_sentences_are_numbered_from_both_ends(encoded, kind):
    assert lengths(encoded[kind(number)] for number in range(3)) == [2, 3, 4]
    if kind is not np.uint8:
        assert lengths(encoded[kind(number)] for number in (-1, -2, -3)) == [4, 3, 2]


@pytest.mark.parametrize("number", [3, -4, 2**63, -(2**63)])
def test_a_sentence_that_is_not_there(encoded, number):
    with pytest.raises(IndexError, match=f"no sentence {number}: the corpus holds 3"):
        encoded[number]


@pytest.mark.parametrize("number", [1.0, "1", None, slice(0, 2)])
def test_what_is_no_number_of_a_sentence(encoded, number):
    with pytest.raises(TypeError, match="sentences are numbered by integers, not "):
        encoded[number]
