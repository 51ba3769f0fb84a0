"""Models to and from the Hub: the real client talks to a small server on this machine."""

import json
import os
import re
import subprocess
import sys

import pytest

import numberline as nl
from numberline.errors import NumberlineError, OutputError, StoreError
from numberline.files.store import HEADER, TENSORS
from numberline.integrations.hub import from_pretrained, save_pretrained
from numberline.integrations.model_card import front_matter, model_card
from tests.integrations.small_hub import small_hub
from tests.small_models import model_without_numerals, small_model


@pytest.fixture(scope="module")
def model():
    return small_model()


def code_in(card):
    return re.search(r"```python\n(.*?)\n```", card, re.S)[1]


def run(code, tmp_path, address):
    """Run code in a new process: the client reads the Hub's address when it is imported."""
    environment = {
        **os.environ,
        "HF_ENDPOINT": address,
        "HF_HOME": str(tmp_path / "home"),
        "HF_HUB_DISABLE_XET": "1",
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        "HF_TOKEN": "hf_a_token_of_nobody",
        "HF_HUB_OFFLINE": "0",
        "NO_PROXY": "127.0.0.1",
    }
    result = subprocess.run(
        [sys.executable, "-c", "from numberline.integrations.hub import *\n" + code],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.fixture
def hub(model, tmp_path):
    pytest.importorskip("huggingface_hub")
    model.save(tmp_path / "shop")
    with small_hub() as hub:
        yield hub


PUSH = """
model = from_pretrained("shop")
print(push_to_hub(model, "someone/shop", private=True, license="mit", language=["en", "de"]))
"""


def test_there_and_back(model, tmp_path, hub):
    address = run(PUSH, tmp_path, hub.address)
    files = hub.repositories["someone/shop"]
    assert sorted(files) == ["README.md", TENSORS, HEADER]
    for name in (TENSORS, HEADER):
        assert files[name] == (tmp_path / "shop" / name).read_bytes()
    assert re.fullmatch(rf"{hub.address}/someone/shop/commit/\w+\n", address)
    created = json.loads(next(body for _, path, body, _ in hub.requests if path.endswith("create")))
    assert created.get("visibility") == "private" or created["private"] is True
    assert any("numberline/" in agent for *_, agent in hub.requests)

    code = code_in(files["README.md"].decode()) + "\nmodel.save('again')"
    run(code, tmp_path, hub.address)
    again = nl.load(tmp_path / "again")
    assert again.words == model.words
    assert (again.vectors(["few", "7"]) == model.vectors(["few", "7"])).all()
    fetched = {path.rpartition("/")[2] for method, path, *_ in hub.requests if "/resolve/" in path}
    assert fetched == {"README.md", TENSORS, HEADER}  # push_to_hub only checked README.md
    assert not list((tmp_path / "home").rglob("snapshots/*/README.md"))


def test_a_card_on_the_hub_stays(tmp_path, hub):
    hub.repositories["someone/shop"] = {"README.md": b"written with care"}
    run(PUSH, tmp_path, hub.address)
    files = hub.repositories["someone/shop"]
    assert files["README.md"] == b"written with care"
    assert HEADER in files
    run(PUSH.replace("private=True", "replace_card=True"), tmp_path, hub.address)
    assert b"library_name" in files["README.md"]


REFUSED = """
try:
    from_pretrained("someone/missing")
except HubError as error:
    print(error)
try:
    push_to_hub(from_pretrained("shop"), "REPOSITORY")
except HubError as error:
    print(error)
"""


def test_a_refusal_of_the_hub_is_an_error_of_one_line(tmp_path, hub):
    code = REFUSED.replace("REPOSITORY", "not/a/repository")
    fetched, pushed = run(code, tmp_path, hub.address).splitlines()
    assert fetched.startswith("someone/missing is not a folder, and the Hub did not return it: ")
    assert pushed.startswith("the Hub did not accept not/a/repository: ")


def test_a_hub_that_does_not_answer(tmp_path, hub):
    nobody = "http://127.0.0.1:1"
    fetched, pushed = run(
        REFUSED.replace("REPOSITORY", "someone/shop"), tmp_path, nobody
    ).splitlines()
    assert fetched.startswith("someone/missing is not a folder, and the Hub did not return it: ")
    assert pushed.startswith("the Hub did not accept someone/shop: ")


def test_folder_there_and_back(model, tmp_path):
    save_pretrained(model, tmp_path / "shop", license="cc-by-4.0")
    assert sorted(path.name for path in (tmp_path / "shop").iterdir()) == [
        *["README.md", TENSORS, HEADER]
    ]
    for again in (from_pretrained(tmp_path / "shop"), nl.load(tmp_path / "shop")):
        assert (again.vectors(["few", "7"]) == model.vectors(["few", "7"])).all()


def test_a_card_in_a_folder_stays(model, tmp_path):
    folder = tmp_path / "shop"
    save_pretrained(model, folder)
    (folder / "README.md").write_text("written with care", encoding="utf-8")
    save_pretrained(model, folder, overwrite=True)
    assert (folder / "README.md").read_text(encoding="utf-8") == "written with care"
    save_pretrained(model, folder, overwrite=True, replace_card=True)
    assert "library_name" in (folder / "README.md").read_text(encoding="utf-8")


def test_a_folder_with_something_else_is_not_lost(model, tmp_path):
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos/cat.jpg").write_bytes(b"cat")
    with pytest.raises(OutputError, match="holds no model"):
        save_pretrained(model, tmp_path / "photos")
    assert (tmp_path / "photos/cat.jpg").exists()


def test_card(model):
    card = model_card(model, "someone/shop", {"license": "mit"})
    assert card.startswith('---\nlibrary_name: "numberline"\ntags: ["numberline", ')
    assert 'license: "mit"\n---\n' in card
    assert "# shop\n" in card
    assert "for 74 words and for every numeral" in card
    for row in ("| encoder | gmm |", "| dim | 12 |", "| epochs | 3 |", "| seed | 1 |"):
        assert row in card
    assert f"| trained: tokens | {model.training['tokens']} |" in card


def test_no_licence_is_claimed(model):
    assert "license" not in model_card(model, "someone/shop", {})


def test_the_head_of_the_card_is_what_the_hub_reads(model):
    hub = pytest.importorskip("huggingface_hub")
    metadata = {"license": "mit", "language": ["en"], "model_name": 'a "name": #1'}
    read = hub.ModelCard(model_card(model, "someone/shop", metadata)).data.to_dict()
    assert read["library_name"] == "numberline"
    assert {name: read[name] for name in metadata} == metadata
    assert "word-embeddings" in read["tags"]
    assert front_matter({}).count("---") == 2


@pytest.mark.parametrize("make", [small_model, model_without_numerals])
def test_the_example_of_a_card_runs(make, tmp_path):
    folder = tmp_path / "shop"
    save_pretrained(make(), folder)
    names = {}
    exec(code_in((folder / "README.md").read_text(encoding="utf-8")), names)
    assert names["model"].words == make().words


@pytest.mark.parametrize("name", ["./missing", "a/b/c", "/missing", "", "two words"])
def test_neither_folder_nor_repository(name):
    with pytest.raises(NumberlineError, match=r"is neither a folder nor the id|holds no model"):
        from_pretrained(name)


def test_a_path_is_never_a_repository(tmp_path):
    with pytest.raises(StoreError, match="is neither a folder"):
        from_pretrained(tmp_path / "missing")
    with pytest.raises(StoreError, match="holds no model"):
        from_pretrained(tmp_path)
