"""What the package promises as a package."""

import ast
import re
import subprocess
import sys
import tomllib
from dataclasses import fields, is_dataclass
from functools import cache
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

import numberline
from numberline import settings as config
from numberline.errors import ConfigError, MissingExtraError
from numberline.evaluation import settings as config_evaluation
from numberline.numerals.registry import BUILT_IN

ROOT = Path(__file__).parents[1]


def test_public_names():
    assert sorted(numberline.__all__) == [
        "Embeddings",
        "EncodedCorpus",
        "Fixed",
        "Fourier",
        "Gmm",
        "Line",
        "NumberlineError",
        "NumeralTokens",
        "Som",
        "Token",
        "Vocabulary",
        "count",
        "encode",
        "evaluate",
        "load",
        "load_encoded",
        "parse_numeral",
        "tokenize",
        "train",
    ]


def test_version_is_that_of_the_project_file():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert numberline.__version__ == project["version"]


def test_types_are_shipped():
    assert (resources.files("numberline") / "py.typed").is_file()


@cache
def imported_by(statement):
    code = f"import sys; {statement}; print(*sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return set(result.stdout.split())


@pytest.mark.parametrize(
    "name",
    [
        *["numberline._native", "numberline_shop", "numberline.integrations"],
        *["torch", "gensim", "spacy", "sklearn", "huggingface_hub"],
        *["pyarrow", "matplotlib", "openTSNE", "typer", "rich"],
    ],
)
def test_import_is_light(name):
    assert name not in imported_by("import numberline; numberline.tokenize('5')")


STAGES = [
    *["text", "numerals", "training", "model", "integrations"],
    *["tagging", "evaluation", "explore"],
]


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_imports_nothing_from_later_ones(stage):
    later = STAGES[STAGES.index(stage) + 1 :]
    for path in (ROOT / "src/numberline" / stage).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                for other in later:
                    assert not node.module.startswith(f"numberline.{other}"), (path, node.module)


def test_every_setting_explains_itself():
    for config_class in (
        config.ReadingSettings,
        config.TextSettings,
        config.ReadingSettings,
        config.ReadingSettings,
        config.NumeralSettings,
        config.Settings,
        config.CheckpointConfig,
        config.ShopSettings,
        config_evaluation.ReproductionSettings,
        *BUILT_IN.values(),
        *(type(part.default) for part in fields(config_evaluation.EvaluationSettings)),
    ):
        for field in fields(config_class):
            assert field.metadata["help"].endswith(".")


@pytest.mark.parametrize(
    ("config_class", "name", "smallest", "largest"),
    [
        (config.ReadingSettings, "min_count", 1, 2**63 - 1),
        (config.ReadingSettings, "max_vocabulary", 1, 2**31 - 1),
        (config.ReadingSettings, "threads", 1, 1024),
        (numberline.NumeralTokens, "min_count", 1, 2**63 - 1),
        (config.NumeralSettings, "seed", 0, 2**32 - 1),
        (config.Settings, "dim", 1, 10_000),
        (config.Settings, "window", 1, 1000),
        (config.Settings, "negatives", 1, 1000),
        (config.Settings, "epochs", 1, 1_000_000),
        (config.ShopSettings, "sentences", 1, 10**9),
        (config.ShopSettings, "seed", 0, 2**32 - 1),
    ],
)
def test_whole_numbers_have_a_range(config_class, name, smallest, largest):
    for value in (smallest, largest, np.int64(7), np.uint64(smallest)):
        kept = getattr(config_class(**{name: value}), name)
        assert kept == value
        assert type(kept) is int
    for value in (smallest - 1, largest + 1, 10**20, 2.5, 2.0, "5", True, np.bool_(True), None):
        needed = f"{name}={value!r}, but it must be a whole number from {smallest} to {largest:,}"
        with pytest.raises(ConfigError, match=re.escape(needed)):
            config_class(**{name: value})


ALL_CONFIGS = [
    found
    for module in (config, config_evaluation)
    for found in vars(module).values()
    if is_dataclass(found) and found.__module__ == module.__name__
]
SWITCHES = [(found, f.name) for found in ALL_CONFIGS for f in fields(found) if f.type == "bool"]


def test_there_are_switches():
    assert (config.Settings, "shuffle") in SWITCHES
    assert (config_evaluation.TaggerSettings, "fine_tune") in SWITCHES


@pytest.mark.parametrize(("config_class", "name"), SWITCHES)
def test_switches_are_true_or_false(config_class, name):
    for value in (True, False, np.bool_(False), 1, 0):
        kept = getattr(config_class(**{name: value}), name)
        assert kept == value
        assert type(kept) is bool
    for value in ("no", "False", "", 2, None, [], np.nan):
        needed = f"{name}={value!r}, but it must be True or False"
        with pytest.raises(ConfigError, match=re.escape(needed)):
            config_class(**{name: value})


def test_largest_counts_reach_the_native_side():
    vocabulary = numberline.count(["1 word"], min_count=2**63 - 1, max_vocabulary=2**31 - 1)
    assert vocabulary.words == []


@pytest.mark.parametrize(
    ("read", "value", "message"),
    [
        (numberline.tokenize, None, "tokenize reads a string, not None (NoneType)"),
        (numberline.tokenize, b"5 cats", "tokenize reads a string, not b'5 cats' (bytes)"),
        (numberline.tokenize, ["5"], "tokenize reads a string, not ['5'] (list)"),
        (numberline.parse_numeral, 5, "parse_numeral reads a string, not 5 (int)"),
        (numberline.parse_numeral, 0.5, "parse_numeral reads a string, not 0.5 (float)"),
    ],
)
def test_only_strings_are_read(read, value, message):
    with pytest.raises(TypeError, match=re.escape(message)):
        read(value)


def test_a_missing_extra_is_named():
    assert "pip install 'numberline[arrow]'" in str(MissingExtraError("pyarrow", "arrow"))
