"""Evidence on numerals, and the kinds of some of them → a fitted mixture of senses, by EM.

A numeral whose kind the text tells is an example of that sense. What tells it is hidden from these
examples, so that they teach what else speaks for it. The others have all senses, each with the
probability that the mixture gives it (E-step); then each sense gets the frequencies of the bins and
neighbours of its numerals (M-step). Frequencies are smoothed towards those of all numerals, so that
what was never seen with a sense is unlikely and not impossible.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from numberline.arrays import Floats
from numberline.reading.kinds import KINDS, PLAIN_INDEX
from numberline.senses.bins import BINS
from numberline.senses.evidence import GROUPS, SILENT, Evidence
from numberline.senses.mixture import SenseMixture

UNNAMED = 2  # senses without a name; with 0 or 4, years are told from counts less well
UNNAMED_SHARE = 0.1  # of each bare numeral, to start from
FEWEST_OF_KIND = 30  # numerals; a kind with fewer is no sense
ROUNDS = 4  # of EM; after more, hidden kinds are predicted less well
BIN_SMOOTHING = 20.0  # numerals that each sense is as if seen with, of all bins
NEIGHBOUR_SMOOTHING = 400.0  # likewise, of all neighbours
FRACTION_SMOOTHING = 1.0
TELLING_FRACTION = 0.9  # a neighbour whose numerals nearly all are of told kinds tells them
FEWEST_TOLD = 5
TELLING_PLACES = range(3, 7)  # two tokens on each side
SMALLEST = 1e-9

Kinds = npt.NDArray[np.int32]


def fit_senses(
    evidence: Evidence, kinds: Kinds, neighbours: int, rng: np.random.Generator
) -> SenseMixture:
    """Return the mixture of numerals of these kinds, PLAIN_INDEX where the text does not tell.

    `neighbours` is how many neighbours can be told apart.
    """
    counts = np.bincount(kinds, minlength=len(KINDS))
    counts[PLAIN_INDEX] = 0
    named = np.flatnonzero(counts >= FEWEST_OF_KIND).astype(np.int32)
    senses = np.concatenate([named, len(KINDS) + np.arange(UNNAMED, dtype=np.int32)])
    is_told, is_bare = np.isin(kinds, named), kinds == PLAIN_INDEX
    told = without_telling(evidence, is_told, neighbours)[is_told]
    examples = Examples(told, np.searchsorted(named, kinds[is_told]), evidence[is_bare], neighbours)
    shares = examples.first_shares(len(senses), rng)
    steps = MixtureSteps(examples, senses)
    for _ in range(ROUNDS):
        mixture = steps.maximised(shares)
        shares = mixture.probabilities(examples.bare)
    return steps.maximised(shares)


def without_telling(evidence: Evidence, is_told: npt.NDArray[np.bool_], size: int) -> Evidence:
    """Return evidence without the neighbours that nearly always tell a kind, at their places."""
    hidden = evidence.neighbours.copy()
    for place in TELLING_PLACES:
        column = evidence.neighbours[:, place] + 1  # SILENT becomes 0
        totals = np.bincount(column, minlength=size + 1)
        told = np.bincount(column[is_told], minlength=size + 1)
        telling = (told >= TELLING_FRACTION * totals) & (told >= FEWEST_TOLD)
        hidden[telling[column], place] = SILENT
    return Evidence(evidence.bins, hidden)


@dataclass(frozen=True, eq=False)
class Examples:
    """Numerals whose sense is told, and bare ones, whose senses are to be inferred."""

    told: Evidence
    senses: npt.NDArray[np.intp]  # of those that are told
    bare: Evidence
    neighbours: int

    def first_shares(self, size: int, rng: np.random.Generator) -> Floats:
        """Return shares of the senses of bare numerals to start from: by their bins, at random."""
        named = size - UNNAMED
        counts = np.ones((BINS, named))
        np.add.at(counts, (self.told.bins, self.senses), 1.0)
        rows = counts * rng.uniform(0.5, 1, counts.shape)
        shares = np.empty((len(self.bare), size))
        shares[:, :named] = (rows / rows.sum(axis=1, keepdims=True))[self.bare.bins]
        shares[:, :named] *= 1 - UNNAMED_SHARE
        unnamed = rng.random((len(self.bare), UNNAMED))
        shares[:, named:] = UNNAMED_SHARE * unnamed / unnamed.sum(axis=1, keepdims=True)
        return shares


class MixtureSteps:
    """The M-step. What does not change from round to round is computed once."""

    def __init__(self, examples: Examples, kinds: Kinds) -> None:
        self.examples, self.kinds = examples, kinds
        size = len(kinds)
        self._told = np.bincount(examples.senses, minlength=size).astype(np.float64)
        self._bins = SenseCounts.of(
            examples.told.bins, examples.senses, examples.bare.bins, (BINS, size)
        )
        self._groups = [self._group_counts(group, size) for group in range(int(GROUPS.max()) + 1)]

    def _group_counts(self, group: int, size: int) -> SenseCounts:
        """Return the counts of the neighbours at a group of places, all places together."""
        places = np.flatnonzero(np.equal(GROUPS, group))
        told, bare = (one.neighbours[:, places] for one in (self.examples.told, self.examples.bare))
        senses = np.repeat(self.examples.senses, len(places))
        return SenseCounts.of(
            told.reshape(-1),
            senses,
            bare.reshape(-1),
            (self.examples.neighbours, size),
            len(places),
        )

    def maximised(self, shares: Floats) -> SenseMixture:
        """Return the mixture that fits best if bare numerals have senses in these shares."""
        bare = shares.sum(axis=0)
        groups = [counts.log_ratios(shares, NEIGHBOUR_SMOOTHING) for counts in self._groups]
        bins = self._bins
        return SenseMixture(
            self.kinds,
            smoothed_fractions(self._told + bare),
            smoothed_fractions(bare),
            (bins.log_ratios(shares, BIN_SMOOTHING) + np.log(bins.overall)[:, None]).astype(
                np.float32
            ),
            np.stack(groups).astype(np.float32),
        )


def smoothed_fractions(counts: Floats) -> Floats:
    smoothed: Floats = (counts + FRACTION_SMOOTHING) / (counts + FRACTION_SMOOTHING).sum()
    return smoothed


@dataclass(frozen=True, eq=False)
class SenseCounts:
    """How often each item occurs with each sense: fixed counts, and numerals with shares."""

    told: Floats  # [items, senses]
    overall: Floats  # [items] fractions of all numerals, told or bare
    numerals: npt.NDArray[np.intp]  # rows of the shares, ordered by item
    starts: npt.NDArray[np.intp]  # of each item's numerals in this order
    items: npt.NDArray[np.int32]  # those that occur with bare numerals

    @classmethod
    def of(
        cls,
        told: npt.NDArray[np.int32],
        senses: npt.NDArray[np.intp],
        bare: npt.NDArray[np.int32],
        shape: tuple[int, int],
        per_numeral: int = 1,
    ) -> SenseCounts:
        """Count items, SILENT ones left out; each numeral has `per_numeral` of them in a row."""
        speaks = told != SILENT
        keys = told[speaks].astype(np.int64) * shape[1] + senses[speaks]
        counts = np.bincount(keys, minlength=shape[0] * shape[1]).reshape(shape)
        order = np.argsort(bare, kind="stable")
        order = order[np.count_nonzero(bare == SILENT) :]
        items, starts = np.unique(bare[order], return_index=True)
        overall = counts.sum(axis=1) + np.bincount(bare[order], minlength=shape[0]) + SMALLEST
        return cls(
            counts.astype(np.float64), overall / overall.sum(), order // per_numeral, starts, items
        )

    def log_ratios(self, shares: Floats, smoothing: float) -> Floats:
        """Return log p(item | sense) - log p(item), smoothed."""
        counts = self.told.copy()
        if len(self.items):
            counts[self.items] += np.add.reduceat(shares[self.numerals], self.starts, axis=0)
        overall = self.overall[:, None]
        ratios: Floats = np.log((counts / overall + smoothing) / (counts.sum(axis=0) + smoothing))
        return ratios
