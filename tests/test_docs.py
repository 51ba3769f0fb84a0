"""Tables in the documents show what the program does, and links lead somewhere."""

import re
from pathlib import Path

import pytest

import numberline as nl
from numberline.cli.corpus import shown

ROOT = Path(__file__).parents[1]
CELL = r"`([^`]*)`"
ROWS = (ROOT / "docs/numerals.md").read_text(encoding="utf-8").splitlines()
PLAIN = [found.groups() for row in ROWS if (found := re.fullmatch(rf"\| {CELL} \| {CELL} \|", row))]
WITH_SETTING = [
    found.groups()
    for row in ROWS
    if (found := re.fullmatch(rf"\| {CELL} \| {CELL} \| {CELL} \|", row))
]


def test_tables_were_found():
    assert len(PLAIN) == 25
    assert len(WITH_SETTING) == 4


@pytest.mark.parametrize(("text", "tokens"), PLAIN)
def test_documented_readings(text, tokens):
    assert " ".join(map(shown, nl.tokenize(text))) == tokens


@pytest.mark.parametrize(("setting", "text", "tokens"), WITH_SETTING)
def test_documented_settings(setting, text, tokens):
    assert " ".join(map(shown, nl.tokenize(text, **{setting: True}))) == tokens


def test_readme_table():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.*?) \|.*\| (.*?) \|$", readme, re.M)
    read = [[nl.tokenize(text) for text in re.findall(CELL, texts)] for texts, _ in rows]
    values = [[token.value for tokens in row for token in tokens] for row in read]
    assert values[0] == [2000] * 4
    assert [[token.text for token in tokens if token.value is None] for tokens in read[1]] == [
        *[["$"], ["km"], ["'", '"'], [":"], ["th"]]
    ]
    assert values[2] == [-5, -5, 120000, 0.5, 3.5, 123]
    assert [len(tokens) for tokens in read[3]] == [2, 3, 3]
    assert set(values[4]) == {None}
    assert len(rows) == 5


def test_the_contributors_guide_names_tests_that_exist():
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"`(?:tests/)?((?:\w+/)?test_\w+\.py)`", guide)
    assert len(named) > 15
    assert [name for name in named if not (ROOT / "tests" / name).exists()] == []


def test_documents_link_to_files_that_exist():
    for document in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("benchmarks/*.md")]:
        for link in re.findall(r"\]\(([^)#]+)\)", document.read_text(encoding="utf-8")):
            if "://" not in link:
                assert (document.parent / link).exists(), (document, link)
