"""Features of contexts and of numbers → scores, and the gradient of their loss: the definition.

With x the features of a context and f those of a number n:

    z = x W₁ + b₁        a = gelu(z)        h = a W₂ + b₂        v = f U + b₃
    score(n) = s · cos(h, v)

A number n is as likely in this context as in general times exp score(n), up to a factor that the
context alone sets. So in training, the scores of the distinct numbers of a batch get the logarithms
of their counts in it, and the loss is that of choosing the right one:

    loss = -log softmax(score + log count)[right]

On the side of numbers all is linear, so that a number never seen lies where its features say.
Arrays are NumPy's or CuPy's: `xp` is the module.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from numberline.arrays import Array

HIDDEN, JOINT = 256, 128  # dimensions of a and of h
FIRST_SCALE = 10.0  # s before training
LARGEST_SCALE = 100.0
SMALLEST_LENGTH = 1e-6  # of h and v; a cosine needs a length


@dataclass(eq=False)
class Parameters:
    """The trained arrays, or their gradients."""

    hidden: Any  # W₁ [context features, HIDDEN]
    hidden_bias: Any
    context: Any  # W₂ [HIDDEN, JOINT]
    context_bias: Any
    number: Any  # U [number features, JOINT]
    number_bias: Any
    log_scale: Any  # [1] log s

    def arrays(self) -> dict[str, Any]:
        return {one.name: getattr(self, one.name) for one in fields(self)}

    def __add__(self, other: Parameters) -> Parameters:
        mine, others = self.arrays(), other.arrays()
        return Parameters(**{name: array + others[name] for name, array in mine.items()})


def starting_parameters(contexts: int, numbers: int, rng: np.random.Generator) -> Parameters:
    """Return random matrices that keep the size of their inputs, and biases of zero."""

    def matrix(rows: int, columns: int) -> Array:
        return rng.normal(0, rows**-0.5, (rows, columns)).astype(np.float32)

    return Parameters(
        matrix(contexts, HIDDEN),
        np.zeros(HIDDEN, np.float32),
        matrix(HIDDEN, JOINT),
        np.zeros(JOINT, np.float32),
        matrix(numbers, JOINT),
        np.zeros(JOINT, np.float32),
        np.full(1, np.log(FIRST_SCALE), np.float32),
    )


def scale_of(parameters: Parameters, xp: Any = np) -> Any:
    return xp.exp(xp.minimum(parameters.log_scale, np.float32(np.log(LARGEST_SCALE))))


def context_vectors(parameters: Parameters, features: Any, xp: Any = np) -> Any:
    """Return s · h / |h|, so that a product with a number's vector is a score."""
    activated = gelu(features @ parameters.hidden + parameters.hidden_bias, xp)[0]
    vectors = unit_rows(activated @ parameters.context + parameters.context_bias, xp)[0]
    return vectors * scale_of(parameters, xp)


def number_vectors(parameters: Parameters, features: Any, xp: Any = np) -> Any:
    """Return v / |v|."""
    return unit_rows(features @ parameters.number + parameters.number_bias, xp)[0]


def loss_and_gradients(
    parameters: Parameters,
    contexts: Any,  # [gaps, context features]
    numbers: Any,  # [distinct numbers, number features]
    right: Any,  # [gaps] index of the right number
    log_counts: Any,  # [distinct numbers]
    xp: Any = np,
    batch: int | None = None,
) -> tuple[Any, Parameters]:
    """Return the mean loss of a batch and its gradient by each parameter.

    These may be a part of the `batch` gaps that the mean is taken over: losses and gradients of the
    parts then sum up to those of the whole.
    """
    size = len(contexts)
    activated, slopes = gelu(contexts @ parameters.hidden + parameters.hidden_bias, xp)
    h, h_lengths = unit_rows(activated @ parameters.context + parameters.context_bias, xp)
    v, v_lengths = unit_rows(numbers @ parameters.number + parameters.number_bias, xp)
    scale = scale_of(parameters, xp)
    cosines = h @ v.T
    logits = cosines * scale + log_counts
    logits -= logits.max(axis=1, keepdims=True)
    gradient = xp.exp(logits)
    sums = gradient.sum(axis=1, keepdims=True)
    rows = xp.arange(size)
    loss = (xp.log(sums[:, 0]) - logits[rows, right]).sum() / (batch or size)
    gradient /= sums
    gradient[rows, right] -= 1
    gradient /= batch or size  # by the scores
    by_log_scale = (gradient * cosines).sum() * scale
    by_h = unit_gradient(gradient @ v * scale, h, h_lengths)
    by_v = unit_gradient(gradient.T @ h * scale, v, v_lengths)
    by_z = by_h @ parameters.context.T * slopes
    return loss, Parameters(
        contexts.T @ by_z,
        by_z.sum(axis=0),
        activated.T @ by_h,
        by_h.sum(axis=0),
        numbers.T @ by_v,
        by_v.sum(axis=0),
        by_log_scale * (parameters.log_scale < np.log(LARGEST_SCALE)),
    )


def gelu(z: Any, xp: Any = np) -> tuple[Any, Any]:
    """Return z / (1 + e^(-1.702 z)), close to z Φ(z), and its slope."""
    sigmoid = (1 + xp.tanh(np.float32(0.851) * z)) / 2  # 1 / (1 + e^(-1.702 z)) may overflow
    values = z * sigmoid
    return values, sigmoid + np.float32(1.702) * values * (1 - sigmoid)


def unit_rows(rows: Any, xp: Any = np) -> tuple[Any, Any]:
    """Return rows of length 1, and their lengths."""
    lengths = xp.maximum(xp.sqrt((rows * rows).sum(axis=1, keepdims=True)), SMALLEST_LENGTH)
    return rows / lengths, lengths


def unit_gradient(gradient: Any, units: Any, lengths: Any) -> Any:
    """Return the gradient by rows, of one by the same rows at length 1."""
    along = (gradient * units).sum(axis=1, keepdims=True)
    return (gradient - along * units) / lengths
