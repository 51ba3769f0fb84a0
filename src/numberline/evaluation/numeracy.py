"""Distances of vectors and gaps on the number line → OVA, SC, BC and AVGR (Naik et al. 2019).

Targets are numerals. In magnitude the candidates are the other numerals; in numeration they are
number words, and the nearest to a numeral is the word for it. Nearest, second nearest and furthest
are candidates by their gap on the number line; closer and closest are meant of vectors.

    OVA   share of targets of which a nearest is closer than all that are not nearest
    SC    share of targets of which the nearest is closer than the second nearest
    BC    share of targets of which the nearest is closer than the furthest
    AVGR  mean number of candidates, not nearest themselves, that are closer than the closest
          nearest; one as close counts half

Equal distances are not smaller ones: vectors that are all the same get nothing right. AVGR has 1
added in magnitude, where the authors count the target itself as position 0: 1 is the best there, 0
in numeration.

protocol "naik": all candidates at the smallest gap are nearest, all at the next larger one second
nearest, all at the largest furthest. SC and BC count, for a target with several of them, the share
of the pairs that are right; so vectors without any order have 50 %. A target whose candidates are
all nearest counts for neither. "paper": one candidate is each of them, and of two at one gap the
right one comes first. So 11 is the nearest to 10, and 9 its second: on consecutive integers SC is
a coin toss.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from numberline.arrays import Floats
from numberline.evaluation.result import Cell
from numberline.extras import optional

SAME_GAP = 1e-9  # relative: 0.3 - 0.2 and 0.2 - 0.1 are one gap
NO_CANDIDATE = np.inf  # as a gap

Mask = npt.NDArray[np.bool_]  # [targets, candidates]


class Contrasts(NamedTuple):
    nearest: Mask
    others: Mask
    second: Mask
    furthest: Mask


def gaps_between(values: Floats) -> Floats:
    """Of numerals from each other; none is a candidate for itself."""
    gaps = np.abs(values[:, None] - values)
    np.fill_diagonal(gaps, NO_CANDIDATE)
    return gaps


def distances_between(targets: Floats, candidates: Floats) -> Floats:
    """Euclidean, from differences: products would lose what tells neighbours from each other."""
    spatial = optional("scipy.spatial.distance", "eval")
    distances: Floats = spatial.cdist(targets, candidates)
    return distances


def numeracy_cells(
    distances: Floats, gaps: Floats, protocol: str, best_rank: int
) -> dict[str, Cell]:
    """The four measures; candidates (columns) ascend on the number line."""
    of_targets = numeracy_of_targets(distances, gaps, protocol, best_rank)
    is_asked = {name: ~np.isnan(values) for name, values in of_targets.items()}
    return {
        name: float(values[is_asked[name]].mean()) if is_asked[name].any() else None
        for name, values in of_targets.items()
    }


def numeracy_of_targets(
    distances: Floats, gaps: Floats, protocol: str, best_rank: int
) -> dict[str, Floats]:
    """What each target adds to the measures; NaN where it is not asked."""
    nearest, others, second, furthest = contrasts(gaps, protocol)
    least = np.where(nearest, distances, np.inf).min(axis=1, keepdims=True)
    closer = (others & (distances < least)).sum(axis=1)
    as_close = (others & (distances == least)).sum(axis=1)
    return {
        "OVA": 100.0 * (closer + as_close == 0),
        "SC": 100 * share_closer(distances, nearest, second),
        "BC": 100 * share_closer(distances, nearest, furthest),
        "AVGR": best_rank + closer + as_close / 2,
    }


def share_closer(distances: Floats, nearest: Mask, contrast: Mask) -> Floats:
    """Of each target's pairs those in which the nearest is the closer; NaN where it has none."""
    target, candidate = np.nonzero(nearest)
    is_right = distances[target, candidate][:, None] < distances[target]
    right = np.bincount(target, (is_right & contrast[target]).sum(axis=1))
    pairs = np.bincount(target, contrast[target].sum(axis=1))
    shares: Floats = np.where(pairs > 0, right / np.maximum(pairs, 1), np.nan)
    return shares


def contrasts(gaps: Floats, protocol: str) -> Contrasts:
    def chosen(is_at_gap: Mask) -> Mask:
        return is_at_gap if protocol == "naik" else rightmost(is_at_gap)

    nearest = chosen(is_smallest(gaps))
    rest = np.where(nearest, NO_CANDIDATE, gaps)
    is_other = np.isfinite(rest)
    from_far = np.where(is_other, -rest, NO_CANDIDATE)
    return Contrasts(nearest, is_other, chosen(is_smallest(rest)), chosen(is_smallest(from_far)))


def is_smallest(gaps: Floats) -> Mask:
    smallest = gaps.min(axis=1, keepdims=True)
    mask: Mask = np.isfinite(gaps) & (gaps <= smallest + SAME_GAP * np.abs(smallest))
    return mask


def rightmost(mask: Mask) -> Mask:
    """The last that is true in each row alone."""
    last = mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)
    chosen: Mask = mask & (np.arange(mask.shape[1]) == last[:, None])
    return chosen
