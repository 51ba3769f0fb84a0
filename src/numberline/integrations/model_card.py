"""A model → its card: a README with what it is, how it was trained and how it is used."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from numberline.model.embeddings import Embeddings
from numberline.settings import saved_settings

TAGS = ["numberline", "word-embeddings", "numerals", "numeracy"]


def model_card(model: Embeddings, place: str, metadata: Mapping[str, Any]) -> str:
    """`place` is where the model will be found: the id of a repository, or a folder."""
    return "\n".join(
        [
            front_matter(metadata),
            f"# {place.rstrip('/').rpartition('/')[2]}",
            "",
            description(model),
            "",
            "## Usage",
            "",
            f"```python\n{usage(model, place)}\n```",
            "",
            "`pip install 'numberline[hub]'` brings what is needed.",
            "",
            "## Training",
            "",
            training_table(model),
            "",
        ]
    )


def front_matter(metadata: Mapping[str, Any]) -> str:
    """YAML, of which JSON is a part."""
    facts = {"library_name": "numberline", "tags": TAGS, **metadata}
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in facts.items()]
    return "\n".join(["---", *lines, "---", ""])


def description(model: Embeddings) -> str:
    totals = model.vocabulary.totals
    known = f"Vectors of {model.dim} numbers for {len(model):,} words"
    learnt = f"learnt from {totals.tokens:,} tokens of text"
    if model.numerals is None:
        return f"{known}, {learnt}. The text held no numerals."
    values = f"{len(model.vocabulary.numeral_values):,} distinct values"
    numerals = f"{totals.numeral_tokens:,} of them numerals ({values})"
    return f"{known} and for every numeral, seen or unseen, {learnt}, {numerals}."


def usage(model: Embeddings, place: str) -> str:
    lines = [
        "from numberline.integrations.hub import from_pretrained",
        "",
        f"model = from_pretrained({place!r})",
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
    rows += [f"| {name} | {value} |" for name, value in saved_settings(model.settings).items()]
    facts = {f"trained: {name}": value for name, value in model.training.items()}
    rows += [f"| {name} | {value} |" for name, value in facts.items()]
    return "\n".join(rows)
