"""A one-dimensional Gaussian mixture: densities and posteriors, for any finite value."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from numberline.encoders.squash import Floats
from numberline.encoders.weights import SparseWeights, sparse_where
from numberline.kernels import native

FARTHEST = 1e150  # distance, in standard deviations, that can be squared
SMALLEST_SHARE = 2.0**-26  # of the likeliest component's: less is lost in single precision
LOG_2_PI = float(np.log(2 * np.pi))


class Mixture(NamedTuple):
    """Components in ascending order of their means."""

    shares: Floats  # mixing coefficients, sum to 1
    means: Floats
    deviations: Floats  # standard deviations, above 0


def log_joint(values: Floats, mixture: Mixture) -> Floats:
    """log P(Z = k) + log P(U = value | Z = k) for each value (row) and component (column)."""
    offsets = (within_reach(values, mixture)[:, None] - mixture.means) / mixture.deviations
    joint: Floats = log_constants(mixture) - 0.5 * offsets**2
    return joint


def within_reach(values: Floats, mixture: Mixture) -> Floats:
    """Values moved so near that their distance can be squared: far out nothing changes any more."""
    reach = FARTHEST * mixture.deviations.min()
    return np.clip(values, mixture.means.min() - reach, mixture.means.max() + reach)


def log_constants(mixture: Mixture) -> Floats:
    """What of a component's log density does not depend on the value."""
    constants: Floats = np.log(mixture.shares) - np.log(mixture.deviations) - 0.5 * LOG_2_PI
    return constants


def log_sum(logarithms: Floats) -> Floats:
    """log Σ exp of each row, whatever its size."""
    largest = logarithms.max(axis=1)
    total: Floats = largest + np.log(np.exp(logarithms - largest[:, None]).sum(axis=1))
    return total


def posterior(values: Floats, mixture: Mixture) -> Floats:
    """P(Z = k | U = value); rows sum to 1 also where all densities vanish."""
    joint = log_joint(values, mixture)
    joint -= joint.max(axis=1, keepdims=True)
    shares = np.exp(joint)
    shares /= shares.sum(axis=1, keepdims=True)
    return shares


def sparse_posterior(values: Floats, mixture: Mixture) -> SparseWeights:
    """The posteriors without the components that have hardly a share in a value."""
    if (kernels := native()) is None:
        return defined_sparse_posterior(values, mixture)
    offsets, columns, shares = kernels.mixture_posterior(
        values=within_reach(values, mixture),
        constants=log_constants(mixture),
        means=mixture.means,
        precisions=1 / mixture.deviations,
        smallest_share=SMALLEST_SHARE,
    )
    return SparseWeights(offsets, columns, shares, len(mixture.means))


def defined_sparse_posterior(values: Floats, mixture: Mixture) -> SparseWeights:
    shares = posterior(values, mixture)
    is_kept = shares >= SMALLEST_SHARE * shares.max(axis=1, keepdims=True)
    shares = np.where(is_kept, shares, 0)
    return sparse_where(shares / shares.sum(axis=1, keepdims=True), is_kept)
