"""What the package promises as a whole: its names, a light import, layers without cycles."""

import ast
import re
import subprocess
import sys
import tomllib
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import resources
from pathlib import Path

import pytest

import numberline
from numberline.errors import MissingExtraError

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src"

# A module imports from its own layer and from those before it. `numberline` is __init__.py.
LAYERS = [
    *["version", "errors", "arrays", "extras", "fields", "kernels", "threads", "pretrained"],
    *["files", "numerals", "settings", "reading", "senses", "training", "gap_model", "model"],
    *["integrations", "tagging", "evaluation", "explore"],
    *["api", "numberline", "cli"],
    "__main__",
]
BESIDE = ["numberline_paper", "numberline_shop"]

# Folders in which a class and the functions behind its methods name each other, for types or when
# a method is called.
CLASSES_WITH_FUNCTIONS = {
    *["numberline.model", "numberline.numerals", "numberline.tagging"],
    *["numberline_paper.lstm", "numberline_shop"],
}


def module_name(path):
    parts = path.relative_to(SOURCES).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in SOURCES.rglob("*.py")}


def imported_modules(path):
    """Return the project's modules that a file imports anywhere in it, for types as well."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports by a relative name"
            inner = {f"{node.module}.{one.name}" for one in node.names}
            names |= {name if name in MODULES else node.module for name in inner}
    return names & MODULES.keys()


IMPORTS = {name: imported_modules(path) for name, path in MODULES.items()}


def layer_of(module):
    package, *inner = module.split(".")
    return inner[0] if inner and package == "numberline" else package


def test_every_module_has_a_layer():
    assert {layer_of(module) for module in MODULES} == {*LAYERS, *BESIDE}


@pytest.mark.parametrize("layer", LAYERS)
def test_a_layer_imports_only_from_itself_and_earlier_ones(layer):
    allowed = LAYERS[: LAYERS.index(layer) + 1]
    upwards = {
        (module, imported)
        for module in MODULES
        if layer_of(module) == layer
        for imported in IMPORTS[module]
        if layer_of(imported) not in allowed
    }
    assert upwards == set()


def test_imports_have_no_cycle():
    graph = {
        module: {one for one in imported if module.rpartition(".")[0] not in CLASSES_WITH_FUNCTIONS}
        for module, imported in IMPORTS.items()
    }
    assert cycle_in(graph) == []


def cycle_in(graph):
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1][::-1]
    return []


def test_public_names():
    assert len(numberline.__all__) <= 24
    assert sorted(numberline.__all__) == [
        "Embeddings",
        "EncodedCorpus",
        "Fixed",
        "Fourier",
        "Gmm",
        "Line",
        "NumberlineError",
        "NumeralTokens",
        "Quantity",
        "Som",
        "Token",
        "Vocabulary",
        "__version__",
        "count",
        "encode",
        "evaluate",
        "load",
        "load_encoded",
        "parse_numeral",
        "quantities",
        "tokenize",
        "train",
    ]


def test_version_is_that_of_the_project_file():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert numberline.__version__ == project["version"]


def test_types_are_shipped():
    assert (resources.files("numberline") / "py.typed").is_file()


@cache
def modules_loaded_by(statement):
    code = f"import sys; {statement}; print(*sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return set(result.stdout.split())


def test_importing_the_library_and_reading_text_is_light():
    loaded = modules_loaded_by("import numberline; numberline.tokenize('5')")
    assert loaded.isdisjoint(
        [
            *["numberline._native", "numberline_shop", "numberline_paper"],
            *["torch", "gensim", "spacy", "sklearn", "huggingface_hub"],
            *["pyarrow", "matplotlib", "openTSNE", "typer", "rich", "importlib.metadata"],
        ]
    )


def test_the_command_line_starts_without_what_single_commands_need():
    loaded = modules_loaded_by("import numberline.cli.main")
    assert loaded.isdisjoint(
        [
            *["numberline._native", "numberline_shop", "numberline_paper"],
            *["torch", "scipy", "starlette", "uvicorn", "matplotlib", "openTSNE"],
        ]
    )


def test_a_missing_extra_is_named():
    assert "pip install 'numberline[arrow]'" in str(MissingExtraError("pyarrow", "arrow"))


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


@pytest.mark.parametrize("progress", [True, False, 1])
@pytest.mark.parametrize(
    "call",
    [
        lambda progress: numberline.train("no such file", progress=progress),
        lambda progress: numberline.train("no such file", reading=progress),
        lambda progress: numberline.encode("no such file", progress=progress),
        lambda progress: numberline.count("no such file", progress=progress),
        lambda progress: numberline.evaluate(None, progress=progress),
    ],
)
def test_progress_that_cannot_be_called_is_refused_before_the_work(call, progress):
    with pytest.raises(TypeError, match=f"={progress}, but it must be None or a function"):
        call(progress)
