"""The code in the documents of the integrations and formats runs."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

DOCUMENTS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize(("name", "needed"), [("formats.md", "numpy"), ("gensim.md", "gensim")])
def test_code_runs(planted_folder, tmp_path, name, needed):
    pytest.importorskip(needed)
    shutil.copytree(planted_folder, tmp_path / "MODEL")
    document = (DOCUMENTS / name).read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", document, re.S)
    assert blocks
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", "\n".join(blocks)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert result.stderr == ""


def test_commands_run(planted_folder, tmp_path):
    shutil.copytree(planted_folder, tmp_path / "MODEL")
    (tmp_path / "my-numerals.txt").write_text("187.3\n")
    document = (DOCUMENTS / "formats.md").read_text(encoding="utf-8")
    commands = re.findall(r"^\$ numberline (.*)$", document, re.M)
    assert len(commands) == 2
    for command in commands:
        arguments = [sys.executable, "-m", "numberline", *command.split()]
        result = subprocess.run(arguments, capture_output=True, text=True, cwd=tmp_path)
        assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize(
    ("name", "needed", "printed"),
    [
        ("sklearn", ["sklearn", "pandas"], "['small' 'large']\n"),
        ("hub", [], ""),
        ("companion", ["sklearn"], "True\n"),
    ],
)
def test_examples_run(name, needed, printed, tmp_path):
    for package in needed:
        pytest.importorskip(package)
    text = (DOCUMENTS / f"{name}.md").read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"```python\n(.*?)```", text, re.S))
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, cwd=tmp_path
    )
    assert result.stderr == ""
    assert result.stdout == printed
