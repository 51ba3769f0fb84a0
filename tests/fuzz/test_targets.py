"""Every target withstands some hundred damaged inputs, in a process of its own."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.seeds import SEEDS, seeds_of
from tests.fuzz.targets import TARGETS, refused_or_read

NEEDED = {"tables": "pyarrow", "corpus": "pyarrow", "explorer": "starlette"}
INPUTS = 400


@pytest.mark.parametrize("target", TARGETS)
def test_damaged_inputs_are_read_or_refused(target):
    if target in NEEDED:
        pytest.importorskip(NEEDED[target])
    command = [sys.executable, "-m", "tests.fuzz.mutate", target, str(INPUTS)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300)
    latest = result.stderr.rpartition("\r")[2]
    assert result.returncode == 0, f"exit code {result.returncode} at {latest[-2000:]}"


def test_every_target_has_seeds_that_are_read():
    assert list(SEEDS) == list(TARGETS)
    texts = ("delimited", "json_array", "json_lines", "labelled")
    for name in (*texts, "vectors", "npy_folder", "evaluation", "model_folder"):
        assert {refused_or_read(TARGETS[name], seed) for seed in seeds_of(name)} == {"read"}


def test_every_seed_of_a_table_is_read():
    pytest.importorskip("pyarrow")
    seeds = seeds_of("tables")
    assert len(seeds) > 60
    assert {refused_or_read(TARGETS["tables"], seed) for seed in seeds} == {"read"}


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++ here")
def test_the_fuzzer_of_the_native_scanner_compiles():
    folder = Path(__file__).parents[2]
    source, include = folder / "tests/fuzz/fuzz_scanner.cpp", folder / "native/reading"
    command = ["g++", "-std=c++17", "-fsyntax-only", f"-I{include}", source]
    assert subprocess.run(command, capture_output=True, text=True).stderr == ""
