"""Speed and quality of training on a GPU, beside the CPU, in one run.

    python benchmarks/gpu.py --encoded FOLDER [--dim 100 300] [--encoders token gmm som] [--seeds 3]
    python benchmarks/gpu.py --text FILE … [--dim 300] [--encoders gmm]

With --encoded, each training is done with every seed on every device; medians of the speed, means
and standard deviations of the quality are shown. Trained words are those left after frequent ones
are thinned out. Kernel is the time of the training kernels alone; planning draws windows and
negatives; all is the whole call of numberline.train, with the compiling of kernels in the first of
a kind. Quality needs --data, a folder of evaluation sets; prediction also --held-out, a text that
is not in FOLDER.

With --text, the whole way from text to a saved model, stage by stage, and before that the reading
of the text by more and more threads. Kernels are compiled before, by a training of few tokens.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from machine import machine
from rich.console import Console
from rich.table import Table
from word_similarity import SETS

import numberline
from numberline.numerals.notation import encoder_of
from numberline.training.devices import gpu_name

FEW_LINES = ["few words and 7 or 8 numbers for the compiler"] * 100


def trained(corpus: Any, dim: int, encoder: str, device: str, seed: int, options: Any) -> Any:
    settings = {"dim": dim, "encoder": encoder, "device": device, "seed": seed}
    settings |= given(options)
    return timed(lambda: numberline.train(corpus, **settings))


def given(options: Any) -> dict[str, Any]:
    return {name: getattr(options, name) for name in ("epochs", "numeral_negatives", "shuffle")}


def quality(model: Any, options: Any) -> dict[str, float]:
    if options.data is None:
        return {}
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


def measure(options: Any) -> list[dict[str, Any]]:
    corpus = numberline.load_encoded(options.encoded)
    runs = []
    for dim in options.dim:
        for encoder in options.encoders:
            for seed in range(1, options.seeds + 1):
                for device in options.devices:
                    model, seconds = trained(corpus, dim, encoder, device, seed, options)
                    run = {"dim": dim, "encoder": encoder, "device": device, "seed": seed}
                    run |= {"all_seconds": seconds, **model.training, **quality(model, options)}
                    runs.append(run)
                    print(json.dumps(run, default=str), flush=True)
    return runs


def summary(runs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    kinds: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for run in runs:
        kinds.setdefault((run["dim"], run["encoder"], run["device"]), []).append(run)
    return [row(kind, some) for kind, some in kinds.items()]


def row(kind: tuple[Any, ...], runs: list[dict[str, Any]]) -> dict[str, Any]:
    cells: dict[str, Any] = dict(zip(("dim", "encoder", "device"), kind, strict=True))
    if "training_seconds" in runs[0]:
        words = runs[0]["trained_words"]
        kernel = statistics.median(run["training_seconds"] for run in runs)
        planning = statistics.median(run["planning_seconds"] for run in runs)
        cells |= {"M words/s, kernel": words / kernel / 1e6, "kernel s": kernel}
        cells |= {"planning s": planning, "rounds": runs[0]["rounds"]}
    cells["all s"] = statistics.median(run["all_seconds"] for run in runs)
    for name in [name for name in runs[0] if name in (*SETS, "magnitude SC") or "AVGR" in name]:
        values = [run[name] for run in runs]
        spread = statistics.stdev(values) if len(values) > 1 else 0.0
        cells[name] = f"{statistics.mean(values):.1f} ± {spread:.1f}"
    return cells


def timed(job: Callable[[], Any]) -> tuple[Any, float]:
    began = time.perf_counter()
    return job(), time.perf_counter() - began


def readings(options: Any, folder: Path) -> list[dict[str, Any]]:
    """Text to ids by 1, 2, 4 … threads."""
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


def stages(options: Any, dim: int, encoder: str, folder: Path) -> list[dict[str, Any]]:
    """Text to a saved model."""
    settings = {"dim": dim, "encoder": encoder, "device": "cuda"} | given(options)
    numberline.train(FEW_LINES, min_count=1, **settings)
    corpus, encoding = timed(
        lambda: numberline.encode(options.text, folder / "ids", overwrite=True)
    )
    vocabulary = corpus.vocabulary
    counts = vocabulary.numeral_counts.astype(float)
    values, rng = vocabulary.numeral_values, np.random.default_rng(1)
    fitting = timed(lambda: encoder_of(encoder).fit(values, counts, rng))[1]
    model, training = timed(lambda: numberline.train(corpus, **settings))
    saving = timed(lambda: model.save(folder / f"{encoder}{dim}"))[1]
    facts = model.training
    parts = {
        "encode": encoding,
        "fit the encoder": fitting,
        "plan": facts["planning_seconds"],
        "train": facts["training_seconds"],
        "save": saving,
    }
    total = encoding + training + saving
    parts |= {"set up and fetch": total - sum(parts.values()), "all": total}
    kind = {"dim": dim, "encoder": encoder}
    return [
        kind | {"stage": stage, "s": seconds, "share, %": 100 * seconds / total}
        for stage, seconds in parts.items()
    ]


def whole_way(options: Any) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as place:
        rows = readings(options, Path(place))
        for dim in options.dim:
            for encoder in options.encoders:
                rows += stages(options, dim, encoder, Path(place))
    return rows


def show(rows: list[dict[str, Any]], options: Any) -> None:
    gpu = gpu_name() if "cuda" in options.devices else "no GPU"
    what = options.encoded or " + ".join(path.name for path in options.text)
    table = Table(title=f"{what}, {options.epochs} epochs, {gpu}; {machine()}")
    names = list(dict.fromkeys(name for row in rows for name in row))
    for name in names:
        table.add_column(name, justify="right")
    for cells in rows:
        table.add_row(*(written(cells.get(name)) for name in names))
    Console(width=200).print(table)


def written(cell: Any) -> str:
    if cell is None:
        return ""
    return f"{cell:.3g}" if isinstance(cell, float) else str(cell)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--encoded", help="folder of numberline encode")
    source.add_argument("--text", type=Path, nargs="+", help="files, for the whole way")
    parser.add_argument("--dim", type=int, nargs="+", default=[100, 300])
    parser.add_argument("--encoders", nargs="+", default=["token", "gmm", "som"])
    parser.add_argument("--devices", nargs="+", default=["cuda"], choices=["cuda", "cpu"])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--numeral-negatives", type=int, help="0: as in the paper")
    parser.add_argument("--shuffle", action="store_true", help="blocks of text in random order")
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
