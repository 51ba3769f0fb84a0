"""The site is built without a warning, stands alone, and its links lead where documents' do."""

import importlib.util
import os
import re
import subprocess
import sys
from dataclasses import fields
from urllib.parse import urlsplit

import pytest

from numberline.settings import Settings
from tests.documents.pages import ROOT
from tests.explore.browsing import browser

pytest.importorskip("material", reason="the extra docs brings mkdocs-material")
pytest.importorskip("mkdocstrings", reason="the extra docs brings mkdocstrings")

FETCHED = re.compile(r"<(?:script|img|iframe|link)[^>]*(?:src|href)=\"?((?:https?:)?//[^\s\">]+)")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    result = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment)
    assert result.returncode == 0, result.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site):
    return {path.stem: path.read_text(encoding="utf-8") for path in site.glob("*.html")}


def test_every_document_is_a_page(pages):
    documents = {path.stem for path in ROOT.glob("docs/*.md")}
    assert documents | {"architecture", "benchmarks", "changelog", "contributing"} <= set(pages)


def test_nothing_is_fetched_from_outside(pages):
    for name, page in pages.items():
        assert FETCHED.findall(page) == [], name


def test_the_reference_holds_the_public_names(pages):
    import numberline

    for name in set(numberline.__all__) - {"__version__"}:
        assert re.search(rf'id="numberline\.[\w.]*\b{name}"', pages["api"]), name


def test_links_out_of_docs_lead_to_pages(pages):
    assert 'href="architecture.html"' in pages["method"]
    assert 'href="benchmarks.html"' in pages["choosing"]
    assert 'href="companion.html"' in pages["benchmarks"]
    assert 'href="torch.html"' in pages["changelog"]


def test_settings_are_listed_with_their_defaults(pages):
    cells = re.findall(r"<td><code>(\w+)</code></td>\s*<td>(.*?)</td>", pages["api"])
    listed = {name: re.sub("<[^>]+>", "", default) for name, default in cells}
    for setting in fields(Settings):
        assert listed[setting.name] == repr(setting.default)
    assert listed["threads"] == "all cores"


def test_the_search_works_in_pages_that_are_opened_as_files(site):
    with browser() as chromium:
        page = chromium.new_page()
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto((site / "index.html").as_uri())
        page.click("input.md-search__input")
        page.keyboard.type("prototypes")
        page.wait_for_selector("a.md-search-result__link[href*='encoders.html']")
        assert {urlsplit(address).scheme for address in asked} <= {"file", "data", "about"}


@pytest.fixture(scope="module")
def hook():
    described = importlib.util.spec_from_file_location("site_pages", ROOT / "tools/site_pages.py")
    module = importlib.util.module_from_spec(described)
    described.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("folder", "link", "on_site"),
    [
        ("docs", "using.md#does-this-number-fit", "using.md#does-this-number-fit"),
        ("docs", "images/a.png", "images/a.png"),
        ("docs", "../ARCHITECTURE.md", "architecture.md"),
        ("docs", "../benchmarks/README.md#training", "benchmarks.md#training"),
        ("", "docs/torch.md", "torch.md"),
        ("", "benchmarks/README.md", "benchmarks.md"),
        ("benchmarks", "../docs/companion.md", "companion.md"),
        ("benchmarks", "../README.md", "index.md"),
        ("docs", "https://example.org/docs/a.md", "https://example.org/docs/a.md"),
        ("docs", "#here", "#here"),
    ],
)
def test_links_are_rewritten(hook, folder, link, on_site):
    assert hook.as_on_site(f"see [it]({link}), twice", folder) == f"see [it]({on_site}), twice"
