"""One idea, five objectives: similarity, magnitude, gaps and time of each, on one text.

    python benchmarks/objectives.py CORPUS HELD_OUT --data SETS [--dim 100] [--gaps 1020]
        [--objectives skipgram cbow glove ppmi ppmi:matrix=counts] [--set window=5 ...]

CORPUS is text or an encoded corpus; HELD_OUT is text that no model was trained on, from which gaps
are drawn. SETS is a folder with word-similarity/ and naik/. Ranks are those of the true number
among the numbers of all gaps, by the gap model; with --gaps 0 no gap model is trained. Seconds are
those of the vectors, counting included, with all threads.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from gaps import ranks_by_gap_model
from machine import machine
from quality import word_similarity

import numberline as nl
from numberline.evaluation.gaps import Gap, sample_gaps
from numberline.notation import value_of
from numberline.reading.corpus import open_corpus
from numberline.settings import Settings

OBJECTIVES = ["skipgram", "cbow", "glove", "ppmi", "ppmi:matrix=counts"]
CBOW_RATE = 0.1  # which docs/training.md advises
COLUMNS = {
    "WordSim-353": "WordSim-353",
    "MEN": "MEN",
    "SimLex-999": "SimLex-999",
    "naik OVA": "OVA",
    "naik SC": "SC",
    "rank": "rank of the number in a gap",
    "seconds": "seconds",
}


def measures_of(model: nl.Embeddings, data: Path, gaps: list[Gap]) -> dict[str, float]:
    found = word_similarity(model, data)
    if gaps:
        found["rank"] = float(np.mean(ranks_by_gap_model(model, gaps)))
    return found | {"seconds": float(model.training["seconds"])}


def settings_of(texts: list[str]) -> dict[str, Any]:
    """Return the settings in texts such as window=5."""
    fields = Settings.__dataclass_fields__
    pairs = (text.split("=", 1) for text in texts)
    return {name: value_of(fields[name], type(fields[name].default), text) for name, text in pairs}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("held_out", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--dim", type=int, default=100)
    parser.add_argument("--gaps", type=int, default=1020)
    parser.add_argument("--objectives", nargs="+", default=OBJECTIVES)
    parser.add_argument("--set", nargs="*", default=[], metavar="NAME=VALUE")
    options = parser.parse_args()
    text, shared = Settings(), {"dim": options.dim, **settings_of(options.set)}
    random = np.random.default_rng(1)
    gaps, columns = [], {name: title for name, title in COLUMNS.items() if name != "rank"}
    if options.gaps:
        gaps = sample_gaps(open_corpus(options.held_out, text), options.gaps, random, text, 0)
        columns = COLUMNS
    print(machine(), f"{len(gaps)} gaps", sep="; ", flush=True)
    print("| objective |", " | ".join(columns.values()), "|")
    print("| --- |", " | ".join(["--:"] * len(columns)), "|", flush=True)
    for objective in options.objectives:
        own = {"learning_rate": CBOW_RATE} if objective == "cbow" else {}
        settings = {"gap_model": bool(gaps), **shared, **own}
        model = nl.train(options.corpus, objective=objective, **settings)
        found = measures_of(model, options.data, gaps)
        print(f"| {objective} |", " | ".join(f"{found[n]:.1f}" for n in columns), "|", flush=True)


if __name__ == "__main__":
    main()
