"""Rows of the table "One default for all": seeds of each, compared item by item, in one run.

    python benchmarks/rows.py --encoded FOLDER --held-out FILE --data SETS --models FOLDER
        [--rows default token gmm] [--seeds 6] [--in-order]

Rows have the settings of the paper's experiment "magnitude", default its own but for dimensions and
epochs. Models are kept in FOLDER, by the names of numberline reproduce, and not trained again.
Shown are means and standard deviations of seeds. The difference to the first row is taken over the
same numerals, words or gaps, with the means of all seeds; its standard error is that of the items.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from machine import machine
from rich.console import Console
from rich.table import Table
from word_similarity import SETS

import numberline
from numberline.arrays import Floats
from numberline.evaluation import magnitude, numeration
from numberline.evaluation.candidates import all_kinds, numeral_candidates, score_all
from numberline.evaluation.number_words import number_words
from numberline.evaluation.numeracy import distances_between, gaps_between, numeracy_of_targets
from numberline.evaluation.numerals import asked_numerals, numeral_rows
from numberline.evaluation.prediction import held_out_gaps
from numberline.evaluation.ranking import middle_best, middle_ranks
from numberline.evaluation.settings import EvaluationSettings, ReproductionSettings
from numberline.model.embeddings import Embeddings
from numberline.model.folder import is_model
from numberline.numerals.squash import squash
from numberline.settings import made_of
from numberline_paper.grid import WIKIPEDIA, training_of

PRESET = "magnitude"
PROTOCOLS = {"naik": {}, "paper": {"protocol": "paper", "numerals": "corpus"}}
RANKED_BY = ("lift", "s0", "S_A", "S_B")
OF_THE_LINE = "lift"  # the score whose errors are looked at

Items = dict[str, Floats]  # by measure: what each numeral, word or gap adds to the mean


def trained(options: Any, row: str, seed: int, ending: str = "", **more: Any) -> Embeddings:
    """The model of a row, with more settings where its folder has a name of another ending."""
    scale = {"epochs": 1, "seed": seed, "shuffle": not options.in_order}
    training = training_of(row, PRESET, WIKIPEDIA, made_of(ReproductionSettings, scale))
    folder = options.models / f"{training.name}{ending}"
    if not is_model(folder):
        settings = {"threads": options.threads, **training.settings, **more}
        settings.pop("max_vocabulary", None)  # the text is encoded already
        numberline.train(options.encoded, folder, **settings)
    return numberline.load(folder)


def items_of(model: Embeddings, options: Any) -> Items:
    return {
        **similarity_items(model, options),
        **magnitude_items(model, options),
        **numeration_items(model),
        **prediction_items(model, options),
    }


def similarity_items(model: Embeddings, options: Any) -> Items:
    rows = numberline.evaluate(model, "similarity", data=options.data).tables["similarity"][0].rows
    return {row["set"]: np.array([row["Spearman"]]) for row in rows if row["set"] in SETS}


def magnitude_items(model: Embeddings, options: Any) -> Items:
    found: Items = {}
    for name, settings in PROTOCOLS.items():
        config = made_of(EvaluationSettings, {"data": options.data, **settings})
        values, rows, _ = asked_numerals(model, config, "magnitude")
        distances, gaps = distances_between(rows, rows), gaps_between(values)
        of_targets = numeracy_of_targets(distances, gaps, name, magnitude.BEST_RANK)
        found |= {f"magnitude, {name}: {part}": of_targets[part] for part in ("OVA", "SC", "AVGR")}
    return found


def numeration_items(model: Embeddings) -> Items:
    """Each number word of the vocabulary is an item."""
    named = number_words(model.words)
    words = sorted(named, key=lambda word: named[word])
    values = np.array([named[word] for word in words])
    vectors = model.vectors(words).astype(np.float64)
    distances = distances_between(numeral_rows(model, values), vectors)
    gaps = np.abs(values[:, None] - values)
    found: Items = {}
    for protocol in PROTOCOLS:
        of_targets = numeracy_of_targets(distances, gaps, protocol, numeration.BEST_RANK)
        found |= {f"numeration, {protocol}: {part}": of_targets[part] for part in ("SC", "AVGR")}
    return found


def prediction_items(model: Embeddings, options: Any) -> Items:
    config = made_of(EvaluationSettings, {"text": str(options.held_out)})
    gaps = sorted(held_out_gaps(model, config), key=lambda gap: gap.value)
    values = np.array([gap.value for gap in gaps])
    candidates, places = numeral_candidates(model, values)
    sides = (gap[:2] for gap in gaps)
    contexts = all_kinds(model, sides, config.gaps.context_words)["weighted"]
    found: Items = {}
    for name, scores in score_all(contexts, candidates).items():
        if name in RANKED_BY:
            found[name] = middle_ranks(scores[:, places], np.arange(len(values)))
        if name == OF_THE_LINE:
            best = values[middle_best(scores[:, places])]
            found["error"] = np.abs(squash(values) - squash(best)) / math.log(10)
    return found


def compared(all_items: dict[str, list[Items]]) -> list[dict[str, Any]]:
    """A record per measure and row."""
    first = next(iter(all_items))
    records = []
    for measure in all_items[first][0]:
        own_items = mean_of_seeds(all_items[first], measure)
        for row, of_seeds in all_items.items():
            figures = [float(np.nanmean(items[measure])) for items in of_seeds]
            differences = own_items - mean_of_seeds(of_seeds, measure)
            records.append(
                {
                    "measure": measure,
                    "row": row,
                    "seeds": len(figures),
                    "mean": float(np.mean(figures)),
                    "deviation": deviation(np.array(figures)),
                    "difference": float(differences.mean()),
                    "standard error": deviation(differences, of_mean=True),
                }
            )
    return records


def deviation(values: Floats, *, of_mean: bool = False) -> float | None:
    if len(values) < 2:
        return None
    return float(values.std(ddof=1)) / math.sqrt(len(values) if of_mean else 1)


def mean_of_seeds(of_seeds: list[Items], measure: str) -> Floats:
    """Without what is not asked: it is so for all models of one vocabulary."""
    mean = np.mean([items[measure] for items in of_seeds], axis=0)
    asked: Floats = mean[~np.isnan(mean)]
    return asked


def show(records: list[dict[str, Any]], title: str) -> None:
    rows = list(dict.fromkeys(record["row"] for record in records))
    table = Table("measure", *rows, *(f"{rows[0]} less {row}" for row in rows[1:]), title=title)
    for measure in dict.fromkeys(record["measure"] for record in records):
        own = [record for record in records if record["measure"] == measure]
        figures = [with_error(record["mean"], record["deviation"]) for record in own]
        pairs = [(record["difference"], record["standard error"]) for record in own[1:]]
        table.add_row(measure, *figures, *(with_error(*pair) for pair in pairs))
    Console(width=60 + 24 * len(rows)).print(table)


def with_error(figure: float, error: float | None) -> str:
    return f"{figure:.2f}" if error is None else f"{figure:.2f} ± {error:.2f}"


def parser_of_rows(description: str | None, seeds: int) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--encoded", type=Path, required=True, help="what numberline encode wrote")
    parser.add_argument("--data", type=Path, required=True, help="folder of the evaluation sets")
    parser.add_argument("--models", type=Path, required=True, help="folder where they are kept")
    parser.add_argument("--rows", nargs="+", default=["default", "token", "gmm"])
    parser.add_argument("--seeds", type=int, default=seeds)
    parser.add_argument("--in-order", action="store_true", help="do not shuffle blocks of text")
    parser.add_argument("--threads", type=int, default=2)
    return parser


def main() -> None:
    parser = parser_of_rows(__doc__, seeds=6)
    parser.add_argument("--held-out", type=Path, required=True, help="text that is not in there")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    seeds = range(1, options.seeds + 1)
    all_items = {
        row: [items_of(trained(options, row, seed), options) for seed in seeds]
        for row in options.rows
    }
    records = compared(all_items)
    order = "in the order of the text" if options.in_order else "shuffled"
    show(records, f"{options.seeds} seeds, {order}; {machine()}")
    if options.json:
        options.json.write_text(json.dumps(records, indent=1))


if __name__ == "__main__":
    main()
