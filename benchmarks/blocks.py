"""Block sizes and what they do to vectors: magnitude, prediction and word similarity.

    python benchmarks/blocks.py [--corpus FILE] [--tokens N] [--dim D] [--encoder gmm]

Within a block, numerals that share prototypes do not see each other move. Smaller blocks come
nearer to training without blocks; what is to be seen here is that the default is as good as they.

    SC           of Naik's triples, how many have the close numeral nearer than the far one
    rank         mean rank of the numeral of a held-out line among those of all held-out lines, by
                 s0 with weighted contexts; ties get the middle rank
    similarity   Spearman's correlation on WordSim-353, MEN, SimLex-999
"""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path

import numpy as np
from held_out import split_corpus
from machine import machine
from rich.console import Console
from rich.table import Table
from word_similarity import similarity_scores

import numberline as nl
from numberline.config import TrainingConfig
from numberline.errors import TrainingError
from numberline.evaluation.gaps import Gap, gaps_of
from numberline.model.context import weighted_context
from numberline.model.embeddings import Embeddings
from numberline.model.prediction import context_scores
from numberline.model.scores import numerals

SHARED = Path(__file__).parents[2] / "shared/data"
DEFAULT = TrainingConfig()
HELD_OUT = 2000  # lines
UNBOUNDED = 1e9
BLOCKS = [  # tokens, load
    (1024, DEFAULT.block_load),
    (4096, DEFAULT.block_load),
    (DEFAULT.block_tokens, DEFAULT.block_load / 4),
    (DEFAULT.block_tokens, DEFAULT.block_load),
    (DEFAULT.block_tokens, DEFAULT.block_load * 4),
    (8 * DEFAULT.block_tokens, DEFAULT.block_load),
    (8 * DEFAULT.block_tokens, UNBOUNDED),
]


def strict_comparisons(model: Embeddings, path: Path) -> float:
    with path.open(encoding="utf-8") as lines:
        rows = list(csv.reader(lines, delimiter="\t"))[1:]
    triples = np.array(rows, float)
    anchor, close, far = (model.numeral_vectors(column).astype(float) for column in triples.T)
    nearer = np.linalg.norm(anchor - close, axis=1) < np.linalg.norm(anchor - far, axis=1)
    return 100 * float(nearer.mean())


def mean_rank(model: Embeddings, gaps: list[Gap]) -> float:
    values = np.unique([gap.value for gap in gaps])
    candidates = numerals(model, values)
    ranks = []
    for gap in gaps:
        context = weighted_context(model, gap.left, gap.right)
        scores = context_scores(context, candidates, "s0")
        own = scores[np.searchsorted(values, gap.value)]
        ranks.append((scores > own).sum() + ((scores == own).sum() + 1) / 2)
    return float(np.mean(ranks))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, default=SHARED / "corpora/wikipedia-2015.txt.zst")
    parser.add_argument("--eval", type=Path, default=SHARED / "eval")
    parser.add_argument("--tokens", type=int, default=30_000_000, help="to train on")
    parser.add_argument("--dim", type=int, default=DEFAULT.dim)
    parser.add_argument("--encoder", default="gmm")
    arguments = parser.parse_args()
    training, held_out = split_corpus(arguments.corpus, arguments.tokens, HELD_OUT)
    gaps = list(gaps_of(held_out, np.random.default_rng(1)))
    corpus = nl.encode(training)
    chance = (len(np.unique([gap.value for gap in gaps])) + 1) / 2
    table = Table(title=f"{arguments.encoder}, {arguments.dim} dimensions, 1 epoch, {machine()}")
    for heading in ("tokens", "load", "s", "SC", f"rank (chance {chance:.0f})", "similarity"):
        table.add_column(heading, justify="right")
    for tokens, load in BLOCKS:
        settings = {"block_tokens": tokens, "block_load": load, "shuffle": False}
        settings |= {"encoder": arguments.encoder, "dim": arguments.dim}
        started = time.perf_counter()
        name = [f"{tokens:,}", "any" if load == UNBOUNDED else f"{load:g}"]
        try:
            model = nl.train(corpus, epochs=1, seed=1, **settings)
        except TrainingError:
            table.add_row(*name, "", "", "", "diverges")
            continue
        seconds = time.perf_counter() - started
        scores = similarity_scores(
            model.words, model.word_input, arguments.eval / "word-similarity"
        )
        table.add_row(
            *(*name, f"{seconds:.1f}"),
            f"{strict_comparisons(model, arguments.eval / 'naik/sc.tsv'):.1f}",
            f"{mean_rank(model, gaps):.1f}",
            " / ".join(f"{score:.1f}" for score in scores.values()),
        )
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
