"""`numberline demo` as a user meets it."""

import re
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from tests.running_commands import assert_refused, run

from numberline import NumberlineError
from numberline_shop import ShopSettings


@pytest.mark.parametrize(("name", "smallest"), [("sentences", 1), ("seed", 0)])
def test_settings_are_whole_numbers_in_a_range(name, smallest):
    assert getattr(ShopSettings(**{name: np.int64(7)}), name) == 7
    for value in (smallest - 1, 2.5, "5", 10**20):
        with pytest.raises(NumberlineError, match=f"{name}=.* a whole number from {smallest} to"):
            ShopSettings(**{name: value})


def test_every_setting_explains_itself():
    assert all(field.metadata["help"].endswith(".") for field in fields(ShopSettings))


def test_settings_out_of_range_are_refused(tmp_path):
    assert_refused(run("demo", "--seed", 10**20, cwd=tmp_path), "--seed 1000", "from 0 to")
    assert_refused(run("demo", "new", "--sentences", 0, cwd=tmp_path), "--sentences 0,")
    assert not list(tmp_path.iterdir())


def test_it_says_why_it_cannot_write(tmp_path):
    path = tmp_path / "words.txt"
    path.touch()
    assert_refused(run("demo", path), "cannot write", "words.txt: it is no folder")


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a place nobody may write")
def test_it_refuses_a_place_that_cannot_be_written():
    assert_refused(run("demo", "/proc/nothing/here"))


def test_it_shows_its_folder_as_it_is_named(tmp_path):
    result = run("demo", "[/x] y", "--sentences", 9, cwd=tmp_path, COLUMNS="30")
    assert result.returncode == 0, result.stderr
    shown = result.stdout.decode()
    assert "Wrote [/x] y/chat.txt: " in shown
    assert "numberline prototypes '[/x] y/chat.txt' --plot prototypes.png\n" in shown


def test_it_writes_a_corpus_a_model_and_tagged_sentences(tmp_path):
    result = run("demo", "--sentences", 3000, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    shown = result.stdout.decode()
    for sign in ("It begins:", "numerals", "Trained on", "numberline train"):
        assert sign in shown
    assert re.search(r"^ +190  \S", shown, re.M)
    folder = tmp_path / "numberline-demo"
    assert {path.name for path in folder.iterdir()} == {"chat.txt", "model", "tagged"}
    assert len((folder / "chat.txt").read_text(encoding="utf-8").splitlines()) == 3000
    names = {path.stem for path in (folder / "tagged").iterdir()}
    assert names == {"train", "dev", "test", "test-augmented", "test-hard"}
