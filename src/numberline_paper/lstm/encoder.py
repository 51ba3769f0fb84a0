"""The encoder "lstm": its name, and model folders → trained vectors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from numberline.arrays import Array, Floats
from numberline.errors import TrainingError
from numberline.numerals.base import Encoder, FittedEncoder
from numberline.numerals.vectors import NumeralVectors


@dataclass(frozen=True)
class Lstm(Encoder):
    """A number's vector is what an LSTM keeps of its digits. There is nothing to set."""

    name: ClassVar[str] = "lstm"

    def fit(self, values: Floats, counts: Floats, rng: np.random.Generator) -> FittedEncoder:
        """Refuse: there are no prototypes that numberline.train could train."""
        raise TrainingError("encoder lstm has no prototypes: numberline_paper.train_lstm trains it")

    def vectors_from_state(self, state: Mapping[str, Array]) -> NumeralVectors:
        """Rebuild the networks whose `state()` this is; refuse anything else."""
        from numberline_paper.lstm.vectors import vectors_from_state

        return vectors_from_state(state)
