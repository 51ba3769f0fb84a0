"""A corpus and its trained vectors → a gap model, trained and calibrated."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from numberline.arrays import Array, Floats
from numberline.gap_model.calibration import (
    UNCALIBRATED,
    Calibration,
    best_sharpness,
    columns_of,
    coverage_of,
    fit_wrongness,
    needed_fractions,
)
from numberline.gap_model.contexts import (
    ContextTables,
    fit_word_projection,
    number_table,
    word_table,
)
from numberline.gap_model.fit import Examples, Inputs, Progress, examples_of, fit_network
from numberline.gap_model.model import GapModel
from numberline.gap_model.network import Parameters
from numberline.gap_model.numbers import fit_number_features
from numberline.gap_model.scorer import GapScorer
from numberline.gap_model.slips import OPERATIONS, KindsOfNumerals, slipped
from numberline.gap_model.sums import support_sums
from numberline.numerals.vectors import NumeralVectors
from numberline.reading.encoded import EncodedCorpus

FEWEST_NUMERALS = 3000  # with a token beside them; fewer are too few to learn from
HELD_OUT_FRACTION = 0.05  # of the numerals, for calibration
MOST_HELD_OUT = 6000


def train_gap_model(
    corpus: EncodedCorpus,
    word_input: Array,
    numerals: NumeralVectors | None,
    seed: int,
    threads: int = 1,
    xp: Any = np,
    progress: Progress | None = None,
) -> GapModel | None:
    """Return a gap model; None if the corpus holds too few numerals. `xp` is numpy or cupy."""
    examples = examples_of(corpus)
    if numerals is None or len(examples) < FEWEST_NUMERALS:
        return None
    vocabulary, rng = corpus.vocabulary, np.random.default_rng(seed)
    values, counts = vocabulary.numeral_values, vocabulary.numeral_counts.astype(np.float64)
    number_features = fit_number_features(numerals, values, counts)
    features = number_features(values)
    words = fit_word_projection(word_input, vocabulary.word_counts.astype(np.float64))
    beside = number_features(vocabulary.numerals.values, vocabulary.numerals.kinds)
    tables = ContextTables(
        xp.asarray(word_table(words, word_input)), xp.asarray(number_table(beside))
    )
    held_out, training = split(examples, rng)
    inputs = Inputs(tables, xp.asarray(features), xp)
    trained = fit_network(training, inputs, rng, threads, progress)
    parameters = Parameters(**{name: on_host(one) for name, one in trained.arrays().items()})
    model = GapModel(words, number_features.projection, parameters, UNCALIBRATED)
    scorer = GapScorer(model, word_input, numerals, vocabulary)
    calibration = calibrated(scorer, held_out, rng)
    return GapModel(words, number_features.projection, parameters, calibration)


def on_host(array: Any) -> npt.NDArray[np.float32]:
    """Return an array of the CPU, which CuPy's arrays copy themselves to."""
    host: npt.NDArray[np.float32] = array.get() if hasattr(array, "get") else array
    return host


def split(examples: Examples, rng: np.random.Generator) -> tuple[Examples, Examples]:
    """Return examples to calibrate with, and those to train on."""
    count = min(int(HELD_OUT_FRACTION * len(examples)), MOST_HELD_OUT)
    order = rng.permutation(len(examples))
    return examples[np.sort(order[:count])], examples[np.sort(order[count:])]


def calibrated(scorer: GapScorer, held_out: Examples, rng: np.random.Generator) -> Calibration:
    """Return the calibration of an uncalibrated model by held-out examples."""
    vocabulary, support = scorer.vocabulary, scorer.support
    numerals, beside = held_out.numerals, vocabulary.numerals
    values = vocabulary.numeral_values[numerals]
    contexts = scorer.contexts(held_out.neighbours(), beside.values, beside.kinds)
    own = np.einsum("gd,gd->g", contexts, scorer.vectors_of(values))
    scores = contexts @ scorer.support_vectors.T
    sharpness = best_sharpness(own, scores, support.fractions)
    sharp = contexts * np.float32(sharpness)
    scores *= np.float32(sharpness)
    ends = support.members[numerals][:, None] + np.arange(2)
    sums = support_sums(scores, scorer.fractions, own, ends, np.zeros(0))
    coverage = coverage_of(needed_fractions(*sums.before.T))
    wrong = wrong_values(held_out, scorer, rng)
    is_wrong = ~np.isnan(wrong)
    fit = scorer.fits(sharp, np.where(is_wrong, wrong, values))
    weights = fit_wrongness(columns_of(*fit.evidence), is_wrong.astype(float))
    return Calibration(sharpness, coverage, weights)


def wrong_values(examples: Examples, scorer: GapScorer, rng: np.random.Generator) -> Floats:
    """Return for about half of the numerals what a slip makes of them, NaN for the others."""
    values = scorer.vocabulary.numerals.values
    kinds = KindsOfNumerals.of(scorer.vocabulary)
    wrong = np.full(len(examples), np.nan)
    for index in np.flatnonzero(rng.random(len(examples)) < 0.5).tolist():
        first, last = int(examples.text_starts[index]), int(examples.text_ends[index])
        sentence = examples.ids[first:last]
        beside = values[sentence[sentence >= examples.words] - examples.words].tolist()
        value = float(values[examples.ids[examples.tokens[index]] - examples.words])
        operation = OPERATIONS[int(rng.integers(len(OPERATIONS)))]
        slip = slipped(operation, value, beside, kinds, rng)
        wrong[index] = np.nan if slip is None else slip
    return wrong
