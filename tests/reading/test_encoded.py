"""An encoded corpus as a sequence of sentences; folders whose parts do not fit are refused."""

import json

import numpy as np
import pytest

import numberline as nl
from numberline.errors import StoreError
from numberline.reading import encoded as encoded_module

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


def damage_version(folder):
    header = json.loads((folder / "encoded.json").read_text())
    (folder / "encoded.json").write_text(json.dumps(header | {"version": 99}))


def save_offsets(offsets, dtype=np.int64):
    return lambda folder: np.save(folder / "sentence_offsets.npy", np.array(offsets, dtype))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda folder: (folder / "encoded.json").unlink(), "no numberline-encoded-corpus"),
        (lambda folder: (folder / "encoded.json").write_text("{"), "cannot be read"),
        (lambda folder: (folder / "encoded.json").write_text("[]"), "not the header"),
        (damage_version, "format version 99"),
        (lambda folder: (folder / "ids.npy").unlink(), "damaged"),
        (lambda folder: (folder / "ids.npy").write_bytes(b"short"), "damaged"),
        (lambda folder: (folder / "ids.npy").write_bytes(b""), "damaged"),
        (lambda folder: np.save(folder / "ids.npy", np.zeros(3, np.int32)), "do not fit"),
        (lambda folder: np.save(folder / "word_counts.npy", np.zeros(3)), "do not fit"),
        (save_offsets([]), "do not fit"),
        (save_offsets([0, 2, 5]), "do not fit"),
        (save_offsets([0, 2, 5, 10]), "do not fit"),
        (save_offsets([1, 2, 5, 9]), "do not fit"),
        (save_offsets([-2, 2, 5, 9]), "do not fit"),
        (save_offsets([0, 5, 2, 9]), "do not fit"),
        (save_offsets([0, 2, 10, 9]), "do not fit"),
        (save_offsets([0, 2, 5, 9], np.int32), "do not fit"),
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
    monkeypatch.setattr(encoded_module, "OFFSETS_AT_A_TIME", 3)
    nl.encode(["2 words"] * 9, tmp_path / "encoded", min_count=1)
    offsets = np.arange(0, 20, 2)
    assert len(nl.load_encoded(tmp_path / "encoded")) == 9
    offsets[damaged_index] += 3
    save_offsets(offsets)(tmp_path / "encoded")
    with pytest.raises(StoreError, match="do not fit"):
        nl.load_encoded(tmp_path / "encoded")
