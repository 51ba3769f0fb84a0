"""Encoders on one text, several seeds of each: what their vectors know, side by side.

    python benchmarks/quality.py NAME TEXT HELD_OUT [--unseen FILE] [--data SETS]
        [--encoders line gmm ...] [--seeds 6] [--set epochs=2 ...] --json OUT
        [--markdown] [--baseline FILE]

NAME tells texts apart in the JSON file; a file that exists is continued. Gaps are drawn from
HELD_OUT, text that no model was trained on: 1,400 for the test, 1,400 for validation. --unseen is
more such text, for gaps whose numeral does not occur in TEXT (1,000 of them, ranked among 1,400).

A measure is tied with the best if the difference is within two standard errors. Those are over
seeds, and for ranks over gaps, too: the mean ranks of both encoders in the same gap are compared.
--baseline compares with the JSON file of an earlier run. Two of them are in baselines/, where the
default encoder has the names `multiscale` (first edition) and `line` (second edition).
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from machine import machine
from rich.console import Console
from rich.table import Table

import numberline as nl
from numberline.evaluation import similarity
from numberline.evaluation.candidates import (
    CONTEXT_WORDS,
    kinds_of_contexts,
    middle_ranks,
    numeral_candidates,
)
from numberline.evaluation.gaps import Gap, gaps_of, sample_gaps
from numberline.evaluation.numeracy import distances_between, gaps_between, numeracy_of_targets
from numberline.evaluation.numerals import frequent_numerals, numeral_rows, read_numerals
from numberline.evaluation.numeration import number_words
from numberline.model.scores import SCORES as ALL_SCORES
from numberline.reading.corpus import open_corpus

SETS = ("WordSim-353", "MEN", "SimLex-999")
GAPS, UNSEEN_GAPS, SEEN_BESIDE = 1400, 1000, 400
ALONE_WITHIN = CONTEXT_WORDS  # tokens on either side of a gap
RARE_DECIMALS = 1500  # of the numerals that are not among the most frequent ones
SCORES = ("s0", "S_A", "S_B", "lift")

Measures = dict[str, float]
Ranks = dict[str, Any]  # by measure: the rank of the true numeral in each gap


def measures_of(model: nl.Embeddings, options: argparse.Namespace) -> tuple[Measures, Ranks]:
    found = magnitude(model) | numeration(model)
    if options.data:
        found |= word_similarity(model, options.data)
    test, validation = held_out_gaps(options.held_out)
    ranks = prediction(model, test, "test") | prediction(model, validation, "validation")
    if options.unseen:
        of_unseen = prediction(model, unseen_gaps(options.unseen, model), "never seen")
        ranks |= {name: one for name, one in of_unseen.items() if "decimals" not in name}
    found |= {name: float(np.mean(one)) for name, one in ranks.items() if len(one)}
    return found | {"training seconds": float(model.training["seconds"])}, ranks


def word_similarity(model: nl.Embeddings, data: Path) -> Measures:
    files = {name: similarity.SIMILARITY_SETS[name] for name in SETS}
    naik = np.unique(read_numerals(data / "naik/numerals.txt"))
    found = {f"naik {name}": value for name, value in numeracy(model, naik, "naik").items()}
    for name, one in files.items():
        pairs = similarity.read_pairs(data / "word-similarity" / one.file, one)
        found[name] = similarity.similarity_row(model, pairs)["Spearman"]
    return found


def magnitude(model: nl.Embeddings) -> Measures:
    """Measure frequent numerals by the paper's protocol, and rare decimals by Naik's."""
    frequent = np.sort(frequent_numerals(model))
    found = {f"frequent {name}": v for name, v in numeracy(model, frequent, "paper").items()}
    values = model.vocabulary.numeral_values
    by_count = values[np.argsort(-model.vocabulary.numeral_counts, kind="stable")]
    rest = by_count[len(frequent) :]
    rare = np.sort(rest[rest != np.rint(rest)][:RARE_DECIMALS])
    if len(rare) > 50:
        found |= {f"rare decimals {n}": v for n, v in numeracy(model, rare, "naik").items()}
    return found


def numeracy(model: nl.Embeddings, values: Any, protocol: str) -> Measures:
    rows = numeral_rows(model, values)
    of_targets = numeracy_of_targets(
        distances_between(rows, rows), gaps_between(values), protocol, 1
    )
    found = {name: float(np.nanmean(of_targets[name])) for name in ("OVA", "SC", "AVGR")}
    is_decimal = values != np.rint(values)
    if is_decimal.any() and not is_decimal.all():
        found["SC of decimals"] = float(np.nanmean(of_targets["SC"][is_decimal]))
    return found


def numeration(model: nl.Embeddings) -> Measures:
    named = number_words(model.words)
    words = sorted(named, key=lambda word: named[word])
    if len(words) < 3:
        return {}
    values = np.array([named[word] for word in words])
    distances = distances_between(numeral_rows(model, values), model.vectors(words).astype(float))
    gaps = np.abs(values[:, None] - values)
    return {
        "numeration SC": float(np.nanmean(numeracy_of_targets(distances, gaps, "naik", 0)["SC"]))
    }


def prediction(model: nl.Embeddings, gaps: list[Gap], part: str) -> Ranks:
    """Return ranks by every score, and by lift those of decimals; or those of unseen numerals."""
    ranks = ranked(model, gaps)
    values = ranks.pop("value")
    if part == "never seen":
        is_asked = ~np.isin(values, model.vocabulary.numeral_values)
        return {f"{part} {name}": one[is_asked] for name, one in ranks.items()}
    found = {f"{part} {name}": one for name, one in ranks.items()}
    return found | {f"{part} lift of decimals": ranks["lift"][values != np.rint(values)]}


def ranked(model: nl.Embeddings, gaps: list[Gap]) -> dict[str, Any]:
    """Return the rank of each true numeral among those of all gaps, by score."""
    gaps = sorted(gaps, key=lambda gap: gap.value)
    values = np.array([gap.value for gap in gaps])
    candidates, indices = numeral_candidates(model, values)
    contexts = kinds_of_contexts(model, (gap[:2] for gap in gaps))["weighted"]
    ranks = {
        name: middle_ranks(score(contexts, candidates)[:, indices], np.arange(len(values)))
        for name, score in ALL_SCORES.items()
        if name in SCORES
    }
    return ranks | {"value": values}


@cache
def held_out_gaps(path: Path) -> tuple[list[Gap], list[Gap]]:
    random = np.random.default_rng(7)
    settings = nl.settings.TextSettings()
    gaps = sample_gaps(open_corpus(path), 2 * GAPS, random, settings, ALONE_WITHIN)
    return gaps[:GAPS], gaps[GAPS:]


@cache
def all_gaps(path: Path) -> list[Gap]:
    lines = path.read_text("utf-8").splitlines()
    return list(gaps_of(lines, np.random.default_rng(8), alone_within=ALONE_WITHIN))


def unseen_gaps(path: Path, model: nl.Embeddings) -> list[Gap]:
    known = set(model.vocabulary.numeral_values.tolist())
    unseen = [gap for gap in all_gaps(path) if gap.value not in known][:UNSEEN_GAPS]
    return unseen + [gap for gap in all_gaps(path) if gap.value in known][:SEEN_BESIDE]


def trained(options: argparse.Namespace) -> dict[str, list[Measures]]:
    """Return the measures of each seed, by encoder; those in the JSON file are kept.

    Ranks of single gaps are kept beside it, for standard errors.
    """
    path: Path = options.json
    known = json.loads(path.read_text())["measures"] if path.exists() else {}
    of_text = known.setdefault(options.name, {})
    options.ranks.mkdir(exist_ok=True)
    settings = {name: plain_value(text) for name, text in (one.split("=") for one in options.set)}
    for encoder in options.encoders:
        seeds = of_text.setdefault(encoder, [])
        for seed in range(len(seeds) + 1, options.seeds + 1):
            model = nl.train(options.text, encoder=encoder, seed=seed, gap_model=False, **settings)
            measures, ranks = measures_of(model, options)
            np.savez(options.ranks / f"{options.name}-{encoder}-{seed}.npz", **ranks)
            seeds.append(measures)
            path.write_text(json.dumps({"machine": machine(), "measures": known}, indent=1))
    return {encoder: of_text[encoder] for encoder in options.encoders}


def plain_value(text: str) -> int | float | str:
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text


@dataclass(frozen=True)
class Comparison:
    """Measures of all seeds, and ranks of single gaps, by encoder."""

    measures: dict[str, list[Measures]]
    ranks: dict[str, list[Ranks]]

    def mean(self, encoder: str, measure: str) -> float:
        return float(np.mean(of(self.measures[encoder], measure)))

    def standard_error(self, encoder: str, other: str, measure: str) -> float:
        """Return the standard error of a difference: over seeds, and for ranks over gaps, too."""
        both = [of(self.measures[one], measure) for one in (encoder, other)]
        variance = sum(np.var(values, ddof=1) / len(values) for values in both if len(values) > 1)
        if measure in self.ranks[encoder][0]:
            rows = [
                np.mean([one[measure] for one in self.ranks[key]], axis=0)
                for key in (encoder, other)
            ]
            variance += np.var(rows[0] - rows[1], ddof=1) / len(rows[0])
        return math.sqrt(variance)

    def tied_with_best(self, measure: str) -> set[str]:
        """Return the encoders that are not worse than the best by two standard errors."""
        is_rank = "AVGR" in measure or measure in next(iter(self.ranks.values()))[0]
        means = {name: self.mean(name, measure) for name in self.measures}
        best = (min if is_rank else max)(means, key=lambda name: means[name])
        return {
            name
            for name, mean in means.items()
            if abs(mean - means[best]) <= 2 * self.standard_error(name, best, measure)
        }


def show_markdown(of_encoders: dict[str, list[Measures]], options: argparse.Namespace) -> None:
    """Print a table for a page: means, and the difference to the first encoder with its error.

    All that are tied with the best are in bold.
    """
    ranks = {
        encoder: [
            dict(np.load(options.ranks / f"{options.name}-{encoder}-{seed + 1}.npz"))
            for seed in range(len(seeds))
        ]
        for encoder, seeds in of_encoders.items()
    }
    found, first = Comparison(of_encoders, ranks), next(iter(of_encoders))
    print("| measure | " + " | ".join(of_encoders) + " |")
    print("| --- |" + " --: |" * len(of_encoders))
    for measure in of_encoders[first][0]:
        tied, cells = found.tied_with_best(measure), []
        for name in of_encoders:
            mean = found.mean(name, measure)
            shown = f"**{mean:.1f}**" if name in tied else f"{mean:.1f}"
            if name != first:
                error = found.standard_error(name, first, measure)
                shown += f" ({mean - found.mean(first, measure):+.1f} ± {error:.1f})"
            cells.append(shown)
        print(f"| {measure} | " + " | ".join(cells) + " |")


def show(name: str, of_encoders: dict[str, list[Measures]]) -> None:
    table = Table("measure", *of_encoders, title=f"{name}: mean ± deviation of seeds; {machine()}")
    for measure in dict.fromkeys(m for seeds in of_encoders.values() for m in seeds[0]):
        table.add_row(measure, *(spread(of(seeds, measure)) for seeds in of_encoders.values()))
    Console(width=40 + 18 * len(of_encoders)).print(table)


def compare(name: str, ours: dict[str, list[Measures]], path: Path) -> None:
    """Print what differs from the baseline by more than two standard errors."""
    theirs = json.loads(path.read_text())["measures"].get(name, {})
    table = Table("encoder", "measure", "today", "baseline", "difference", "standard error")
    for encoder, seeds in ours.items():
        for measure in seeds[0] if encoder in theirs else ():
            now, then = of(seeds, measure), of(theirs[encoder], measure)
            if min(len(now), len(then)) < 2:
                continue
            error = math.hypot(*(np.std(v, ddof=1) / math.sqrt(len(v)) for v in (now, then)))
            difference = float(np.mean(now) - np.mean(then))
            if abs(difference) > 2 * error:
                figures = (np.mean(now), np.mean(then), difference, error)
                table.add_row(encoder, measure, *(f"{figure:.2f}" for figure in figures))
    Console(width=110).print(table)


def of(seeds: Iterable[Measures], measure: str) -> list[float]:
    return [seed[measure] for seed in seeds if seed.get(measure) is not None]


def spread(values: list[float]) -> str:
    if len(values) < 2:
        return "".join(f"{value:.1f}" for value in values)
    return f"{np.mean(values):.1f} ± {np.std(values, ddof=1):.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name")
    parser.add_argument("text", type=Path)
    parser.add_argument("held_out", type=Path)
    parser.add_argument("--unseen", type=Path)
    parser.add_argument("--data", type=Path, help="folder of the evaluation sets")
    parser.add_argument("--encoders", nargs="+", default=["line", "gmm", "som", "token"])
    parser.add_argument("--seeds", type=int, default=6)
    parser.add_argument("--set", nargs="*", default=["epochs=2"], help="settings of train")
    parser.add_argument("--json", type=Path, required=True)
    parser.add_argument("--ranks", type=Path, help="folder of ranks; beside JSON by default")
    parser.add_argument("--markdown", action="store_true", help="print a table for a page")
    parser.add_argument("--baseline", type=Path)
    options = parser.parse_args()
    options.ranks = options.ranks or options.json.with_suffix(".ranks")
    found = trained(options)
    if options.markdown:
        show_markdown(found, options)
    else:
        show(options.name, found)
    if options.baseline:
        compare(options.name, found, options.baseline)


if __name__ == "__main__":
    main()
