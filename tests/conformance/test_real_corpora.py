"""The native scanner reads real text as reading/scanner.py does; skipped without the corpora."""

import io
from pathlib import Path

import pytest

from numberline.files.decompression import zstd
from numberline.reading import native, scanner
from numberline.settings import TextSettings

CORPORA = Path(__file__).parents[3] / "shared/data/corpora"
EVERY = 100  # lines: comparing all takes minutes


@pytest.mark.parametrize("name", ["wikipedia-2015.txt.zst", "wikipedia-leads.txt.zst"])
def test_native_and_python_agree_on_real_text(name):
    path = CORPORA / name
    if not path.is_file():
        pytest.skip(f"{name} is missing")
    compared = 0
    with path.open("rb") as file, zstd.open(file) as stream:
        for number, line in enumerate(io.TextIOWrapper(stream, encoding="utf-8", newline="\n")):
            if number % EVERY == 0:
                settings = TextSettings(
                    magnitudes=number % 200 == 0, number_words=number % 300 == 0
                )
                assert native.tokenize(line, settings) == scanner.tokenize(line, settings)
                compared += 1
    assert compared > 1000
