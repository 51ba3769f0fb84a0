"""Speed and memory of counting and encoding, against gensim's vocabulary scan, in one run.

    python benchmarks/text.py [FILE] [--repeats N] [--json OUT]

FILE may be compressed; sizes and rates are those of its plain text. Every measurement is a process
of its own; jobs take turns, so that a noisy machine disturbs all alike, and the table has medians.
The comparison favours gensim, which only splits at blanks: numberline also lower-cases, drops
punctuation and reads numerals.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from machine import machine
from rich.console import Console
from rich.table import Table

DEFAULT_FILE = Path(__file__).parents[2] / "shared/data/corpora/wikipedia-2015.txt.zst"
MEGABYTE = 1e6


def count(path: str, threads: int) -> Callable[[], object]:
    import numberline

    return lambda: numberline.count(path, threads=threads)


def encode(path: str, threads: int) -> Callable[[], object]:
    import numberline

    return lambda: numberline.encode(path, threads=threads)


def encode_to_folder(path: str, threads: int) -> Callable[[], object]:
    import numberline

    folder = tempfile.TemporaryDirectory()
    return lambda: numberline.encode(path, Path(folder.name) / "encoded", threads=threads)


def gensim_scan(path: str, threads: int) -> Callable[[], object]:
    from gensim.models import Word2Vec
    from gensim.models.word2vec import LineSentence

    model = Word2Vec(min_count=5, workers=threads)
    return lambda: model.scan_vocab(corpus_iterable=LineSentence(path))


JOBS: dict[str, Callable[[str, int], Callable[[], object]]] = {
    "count": count,
    "encode": encode,
    "encode to folder": encode_to_folder,
    "gensim scan_vocab": gensim_scan,
}


def run_job(name: str, path: str, threads: int) -> None:
    """In the child: print what the job took, imports not counted, as JSON."""
    job = JOBS[name](path, threads)
    cpu_before, started = time.process_time(), time.perf_counter()
    result = job()
    wall_seconds, cpu_seconds = time.perf_counter() - started, time.process_time() - cpu_before
    assert result is not None
    usage = resource.getrusage(resource.RUSAGE_SELF)
    print(
        json.dumps(
            {
                "wall_seconds": wall_seconds,
                "cpu_seconds": cpu_seconds,
                "peak_megabytes": usage.ru_maxrss * 1024 / MEGABYTE,
            }
        )
    )


def measure(name: str, path: Path, threads: int) -> dict[str, float]:
    command = [sys.executable, __file__, "--job", name, str(path), "--threads", str(threads)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def summary(runs: list[dict[str, float]], megabytes: float) -> dict[str, float]:
    median = {key: statistics.median(run[key] for run in runs) for key in runs[0]}
    return median | {
        "megabytes_per_second": megabytes / median["wall_seconds"],
        "megabytes_per_cpu_second": megabytes / median["cpu_seconds"],
    }


def plain_copy(path: Path, folder: str) -> Path:
    from numberline.reading.corpus import open_corpus

    copy = Path(folder) / "plain.txt"
    with copy.open("wb") as file:
        for block in open_corpus(path).blocks():
            file.write(block.data)
    return copy


def compare(path: Path, repeats: int) -> dict[str, object]:
    cores = os.cpu_count() or 1
    with tempfile.TemporaryDirectory() as folder:
        plain = plain_copy(path, folder)
        megabytes = plain.stat().st_size / MEGABYTE
        plan = [
            ("gensim scan_vocab", plain, 1),
            ("gensim scan_vocab", path, 1),
            ("count", plain, 1),
            ("encode", plain, 1),
            *([(name, plain, cores) for name in ("count", "encode")] if cores > 1 else []),
            ("count", path, cores),
            ("encode", path, cores),
            ("encode to folder", path, cores),
        ]
        runs: list[list[dict[str, float]]] = [[] for _ in plan]
        for _ in range(repeats):
            for collected, (name, file, threads) in zip(runs, plan, strict=True):
                collected.append(measure(name, file, threads))
    rows = [
        {"job": name, "input": "plain" if file == plain else path.suffix, "threads": threads}
        | summary(collected, megabytes)
        for (name, file, threads), collected in zip(plan, runs, strict=True)
    ]
    return {"file": path.name, "megabytes": megabytes, "machine": machine(), "rows": rows}


def table(result: dict[str, object]) -> Table:
    rows = result["rows"]
    assert isinstance(rows, list)
    shown = Table(
        title=f"{result['file']}, {result['megabytes']:,.0f} MB plain, {result['machine']}"
    )
    for heading in ("job", "input", "threads", "s", "MB/s", "× gensim", "MB per CPU s", "peak MB"):
        shown.add_column(heading, justify="left" if heading in {"job", "input"} else "right")
    gensim_rates = {
        row["input"]: row["megabytes_per_second"] for row in rows if "gensim" in row["job"]
    }
    for row in rows:
        rate, gensim_rate = row["megabytes_per_second"], gensim_rates[row["input"]]
        shown.add_row(
            *(row["job"], row["input"], str(row["threads"]), f"{row['wall_seconds']:.2f}"),
            *(f"{rate:.0f}", f"{rate / gensim_rate:.1f}"),
            *(f"{row['megabytes_per_cpu_second']:.0f}", f"{row['peak_megabytes']:.0f}"),
        )
    return shown


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", nargs="?", type=Path, default=DEFAULT_FILE)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", type=Path, help="also write the result there")
    parser.add_argument("--job", choices=JOBS, help=argparse.SUPPRESS)
    parser.add_argument("--threads", type=int, default=1, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.job:
        run_job(arguments.job, str(arguments.file), arguments.threads)
        return
    result = compare(arguments.file, arguments.repeats)
    Console(width=120).print(table(result))
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
