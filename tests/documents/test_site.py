"""The site is built without a warning, needs nothing from outside, and shows all listed names."""

import importlib.util
import posixpath
import re
import subprocess
import sys
from dataclasses import dataclass, field, fields
from pydoc import locate
from urllib.parse import urlsplit

import pytest

from tests.documents.pages import ROOT
from tests.documents.test_api_page import LISTED
from tests.explore.browsing import browser

for module in ("sphinx", "myst_parser", "furo"):
    pytest.importorskip(module, reason="the extra docs is not installed")

FETCHED = re.compile(r"<(?:script|img|iframe|link)[^>]*(?:src|href)=\"?((?:https?:)?//[^\s\">]+)")
FETCHED_BY_STYLES = re.compile(r"url\([\"']?((?:https?:)?//[^)]+)|@import[^;]*//")
OUTSIDE_DOCS = ("ARCHITECTURE", "CHANGELOG", "CONTRIBUTING", "benchmarks/README")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    strict = ["--quiet", "--fail-on-warning", "--keep-going", "--fresh-env"]
    build = [*strict, "--conf-dir", "docs/site", "--doctree-dir", folder / "doctrees"]
    command = [sys.executable, "-m", "sphinx", *build, ".", folder / "site"]
    result = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert result.returncode == 0, result.stderr
    return folder / "site"


@pytest.fixture(scope="module")
def pages(site):
    return {
        path.relative_to(site).with_suffix("").as_posix(): path.read_text(encoding="utf-8")
        for path in site.rglob("*.html")
    }


def test_every_document_is_a_page(pages):
    documents = {f"docs/{path.stem}" for path in ROOT.glob("docs/*.md")}
    assert documents | set(OUTSIDE_DOCS) <= set(pages)


@pytest.mark.parametrize("name", ["docs/index", "docs/api", "ARCHITECTURE", "benchmarks/README"])
def test_the_sidebar_leads_to_all_other_pages(pages, name):
    folder = posixpath.dirname(name)
    targets = re.findall(r'class="reference internal" href="([^"#]+)\.html"', pages[name])
    linked = {posixpath.normpath(posixpath.join(folder, target)) for target in targets}
    assert {"docs/index", "docs/results", *OUTSIDE_DOCS} - {name} <= linked


def test_the_folder_opens_at_the_first_page(pages):
    assert "url=docs/index.html" in pages["index"]


def test_nothing_is_fetched_from_outside(site, pages):
    for name, page in pages.items():
        assert FETCHED.findall(page) == [], name
    for sheet in site.rglob("*.css"):
        assert FETCHED_BY_STYLES.findall(sheet.read_text(encoding="utf-8")) == [], sheet


def test_listed_names_are_shown_with_their_docstrings(pages):
    for name in LISTED:
        assert f'id="{name}"' in pages["docs/api"], name


def test_links_between_documents_lead_to_pages(pages):
    assert 'href="../ARCHITECTURE.html"' in pages["docs/method"]
    assert 'href="../benchmarks/README.html"' in pages["docs/choosing"]
    assert 'href="../docs/companion.html"' in pages["benchmarks/README"]
    assert 'href="docs/torch.html"' in pages["CHANGELOG"]


def test_settings_are_listed_with_their_defaults(pages, site_api):
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", pages["docs/api"], re.S)
    cells = [[re.sub("<[^>]+>", "", cell).strip() for cell in row.split("</td>")] for row in rows]
    listed = {tuple(row[:2]) for row in cells}
    document = (ROOT / "docs/api.md").read_text(encoding="utf-8")
    names = [item[1] for item in site_api.ITEM.finditer(document) if ".settings." in item[1]]
    settings = [setting for name in names for setting in fields(locate(name))]
    shown = [setting for setting in settings if "help" in setting.metadata]
    assert len(shown) > 9
    for setting in shown:
        default = "all cores" if setting.name == "threads" else repr(setting.default)
        assert (setting.name, default) in listed


def test_the_search_works_in_pages_that_are_opened_as_files(site):
    with browser() as chromium:
        page = chromium.new_page()
        asked, errors = [], []
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto((site / "index.html").as_uri())
        page.fill("input.sidebar-search", "prototypes")
        page.press("input.sidebar-search", "Enter")
        page.wait_for_selector("#search-results a[href*='encoders.html']")
        assert {urlsplit(address).scheme for address in asked} <= {"file", "data", "about"}
        assert errors == []


@pytest.fixture(scope="module")
def site_api():
    described = importlib.util.spec_from_file_location("site_api", ROOT / "tools/site_api.py")
    module = importlib.util.module_from_spec(described)
    described.loader.exec_module(module)
    return module


@dataclass
class Shared:
    """What all have."""

    size: int = field(default=3, metadata={"help": "Length | width."})


@dataclass
class Special(Shared):
    """What one has."""

    names: list[str] = field(default_factory=list, metadata={"help": "Some names."})
    internal: int = 0  # has no help text


def test_a_table_holds_the_fields_with_a_help_text(site_api):
    section = site_api.settings_section("package.Special", Special, {Special})
    assert r"| `size` | `3` | Length \| width. |" in section
    assert "| `names` | `[]` | Some names. |" in section
    assert "internal" not in section


def test_inherited_settings_stand_in_the_table_of_their_class(site_api):
    section = site_api.settings_section("package.Special", Special, {Shared, Special})
    assert "`names`" in section
    assert "`size`" not in section


@pytest.mark.parametrize(
    ("item", "directive"),
    [
        ("- `numberline.load`", ".. autofunction:: numberline.load\n"),
        ("- `numberline.Embeddings`:\n  `words`,\n  `dim`", "   :members: words, dim\n"),
        ("- `numberline.NumberlineError`", ".. autoexception:: numberline.NumberlineError\n"),
        ("- `numberline.Line`", "```{py:class} Line\n:module: numberline\n"),
        ("- `numberline` is no name to expand", "- `numberline` is no name to expand"),
    ],
)
def test_listed_names_become_directives(site_api, item, directive):
    assert directive in site_api.expand(f"# Names\n\n{item}\n")


def test_a_listed_name_must_exist(site_api):
    with pytest.raises(LookupError, match=r"numberline\.no_such_thing"):
        site_api.expand("- `numberline.no_such_thing`\n")
