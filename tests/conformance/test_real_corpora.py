"""Native code reads real text as the definitions in reading/ do; skipped without the corpora."""

import io
from pathlib import Path

import pytest

import numberline as nl
from numberline.files.decompression import zstd
from numberline.reading import tokenizer
from numberline.reading.quantities import native
from numberline.settings import TextSettings
from tests.conformance.test_native_quantities import assert_same, assert_same_kinds

CORPORA = Path(__file__).parents[3] / "shared/data/corpora"
EVERY = 100  # lines: comparing all takes minutes


EVERY_FOR_QUANTITIES = 1500  # whose definition is slower


def lines_of(name, every):
    """Yield the number and text of every so many lines of a corpus."""
    path = CORPORA / name
    if not path.is_file():
        pytest.skip(f"{name} is missing")
    with path.open("rb") as file, zstd.open(file) as stream:
        lines = io.TextIOWrapper(stream, encoding="utf-8", newline="\n")
        yield from ((number, line) for number, line in enumerate(lines) if number % every == 0)


@pytest.mark.parametrize("name", ["wikipedia-2015.txt.zst", "wikipedia-leads.txt.zst"])
def test_native_and_python_agree_on_real_text(name):
    compared = 0
    for number, line in lines_of(name, EVERY):
        settings = TextSettings(magnitudes=number % 200 == 0, number_words=number % 300 == 0)
        assert native.tokenize(line, settings) == tokenizer.tokenize(line, settings)
        compared += 1
    assert compared > 1000


@pytest.mark.parametrize("name", ["wikipedia-2015.txt.zst", "wikipedia-leads.txt.zst"])
def test_native_and_python_agree_on_quantities_of_real_text(name):
    read = 0
    for _, line in lines_of(name, EVERY_FOR_QUANTITIES):
        assert_same_kinds(line, TextSettings())
        assert_same(line)
        read += len(nl.quantities(line))
    assert read > 300
