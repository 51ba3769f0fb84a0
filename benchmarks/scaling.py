"""How training grows with threads and with text: speed, and memory beyond the tables.

    python benchmarks/scaling.py [--corpus FILE …] [--tokens 10000000 100000000] [--dim 100]

The corpora are read one after the other, and again from the start where they are too short. Every
training (gmm, 1 epoch, other settings by default) is a process of its own, with one thread and with
all; sizes and threads take turns, and the median of the repeats is shown. Tables are the input and
output vectors of words, as they lie in memory; ids are mapped from their file.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import chain, cycle
from pathlib import Path
from typing import Any

from held_out import first_lines, lines_of
from machine import machine, peak_megabytes
from rich.console import Console
from rich.table import Table

CORPORA = Path(__file__).parents[2] / "shared/data/corpora"
DEFAULT_CORPORA = [CORPORA / "wikipedia-2015.txt.zst", CORPORA / "wikipedia-leads.txt.zst"]


def run_job(folder: str, dim: int, threads: int) -> None:
    """In the child: train, and print time and memory as JSON."""
    import numberline
    from numberline.training.tables import padded_width

    corpus = numberline.load_encoded(folder)
    words = len(corpus.vocabulary.words)
    started = time.perf_counter()
    numberline.train(corpus, encoder="gmm", dim=dim, epochs=1, threads=threads, seed=1)
    facts = {
        "tokens": len(corpus.ids),
        "words": words,
        "threads": threads,
        "seconds": time.perf_counter() - started,
        "peak_megabytes": peak_megabytes(),
        "table_megabytes": 2 * words * padded_width(dim) * 4 / 2**20,
        "id_megabytes": corpus.ids.nbytes / 2**20,
    }
    print(json.dumps(facts))


def measure(arguments: argparse.Namespace) -> list[dict[str, Any]]:
    import numberline

    runs = []
    with tempfile.TemporaryDirectory() as name:
        folders = [Path(name) / str(tokens) for tokens in arguments.tokens]
        for folder, tokens in zip(folders, arguments.tokens, strict=True):
            again = chain.from_iterable(map(lines_of, cycle(arguments.corpus)))
            numberline.encode(first_lines(again, tokens), folder)
        for _ in range(arguments.repeats):
            for folder in folders:
                for threads in (1, os.cpu_count()):
                    job = json.dumps([str(folder), arguments.dim, threads])
                    command = [sys.executable, __file__, "--job", job]
                    done = subprocess.run(command, check=True, capture_output=True, text=True)
                    runs.append(json.loads(done.stdout.splitlines()[-1]))
                    print(json.dumps(runs[-1]), file=sys.stderr, flush=True)
    return runs


def table(runs: list[dict[str, Any]], dim: int) -> Table:
    shown = Table(title=f"training, gmm, {dim} dimensions, {machine()}")
    for heading in ("tokens", "words", "threads", "s", "M tokens/s", "peak MB", "tables", "beyond"):
        shown.add_column(heading, justify="right")
    for tokens, threads in dict.fromkeys((run["tokens"], run["threads"]) for run in runs):
        same = [run for run in runs if (run["tokens"], run["threads"]) == (tokens, threads)]
        seconds = statistics.median(run["seconds"] for run in same)
        peak = statistics.median(run["peak_megabytes"] for run in same)
        beyond = peak - same[0]["table_megabytes"] - same[0]["id_megabytes"]
        shown.add_row(
            *(f"{tokens:,}", f"{same[0]['words']:,}", str(threads), f"{seconds:.1f}"),
            *(f"{tokens / seconds / 1e6:.2f}", f"{peak:.0f}"),
            *(f"{same[0]['table_megabytes']:.0f}", f"{beyond:.0f}"),
        )
    return shown


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, nargs="+", default=DEFAULT_CORPORA)
    parser.add_argument("--tokens", type=int, nargs="+", default=[10_000_000, 100_000_000])
    parser.add_argument("--dim", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--job", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.job:
        run_job(*json.loads(arguments.job))
        return
    Console(width=110).print(table(measure(arguments), arguments.dim))


if __name__ == "__main__":
    main()
