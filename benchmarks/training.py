"""Speed, quality and memory of training, against gensim and fastText, in one run.

    python benchmarks/training.py [--corpus FILE] [--dim 100 300] [--seeds N] [--tools …]

All tools train on the same tokens: the corpus as numberline reads it, with one spelling per
numeral, and without words below min_count. Window 5, 5 negatives, sample 1e-4, 1 epoch, all cores.
numberline shuffles blocks of text; the others take it in its order. Every training is a process of
its own; tools take turns, so that a noisy machine disturbs all alike. The time of numberline is
that of the whole call on an encoded corpus, including the fit of the encoder. For the others it is
that of training alone, with the vocabulary built before; fastText builds it while it trains.
With several workers and one file, gensim's learning rate does not fall to its end (see end_alpha);
gensim-decayed is gensim with a rate that does.
Quality is Spearman's correlation on word similarity sets (WordSim-353, MEN, SimLex-999), from
--similarity, a folder with their files.
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
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from held_out import first_lines, lines_of
from machine import machine, peak_megabytes
from rich.console import Console
from rich.table import Table
from word_similarity import similarity_scores

SHARED = Path(__file__).parents[2] / "shared/data"
DEFAULT_CORPUS = SHARED / "corpora/wikipedia-2015.txt.zst"
DEFAULT_SETS = SHARED / "eval/word-similarity"
DEFAULT_TOKENS = 30_000_000
WINDOW, NEGATIVES, SAMPLE, EPOCHS, MIN_COUNT = 5, 5, 1e-4, 1, 5
FOLDER, TEXT = "encoded", "tokens.txt"


def train_numberline(folder: Path, job: dict[str, Any]) -> Callable[[], Any]:
    import numberline

    corpus = numberline.load_encoded(folder / FOLDER)
    settings = {"learning_rate": job["rate"]} if job["rate"] else {}

    def train() -> tuple[list[str], Any]:
        model = numberline.train(
            corpus,
            encoder=job["tool"],
            dim=job["dim"],
            window=WINDOW,
            negatives=NEGATIVES,
            sample=SAMPLE,
            epochs=job["epochs"],
            threads=job["threads"],
            seed=job["seed"],
            gap_model=False,
            **settings,
        )
        return model.words, model.word_input

    return train


def train_gensim(folder: Path, job: dict[str, Any]) -> Callable[[], Any]:
    from gensim.models import Word2Vec

    rate = {"alpha": job["rate"]} if job["rate"] else {}
    model = Word2Vec(
        vector_size=job["dim"],
        window=WINDOW,
        negative=NEGATIVES,
        sample=SAMPLE,
        epochs=job["epochs"],
        min_count=MIN_COUNT,
        sg=1,
        workers=job["threads"],
        seed=job["seed"],
        **rate,
    )
    path = str(folder / TEXT)
    model.build_vocab(corpus_file=path)

    def train() -> tuple[list[str], Any]:
        model.train(
            corpus_file=path,
            total_examples=model.corpus_count,
            total_words=model.corpus_total_words,
            epochs=model.epochs,
            end_alpha=end_alpha(model, job),
        )
        return model.wv.index_to_key, model.wv.vectors

    return train


def end_alpha(model: Any, job: dict[str, Any]) -> float | None:
    """Return an end for gensim-decayed at which its rate really reaches min_alpha in one epoch.

    A worker of gensim divides what it has read itself by the tokens of all workers, so with two of
    them the rate falls to half only. Twice as steep a line ends where it should.
    """
    if job["tool"] == "gensim":
        return None
    if job["epochs"] != 1:
        raise SystemExit("gensim-decayed is for one epoch: in more, its rate jumps between epochs")
    steepness: float = model.alpha - model.min_alpha
    return float(model.alpha - job["threads"] * steepness)


def train_fasttext(folder: Path, job: dict[str, Any]) -> Callable[[], Any]:
    import fasttext

    def train() -> tuple[list[str], Any]:
        rate = {"lr": job["rate"]} if job["rate"] else {}
        model = fasttext.train_unsupervised(
            str(folder / TEXT),
            model="skipgram",
            dim=job["dim"],
            ws=WINDOW,
            neg=NEGATIVES,
            t=SAMPLE,
            epoch=job["epochs"],
            minCount=MIN_COUNT,
            minn=0,
            maxn=0,
            thread=job["threads"],
            verbose=0,
            **rate,
        )
        return model.words, model.get_input_matrix()

    return train


TOOLS = {"gensim": train_gensim, "gensim-decayed": train_gensim, "fasttext": train_fasttext}
ENCODERS = ("line", "gmm", "som", "token")


def run_job(folder: Path, job: dict[str, Any], sets: Path) -> None:
    """In the child: train, and print time, memory and quality as JSON."""
    train = TOOLS.get(job["tool"], train_numberline)(folder, job)
    started = time.perf_counter()
    words, vectors = train()
    seconds = time.perf_counter() - started
    peak = peak_megabytes()
    scores = similarity_scores(words, np.asarray(vectors), sets)
    print(json.dumps(job | {"seconds": seconds, "peak_megabytes": peak, "scores": scores}))


def prepare(corpus: Path, tokens: int, folder: Path) -> int:
    """Encode the start of the corpus, write the same tokens as text, and return their number."""
    import numberline
    from numberline.reading.numerals import plain_number

    encoded = numberline.encode(
        first_lines(lines_of(corpus), tokens), folder / FOLDER, min_count=MIN_COUNT
    )
    vocabulary = encoded.vocabulary
    spelled = [*vocabulary.words, *map(plain_number, vocabulary.numeral_values.tolist())]
    with (folder / TEXT).open("w", encoding="utf-8") as text:
        for sentence in encoded:
            text.write(" ".join([spelled[token] for token in sentence.tolist()]) + "\n")
    return len(encoded.ids)


def measure(folder: Path, job: dict[str, Any], sets: Path) -> dict[str, Any]:
    command = [sys.executable, __file__, "--job", json.dumps(job), "--folder", str(folder)]
    done = subprocess.run(
        [*command, "--similarity", str(sets)], check=True, capture_output=True, text=True
    )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def compare(arguments: argparse.Namespace) -> dict[str, Any]:
    jobs = [
        {
            "tool": tool,
            "dim": dim,
            "rate": rate,
            "seed": seed,
            "threads": arguments.threads,
            "epochs": arguments.epochs,
        }
        for dim in arguments.dim
        for seed in range(1, arguments.seeds + 1)
        for rate in arguments.rates
        for tool in arguments.tools
    ]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tokens = prepare(arguments.corpus, arguments.tokens, folder)
        runs = []
        for job in jobs:
            runs.append(measure(folder, job, arguments.similarity))
            print(json.dumps(runs[-1]), file=sys.stderr, flush=True)
    return {
        "corpus": arguments.corpus.name,
        "tokens": tokens,
        "machine": machine(),
        "threads": arguments.threads,
        "runs": runs,
    }


def table(result: dict[str, Any]) -> Table:
    title = f"{result['tokens']:,} tokens of {result['corpus']}, {result['machine']}"
    shown = Table(title=title)
    for heading in ("tool", "dim", "rate", "s", "M tokens/s", "× gensim", "sets", "peak MB"):
        shown.add_column(heading, justify="left" if heading == "tool" else "right")
    groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for run in result["runs"]:
        groups.setdefault((run["dim"], run["rate"], run["tool"]), []).append(run)
    seconds = {
        key: statistics.median(run["seconds"] for run in runs) for key, runs in groups.items()
    }
    for (dim, rate, tool), runs in groups.items():
        peer = seconds.get((dim, rate, "gensim"))
        taken = seconds[dim, rate, tool]
        names = runs[0]["scores"]
        means = [statistics.mean(run["scores"][name] for run in runs) for name in names]
        shown.add_row(
            *(tool, str(dim), "default" if rate is None else str(rate), f"{taken:.1f}"),
            f"{result['tokens'] * runs[0]['epochs'] / taken / 1e6:.2f}",
            "" if peer is None else f"{peer / taken:.1f}",
            " / ".join(f"{mean:.1f}" for mean in means),
            f"{statistics.median(run['peak_megabytes'] for run in runs):.0f}",
        )
    return shown


def rate_of(text: str) -> float | None:
    return None if text == "default" else float(text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, default=DEFAULT_CORPUS)
    parser.add_argument("--tokens", type=int, default=DEFAULT_TOKENS, help="blanks to read")
    parser.add_argument("--dim", type=int, nargs="+", default=[100, 300])
    parser.add_argument("--rates", type=rate_of, nargs="+", default=[None, 0.025, 0.05])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--tools", nargs="+", default=[*TOOLS, *ENCODERS])
    parser.add_argument("--similarity", type=Path, default=DEFAULT_SETS)
    parser.add_argument("--json", type=Path, help="also write the result there")
    parser.add_argument("--job", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.job:
        run_job(arguments.folder, json.loads(arguments.job), arguments.similarity)
        return
    result = compare(arguments)
    Console(width=120).print(table(result))
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
