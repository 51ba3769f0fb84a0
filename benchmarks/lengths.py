"""What lengths along some axes are worth: the table "Lengths" of docs/results.md.

    python benchmarks/lengths.py --encoded FOLDER --data SETS --models FOLDER
        [--rows default token gmm] [--seeds 8] [--in-order] [--device cuda]

Models are trained as by benchmarks/rows.py and kept in FOLDER. Then input vectors are rescaled in
several ways, as model/rescaling.py does; that changes no score. The numerals whose vectors say what
numerals differ by are the prototypes, or 0 to 100 where those are no numbers.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any, NamedTuple

import numpy as np
from machine import machine
from rich.console import Console
from rich.table import Table
from rows import (
    deviation,
    magnitude_items,
    numeration_items,
    parser_of_rows,
    trained,
    with_error,
)

import numberline
from numberline.evaluation.grid import DEFAULT
from numberline.model.embeddings import Embeddings
from numberline.model.rescaling import (
    FREQUENT_FRACTION,
    no_rescaling,
    rescale_differences,
    rescale_tables,
)
from numberline.numerals.vectors import PrototypeVectors, prototype_values

MEASURES = (
    "numeration, paper: SC",
    "numeration, naik: AVGR",
    "magnitude, naik: OVA",
    "magnitude, paper: SC",
)


class Choice(NamedTuple):
    common: float  # times what words and numerals have in common
    differences: float  # times what numerals differ by
    axes: float  # of the dimensions


CHOICES = {
    DEFAULT: [
        Choice(1, 1, 0),
        Choice(0.3, 1, 0),
        Choice(1, 1.4, 0.2),
        *(Choice(0.3, times, 0.2) for times in (1.2, 1.4, 1.6, 2)),
        Choice(0.3, 1.4, 0.1),
        Choice(0.3, 1.4, 1),
    ]
}
OF_OTHERS = [Choice(1, 1, 0), Choice(0.3, 1.4, 0.2)]


def changed(model: Embeddings, choice: Choice) -> Embeddings:
    numerals = model.numerals
    assert isinstance(numerals, PrototypeVectors)
    words, table = np.array(model.word_input), np.array(numerals.input)
    frequent = words[: math.ceil(FREQUENT_FRACTION * len(words))]
    values = prototype_values(numerals) if numerals.labels is not None else np.arange(101.0)
    rescaling = rescale_differences(
        no_rescaling(model.dim),
        frequent,
        numerals.vectors(values).astype(np.float64),
        axes=round(choice.axes * model.dim),
        common_factor=choice.common,
        differences_factor=choice.differences,
    )
    rescale_tables(rescaling, [words, table], [])
    numerals = dataclasses.replace(numerals, input=table)
    return dataclasses.replace(model, word_input=words, numerals=numerals)


def figures_of(model: Embeddings, options: Any) -> dict[str, float]:
    items = {**numeration_items(model), **magnitude_items(model, options)}
    rows = numberline.evaluate(model, "similarity", data=options.data).tables["similarity"][0].rows
    means = {measure: float(np.nanmean(items[measure])) for measure in MEASURES}
    return means | {row["set"]: float(row["Spearman"]) for row in rows}


def main() -> None:
    parser = parser_of_rows(__doc__, seeds=8)
    parser.add_argument("--device", default="cpu")
    options = parser.parse_args()
    table = Table(title=f"{options.seeds} seeds, {options.device}; {machine()}")
    for row in options.rows:
        seeds = range(1, options.seeds + 1)
        models = [trained(options, row, seed, device=options.device) for seed in seeds]
        for choice in CHOICES.get(row, OF_OTHERS):
            found = [figures_of(changed(model, choice), options) for model in models]
            if not table.columns:
                for name in ("encoder", *Choice._fields, *found[0]):
                    table.add_column(name)
            table.add_row(row, *map(str, choice), *spreads(found))
    Console(width=200).print(table)


def spreads(found: list[dict[str, float]]) -> list[str]:
    of_measures = np.array([list(figures.values()) for figures in found]).T
    return [with_error(float(own.mean()), deviation(own)) for own in of_measures]


if __name__ == "__main__":
    main()
