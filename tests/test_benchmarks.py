"""Benchmarks use what numberline has now: each can be imported. Their sentences are well formed."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import numberline as nl

BENCHMARKS = sorted((Path(__file__).parents[1] / "benchmarks").glob("*.py"))
EVERYDAY = sorted((Path(__file__).parents[1] / "benchmarks").glob("everyday-*.tsv"))


@pytest.mark.parametrize("path", BENCHMARKS, ids=lambda path: path.stem)
def test_it_can_be_imported(path):
    command = [sys.executable, "-c", f"import {path.stem}"]
    done = subprocess.run(command, cwd=path.parent, capture_output=True, text=True)
    missing = re.search(r"ModuleNotFoundError: No module named '(?!numberline)(\w+)", done.stderr)
    if missing:
        pytest.skip(f"{missing[1]} is not installed")
    assert done.returncode == 0, done.stderr


def test_everyday_sentences_have_one_gap_and_two_numbers_for_it():
    sentences = []
    for path in EVERYDAY:
        header, *rows = path.read_text(encoding="utf-8").splitlines()
        assert header == "sentence\tright\tabsurd"
        assert len(rows) == 50
        for sentence, right, absurd in (row.split("\t") for row in rows):
            before, _ = sentence.split("___")  # one gap
            filled = [nl.tokenize(sentence.replace("___", number)) for number in (right, absurd)]
            values = [
                token.value for tokens in filled for token in tokens if token.start == len(before)
            ]
            assert values == [nl.parse_numeral(right), nl.parse_numeral(absurd)]
            assert values[0] != values[1]
            sentences.append(sentence)
    assert len(set(sentences)) == 100
