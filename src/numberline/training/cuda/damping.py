"""How many warps use a row at once → the fraction of each change that the row takes.

A pair of an input x and an output o moves o by η g x, where g = y - σ(x · o - offset). If o is off
by δ, the pair corrects η σ' (x · δ) x of it. A warp does not see what others correct meanwhile: if
they hold many pairs, they correct too much in all, and δ grows. So

    load of a row = learning rate · other warps · pairs per centre that the row is part of

has to stay below a limit. A row with a higher load takes only the fraction of each change that
brings it down to the limit. It loses little: such rows are trained more often than all others.

With a numeral's row e = Σ_p w_p t_p, prototypes correct each other, by A_pq δ_q, where
A_pq = Σ_n pairs_n w_np w_nq. No eigenvalue of A is larger than the largest Σ_q |A_pq|. So the pairs
of prototype p are Σ_n pairs_n |w_np| Σ_q |w_nq|, which is that sum or more.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from numberline.arrays import Floats
from numberline.numerals.base import Side
from numberline.numerals.rows import SparseRows
from numberline.reading.vocabulary import Vocabulary
from numberline.training.plan import CENTRES_PER_GROUP
from numberline.training.sampling import (
    Sampling,
    negative_probabilities,
    numeral_probabilities,
)

# From a simulation of 1,584 and 4,224 warps that all read before any of them writes, on the demo's
# chat and on Wikipedia, with four encoders, windows of 2 to 14, 1 to 30 negatives and rates of .035
# and .1: none diverged at 3, some at 12. At 3 the loss of the chat is that of one warp.
SAFE_LOAD = 3.0

Damping = npt.NDArray[np.float32]


def damping_of_sides(
    vocabulary: Vocabulary,
    sampling: Sampling,
    rows: dict[Side, SparseRows],
    learning_rate: float,
    warps: int,
) -> tuple[Damping, Damping]:
    """Return the fraction of each change that each row of the input and output tables takes."""
    inputs, outputs = pairs_per_centre(vocabulary, sampling)
    rate_of_others = learning_rate * (warps - 1)
    return (
        damping(rate_of_others * row_pairs(inputs, rows["input"])),
        damping(rate_of_others * row_pairs(outputs, rows["output"])),
    )


def damping(load: Floats) -> Damping:
    return np.minimum(1, SAFE_LOAD / np.maximum(load, SAFE_LOAD)).astype(np.float32)


def pairs_per_centre(vocabulary: Vocabulary, sampling: Sampling) -> tuple[Floats, Floats]:
    """Return the mean number of pairs of each id per trained centre, as input and as output."""
    words, numerals = vocabulary.word_counts, vocabulary.numerals.counts
    kept = np.concatenate([words * sampling.keep_probability, numerals])
    centre = kept / max(kept.sum(), 1)
    output = centre + sampling.negatives_per_group * negative_probabilities(words, numerals)
    if sampling.numerals_per_group:
        without_numeral = (1 - centre[len(words) :].sum()) ** CENTRES_PER_GROUP
        drawn = sampling.numerals_per_group * (1 - without_numeral)
        output[len(words) :] += drawn * numeral_probabilities(numerals)
    contexts = sampling.window + 1  # of a centre, on average
    return contexts * (1 + sampling.negatives_per_group) * centre, contexts * output


def row_pairs(pairs: Floats, rows: SparseRows) -> Floats:
    """Return the pairs of each row of a table, words and prototypes, from the pairs of each id."""
    words = len(pairs) - len(rows)
    weights, lengths = np.abs(rows.weights, dtype=np.float64), np.diff(rows.offsets)
    sums = np.concatenate([[0], np.cumsum(weights)])[rows.offsets]
    entry_pairs = np.repeat(pairs[words:] * np.diff(sums), lengths) * weights
    prototypes = np.bincount(rows.indices, entry_pairs, minlength=rows.size)
    return np.concatenate([pairs[:words], prototypes])
