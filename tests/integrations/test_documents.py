"""The code in the documents of the integrations and formats runs."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

DOCUMENTS = Path(__file__).parents[2] / "docs"


DOCUMENTED = [
    *[("using.md", "numpy"), ("evaluating.md", "numpy"), ("formats.md", "numpy")],
    *[("gensim.md", "gensim"), ("explore.md", "numpy"), ("plots.md", "openTSNE")],
]
HELD_OUT = "\n".join(f"a small box holds {number} pens" for number in range(3, 150))


@pytest.mark.parametrize(("name", "needed"), DOCUMENTED)
def test_code_runs(planted_folder, tmp_path, name, needed):
    pytest.importorskip(needed)
    shutil.copytree(planted_folder, tmp_path / "MODEL")
    (tmp_path / "held-out.txt").write_text(HELD_OUT)
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


@pytest.mark.parametrize(("name", "codes"), [("using.md", [0, 0, 0, 1]), ("formats.md", [0, 0])])
def test_commands_run(planted_folder, tmp_path, name, codes):
    shutil.copytree(planted_folder, tmp_path / "MODEL")
    (tmp_path / "my-numerals.txt").write_text("187.3\n")
    document = (DOCUMENTS / name).read_text(encoding="utf-8")
    commands = re.findall(r"^\$ numberline (.*)$", document, re.M)
    for command, code in zip(commands, codes, strict=True):
        arguments = [sys.executable, "-m", "numberline", *shlex.split(command)]
        result = subprocess.run(arguments, capture_output=True, text=True, cwd=tmp_path)
        assert (result.returncode, result.stderr) == (code, "")


@pytest.mark.parametrize(
    ("name", "needed", "printed"),
    [
        ("sklearn", ["sklearn", "pandas"], "['small' 'large']\n"),
        ("hub", [], ""),
        ("companion", ["sklearn"], "True\n"),
        ("torch", ["torch"], ""),
        ("spacy", ["spacy"], ""),
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


@pytest.mark.parametrize("name", ["torch", "spacy", "gensim"])
def test_a_missing_package_is_named(name):
    code = f"import sys; sys.modules[{name!r}] = None; import numberline.integrations.{name}"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert f"pip install 'numberline[{name}]'" in result.stderr.splitlines()[-1]
