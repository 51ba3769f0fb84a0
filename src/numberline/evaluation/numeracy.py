"""Distances of vectors and gaps on the number line → OVA, SC, BC and AVGR (Naik et al. 2019).

Targets are numerals. In magnitude the candidates are the other numerals; in numeration they are
number words, and the nearest to a numeral is the word for it. Candidates are nearest, second
nearest and furthest by their gap on the number line, and closer or closest by their vectors.

    OVA   fraction of targets with a nearest candidate closer than all that are not nearest
    SC    fraction of targets whose nearest is closer than the second nearest
    BC    fraction of targets whose nearest is closer than the furthest
    AVGR  mean number of candidates, not nearest themselves, that are closer than the closest
          nearest; one that is as close counts half

Equal distances do not count as closer: vectors that are all the same get nothing right. In
magnitude 1 is added to AVGR, because the authors count the target itself as rank 0: the best AVGR
is 1 there, and 0 in numeration.

protocol "naik": all candidates at the smallest gap are nearest, all at the next larger one second
nearest, all at the largest furthest. Where a target has several of them, SC and BC count the
fraction of pairs that are right; so vectors without any order score 50 %. A target whose candidates
are all nearest is left out of both. "paper": each is one candidate, and of two at one gap the right
one comes first. So 11 is the nearest to 10, and 9 the second: on consecutive integers SC is a coin
toss.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from numberline.arrays import Floats
from numberline.evaluation.result import Cell
from numberline.extras import optional

GAP_TOLERANCE = 1e-9  # relative: 0.3 - 0.2 and 0.2 - 0.1 are one gap
NO_CANDIDATE = np.inf  # the gap to what is no candidate

Mask = npt.NDArray[np.bool_]  # [targets, candidates]


class Contrasts(NamedTuple):
    nearest: Mask
    others: Mask
    second: Mask
    furthest: Mask


def gaps_between(values: Floats) -> Floats:
    """Return the gaps between numerals; none is a candidate for itself."""
    gaps = np.abs(values[:, None] - values)
    np.fill_diagonal(gaps, NO_CANDIDATE)
    return gaps


def distances_between(targets: Floats, candidates: Floats) -> Floats:
    """Return Euclidean distances, from differences: dot products would lose small ones."""
    spatial = optional("scipy.spatial.distance", "eval")
    distances: Floats = spatial.cdist(targets, candidates)
    return distances


def numeracy_cells(
    distances: Floats, gaps: Floats, protocol: str, best_rank: int
) -> dict[str, Cell]:
    """Return the four measures; candidates (columns) ascend on the number line."""
    of_targets = numeracy_of_targets(distances, gaps, protocol, best_rank)
    counted = {name: values[~np.isnan(values)] for name, values in of_targets.items()}
    return {name: float(values.mean()) if len(values) else None for name, values in counted.items()}


def numeracy_of_targets(
    distances: Floats, gaps: Floats, protocol: str, best_rank: int
) -> dict[str, Floats]:
    """Return the four measures of each target, NaN where it is left out."""
    nearest, others, second, furthest = contrasts(gaps, protocol)
    least = np.where(nearest, distances, np.inf).min(axis=1, keepdims=True)
    closer = (others & (distances < least)).sum(axis=1)
    as_close = (others & (distances == least)).sum(axis=1)
    return {
        "OVA": 100.0 * (closer + as_close == 0),
        "SC": 100 * fraction_closer(distances, nearest, second),
        "BC": 100 * fraction_closer(distances, nearest, furthest),
        "AVGR": best_rank + closer + as_close / 2,
    }


def fraction_closer(distances: Floats, nearest: Mask, contrast: Mask) -> Floats:
    """Return, for each target, the fraction of pairs in which the nearest is closer."""
    target, candidate = np.nonzero(nearest)
    is_right = distances[target, candidate][:, None] < distances[target]
    right = np.bincount(target, (is_right & contrast[target]).sum(axis=1))
    pairs = np.bincount(target, contrast[target].sum(axis=1))
    fractions: Floats = np.where(pairs > 0, right / np.maximum(pairs, 1), np.nan)
    return fractions


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
    mask: Mask = np.isfinite(gaps) & (gaps <= smallest + GAP_TOLERANCE * np.abs(smallest))
    return mask


def rightmost(mask: Mask) -> Mask:
    """Keep only the last true entry of each row."""
    last = mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)
    kept: Mask = mask & (np.arange(mask.shape[1]) == last[:, None])
    return kept
