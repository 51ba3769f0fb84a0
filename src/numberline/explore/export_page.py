"""Answers about a model → one HTML file that holds the whole page: no server, no network."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from numberline.arrays import Array, Floats
from numberline.explore.answers import Answers
from numberline.explore.server import page_files
from numberline.explore.word_map import WordMap
from numberline.files.whole_file import replace_file
from numberline.model.number_grid import round_numbers

FINE_BINS = 4000  # of the whole line: enough that a stretch of it still has a shape
FREQUENT_NUMBERS = 900
MODULES = "numberline/"  # prefix of the names by which the scripts of the file import each other


def export_page(answers: Answers, word_map: WordMap, path: Path) -> None:
    """Write the page; `word_map` must be final."""
    with replace_file(path, overwrite=True) as file:
        file.write(page(exported_data(answers, word_map)).encode())


def page(data: dict[str, Any]) -> str:
    """Return the page with its style, its scripts and the data inside."""
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
    """Return a data URL that holds a script, with its imports renamed to fit the file."""
    named = re.sub(r'from "\./', f'from "{MODULES}', module)
    return "data:text/javascript;base64," + base64.b64encode(named.encode()).decode()


def in_script(data: Any) -> str:
    """Return JSON that cannot end the script element around it."""
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
    """Answer questions about sentences, and about those with a likely value put in.

    Returns the checks by text, and the predictions by the characters and the text.
    """
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
            prediction = answers.expected(text, start, end)
            expected[f"{start} {end} {text}"] = prediction
            replaced += [text[:start] + one["text"] + text[end:] for one in prediction["likely"]]


def shown_numbers(answers: Answers) -> Floats:
    """Return round numbers of the line and frequent ones of the corpus, ascending."""
    vocabulary = answers.model.vocabulary
    frequent = np.argsort(-vocabulary.numeral_counts, kind="stable")[:FREQUENT_NUMBERS]
    return np.union1d(round_numbers(*answers.whole_line), vocabulary.numeral_values[frequent])


def in_bytes(rows: Array) -> str:
    """Return rows as bytes in base 64; cosines of the bytes are right to a hundredth."""
    largest = np.abs(rows).max(axis=1, keepdims=True)
    whole = np.round(127 * rows / np.where(largest > 0, largest, 1)).astype(np.int8)
    return base64.b64encode(whole.tobytes()).decode()
