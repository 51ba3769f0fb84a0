"""Numerals and an encoder → prototypes, and the fraction of the numerals that each explains."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from numberline.arrays import Floats
from numberline.errors import ConfigError
from numberline.numerals.base import Encoder, FittedEncoder
from numberline.numerals.registry import BUILT_IN
from numberline.numerals.values import distinct_numerals


@dataclass(frozen=True, eq=False)
class ExplainedPrototypes:
    values: Floats  # the prototypes as numbers, ascending, each once
    fractions: Floats  # fraction of all numeral occurrences that each prototype explains
    numeral_values: Floats
    numeral_counts: Floats


def require_labels(encoder: Encoder) -> None:
    """Refuse an encoder whose prototypes are not numbers, before a corpus is read."""
    if not has_labels(type(encoder)):
        able = ", ".join(name for name, kind in BUILT_IN.items() if has_labels(kind))
        raise ConfigError("encoder", str(encoder), f"one whose prototypes are numbers: {able}")


def has_labels(kind: type[Encoder]) -> bool:
    return kind.fitted_class is not None and kind.fitted_class.labels is not FittedEncoder.labels


def explain(
    encoder: Encoder, values: Floats, counts: Floats, rng: np.random.Generator
) -> ExplainedPrototypes:
    """Fit an encoder to numerals; a prototype explains as much of a numeral as it weighs in it."""
    require_labels(encoder)
    values, counts = distinct_numerals(values, counts)
    fitted = encoder.fit(values, counts, rng)
    rows = fitted.weights(values)
    occurrences = np.repeat(counts, np.diff(rows.offsets)) * rows.weights
    mass = np.bincount(rows.indices, occurrences, rows.size)
    assert fitted.labels is not None
    prototypes, fractions = by_label(fitted.labels, mass / mass.sum())
    return ExplainedPrototypes(prototypes, fractions, values, counts)


def by_label(labels: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Return each number once, ascending, and the summed weights of its prototypes.

    Prototypes that stand for no number are left out.
    """
    is_number = ~np.isnan(labels)
    values, inverse = np.unique(labels[is_number], return_inverse=True)
    return values, np.bincount(inverse, weights[is_number], len(values)).astype(np.float64)
