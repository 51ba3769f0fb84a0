"""How training speed grows with threads: encoders side by side, and processes beside threads.

    python benchmarks/scaling.py FOLDER [--encoders line token gmm] [--dim 100 300] [--epochs 1]
        [--workers 1x1 1x2 2x1] [--repeats 10] [--json OUT]

FOLDER is an encoded corpus (`numberline encode`). 1x2 is one process of two threads; 2x1 is two
processes of one thread each, which share nothing. Processes of a run start training together. All
kinds of run take turns, so that a noisy machine disturbs all alike. The table has medians, with the
slowest and the fastest run. Time is that of training alone: encoders are fitted before, ids are
mapped from disk. Memory is the peak of one process, beyond its tables.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import Any

from machine import machine, peak_megabytes
from rich.console import Console
from rich.table import Table


@dataclass(frozen=True)
class Job:
    folder: str
    encoder: str
    dim: int
    epochs: int
    processes: int
    threads: int  # of each process


def train(job: Job) -> None:
    """Run in a child: load, wait for the start, train, and print what it took as JSON."""
    import numberline
    from numberline.training.tables import padded_width

    corpus = numberline.load_encoded(job.folder)
    settings = {"dim": job.dim, "epochs": job.epochs, "threads": job.threads, "seed": 1}
    settings["gap_model"] = False
    print("ready", flush=True)
    sys.stdin.readline()  # until all processes are ready
    model = numberline.train(corpus, encoder=job.encoder, device="cpu", **settings)
    tables = 2 * len(corpus.vocabulary.words) * padded_width(job.dim) * 4 / 2**20
    facts = {
        "tokens": len(corpus.ids) * job.epochs,
        "seconds": model.training["seconds"],
        "beyond_megabytes": peak_megabytes() - tables - corpus.ids.nbytes / 2**20,
    }
    print(json.dumps(facts))


def measure(job: Job) -> dict[str, Any]:
    """Train in processes that start together; return tokens per second of all of them."""
    command = [sys.executable, __file__, "", "--job", json.dumps(asdict(job))]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    children = [subprocess.Popen(command, **pipes) for _ in range(job.processes)]
    for child in children:
        child.stdout.readline()
    for child in children:
        child.stdin.write("start\n")
        child.stdin.flush()
    facts = [json.loads(child.communicate()[0].splitlines()[-1]) for child in children]
    speed = sum(one["tokens"] / one["seconds"] for one in facts) / 1e6
    return asdict(job) | {
        "million_tokens_per_second": speed,
        "beyond_megabytes": facts[0]["beyond_megabytes"],
    }


def table(runs: list[dict[str, Any]], title: str) -> Table:
    shown = Table(title=title)
    columns = ("encoder", "dim", "processes x threads", "M tokens/s", "slowest, fastest", "MB")
    for column in columns:
        shown.add_column(column, justify="left" if column == "encoder" else "right")
    kinds: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for run in runs:
        kind = run["encoder"], run["dim"], run["processes"], run["threads"]
        kinds.setdefault(kind, []).append(run)
    for (encoder, dim, processes, threads), same in kinds.items():
        speeds = [run["million_tokens_per_second"] for run in same]
        shown.add_row(
            *(encoder, str(dim), f"{processes} x {threads}", f"{statistics.median(speeds):.2f}"),
            f"{min(speeds):.2f}, {max(speeds):.2f}",
            f"{statistics.median(run['beyond_megabytes'] for run in same):.0f}",
        )
    return shown


def workers_of(text: str) -> tuple[int, int]:
    processes, threads = map(int, text.split("x"))
    return processes, threads


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    cores = os.cpu_count() or 1
    parser.add_argument("folder", type=Path)
    parser.add_argument("--encoders", nargs="+", default=["line", "token"])
    parser.add_argument("--dim", type=int, nargs="+", default=[100, 300])
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument(
        "--workers",
        type=workers_of,
        nargs="+",
        default=[(1, 1), (1, cores), (cores, 1)],
        help="processes x threads of each",
    )
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", type=Path, help="also write all runs there")
    parser.add_argument("--job", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.job:
        train(Job(**json.loads(options.job)))
        return
    kinds = list(product(options.dim, options.encoders, options.workers))
    runs = []
    for _ in range(options.repeats):
        for dim, encoder, workers in kinds:
            runs.append(measure(Job(str(options.folder), encoder, dim, options.epochs, *workers)))
            print(json.dumps(runs[-1]), file=sys.stderr, flush=True)
    if options.json:
        options.json.write_text(json.dumps({"machine": machine(), "runs": runs}, indent=1))
    title = f"{options.folder.name}, {options.epochs} epochs, {machine()}"
    Console(width=110).print(table(runs, title))


if __name__ == "__main__":
    main()
