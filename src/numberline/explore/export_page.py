"""Answers about a model → one HTML file with all that the page needs: no server, no net."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from numberline.arrays import Array, Floats
from numberline.explore.answers import Answers
from numberline.explore.places import WordMap
from numberline.explore.server import page_files
from numberline.files.whole_file import replace_file
from numberline.model.number_grid import round_numbers

FINE_BINS = 4000  # of the whole line, so that a stretch of it has a shape
FREQUENT_NUMBERS = 900
MODULES = "numberline/"  # in an exported page, scripts import each other by these names


def export_page(answers: Answers, word_map: WordMap, path: Path) -> None:
    """Write it; `word_map` must be final."""
    with replace_file(path, overwrite=True) as file:
        file.write(page(exported_data(answers, word_map)).encode())


def page(data: dict[str, Any]) -> str:
    """The page with its style, its scripts and the data in it."""
    texts = {file.name: file.read_text(encoding="utf-8") for file in page_files()}
    modules = {
        MODULES + name: as_address(text) for name, text in texts.items() if name.endswith(".js")
    }
    start = '<script type="module" src="page.js"></script>'
    scripts = (
        f'<script type="application/json" id="exported">{in_script(data)}</script>\n'
        f'<script type="importmap">{in_script({"imports": modules})}</script>\n'
        f'<script type="module">import "{MODULES}page.js";</script>'
    )
    style = '<link rel="stylesheet" href="style.css">'
    assert start in texts["index.html"]
    assert style in texts["index.html"]
    whole = texts["index.html"].replace(style, f"<style>\n{texts['style.css']}</style>")
    return whole.replace(start, scripts)


def as_address(module: str) -> str:
    """A script as an address that holds it; its imports go by the page's names."""
    named = re.sub(r'from "\./', f'from "{MODULES}', module)
    return "data:text/javascript;base64," + base64.b64encode(named.encode()).decode()


def in_script(data: Any) -> str:
    """JSON in which no text can end the script around it."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False).replace("<", "\\u003c")


def exported_data(answers: Answers, word_map: WordMap) -> dict[str, Any]:
    landmarks = answers.landmarks
    values = shown_numbers(answers)
    about = answers.about()
    checked, expected = answered_sentences(answers, about["texts"])
    return {
        "about": about,
        "map": word_map.answer(),
        "fine_heights": answers.heights(*answers.whole_line, FINE_BINS),
        "words": landmarks.words,
        "word_rows": in_bytes(landmarks.word_rows),
        "values": values.tolist(),
        "number_rows": in_bytes(landmarks.numeral_rows(values)),
        "numbers": [
            {"weights": answers.weights(value), **answers.occurrences(value)}
            for value in values.tolist()
        ],
        "checked": checked,
        "expected": expected,
    }


def answered_sentences(answers: Answers, texts: list[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is said of sentences, and of those that come of putting a likely value into one."""
    checked: dict[str, Any] = {}
    expected: dict[str, Any] = {}
    replaced: list[str] = []
    for text in texts:
        add_sentence(answers, text, checked, expected, replaced)
    for text in replaced:
        add_sentence(answers, text, checked, expected, [])
    return checked, expected


def add_sentence(
    answers: Answers,
    text: str,
    checked: dict[str, Any],
    expected: dict[str, Any],
    replaced: list[str],
) -> None:
    checked[text] = answers.check(text)
    for piece in checked[text]["pieces"]:
        if piece["kind"] != "text":
            start, end = piece["start"], piece["end"]
            found = answers.expected(text, start, end)
            expected[f"{start} {end} {text}"] = found
            replaced += [text[:start] + one["text"] + text[end:] for one in found["likely"]]


def shown_numbers(answers: Answers) -> Floats:
    """Round numbers of the line and frequent ones of the corpus, ascending."""
    vocabulary = answers.model.vocabulary
    frequent = np.argsort(-vocabulary.numeral_counts, kind="stable")[:FREQUENT_NUMBERS]
    return np.union1d(round_numbers(*answers.whole_line), vocabulary.numeral_values[frequent])


def in_bytes(rows: Array) -> str:
    """Directions in whole numbers up to 127, row by row; their cosines are right to a percent."""
    largest = np.abs(rows).max(axis=1, keepdims=True)
    whole = np.round(127 * rows / np.where(largest > 0, largest, 1)).astype(np.int8)
    return base64.b64encode(whole.tobytes()).decode()
