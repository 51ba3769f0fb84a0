"""A model folder: loading returns what was saved, and damage is an error that names it."""

import json
import shutil

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import numberline as nl
from numberline.errors import NumberlineError, OutputError, StoreError
from numberline.files.store import HEADER, TENSORS
from numberline.numerals.registry import BUILT_IN
from numberline.settings import saved_settings
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
    assert isinstance(model.word_input, np.memmap)
    assert not model.word_input.flags.writeable


def test_other_readers_of_safetensors_can_read_it(folder):
    arrays = load_file(folder / TENSORS)
    assert (arrays["word_input"] == nl.load(folder).word_input).all()


def edit_header(folder, **changes):
    header = json.loads((folder / HEADER).read_text(encoding="utf-8"))
    (folder / HEADER).write_text(json.dumps(header | changes), encoding="utf-8")


def damage_bytes(folder):
    data = bytearray((folder / TENSORS).read_bytes())
    data[-20] ^= 1
    (folder / TENSORS).write_bytes(data)


def truncate(folder):
    data = (folder / TENSORS).read_bytes()
    (folder / TENSORS).write_bytes(data[: len(data) // 2])


def replace_arrays(folder, **arrays):
    save_file(load_file(folder / TENSORS) | arrays, folder / TENSORS)


DAMAGES = {
    "holds no model": lambda folder: (folder / HEADER).unlink(),
    "incomplete": lambda folder: (folder / TENSORS).unlink(),
    "cannot be read": lambda folder: (folder / HEADER).write_text("{"),
    "not the header": lambda folder: edit_header(folder, format="another"),
    "format version 2": lambda folder: edit_header(folder, version=2),
    "is damaged": damage_bytes,
    "is damaged:": truncate,
}


@pytest.mark.parametrize(("message", "damage"), DAMAGES.items())
def test_damage_is_named(copy, message, damage):
    damage(copy)
    with pytest.raises(StoreError, match=message):
        nl.load(copy)


@pytest.mark.parametrize(
    "damage",
    [
        truncate,
        lambda folder: edit_header(folder, words=["one"]),
        lambda folder: edit_header(folder, settings={"colour": 1}),
        lambda folder: edit_header(folder, totals=None),
        lambda folder: replace_arrays(folder, word_input=np.zeros((3, 7), np.float32)),
        lambda folder: replace_arrays(folder, **{"encoder.knots": np.zeros((2, 2))}),
        lambda folder: replace_arrays(folder, **{"encoder.colour": np.zeros(2)}),
        lambda folder: (folder / TENSORS).write_bytes(b"\xff" * 100),
        lambda folder: (folder / TENSORS).write_bytes(b""),
    ],
)
def test_damage_is_found_without_the_checksum(copy, damage):
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
