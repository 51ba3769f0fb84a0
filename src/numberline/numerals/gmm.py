"""Components of a Gaussian mixture, weighted by their posterior probability for a numeral."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from numberline.arrays import Floats
from numberline.fields import one_of, setting
from numberline.numerals.base import (
    Encoder,
    FittedEncoder,
    Side,
    number_of_prototypes,
    prototypes_setting,
)
from numberline.numerals.gmm_fit import fit_gmm
from numberline.numerals.gmm_start import (
    FitMap,
    even_floor,
    relative_floor,
    starting_mixture,
)
from numberline.numerals.mixture import Mixture, sparse_posterior
from numberline.numerals.rows import SparseRows
from numberline.numerals.som_fit import fit_som, fit_som_unsquashed
from numberline.numerals.squash import line_setting, number_at, position_of, squarable
from numberline.numerals.state import require_ascending, require_equal_lengths
from numberline.numerals.values import finite_numbers


@dataclass(frozen=True, eq=False)
class FittedGmm(FittedEncoder):
    encoder: Gmm
    priors: Floats
    means: Floats  # ascending; on the squashed line unless log="none"
    deviations: Floats

    def __post_init__(self) -> None:
        require_ascending("means", self.means)
        require_equal_lengths(means=self.means, priors=self.priors, deviations=self.deviations)

    @property
    def size(self) -> int:
        return len(self.means)

    @property
    def labels(self) -> Floats:
        return number_at(self.means, self.encoder.log)

    def weights(self, values: npt.ArrayLike, side: Side = "input") -> SparseRows:
        positions = squarable(position_of(finite_numbers(values), self.encoder.log))
        return sparse_posterior(positions, Mixture(self.priors, self.means, self.deviations))


@dataclass(frozen=True)
class Gmm(Encoder):
    """A Gaussian mixture: a numeral has its posterior weight on each component."""

    prototypes: int | None = prototypes_setting()
    log: str = line_setting()
    em: str = setting("soft", "'soft' or 'hard' EM.", one_of("soft", "hard"))
    em_start: str = setting(
        "som", "How EM starts: 'random', 'som' or 'kmeans'.", one_of("random", "som", "kmeans")
    )

    name: ClassVar[str] = "gmm"
    fitted_class: ClassVar[type[FittedEncoder]] = FittedGmm

    def fit(self, values: Floats, counts: Floats, rng: np.random.Generator) -> FittedGmm:
        size = number_of_prototypes(self.prototypes, len(values))
        positions = squarable(position_of(values, self.log))
        fit_map: FitMap = fit_som
        floor = even_floor(positions, counts)
        if self.log == "none":
            fit_map, floor = fit_som_unsquashed, relative_floor(positions, counts)
        start = starting_mixture(self.em_start, positions, counts, size, rng, fit_map, floor)
        return FittedGmm(self, *fit_gmm(positions, counts, start, self.em, floor))
