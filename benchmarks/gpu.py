"""Speed and quality of training on a GPU, beside the CPU, in one run.

    python benchmarks/gpu.py --encoded FOLDER [--dim 100 300] [--encoders token gmm som] [--seeds 3]

Each training is done with every seed on every device; medians of the speed, means and standard
deviations of the quality are shown. Trained words are those left after frequent ones are thinned
out. Kernel is the time of the training kernels alone; planning draws windows and negatives; all is
the whole call of numberline.train, with the compiling of kernels in the first of a kind. Quality
needs --data, a folder of evaluation sets; prediction also --held-out, a text that is not in FOLDER.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path
from typing import Any

from machine import machine
from rich.console import Console
from rich.table import Table
from word_similarity import SETS

import numberline
from numberline.training.devices import gpu_name


def trained(corpus: Any, dim: int, encoder: str, device: str, seed: int, options: Any) -> Any:
    began = time.perf_counter()
    model = numberline.train(
        corpus,
        dim=dim,
        encoder=encoder,
        device=device,
        seed=seed,
        epochs=options.epochs,
    )
    return model, time.perf_counter() - began


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


def show(rows: list[dict[str, Any]], options: Any) -> None:
    gpu = gpu_name() if "cuda" in options.devices else "no GPU"
    table = Table(title=f"{options.encoded}, {options.epochs} epochs, {gpu}; {machine()}")
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
    parser.add_argument("--encoded", required=True, help="folder of numberline encode")
    parser.add_argument("--dim", type=int, nargs="+", default=[100, 300])
    parser.add_argument("--encoders", nargs="+", default=["token", "gmm", "som"])
    parser.add_argument("--devices", nargs="+", default=["cuda"], choices=["cuda", "cpu"])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--data", type=Path, help="folder of evaluation sets")
    parser.add_argument("--held-out", type=Path, help="text for prediction")
    parser.add_argument("--json", type=Path, help="also write the result there")
    options = parser.parse_args()
    runs = measure(options)
    if options.json:
        options.json.write_text(json.dumps(runs, indent=1, default=str))
    show(summary(runs), options)


if __name__ == "__main__":
    main()
