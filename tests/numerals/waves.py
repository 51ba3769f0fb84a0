"""An encoder without prototypes, whose vectors are computed as those of a network would be."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from numberline.fields import setting
from numberline.numerals.base import Encoder
from numberline.numerals.state import required_array
from numberline.numerals.vectors import NumeralVectors


class WaveVectors(NumeralVectors):
    def __init__(self, encoder, phases):
        self._encoder, self.phases = encoder, phases

    @property
    def encoder(self):
        return self._encoder

    @property
    def dim(self):
        return len(self.phases)

    def vectors(self, values, side="input", kinds=None):
        return np.sin(np.asarray(values)[..., None] + self.phases).astype(self.phases.dtype)

    def state(self):
        return {"phases": self.phases}

    def in_double(self):
        return WaveVectors(self._encoder, self.phases.astype(np.float64))


@dataclass(frozen=True)
class Waves(Encoder):
    speed: float = setting(1.0, "How fast.")

    name: ClassVar[str] = "waves"

    def fit(self, values, counts, rng):
        raise NotImplementedError("waves are trained elsewhere")

    def vectors_from_state(self, state):
        return WaveVectors(self, required_array(state, "phases", (None,)))
