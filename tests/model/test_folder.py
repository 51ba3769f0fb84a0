"""A model folder: loading returns what was saved, and damage is an error that names it."""

import mmap
import shutil

import numpy as np
import pytest
from safetensors.numpy import load_file

import numberline as nl
from numberline.errors import NumberlineError, OutputError, StoreError
from numberline.files.store import HEADER, TENSORS
from numberline.numerals.registry import BUILT_IN
from numberline.settings import saved_settings
from tests.files.crafted import arrays_of, edit_header, replace_arrays
from tests.training.small_corpora import planted

SETTINGS = {"dim": 7, "epochs": 1, "threads": 1, "min_count": 1}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models") / "model"
    nl.train(planted(200), folder, **SETTINGS)
    return folder


@pytest.fixture
def copy(folder, tmp_path):
    return shutil.copytree(folder, tmp_path / "copy")


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_loaded_model_equals_the_saved_one(name, tmp_path):
    model = nl.train(planted(200), encoder=name, number_words=True, **SETTINGS)
    model.save(tmp_path / "model")
    again = nl.load(tmp_path / "model")
    assert again.words == model.words
    assert saved_settings(again.settings) == saved_settings(model.settings)
    assert again.training == model.training
    assert again.vocabulary.totals == model.vocabulary.totals
    tokens = [*model.words, "7", "4,321.5", "-1e300"]
    for side in ("input", "output"):
        assert (again.vectors(tokens, side) == model.vectors(tokens, side)).all()


def test_vectors_are_mapped_not_loaded(folder):
    model = nl.load(folder)
    memory = model.word_input.base
    while isinstance(memory, np.ndarray):
        memory = memory.base
    assert isinstance(memory.obj, mmap.mmap)
    assert not model.word_input.flags.writeable


def test_other_readers_of_safetensors_can_read_it(folder):
    arrays = load_file(folder / TENSORS)
    assert (arrays["word_input"] == nl.load(folder).word_input).all()


def damage_bytes(folder):
    data = bytearray((folder / TENSORS).read_bytes())
    data[-20] ^= 1
    (folder / TENSORS).write_bytes(data)


def truncate(folder):
    data = (folder / TENSORS).read_bytes()
    (folder / TENSORS).write_bytes(data[: len(data) // 2])


DAMAGES = {
    "holds no model": lambda folder: (folder / HEADER).unlink(),
    "incomplete": lambda folder: (folder / TENSORS).unlink(),
    "it is no file of numberline": lambda folder: (folder / HEADER).write_text("{"),
    "not the header": lambda folder: edit_header(folder, format="another"),
    "format version 4": lambda folder: edit_header(folder, version=4),
    "its checksum is not the one in": damage_bytes,
    "its size is not the one in": truncate,
}


@pytest.mark.parametrize(("message", "damage"), DAMAGES.items())
def test_damage_is_named(copy, message, damage):
    damage(copy)
    with pytest.raises(StoreError, match=message):
        nl.load(copy)


FAULTS = {
    "its words are not unique": {"words": np.frombuffer(b"aa", "u1"), "word_ends": [1, 2]},
    "it holds an empty word": {"words": np.frombuffer(b"a", "u1"), "word_ends": [1, 1]},
    "the ends of its words do not ascend": {"word_ends": [3, 2]},
    "the ends of its words are not those": {"word_ends": [1, 2]},
    "codec can't decode": {"words": np.frombuffer(b"\xff", "u1"), "word_ends": [1]},
    "its counts are not those": {"word_counts": [1]},
    "counts below zero": {"word_counts": -1},
    "numerals that never occur": {"numeral_counts": 0},
    "numerals that are not finite": {"numeral_values": np.nan},
    "its numerals do not ascend": {"numeral_values": 5.0},
    "kinds that do not exist": {"numeral_kinds": 256},
    "its parts do not fit": {"word_input": np.nan},
    "word_counts is no list": {"word_counts": np.zeros(3, np.float32)},
}


@pytest.mark.parametrize(("message", "arrays"), FAULTS.items())
def test_arrays_that_no_corpus_gives_are_refused(copy, message, arrays):
    before = arrays_of(copy)
    filled = {}
    for name, value in arrays.items():
        is_constant = isinstance(value, float | int)
        new = np.full_like(before[name], value) if is_constant else np.asarray(value)
        filled[name] = new.astype(before[name].dtype) if isinstance(value, list) else new
    replace_arrays(copy, **filled)
    with pytest.raises(StoreError, match=message):
        nl.load(copy)


@pytest.mark.parametrize(
    "damage",
    [
        truncate,
        lambda folder: edit_header(folder, settings={"colour": 1}),
        lambda folder: edit_header(folder, totals=None),
        lambda folder: edit_header(folder, tensors=None),
        lambda folder: edit_header(folder, training=5),
        lambda folder: replace_arrays(folder, word_input=np.zeros((3, 7), np.float32)),
        lambda folder: replace_arrays(folder, word_input=None),
        lambda folder: replace_arrays(folder, **{"encoder.knots": np.zeros((2, 2))}),
        lambda folder: replace_arrays(folder, **{"encoder.colour": np.zeros(2)}),
        lambda folder: (folder / TENSORS).write_bytes(b"\xff" * 100),
        lambda folder: (folder / TENSORS).write_bytes(b""),
    ],
)
def test_damage_is_found_without_the_checksum_of_arrays(copy, damage):
    damage(copy)
    with pytest.raises(NumberlineError):
        nl.load(copy, verify=False)


@pytest.mark.parametrize("name", ["colour", "word_Input", "encoder.colour", "encoder"])
def test_an_unknown_array_is_refused_by_name(copy, name):
    replace_arrays(copy, **{name: np.zeros(3, np.float32)})
    with pytest.raises(NumberlineError, match=rf"holds .*\b{name.removeprefix('encoder.')}"):
        nl.load(copy, verify=False)


def test_an_existing_model_is_replaced_only_with_overwrite(folder, copy, tmp_path):
    with pytest.raises(OutputError, match="exists already"):
        nl.train(planted(50), copy, **SETTINGS)
    assert nl.load(copy).words == nl.load(folder).words
    nl.train(planted(50), copy, overwrite=True, **SETTINGS)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy"]


def test_a_missing_folder_is_no_model(tmp_path):
    with pytest.raises(StoreError, match="holds no model"):
        nl.load(tmp_path / "nothing")
