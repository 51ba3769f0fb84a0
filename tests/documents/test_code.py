"""All code in the documents runs; what cannot is listed here, with the reason."""

from importlib.util import find_spec

import pytest

from tests.documents.pages import DOCUMENTS, blocks_of, commands_of, name_of
from tests.documents.running_blocks import Reader, matches
from tests.documents.workspace import fill
from tests.integrations.small_hub import small_hub
from tests.integrations.test_hub import run as run_with_hub

LANGUAGES = {"python", "console", "text"}
NOT_RUN = {  # a command, or how it begins → why it is not run
    "pip install …": "changes what is installed",
    "make …": "installs; the tests are a part of it",
    ". .venv-dev/bin/activate": "is for the shell of a reader",
    "python3 -m venv …": "makes a folder for what a reader installs",
    "pytest …": "these are the tests",
    "ruff …": "make check runs it",
    "mypy": "the same",
    "pre-commit …": "changes the repository's hooks",
    "python benchmarks/…": "takes minutes, and peers that are no part of the tests",
    "numberline explore MODEL": "serves until it is stopped; tests/explore asks the server",
    "numberline explore shop": "the same",
    "numberline plot shop …": "takes 9 seconds; plots.md does it for a smaller model",
    "numberline reproduce …": "trains for an hour; tests/paper runs it in small",
    "numberline evaluate MODEL --task senses …": "needs a text with years and counts",
}
EXIT_CODES = {'numberline check MODEL "A small box holds 4321 pens" --fail': 1}
NEEDED = {  # packages without which a page is skipped
    "docs/companion.md": ["sklearn"],
    "docs/evaluating.md": ["scipy", "torch"],
    "docs/gensim.md": ["gensim"],
    "docs/encoders.md": ["matplotlib", "torch"],
    "docs/plots.md": ["openTSNE"],
    "docs/sklearn.md": ["sklearn", "pandas"],
    "docs/spacy.md": ["spacy"],
    "docs/texts.md": ["sentence_transformers", "model2vec", "langchain_core"],
    "docs/torch.md": ["torch"],
    "docs/training.md": ["pandas"],
    "docs/tutorial.md": ["torch", "seqeval", "matplotlib"],
}
OF_ITS_OWN = {"docs/hub.md": "the client reads where the Hub is when it is imported"}
PROBE_STEPS = 20  # of 1,500, which would take half a minute
BLOCKS = {name_of(one): blocks_of(one.read_text(encoding="utf-8")) for one in DOCUMENTS}
WITH_CODE = [
    name
    for name, blocks in BLOCKS.items()
    if any(one.language != "text" for one in blocks) and name not in OF_ITS_OWN
]


def shorten_probing(monkeypatch):
    if find_spec("torch") is not None:
        from numberline_paper.probing import probes

        batches = probes.batches
        shorter = lambda items, steps: batches(items, min(steps, PROBE_STEPS))  # noqa: E731
        monkeypatch.setattr(probes, "batches", shorter)


@pytest.mark.parametrize("name", WITH_CODE)
def test_code_runs(name, planted_folder, tmp_path, monkeypatch, registered):
    for package in NEEDED.get(name, []):
        pytest.importorskip(package)
    fill(tmp_path, planted_folder)
    monkeypatch.chdir(tmp_path)
    shorten_probing(monkeypatch)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert Reader(name, NOT_RUN, EXIT_CODES).read(BLOCKS[name]) > 0


def test_the_page_of_the_hub_runs(tmp_path):
    pytest.importorskip("huggingface_hub")
    code = "".join(block.code for block in BLOCKS["docs/hub.md"] if block.language == "python")
    with small_hub() as hub:
        run_with_hub(code, tmp_path, hub.address)
    assert "numberline.json" in hub.repositories["you/shop-model"]


@pytest.mark.parametrize("name", BLOCKS)
def test_every_block_has_a_language(name):
    assert {block.language for block in BLOCKS[name]} <= LANGUAGES


def test_lists_name_what_is_there():
    lines = [
        command.line
        for blocks in BLOCKS.values()
        for block in blocks
        if block.language == "console"
        for command in commands_of(block)
    ]
    for pattern in NOT_RUN:
        assert any(matches(line, pattern) for line in lines), pattern
    assert set(EXIT_CODES) <= set(lines)
    assert set(NEEDED) <= set(WITH_CODE)
