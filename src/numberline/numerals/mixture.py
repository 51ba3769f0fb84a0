"""A one-dimensional Gaussian mixture: densities and posteriors, for any finite value."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from numberline.arrays import Floats
from numberline.kernels import native
from numberline.numerals.rows import SparseRows, rows_of_table

LARGEST_DISTANCE = 1e150  # in standard deviations; its square is finite
SMALLEST_RATIO = 2.0**-26  # to the largest posterior; single precision loses smaller ones
LOG_2_PI = float(np.log(2 * np.pi))


class Mixture(NamedTuple):
    """Components in ascending order of their means."""

    priors: Floats  # sum to 1
    means: Floats
    deviations: Floats  # standard deviations, above 0


def log_joint(values: Floats, mixture: Mixture) -> Floats:
    """Return log P(Z = k) + log P(U = value | Z = k) for each value (row) and component k."""
    offsets = (within_reach(values, mixture)[:, None] - mixture.means) / mixture.deviations
    joint: Floats = log_constants(mixture) - 0.5 * offsets**2
    return joint


def within_reach(values: Floats, mixture: Mixture) -> Floats:
    """Return values clipped so that their distances can be squared; posteriors stay the same."""
    reach = LARGEST_DISTANCE * mixture.deviations.min()
    return np.clip(values, mixture.means.min() - reach, mixture.means.max() + reach)


def log_constants(mixture: Mixture) -> Floats:
    """Return the part of each component's log density that does not depend on the value."""
    constants: Floats = np.log(mixture.priors) - np.log(mixture.deviations) - 0.5 * LOG_2_PI
    return constants


def log_sum(logarithms: Floats) -> Floats:
    """Return log Σ exp of each row, however large or small its numbers are."""
    largest = logarithms.max(axis=1)
    total: Floats = largest + np.log(np.exp(logarithms - largest[:, None]).sum(axis=1))
    return total


def posterior(values: Floats, mixture: Mixture) -> Floats:
    """Return P(Z = k | U = value); rows sum to 1 also where all densities vanish."""
    joint = log_joint(values, mixture)
    joint -= joint.max(axis=1, keepdims=True)
    weights = np.exp(joint)
    weights /= weights.sum(axis=1, keepdims=True)
    return weights


def sparse_posterior(values: Floats, mixture: Mixture) -> SparseRows:
    """Return posteriors, dropping those far below the largest; rows sum to 1."""
    if (kernels := native()) is None:
        return defined_sparse_posterior(values, mixture)
    offsets, indices, weights = kernels.mixture_posterior(
        values=within_reach(values, mixture),
        constants=log_constants(mixture),
        means=mixture.means,
        precisions=1 / mixture.deviations,
        smallest_ratio=SMALLEST_RATIO,
    )
    return SparseRows(offsets, indices, weights, len(mixture.means))


def defined_sparse_posterior(values: Floats, mixture: Mixture) -> SparseRows:
    weights = posterior(values, mixture)
    is_kept = weights >= SMALLEST_RATIO * weights.max(axis=1, keepdims=True)
    weights = np.where(is_kept, weights, 0)
    return rows_of_table(weights / weights.sum(axis=1, keepdims=True))
