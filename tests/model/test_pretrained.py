"""The model that comes with numberline."""

import json
from pathlib import Path

import pytest

import numberline as nl
from numberline.model.installed import installed_models
from tests.running_commands import run

MOST_BYTES = 20_000_000


@pytest.fixture(scope="module")
def model():
    return nl.load("en")


def test_it_is_small_and_says_where_it_comes_from():
    folder = installed_models()["en"]
    assert sum(file.stat().st_size for file in folder.iterdir() if file.is_file()) < MOST_BYTES
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert manifest["licence"] == "CC-BY-SA-4.0"
    assert "CC BY-SA 4.0" in (folder / "LICENSE").read_text("utf-8")
    assert Path(manifest["sources"][0]).name


def test_it_knows_words_and_any_number(model):
    assert len(model) == 50_000
    assert model["187.3"].shape == (model.dim,)
    assert "1,234,567.89" in model
    assert model.similarity("king", "queen") > model.similarity("king", "kilometre")
    assert model.similarity("10 km", "11 km") > model.similarity("10 km", "10 kg")


def test_it_reads_words_in_their_order(model):
    low, high = model.predict("on ___ june").interval()
    assert low >= 1
    assert high <= 31
    assert 60 <= model.predict("at the age of ___ he died").median <= 95


@pytest.mark.parametrize(
    ("text", "odd"),
    [
        ("he is 340 years old", ["340"]),
        ("he is 34 years old", []),
        ("on 45 june 1998", ["45"]),
        ("at the age of 12000 he died", ["12000"]),
    ],
)
def test_it_finds_numbers_that_do_not_fit(model, text, odd):
    assert [number.text for number in model.check(text) if number.is_odd] == odd


def test_it_tells_years_from_counts(model):
    year, count = model.senses("founded in 2019 with 2,019 employees")
    assert year.senses[0].kind == "year"
    assert count.senses[0].kind == "count"


def test_commands_take_its_name():
    assert "en" in run("models").stdout.decode()
    assert run("similar", "en", "king", "-n", "1").returncode == 0
