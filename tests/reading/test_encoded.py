"""An encoded corpus as a sequence of sentences; folders whose parts do not fit are refused."""

import numpy as np
import pytest

import numberline as nl
from numberline.errors import StoreError
from numberline.files.store import HEADER
from numberline.reading import encoded as encoded_module
from tests.files.crafted import arrays_of, edit_header, replace_arrays

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
def test_the_index_of_no_sentence_is_an_index_error(encoded, number):
    with pytest.raises(IndexError, match=f"no sentence {number}: the corpus holds 3"):
        encoded[number]


@pytest.mark.parametrize("number", [1.0, "1", None, slice(0, 2)])
def test_an_index_that_is_no_integer_is_a_type_error(encoded, number):
    with pytest.raises(TypeError, match="sentences are numbered by integers, not "):
        encoded[number]


def save_offsets(offsets, dtype=np.int64):
    return lambda folder: replace_arrays(folder, sentence_offsets=np.array(offsets, dtype))


def save_ids(ids, dtype=np.int32):
    return lambda folder: replace_arrays(folder, ids=np.array(ids, dtype))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda folder: (folder / HEADER).unlink(), "holds no encoded corpus"),
        (lambda folder: (folder / HEADER).write_text("{"), "cannot be read"),
        (lambda folder: edit_header(folder, format="model"), "not the header"),
        (lambda folder: edit_header(folder, version=99), "format version 99"),
        (lambda folder: (folder / "ids.safetensors").unlink(), "incomplete"),
        (lambda folder: (folder / "ids.safetensors").write_bytes(b"short"), "damaged"),
        (lambda folder: (folder / "ids.safetensors").write_bytes(b""), "damaged"),
        (save_ids([0, 0, 0]), "its ids are not as many"),
        (save_ids([0, 3, 1, 4, 4, 2, 5, 5, 6]), "ids beyond its vocabulary"),
        (save_ids([0, 3, 1, 4, 4, 2, 5, 5, -1]), "ids beyond its vocabulary"),
        (save_ids([0, 3, 1, 4, 4, 2, 5, 5, 5], np.int64), "another type"),
        (lambda folder: replace_arrays(folder, word_counts=np.zeros(3)), "word_counts is no list"),
        (save_offsets([]), "do not fit"),
        (save_offsets([0, 2, 5]), "do not fit"),
        (save_offsets([0, 2, 5, 10]), "do not fit"),
        (save_offsets([1, 2, 5, 9]), "do not fit"),
        (save_offsets([-2, 2, 5, 9]), "do not fit"),
        (save_offsets([0, 5, 2, 9]), "do not fit"),
        (save_offsets([0, 2, 10, 9]), "do not fit"),
        (save_offsets([0, 2, 5, 9], np.int32), "another type"),
    ],
)
def test_damaged_folders_are_refused(tmp_path, damage, message):
    nl.encode(LINES, tmp_path / "encoded", min_count=1)
    damage(tmp_path / "encoded")
    with pytest.raises(StoreError, match=message):
        nl.load_encoded(tmp_path / "encoded")


@pytest.mark.parametrize("damaged_index", range(1, 9))
def test_offsets_are_checked_across_pieces_that_are_read_one_by_one(
    tmp_path, monkeypatch, damaged_index
):
    monkeypatch.setattr(encoded_module, "ITEMS_AT_A_TIME", 3)
    nl.encode(["2 words"] * 9, tmp_path / "encoded", min_count=1)
    offsets = np.arange(0, 20, 2)
    assert len(nl.load_encoded(tmp_path / "encoded")) == 9
    offsets[damaged_index] += 3
    save_offsets(offsets)(tmp_path / "encoded")
    with pytest.raises(StoreError, match="do not fit"):
        nl.load_encoded(tmp_path / "encoded")


@pytest.mark.parametrize("damaged_index", range(9))
def test_ids_are_checked_across_pieces(tmp_path, monkeypatch, damaged_index):
    monkeypatch.setattr(encoded_module, "ITEMS_AT_A_TIME", 4)
    nl.encode(LINES, tmp_path / "encoded", min_count=1)
    ids = arrays_of(tmp_path / "encoded")["ids"]
    ids[damaged_index] = 6
    replace_arrays(tmp_path / "encoded", ids=ids)
    with pytest.raises(StoreError, match="ids beyond its vocabulary"):
        nl.load_encoded(tmp_path / "encoded")
