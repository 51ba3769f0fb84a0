"""Answers about a model → one HTML file that holds the whole page: no server, no network."""

from __future__ import annotations

import base64
import json
import re
from graphlib import TopologicalSorter
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from numberline.arrays import Array, Floats
from numberline.explore.answers import Answers, as_json
from numberline.explore.server import page_files
from numberline.explore.word_map import WordMap
from numberline.files.whole_file import replace_file
from numberline.model.number_grid import round_numbers

FINE_BINS = 4000  # of the whole line: enough that a stretch of it still has a shape
FREQUENT_NUMBERS = 900
IMPORT = re.compile(r'^import \{(.+)\} from "\./(.+)";$', re.MULTILINE)
EXPORT = re.compile(r"^export ((?:async )?(?:function|class|const) (\w+))", re.MULTILINE)


def export_page(answers: Answers, word_map: WordMap, path: Path) -> None:
    """Write the page; `word_map` must be final."""
    with replace_file(path, overwrite=True) as file:
        file.write(page(exported_data(answers, word_map)).encode())


def page(data: dict[str, Any]) -> str:
    """Return the page with its style, its script and the data inside.

    Its policy allows this style and this script by their hashes, and nothing else.
    """
    texts = {file.name: file.read_text(encoding="utf-8") for file in page_files()}
    style = f"\n{texts['style.css']}"
    script = in_one_script({name: text for name, text in texts.items() if name.endswith(".js")})
    policy = (
        f"default-src 'none'; script-src '{hash_of(script)}'; style-src '{hash_of(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    whole = texts["index.html"]
    for old, new in (
        (
            '<meta charset="utf-8">',
            '<meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        ),
        ('<link rel="stylesheet" href="style.css">', f"<style>{style}</style>"),
        (
            '<script type="module" src="page.js"></script>',
            f'<script type="application/json" id="exported">{in_script(data)}</script>\n'
            f'<script type="module">{script}</script>',
        ),
    ):
        assert old in whole, old
        whole = whole.replace(old, new)
    return whole


def in_one_script(modules: dict[str, str]) -> str:
    """Return one script that runs each module, as a function that returns what it exports."""
    imported = {name: {found[2] for found in IMPORT.finditer(modules[name])} for name in modules}
    pieces = ["const modules = {};"]
    for name in TopologicalSorter(imported).static_order():
        exported = ", ".join(found[2] for found in EXPORT.finditer(modules[name]))
        text = IMPORT.sub(r'const {\1} = modules["\2"];', EXPORT.sub(r"\1", modules[name]))
        pieces.append(
            f'modules["{name}"] = await (async () => {{\n{text}\nreturn {{ {exported} }};\n}})();'
        )
    script = "\n".join(pieces)
    assert "</script" not in script
    return script


def hash_of(text: str) -> str:
    """Return the source expression of a Content-Security-Policy that allows an inline text."""
    return "sha256-" + base64.b64encode(sha256(text.encode()).digest()).decode()


def in_script(data: Any) -> str:
    """Return JSON that cannot end the script element around it."""
    text = json.dumps(as_json(data), ensure_ascii=False, allow_nan=False)
    return text.replace("<", "\\u003c")


def exported_data(answers: Answers, word_map: WordMap) -> dict[str, Any]:
    landmarks = answers.landmarks
    values = shown_numbers(answers)
    about = answers.about()
    checked, expected = answered_sentences(answers, about["texts"])
    return {
        "about": about,
        "map": word_map.answer(),
        "fine_heights": answers.heights(*answers.whole_line, FINE_BINS),
        "least_count": landmarks.least_count,
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
