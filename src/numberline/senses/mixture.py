"""Evidence on numerals → the probability of each sense: the definition of the mixture.

Each numeral has one of S senses: kinds that have a name, and a few without one. With b its bin and
w_j its neighbour at place j, which belongs to the group g(j) of places,

    log p(s | b, w) = log p(s) + log p(b | s) + a Σ_j log (p(w_j | s, g(j)) / p(w_j | g(j))) + const

Neighbours repeat each other, so that together they say less than each on its own: a < 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from numberline.arrays import Array, Floats
from numberline.numerals.state import refuse_others, required_array
from numberline.reading.kinds import KINDS, MOST_KINDS
from numberline.senses.bins import BINS, bins_of
from numberline.senses.evidence import GROUPS, PLACES, SILENT, Evidence, neighbour_count

PREFIX = "senses."  # marks its arrays among those of a model
SENSE_NEIGHBOURS = PREFIX + "neighbours"  # by far the largest
OWNER = "the senses"
NEIGHBOUR_WEIGHT = np.float32(0.3)  # a; 0.15 and 0.45 tell years from counts less well

LogProbabilities = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class SenseMixture:
    """The senses of a corpus' numerals, fitted."""

    kinds: npt.NDArray[np.int32]  # [senses] indices; those beyond KINDS have no name
    all_fractions: Floats  # [senses] of all numerals
    bare_fractions: Floats  # [senses] of the numerals whose kind the text does not tell
    bins: LogProbabilities  # [BINS, senses] log p(b | s)
    neighbours: LogProbabilities  # [groups, neighbours, senses] log p(w | s, g) - log p(w | g)

    def __len__(self) -> int:
        return len(self.kinds)

    def log_scores(self, evidence: Evidence, are_bare: bool = True) -> LogProbabilities:
        """Return log p(s, evidence) up to a constant for each numeral.

        They are numerals whose kind the text does not tell, or if not `are_bare`, any numerals.
        """
        fractions = self.bare_fractions if are_bare else self.all_fractions
        scores = np.log(fractions).astype(np.float32) + self.bins[evidence.bins]
        for place in range(PLACES):
            scores += self.contributions(evidence.neighbours[:, place], place)
        return scores

    def contributions(self, neighbours: npt.NDArray[np.int32], place: int) -> LogProbabilities:
        """Return what the neighbours at one place add to the scores: [numerals, senses]."""
        rows: LogProbabilities = self.neighbours[GROUPS[place]][neighbours]
        rows *= NEIGHBOUR_WEIGHT * (neighbours != SILENT)[:, None]
        return rows

    def probabilities(self, evidence: Evidence, are_bare: bool = True) -> Floats:
        """Return the probability of each sense: [numerals, senses]; `are_bare` as above."""
        return normalised(self.log_scores(evidence, are_bare).astype(np.float64))

    def of_numbers(self, values: Floats) -> Floats:
        """Return the probability of each sense of numbers without a context, by all numerals."""
        return normalised(np.log(self.all_fractions) + self.bins[bins_of(values)])

    def state(self) -> dict[str, Array]:
        """Return its arrays by their names in a model folder."""
        return {
            PREFIX + "kinds": self.kinds.astype(np.float64),
            PREFIX + "all_fractions": self.all_fractions,
            PREFIX + "bare_fractions": self.bare_fractions,
            PREFIX + "bins": self.bins,
            SENSE_NEIGHBOURS: self.neighbours.reshape(-1, len(self)),
        }


def normalised(log_scores: Floats) -> Floats:
    """Return probabilities in the proportions of e^scores."""
    weights = np.exp(log_scores - log_scores.max(axis=1, keepdims=True))
    probabilities: Floats = weights / weights.sum(axis=1, keepdims=True)
    return probabilities


def kind_name(kind: int) -> str:
    """Return the name of a kind; one without a name is numbered."""
    return KINDS[kind] if kind < len(KINDS) else f"sense {kind - len(KINDS) + 1}"


def is_sense_state(name: str) -> bool:
    return name.startswith(PREFIX)


def mixture_from_state(arrays: Mapping[str, Array], words: int) -> SenseMixture | None:
    """Return the mixture among the arrays of a model with this many words, or None.

    Arrays of other shapes are refused.
    """
    state = {
        name.removeprefix(PREFIX): array for name, array in arrays.items() if is_sense_state(name)
    }
    if not state:
        return None
    kinds = required_array(state, "kinds", (None,), OWNER)
    size = len(kinds)
    if not size or not ((kinds >= 0) & (kinds < MOST_KINDS) & (kinds == np.rint(kinds))).all():
        raise ValueError("its senses are of kinds that do not exist")
    of_all = required_array(state, "all_fractions", (size,), OWNER)
    of_bare = required_array(state, "bare_fractions", (size,), OWNER)
    if not ((of_all > 0).all() and (of_bare > 0).all()):
        raise ValueError("its senses have no fractions of the numerals")
    groups = int(GROUPS.max()) + 1
    neighbours = required_array(state, "neighbours", (groups * neighbour_count(words), size), OWNER)
    mixture = SenseMixture(
        kinds.astype(np.int32),
        of_all,
        of_bare,
        required_array(state, "bins", (BINS, size), OWNER),
        neighbours.reshape(groups, -1, size),
    )
    refuse_others(state, (name.removeprefix(PREFIX) for name in mixture.state()), OWNER)
    return mixture
