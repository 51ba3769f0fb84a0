"""How often rows occur → how many warps may work at once.

A warp does not see what others are about to add to a row. Where many are at work on the same one,
their steps add up and may overshoot.
"""

from __future__ import annotations

import numpy as np

from numberline.numerals.rows import Array, SparseRows
from numberline.numerals.squash import Floats
from numberline.training.job import TrainingJob
from numberline.training.plan import CENTRES_PER_DRAW
from numberline.training.sampling import (
    Sampling,
    negative_probabilities,
    numeral_probabilities,
)

MOST_LOAD = 9.0  # learning rate times warps times pull at the hottest row


def most_warps(job: TrainingJob, sampling: Sampling) -> int:
    """Return how many warps keep the load of every row within bounds, and at least one."""
    sides = zip(pulls(job, sampling), (job.rows["input"], job.rows["output"]), strict=True)
    hottest = max(hottest_pull(pull, rows, job.is_frozen) for pull, rows in sides)
    return max(1, int(MOST_LOAD / max(job.config.learning_rate * hottest, 1e-9)))


def pulls(job: TrainingJob, sampling: Sampling) -> tuple[Floats, Floats]:
    """Return how often each id is an input, and an output, for each centre that is trained."""
    vocabulary = job.corpus.vocabulary
    words, numerals = vocabulary.word_counts, vocabulary.numeral_counts
    kept = np.concatenate([words * sampling.keep_probability, numerals])
    centre = kept / max(kept.sum(), 1)
    inputs = (sampling.window + 1) * centre  # as many contexts has a centre on average
    outputs = centre + sampling.negatives_per_draw * negative_probabilities(words, numerals)
    if sampling.numerals_per_draw:
        without_numeral = (1 - centre[len(words) :].sum()) ** CENTRES_PER_DRAW
        drawn = sampling.numerals_per_draw * (1 - without_numeral)
        outputs[len(words) :] += drawn * numeral_probabilities(numerals)
    return inputs, outputs


def hottest_pull(pull: Floats, rows: SparseRows, is_frozen: bool) -> float:
    """Return the pull at the hottest word or prototype: a numeral that moves by Δ moves prototype p
    by w_p Δ, which moves another row by another w_p of it."""
    words = len(pull) - len(rows)
    hottest = float(pull[:words].max(initial=0))
    if is_frozen:
        return hottest
    of_entries = np.repeat(pull[words:], np.diff(rows.offsets)) * squared(rows.weights)
    prototypes = np.bincount(rows.indices, of_entries, minlength=1)
    return max(hottest, float(prototypes.max(initial=0)))


def squared(weights: Array) -> Floats:
    return np.square(weights, dtype=np.float64)
