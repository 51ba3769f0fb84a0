"""An encoder with prototypes, and numerals → what share of the numerals each prototype explains."""

from __future__ import annotations

from dataclasses import dataclass

from numberline.encoders.base import PrototypeEncoder
from numberline.encoders.squash import Floats


@dataclass(frozen=True, eq=False)
class ExplainedPrototypes:
    """Prototypes as numbers, ascending, and the share of all occurrences that falls to each."""

    values: Floats
    shares: Floats  # sum to 1


def explain(encoder: PrototypeEncoder, values: Floats, counts: Floats) -> ExplainedPrototypes:
    mass = encoder.weights(values).adjoint(counts[:, None])[:, 0]
    return ExplainedPrototypes(encoder.prototype_values, mass / counts.sum())
