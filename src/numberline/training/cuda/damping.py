"""How often rows are at work in many warps at once → the part of each step that they take.

A pair of an input x and an output o moves o by η g x, where g = y - σ(x · o - offset). If o is off
by δ, that takes back η σ' (x · δ) x of it. A warp does not see what others take back meanwhile: the
more pairs they hold, the more is taken back in all, at last too much, and δ grows. So

    load of a row = learning rate · other warps · pairs per centre that the row is part of

has to stay below a limit. A row of more load takes that part of each step which brings it there.
This costs it little: such rows are trained more often than all others.

With a numeral's row e = Σ_p w_p t_p prototypes take back of each other, A_pq δ_q, where
A_pq = Σ_n pairs_n w_np w_nq. No eigenvalue of A is larger than the largest Σ_q |A_pq|. So the pairs
of prototype p are Σ_n pairs_n |w_np| Σ_q |w_nq|, which is that sum or more.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from numberline.arrays import Floats
from numberline.numerals.rows import SparseRows
from numberline.training.job import TrainingJob
from numberline.training.plan import CENTRES_PER_DRAW
from numberline.training.sampling import (
    Sampling,
    negative_probabilities,
    numeral_probabilities,
)

# From a simulation of 1,584 and 4,224 warps that all read before any of them writes, on the shop's
# chat and on Wikipedia, with gmm, multiscale, token and fourier, windows of 2 to 14, 1 to 30
# negatives and rates of .035 and .1: never diverged at 3. Without the odds all did at 6, and with
# them some at 12 to 18. After ten epochs of the chat the loss at 3 is that of one warp.
SAFE_LOAD = 3.0

Parts = npt.NDArray[np.float32]


def parts_of_steps(job: TrainingJob, sampling: Sampling, warps: int) -> tuple[Parts, Parts]:
    """Return the part of a step that each row of the input and of the output table takes."""
    inputs, outputs = pairs_per_centre(job, sampling)
    return (
        parts(row_pairs(inputs, job.rows["input"]), job.settings.learning_rate, warps),
        parts(row_pairs(outputs, job.rows["output"]), job.settings.learning_rate, warps),
    )


def parts(pairs: Floats, learning_rate: float, warps: int) -> Parts:
    load = learning_rate * (warps - 1) * pairs
    return np.minimum(1, SAFE_LOAD / np.maximum(load, SAFE_LOAD)).astype(np.float32)


def pairs_per_centre(job: TrainingJob, sampling: Sampling) -> tuple[Floats, Floats]:
    """Return how many pairs each id is part of for each trained centre, as an input and output."""
    vocabulary = job.corpus.vocabulary
    words, numerals = vocabulary.word_counts, vocabulary.numeral_counts
    kept = np.concatenate([words * sampling.keep_probability, numerals])
    centre = kept / max(kept.sum(), 1)
    output = centre + sampling.negatives_per_draw * negative_probabilities(words, numerals)
    if sampling.numerals_per_draw:
        without_numeral = (1 - centre[len(words) :].sum()) ** CENTRES_PER_DRAW
        drawn = sampling.numerals_per_draw * (1 - without_numeral)
        output[len(words) :] += drawn * numeral_probabilities(numerals)
    contexts = sampling.window + 1  # of a centre, on average
    return contexts * (1 + sampling.negatives_per_draw) * centre, contexts * output


def row_pairs(pairs: Floats, rows: SparseRows) -> Floats:
    """Pairs of ids → pairs of rows of a table: words, then prototypes."""
    words = len(pairs) - len(rows)
    weights, lengths = np.abs(rows.weights, dtype=np.float64), np.diff(rows.offsets)
    sums = np.concatenate([[0], np.cumsum(weights)])[rows.offsets]
    of_entries = np.repeat(pairs[words:] * np.diff(sums), lengths) * weights
    prototypes = np.bincount(rows.indices, of_entries, minlength=rows.size)
    return np.concatenate([pairs[:words], prototypes])
