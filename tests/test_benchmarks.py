"""Benchmarks use what numberline has now: each can be imported."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = sorted((Path(__file__).parents[1] / "benchmarks").glob("*.py"))


@pytest.mark.parametrize("path", BENCHMARKS, ids=lambda path: path.stem)
def test_it_can_be_imported(path):
    command = [sys.executable, "-c", f"import {path.stem}"]
    done = subprocess.run(command, cwd=path.parent, capture_output=True, text=True)
    missing = re.search(r"ModuleNotFoundError: No module named '(?!numberline)(\w+)", done.stderr)
    if missing:
        pytest.skip(f"{missing[1]} is not installed")
    assert done.returncode == 0, done.stderr
