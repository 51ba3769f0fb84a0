"""Speed and quality of fitted prototypes, against minisom and scikit-learn; speed of weights.

    python benchmarks/encoders.py [CORPUS] [--prototypes N] [--repeats N] [--json OUT]

All fit the squashed numerals of the corpus. minisom and scikit-learn take no counts, so they get
every occurrence; numberline gets distinct values and their counts, which is the same information.
scikit-learn starts where numberline starts and stops by the same rule and tolerance; numberline's
smallest variance is added to its variances. minisom gets the settings of the paper's authors, with
their 200,000 steps: far fewer than one look at each occurrence.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from machine import machine
from rich.console import Console
from rich.table import Table

import numberline
from numberline.numerals.gmm_fit import fit_gmm
from numberline.numerals.gmm_start import even_floor, starting_mixture, variance_floor
from numberline.numerals.mixture import log_joint, log_sum
from numberline.numerals.notation import encoder_of
from numberline.numerals.som_fit import fit_som
from numberline.numerals.squash import squash

DEFAULT_CORPUS = Path(__file__).parents[2] / "shared/data/corpora/wikipedia-2015.txt.zst"
MINISOM_STEPS = 200_000
QUERIED = 1_000_000


def seconds(work: Callable[[], Any], repeats: int) -> tuple[float, Any]:
    """Return the median time and the result of the work."""
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        result = work()
        times.append(time.perf_counter() - started)
    return statistics.median(times), result


def quantization_error(values: Any, counts: Any, prototypes: Any) -> float:
    prototypes = np.sort(prototypes)
    nearest = np.searchsorted(0.5 * (prototypes[1:] + prototypes[:-1]), values)
    return float(np.abs(values - prototypes[nearest]) @ counts / counts.sum())


def compare_som(values: Any, counts: Any, size: int, repeats: int) -> list[dict[str, Any]]:
    from minisom import MiniSom

    def peer() -> Any:
        som = MiniSom(1, size, 1, sigma=0.6, learning_rate=1.0, random_seed=1)
        som.random_weights_init(occurrences)
        som.train_random(occurrences, MINISOM_STEPS)
        return som.get_weights().ravel()

    occurrences = np.repeat(values, counts.astype(int))[:, None]
    ours, found = seconds(lambda: fit_som(values, counts, size), repeats)
    theirs, peer_found = seconds(peer, 1)
    return [
        row("fit som", "numberline", ours, quantization_error(values, counts, found), theirs),
        row("fit som", "minisom", theirs, quantization_error(values, counts, peer_found), theirs),
    ]


def compare_gmm(values: Any, counts: Any, size: int, repeats: int) -> list[dict[str, Any]]:
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.mixture import GaussianMixture

    floor = even_floor(values, counts)

    def started() -> Any:
        random = np.random.default_rng(1)
        return starting_mixture("som", values, counts, size, random, fit_som, floor)

    start = started()

    def ours() -> Any:
        return fit_gmm(values, counts, started(), "soft", floor)

    def peer() -> Any:
        mixture = GaussianMixture(
            size,
            reg_covar=variance_floor(values, counts),
            weights_init=start.priors,
            means_init=start.means[:, None],
            precisions_init=start.deviations[:, None, None] ** -2,
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            return mixture.fit(occurrences)

    occurrences = np.repeat(values, counts.astype(int))[:, None]
    our_time, found = seconds(ours, repeats)
    peer_time, fitted = seconds(peer, 1)
    likelihood = float(log_sum(log_joint(values, found)) @ counts / counts.sum())
    peer_likelihood = float(fitted.score_samples(values[:, None]) @ counts / counts.sum())
    return [
        row("fit gmm, start included", "numberline", our_time, likelihood, peer_time),
        row("fit gmm, start given", "scikit-learn", peer_time, peer_likelihood, peer_time),
    ]


def time_weights(values: Any, counts: Any, size: int, repeats: int) -> list[dict[str, Any]]:
    rng = np.random.default_rng(1)
    spread = np.abs(rng.choice(values, QUERIED, p=counts / counts.sum()))
    queried = spread * rng.lognormal(0, 1, QUERIED)
    rows = []
    for name in ("som", "gmm", "line"):
        fitted = encoder_of(f"{name}:prototypes={size}").fit(values, counts, rng)
        fitted.weights(queried)  # so that memory is there
        taken, _ = seconds(lambda fitted=fitted: fitted.weights(queried), repeats)
        rows.append(row(f"weights of {QUERIED:,} values, {name}", "numberline", taken, None, None))
    return rows


def row(job: str, by: str, taken: float, quality: float | None, peer: float | None) -> Any:
    ratio = None if peer is None else peer / taken
    return {"job": job, "by": by, "seconds": taken, "quality": quality, "times_faster": ratio}


def table(result: dict[str, Any]) -> Table:
    shown = Table(
        title=f"{result['corpus']}, {result['prototypes']} prototypes, {result['machine']}"
    )
    for heading in ("job", "by", "s", "× faster", "error or log-likelihood"):
        shown.add_column(heading, justify="left" if heading in {"job", "by"} else "right")
    for found in result["rows"]:
        faster, quality = found["times_faster"], found["quality"]
        shown.add_row(
            *(found["job"], found["by"], f"{found['seconds']:.3f}"),
            "" if faster is None else f"{faster:.1f}",
            "" if quality is None else f"{quality:.5f}",
        )
    return shown


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", nargs="?", type=Path, default=DEFAULT_CORPUS)
    parser.add_argument("--prototypes", type=int, default=300)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", type=Path, help="also write the result there")
    arguments = parser.parse_args()
    vocabulary = numberline.count(arguments.corpus)
    numerals, counts = vocabulary.numeral_values, vocabulary.numeral_counts.astype(float)
    values, size, repeats = squash(numerals), arguments.prototypes, arguments.repeats
    rows = [
        *compare_som(values, counts, size, repeats),
        *compare_gmm(values, counts, size, repeats),
        *time_weights(numerals, counts, size, repeats),
    ]
    corpus = f"{arguments.corpus.name}: {len(values):,} distinct, {int(counts.sum()):,} occurrences"
    result = {"corpus": corpus, "prototypes": size, "machine": machine(), "rows": rows}
    Console(width=120).print(table(result))
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
