"""How well wrong numbers are found: the area under the ROC curve of `check`'s probability.

    python benchmarks/checking.py [--corpus FILE] [--tokens N] [--seeds N]

In the shop's chat, a numeral of each test message is replaced by one with another label (a weight
by a shoe size). In a corpus, sentences are held out from training, and a numeral of each is
replaced by one drawn as often as it occurs. The area is the fraction of pairs of a true and a
replaced numeral in which the replaced one is the likelier to be wrong; a coin gives 0.5. The table
also shows which fraction of the true and of the replaced numerals `check` calls odd.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from held_out import split_corpus
from machine import machine
from rich.console import Console
from rich.table import Table

import numberline as nl
from numberline.evaluation.gaps import Gap, gaps_of
from numberline.model.check import ODD_ABOVE, log_odds_of
from numberline.model.embeddings import Embeddings
from numberline.model.gaps import gaps_between
from numberline.model.judged import verdicts
from numberline.reading.scanner import read_tokens
from numberline_shop import story, tagged_sets, write_corpus

SHARED = Path(__file__).parents[2] / "shared/data"
DEFAULT_CORPUS = SHARED / "corpora/wikipedia-2015.txt.zst"
HELD_OUT = 3000  # lines
Replaced = list[tuple[Gap, float]]  # gaps, and the value that replaces the true one


def shop_gaps(seed: int) -> Replaced:
    random = np.random.default_rng(seed)
    sets = tagged_sets(seed)
    by_label: dict[str, list[float]] = defaultdict(list)
    for sentence in sets["train"]:
        for value, label in labelled_numerals(sentence):
            if value is not None:
                by_label[label].append(value)
    gaps = []
    for sentence in sets["test"]:
        tokens = read_tokens(word for word, _ in sentence)
        for at, (value, label) in enumerate(labelled_numerals(sentence)):
            if value is None or label not in by_label:
                continue
            other = random.choice([name for name in by_label if name != label])
            replaced = float(random.choice(by_label[other]))
            gaps.append((Gap([*tokens[:at]], [*tokens[at + 1 :]], value), replaced))
    return gaps


def labelled_numerals(sentence: list[tuple[str, str]]) -> Iterator[tuple[float | None, str]]:
    """Yield the value of every token, None unless it is a labelled numeral, and its label."""
    for word, tag in sentence:
        label = tag.partition("-")[2]
        yield nl.parse_numeral(word) if label else None, label


def corpus_and_gaps(path: Path, tokens: int, seed: int) -> tuple[Embeddings, Replaced]:
    random = np.random.default_rng(seed)
    training, held_out = split_corpus(path, tokens, HELD_OUT)
    model = nl.train(training, seed=seed)
    counts = model.vocabulary.numeral_counts
    gaps = list(gaps_of(held_out, random))
    drawn = random.choice(model.vocabulary.numeral_values, len(gaps), p=counts / counts.sum())
    return model, list(zip(gaps, drawn.tolist(), strict=True))


def detection(model: Embeddings, gaps: Replaced) -> tuple[float, float, float]:
    """Return the area under the curve, and the fractions of true and replaced numerals flagged."""
    contexts = gaps_between(model.lookup, (gap[:2] for gap, _ in gaps))
    is_hidden = np.zeros(len(contexts.tokens), bool)
    true, others = (
        verdicts(model, contexts, np.array(values), is_hidden).log_odds
        for values in ([gap.value for gap, _ in gaps], [value for _, value in gaps])
    )
    is_known = ~np.isnan(true)
    true, others = np.sort(true[is_known]), others[is_known]
    below = np.searchsorted(true, others, "left") + np.searchsorted(true, others, "right")
    area = float(below.mean() / 2 / len(true))
    limit = log_odds_of(ODD_ABOVE)
    return area, float((true > limit).mean()), float((others > limit).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, default=DEFAULT_CORPUS)
    parser.add_argument("--tokens", type=int, default=30_000_000, help="to train on")
    parser.add_argument("--seeds", type=int, default=3)
    arguments = parser.parse_args()
    table = Table(title=f"mean of {arguments.seeds} seeds, {machine()}")
    for heading in ("text", "numerals", "area", "true flagged", "replaced flagged"):
        table.add_column(heading, justify="left" if heading == "text" else "right")
    found: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    for seed in range(1, arguments.seeds + 1):
        with tempfile.TemporaryDirectory() as folder:
            corpus = Path(folder) / "chat.txt"
            write_corpus(corpus, seed=seed)
            model = nl.train(corpus, seed=seed, **story.TRAINING)
        gaps = shop_gaps(seed)
        found["shop's chat"].append((len(gaps), *detection(model, gaps)))
        if arguments.corpus.exists():
            model, gaps = corpus_and_gaps(arguments.corpus, arguments.tokens, seed)
            found[arguments.corpus.name].append((len(gaps), *detection(model, gaps)))
    for name, runs in found.items():
        count, area, true, replaced = (
            statistics.mean(column) for column in zip(*runs, strict=True)
        )
        table.add_row(name, f"{count:,.0f}", f"{area:.3f}", f"{true:.1%}", f"{replaced:.1%}")
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
