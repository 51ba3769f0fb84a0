"""Knots on the number line on three scales: a vector is the average of what each scale says.

On every scale a vector is interpolated between two knots, as piecewise does. A knot is the most
frequent numeral of its share of the text, or lies where all but outliers end: 1900, 2000 and 10,000
have vectors of their own, as have 0, 1, 2, …, and what lies between them lies between their
vectors. Few knots are seen often and learn the rule: vectors that move evenly with magnitude. Many
knots learn where frequent numerals differ from it: years, hours, sizes. In small texts what is rare
stays near the rule, as the many knots around it start near zero and hardly move.

The two sides of a numeral have different work to do. An input vector says what a numeral is, and is
what users get: it is made of the coarser scales, so that what is near is alike. An output vector
says where a numeral is found, and is made of the fine scale most of all.

A text does not use 3.5 as it uses 3 and 4: what is measured or priced has digits after the point,
what is counted has none. So all numerals with such digits have a vector in common, which is added
to theirs: much of it where the text has many of them, none where it has hardly any. Between heights
of 187 and 188 that nobody gave in more detail, 187.3 is what its neighbours are.

What tells decimals from whole numbers would tear 3 and 3.1 apart. It is meant to be seen by scores
and not by distances; so when training is done, it is made short in input vectors and long in output
vectors, which leaves all products of the two as they are. So is what words and numerals have in
common, which hides how they differ. What numerals differ by is made long: they are averages, which
differ by less than what they are averages of, and shall find the words that are said of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from numberline.config import EncoderConfig
from numberline.encoders.base import PrototypeEncoder, number_of_prototypes
from numberline.encoders.knots import frequent_knots, frequent_of_knots, interpolation
from numberline.encoders.numbers import finite_numbers, have_decimals
from numberline.encoders.sides import Lengths, axis_of
from numberline.encoders.squash import Floats
from numberline.encoders.weights import Array, SparseWeights, sparse_columns
from numberline.errors import EncoderStateError


class Scale(NamedTuple):
    knots: float  # times the number of prototypes
    input_share: float  # of a numeral's input vector
    output_share: float


# Of the sets tried on Wikipedia one with which magnitude, prediction and probing are all as good as
# with any other encoder. More knots in input vectors rank better and tear neighbours apart; with
# one scale for them instead of two they rank a little worse.
SCALES = (Scale(0.4, 0.5, 0.1), Scale(0.78, 0.5, 0.2), Scale(10.0, 0.0, 0.7))

# Of the middle knots, those that have even shares of the line instead of the text. Without them all
# that are rare and large have one knot or two, however far apart they are.
OF_LINE = 0.045
COUNTED = 0.2  # of the middle knots, those of 0, 1, 2, …, which texts tell apart most of all

# Times the vector of all numerals with digits after the point, where they are usual. It grows until
# they are told from whole numbers: with less of it that is slower.
LARGEST_SHARE_OF_DECIMALS = 0.7

# What training made of lengths of input vectors is multiplied by these in the end: along that
# vector, along what words and numerals have in common, and along what numerals differ by.
OF_DECIMALS, OF_COMMON, OF_DIFFERENCES = 0.03, 0.3, 1.4
FREQUENT = 0.15  # of the words: rare ones have moved too little to say what is common
AXES = 0.2  # of the dimensions: along so many of them numerals are said to differ

AROUND = 11  # fine knots that tell what is usual in their midst
# How often numerals have decimals there, compared with all of the text. In between they are told
# apart by degrees; where that changes, neighbours with decimals fall out of order.
RARE, USUAL = 0.25, 0.5


class MultiscaleEncoder(PrototypeEncoder):
    name = "multiscale"
    settings = frozenset({"prototypes", "log", "decimals", "lengths"})
    logs = ("dataset", "none")
    fitted = ("knots", "scales", "shares_of_inputs", "shares_of_outputs", "shares_of_decimals")
    other_parts = ("decimals",)
    # Of each knot of all scales; floats, as all arrays of a state.
    knots: Floats  # ascending; on the squashed line unless log="none"
    scales: Floats  # 0, 1, … from coarse to fine
    shares_of_inputs: Floats  # of the input vector of a whole number, that the knot's scale has
    shares_of_outputs: Floats
    shares_of_decimals: Floats  # of their vector, that is added to a numeral there

    def fit(self, values: Floats, counts: Floats, rng: np.random.Generator) -> Self:
        prototypes = number_of_prototypes(self.config, len(values))
        places = self.on_line(values)
        coarse, middle, fine = (max(1, round(prototypes * scale.knots)) for scale in SCALES)
        middle = max(2, middle)  # one tells nothing apart
        counted = places[np.isin(values, np.arange(COUNTED * middle))]
        of_middle = frequent_knots(places, counts, middle, of_line=OF_LINE, favoured=counted)
        # A vector bends at a knot, and where it bends neighbours fall out of order: not twice.
        of_coarse = frequent_of_knots(of_middle, places, counts, coarse, counted)
        found = [of_coarse, of_middle, frequent_knots(places, counts, fine)]
        knots = np.concatenate(found)
        scales = np.repeat(np.arange(len(SCALES)), [len(one) for one in found])
        order = np.argsort(knots, kind="stable")
        self.knots, self.scales = knots[order], scales[order].astype(np.float64)
        self.shares_of_inputs = np.array([scale.input_share for scale in SCALES])[scales[order]]
        self.shares_of_outputs = np.array([scale.output_share for scale in SCALES])[scales[order]]
        self.shares_of_decimals = np.zeros(len(knots))
        if self.config.decimals != "none":
            usual = usual_decimals(values, counts, places, found[-1])
            neighbours, parts = interpolation(found[-1], self.knots)
            shares = np.sum(parts * usual[neighbours], axis=1)
            self.shares_of_decimals = LARGEST_SHARE_OF_DECIMALS * shares
        return self

    def start(self, dim: int, rng: np.random.Generator, dtype: npt.DTypeLike = np.float32) -> Self:
        """Knots that no input vector is made of have none themselves."""
        super().start(dim, rng, dtype)
        self.bases["input"][: len(self.knots)][self.shares_of_inputs == 0] = 0
        return self

    def settle(self, word_input: Array, word_output: Array) -> None:
        lengths = Lengths(word_input.shape[1])
        if self.config.decimals == "scores" and self.shares_of_decimals.any():
            of_decimals = self.bases["input"][-1:].astype(np.float64)
            lengths.multiply(axis_of(of_decimals[0], among=of_decimals), OF_DECIMALS)
        if self.config.lengths == "settled":
            frequent = word_input[: math.ceil(FREQUENT * len(word_input))]
            numerals = self.compose(self.shown_prototypes).astype(np.float64)
            number = round(AXES * numerals.shape[1])
            lengths.suit_distances(frequent, numerals, OF_COMMON, OF_DIFFERENCES, number)
        lengths.apply((word_input, self.bases["input"]), (word_output, self.bases["output"]))

    @property
    def prototype_values(self) -> Floats:
        return self.off_line(self.knots)

    @property
    def basis_size(self) -> int:
        """Without taking knots off the line, which every look-up would pay for."""
        return len(self.knots) + len(self.other_parts)

    @property
    def shown_prototypes(self) -> Floats:
        return np.unique(self.prototype_values[self.shares_of_inputs > 0])

    @property
    def shown_parts(self) -> tuple[str, ...]:
        return self.other_parts if self.config.decimals == "vectors" else ()

    def weights(self, values: npt.ArrayLike) -> SparseWeights:
        return self._mixed(values, self.shares_of_inputs)

    def output_weights(self, values: npt.ArrayLike) -> SparseWeights:
        return self._mixed(values, self.shares_of_outputs)

    def _mixed(self, values: npt.ArrayLike, shares_of_knots: Floats) -> SparseWeights:
        numbers = finite_numbers(values)
        places = self.on_line(numbers)
        decimals = self._shares_of_decimals(numbers, places)[:, None]
        columns, shares = [np.full(decimals.shape, len(self.knots))], [decimals]
        for members in self._members:
            if (share := shares_of_knots[members[0]]) > 0:
                neighbours, parts = interpolation(self.knots[members], places)
                columns.append(members[neighbours])
                shares.append(share * parts)
        joined = np.concatenate(columns, axis=1), np.concatenate(shares, axis=1)
        return sparse_columns(*joined, self.basis_size)

    def _shares_of_decimals(self, numbers: Floats, places: Floats) -> Floats:
        """0 of whole numbers."""
        shares = np.zeros(len(numbers))
        if len(found := np.flatnonzero(have_decimals(numbers))):
            fine = self._members[-1]
            neighbours, parts = interpolation(self.knots[fine], places[found])
            shares[found] = np.sum(parts * self.shares_of_decimals[fine[neighbours]], axis=1)
        return shares

    @property
    def _members(self) -> list[npt.NDArray[np.intp]]:
        """The knots of each scale."""
        count = int(self.scales.max()) + 1  # np.unique would sort them, for every look-up
        return [np.flatnonzero(self.scales == number) for number in range(count)]

    @classmethod
    def from_state(cls, config: EncoderConfig, state: Mapping[str, Array]) -> Self:
        encoder = super().from_state(config, state)
        if not (len(encoder.knots) and np.isfinite(encoder.knots).all()):
            raise EncoderStateError(
                "knots in the state of the encoder must be finite, and be there"
            )
        if (np.diff(encoder.knots) < 0).any():
            raise EncoderStateError("knots in the state of the encoder must ascend")
        known = np.unique(encoder.scales).tolist()
        if known != list(range(len(known))):
            raise EncoderStateError(
                f"scales in the state of the encoder are {known}, but must be 0, 1, … without a gap"
            )
        for name in ("shares_of_inputs", "shares_of_outputs"):
            require_average(getattr(encoder, name), encoder.scales, name)
        if not ((encoder.shares_of_decimals >= 0) & (encoder.shares_of_decimals <= 1)).all():
            raise EncoderStateError(
                "shares_of_decimals in the state of the encoder must be from 0 to 1"
            )
        return encoder


def usual_decimals(values: Floats, counts: Floats, places: Floats, knots: Floats) -> Floats:
    """How usual it is around each knot to have decimals: from 0 where they are rare to 1.

    What is usual is told by the share of occurrences that have them. Less than 1 everywhere, where
    whole numbers are the exception: they are not known well enough to be told apart.
    """
    weights = sparse_columns(*interpolation(knots, places), len(knots))
    own = np.where(have_decimals(values), counts, 0.0)
    if not own.any():
        return np.zeros(len(knots))
    at_knots = weights.adjoint(np.column_stack([own, counts])).T
    around = np.ones(min(AROUND, len(knots) - (len(knots) + 1) % 2))
    own_there, all_there = (np.convolve(mass, around, "same") for mass in at_knots)
    in_text = own.sum() / counts.sum()
    are_whole_known = min(1, 1 / in_text - 1)
    compared = own_there / all_there / in_text
    usual: Floats = are_whole_known * np.clip((compared - RARE) / (USUAL - RARE), 0, 1)
    return usual


def require_average(shares: Floats, scales: Floats, name: str) -> None:
    of_scales = [np.unique(shares[scales == number]) for number in np.unique(scales)]
    is_one = all(len(share) == 1 for share in of_scales)
    if not is_one or np.min(of_scales) < 0 or not np.isclose(np.sum(of_scales), 1):
        raise EncoderStateError(
            f"{name} in the state of the encoder must be one of each scale, and 1 together"
        )
