"""Speed and quality of training on a GPU, beside the CPU, in one run.

    python benchmarks/gpu.py --encoded FOLDER [--dim 100 300] [--encoders token default] [--seeds 3]
    python benchmarks/gpu.py --synthetic 30000000 [--numerals 0.03 0.15] [--seeds 3]
    python benchmarks/gpu.py --text FILE … [--dim 300] [--encoders default]

Each training is done with every seed on every device. The table has medians of the speed, and means
and standard deviations of the quality. Trained words are those left after frequent words were
dropped. "kernel" is the time of the training kernels alone, "planning" that of drawing windows and
negatives, "all" that of the whole call of numberline.train. Kernels are compiled before. Quality
needs --data, a folder of evaluation sets; prediction also needs --held-out, text that is not in
FOLDER. With --synthetic the text is random: words and numerals are as frequent as in Wikipedia.

With --text, the whole way from text to a saved model is measured stage by stage, and before it the
reading of the text with different numbers of threads.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from machine import machine

import numberline
from numberline.reading.vocabulary import CorpusTotals
from numberline.settings import ReadingSettings
from numberline.training.devices import gpu_name

WORDS, NUMERALS, SENTENCE_TOKENS = 100_000, 20_000, 25  # of a synthetic text
FEW_TOKENS = 1000  # for the compiler
DEFAULT = "default"  # whatever numberline.train takes
Run = dict[str, Any]


def synthetic(tokens: int, numerals: float) -> numberline.EncodedCorpus:
    """Return random text: counts of words and of numerals fall as Zipf's law has it."""
    random = np.random.default_rng(1)
    kinds = [1 / (np.arange(count) + 2.7) for count in (WORDS, NUMERALS)]
    parts = [
        share * kind / kind.sum()
        for share, kind in zip((1 - numerals, numerals), kinds, strict=True)
    ]
    ids = np.searchsorted(np.cumsum(np.concatenate(parts))[:-1], random.random(tokens))
    counts = np.bincount(ids, minlength=WORDS + NUMERALS)
    ends = np.cumsum(random.integers(1, 2 * SENTENCE_TOKENS, 2 * tokens // SENTENCE_TOKENS))
    offsets = np.concatenate([[0], ends[ends < tokens], [tokens]])
    numeral_tokens = int(counts[WORDS:].sum())
    vocabulary = numberline.Vocabulary(
        [f"word{number}" for number in range(WORDS)],
        counts[:WORDS],
        np.sort(np.floor(random.lognormal(4, 3, NUMERALS)) + np.arange(NUMERALS) / NUMERALS),
        np.maximum(counts[WORDS:], 1),
        CorpusTotals(len(offsets) - 1, tokens - numeral_tokens, numeral_tokens, WORDS, 0),
    )
    return numberline.EncodedCorpus(ids.astype(np.int32), offsets, vocabulary, ReadingSettings())


def corpora(options: Any) -> Iterator[tuple[Run, Any]]:
    if options.encoded:
        yield {}, numberline.load_encoded(options.encoded)
    else:
        for numerals in options.numerals:
            yield {"numerals": numerals}, synthetic(options.synthetic, numerals)


def timed(job: Callable[[], Any]) -> tuple[Any, float]:
    began = time.perf_counter()
    return job(), time.perf_counter() - began


def training_settings(options: Any, **more: Any) -> dict[str, Any]:
    settings = {"epochs": options.epochs, "gap_model": False} | more
    if settings["encoder"] == DEFAULT:
        del settings["encoder"]
    return settings


def compile_kernels(options: Any, dim: int) -> None:
    few = synthetic(FEW_TOKENS, 0.1)
    settings = training_settings(options, dim=dim, encoder="token", device="cuda")
    numberline.train(few, **settings)


def measure(options: Any) -> list[Run]:
    runs = []
    for dim in options.dim:
        if "cuda" in options.devices:
            compile_kernels(options, dim)
        for kind, corpus in corpora(options):
            for encoder in options.encoders:
                for device in options.devices:
                    for seed in range(1, options.seeds + 1):
                        what = {"dim": dim, "encoder": encoder, "device": device}
                        settings = training_settings(options, **what, seed=seed)
                        job = lambda corpus=corpus, all=settings: numberline.train(corpus, **all)  # noqa: E731
                        model, seconds = timed(job)
                        run = {"kind": what | kind, "seed": seed, "all_seconds": seconds}
                        run |= {"facts": model.training, "quality": quality(model, options)}
                        runs.append(run)
                        print(json.dumps(run, default=str), flush=True)
    return runs


def quality(model: Any, options: Any) -> dict[str, float]:
    if options.data is None:
        return {}
    from word_similarity import SETS

    rows = numberline.evaluate(model, "similarity", data=options.data).tables["similarity"][0].rows
    found = {row["set"]: row["Spearman"] for row in rows if row["set"] in SETS}
    magnitude = numberline.evaluate(model, "magnitude", data=options.data)
    found["magnitude SC"] = magnitude.tables["magnitude"][0].rows[0]["SC"]
    if options.held_out is not None:
        prediction = numberline.evaluate(model, "prediction", text=options.held_out)
        for row in prediction.tables["prediction"][0].rows:
            if row.get("context") == "weighted" and row["score"] in ("s0", "lift"):
                found[f"AVGR {row['score']}"] = row["AVGR"]
    return found


def summary(runs: list[Run]) -> list[Run]:
    kinds: dict[tuple[Any, ...], list[Run]] = {}
    for run in runs:
        kinds.setdefault(tuple(run["kind"].items()), []).append(run)
    return [row(some) for some in kinds.values()]


def row(runs: list[Run]) -> Run:
    facts = [run["facts"] for run in runs]
    cells = dict(runs[0]["kind"])
    if "gpu" in facts[0]:
        kernel = statistics.median(fact["training_seconds"] for fact in facts)
        cells["M words/s, kernel"] = facts[0]["trained_words"] / kernel / 1e6
        cells["kernel s"] = kernel
        cells["planning s"] = statistics.median(fact["planning_seconds"] for fact in facts)
    cells["training s"] = statistics.median(fact["seconds"] for fact in facts)
    cells["all s"] = statistics.median(run["all_seconds"] for run in runs)
    cells["loss"] = statistics.mean(fact["loss"] for fact in facts)
    for name in runs[0]["quality"]:
        values = [run["quality"][name] for run in runs]
        spread = statistics.stdev(values) if len(values) > 1 else 0.0
        cells[name] = f"{statistics.mean(values):.1f} ± {spread:.1f}"
    return cells


def readings(options: Any, folder: Path) -> list[Run]:
    """Measure encoding the text with 1, 2, 4 … threads."""
    rows, cores = [], os.cpu_count() or 1
    for threads in [count for count in (1, 2, 4, 8, 16, 32, 64) if count <= cores]:
        corpus, seconds = timed(
            lambda threads=threads: numberline.encode(
                options.text, folder / f"by{threads}", threads=threads
            )
        )
        tokens = len(corpus.ids)
        rows.append({"stage": f"encode, {threads} threads", "s": seconds})
        rows[-1] |= {"M tokens": tokens / 1e6, "M tokens/s": tokens / seconds / 1e6}
    return rows


def stages(options: Any, dim: int, encoder: str, folder: Path) -> list[Run]:
    """Measure the stages from text to a saved model."""
    kind = {"dim": dim, "encoder": encoder}
    corpus, encoding = timed(
        lambda: numberline.encode(options.text, folder / "ids", overwrite=True)
    )
    model, all_training = timed(
        lambda: numberline.train(corpus, **training_settings(options, **kind, device="cuda"))
    )
    saving = timed(lambda: model.save(folder / f"{encoder}{dim}"))[1]
    facts = model.training
    kernels = facts["planning_seconds"] + facts["training_seconds"]
    parts = {
        "encode": encoding,
        "fit the encoder, starting vectors": all_training - facts["seconds"],
        "plan": facts["planning_seconds"],
        "train": facts["training_seconds"],
        "send and fetch": facts["seconds"] - kernels,
        "save": saving,
        "all": encoding + all_training + saving,
    }
    return [
        kind | {"stage": stage, "s": seconds, "share, %": 100 * seconds / parts["all"]}
        for stage, seconds in parts.items()
    ]


def whole_way(options: Any) -> list[Run]:
    with tempfile.TemporaryDirectory() as place:
        rows = readings(options, Path(place))
        for dim in options.dim:
            compile_kernels(options, dim)
            for encoder in options.encoders:
                rows += stages(options, dim, encoder, Path(place))
    return rows


def show(rows: list[Run], options: Any) -> None:
    gpu = gpu_name() if "cuda" in options.devices else "no GPU"
    what = options.encoded or f"{options.synthetic} random tokens"
    if options.text:
        what = " + ".join(path.name for path in options.text)
    print(f"\n{what}, {options.epochs} epochs, {gpu}; {machine()}")
    names = list(dict.fromkeys(name for row in rows for name in row))
    lines = [names, *([written(row.get(name)) for name in names] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        print("  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)))


def written(cell: Any) -> str:
    if cell is None:
        return ""
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--encoded", help="folder of numberline encode")
    source.add_argument("--synthetic", type=int, help="tokens of random text")
    source.add_argument("--text", type=Path, nargs="+", help="files, for the whole way")
    parser.add_argument("--numerals", type=float, nargs="+", default=[0.03], help="of random text")
    parser.add_argument("--dim", type=int, nargs="+", default=[100, 300])
    parser.add_argument("--encoders", nargs="+", default=["token", DEFAULT])
    parser.add_argument("--devices", nargs="+", default=["cuda"], choices=["cuda", "cpu"])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--data", type=Path, help="folder of evaluation sets")
    parser.add_argument("--held-out", type=Path, help="text for prediction")
    parser.add_argument("--json", type=Path, help="also write the result there")
    options = parser.parse_args()
    runs = whole_way(options) if options.text else measure(options)
    if options.json:
        options.json.write_text(json.dumps(runs, indent=1, default=str))
    show(runs if options.text else summary(runs), options)


if __name__ == "__main__":
    main()
