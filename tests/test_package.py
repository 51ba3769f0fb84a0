"""What the package promises as a package."""

import subprocess
import sys
import tomllib
from dataclasses import fields
from importlib import resources
from pathlib import Path

import pytest

import numberline
from numberline import config
from numberline.errors import ConfigError, MissingExtraError

ROOT = Path(__file__).parents[1]


def test_public_names():
    assert sorted(numberline.__all__) == [
        "EncodedCorpus",
        "NumberlineError",
        "Token",
        "Vocabulary",
        "count",
        "encode",
        "load_encoded",
        "parse_numeral",
        "tokenize",
    ]


def test_version_is_that_of_the_project_file():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert numberline.__version__ == project["version"]


def test_types_are_shipped():
    assert (resources.files("numberline") / "py.typed").is_file()


def imported_by(statement):
    code = f"import sys; {statement}; print(*sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return set(result.stdout.split())


@pytest.mark.parametrize(
    "name",
    ["numberline._native", "torch", "pyarrow", "matplotlib", "typer", "rich", "numberline.demo"],
)
def test_import_is_light(name):
    assert name not in imported_by("import numberline; numberline.tokenize('5')")


def test_text_imports_nothing_from_later_stages():
    modules = imported_by("import numberline.text.encoding")
    for stage in ("encoders", "training", "model", "evaluation", "integrations", "explore", "demo"):
        assert f"numberline.{stage}" not in modules


def test_every_setting_explains_itself():
    for name in ("CorpusConfig", "TextConfig", "VocabularyConfig", "MachineConfig"):
        for field in fields(getattr(config, name)):
            assert field.metadata["help"].endswith(".")


@pytest.mark.parametrize("value", [0, -1, 2.5, "5", True])
def test_counts_must_be_positive_whole_numbers(value):
    with pytest.raises(ConfigError, match=f"min_count={value!r}, but it must be a whole number"):
        config.VocabularyConfig(min_count=value)


def test_a_missing_extra_is_named():
    assert "pip install 'numberline[arrow]'" in str(MissingExtraError("pyarrow", "arrow"))
