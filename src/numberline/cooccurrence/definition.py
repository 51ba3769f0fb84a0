"""Sentences of ids → how often each two of them occur near each other: the definition.

native/cooccurrence/pair_table.cpp does the same fast. Every token is a centre once; the tokens up
to `window` places before and after it in its sentence are its contexts. So the counts of (a, b) and
of (b, a) are equal. A pair counts less the farther apart its tokens are:

    flat      1
    ramp      (window + 1 - distance) / window, as in HAL; what a window whose reach is drawn from
              1 … window, as in skip-gram, counts on average
    inverse   1 / distance, as in GloVe

Counts are whole numbers of units, 1/720720 each, so that sums are exact in any order: of threads,
of blocks of the text, and of parts that are merged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

UNITS_OF_ONE = 720_720  # the least common multiple of 1 … 16: no distance up to 16 is rounded

Units = npt.NDArray[np.uint32]


def units_by_distance(weighting: str, window: int) -> Units:
    """Return what two tokens at the distances 1 … window count, in units."""
    distances = np.arange(1, window + 1)
    weights = {
        "flat": np.ones(window),
        "ramp": (window + 1 - distances) / window,
        "inverse": 1 / distances,
    }[weighting]
    units: Units = np.rint(UNITS_OF_ONE * weights).astype(np.uint32)
    return units


def count_pairs(sentences: Iterable[Sequence[int]], units: Units) -> dict[tuple[int, int], int]:
    """Return the units of each pair of a centre and a context."""
    counts: dict[tuple[int, int], int] = defaultdict(int)
    for sentence in sentences:
        for at, centre in enumerate(sentence):
            for distance, amount in enumerate(units.tolist(), start=1):
                for context in (at - distance, at + distance):
                    if 0 <= context < len(sentence):
                        counts[int(centre), int(sentence[context])] += amount
    return dict(counts)
