"""A model → its card: a README that says what it is, how to use it and how it was trained."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from numberline.model.embeddings import Embeddings
from numberline.settings import saved_settings

TAGS = ["numberline", "word-embeddings", "numerals", "numeracy"]


def model_card(model: Embeddings, source: str, metadata: Mapping[str, Any]) -> str:
    """Return the card; its example loads `source`, the id of a repository or a folder."""
    return "\n".join(
        [
            front_matter(metadata),
            f"# {source.rstrip('/').rpartition('/')[2]}",
            "",
            description(model),
            "",
            "## Usage",
            "",
            f"```python\n{usage(model, source)}\n```",
            "",
            "Needs `pip install 'numberline[hub]'`.",
            "",
            "## Training",
            "",
            training_table(model),
            "",
        ]
    )


def front_matter(metadata: Mapping[str, Any]) -> str:
    """Return the metadata as the YAML that a card starts with; values in JSON are YAML."""
    facts = {"library_name": "numberline", "tags": TAGS, **metadata}
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in facts.items()]
    return "\n".join(["---", *lines, "---", ""])


def description(model: Embeddings) -> str:
    totals = model.vocabulary.totals
    words = f"Vectors of {model.dim} dimensions for {len(model):,} words"
    text = f"learnt from {totals.tokens:,} tokens of text"
    if model.numerals is None:
        return f"{words}, {text}. The text held no numerals."
    values = f"{len(model.vocabulary.numeral_values):,} distinct values"
    numerals = f"{totals.numeral_tokens:,} of them numerals ({values})"
    return f"{words} and for every numeral, seen or unseen, {text}, {numerals}."


def usage(model: Embeddings, source: str) -> str:
    lines = [
        "from numberline.integrations.hub import from_pretrained",
        "",
        f"model = from_pretrained({source!r})",
    ]
    if model.words:
        lines += [f"model[{model.words[0]!r}]  # the vector of a word"]
    if model.numerals is not None:
        lines += [
            'model["1,250.5"]  # of any numeral, in any format',
            'model.similarity("12", "13"), model.similarity("12", "90000")',
        ]
    return "\n".join(lines)


def training_table(model: Embeddings) -> str:
    rows = ["| setting | value |", "| --- | --- |"]
    settings = saved_settings(model.settings) | {"encoder": model.settings.encoder}
    rows += [f"| {name} | {value} |" for name, value in settings.items()]
    facts = {f"trained: {name}": value for name, value in model.training.items()}
    rows += [f"| {name} | {value} |" for name, value in facts.items()]
    return "\n".join(rows)
