"""A few of the faults of system_calls.py, which tries them all."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.injection import compiled, preloaded

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="preloads a library, as on Linux"),
    pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler here"),
]


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return compiled(tmp_path_factory.mktemp("library"))


@pytest.mark.parametrize(
    ("scenarios", "tries"),
    [
        (["train over", "train with ", "train --resume"], 25),
        (["encode over", "export npy", "export glove"], 25),
        (["evaluate", "explore"], 10),
    ],
)
def test_commands_hold_at_failing_system_calls(library, scenarios, tries):
    # Without memory for a new thread, Python 3.11 may wait for it without end.
    options = ["--only", *scenarios, "--tries", tries, "--without", "memory"]
    arguments = ["-m", "tests.faults.system_calls", *options]
    folder = Path(__file__).parents[2]
    result = preloaded(arguments, library, cwd=folder, stdout=subprocess.PIPE, text=True)
    assert result.returncode == 0, result.stdout
    assert sum(map(int, re.findall(r": (\d+) tried, 0 failed", result.stdout))) > tries
