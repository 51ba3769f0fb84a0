"""A model → characteristic words and numbers as points of a plane; near points are similar.

Principal components are there at once. t-SNE, which keeps neighbours together, replaces them when
it is done in the background.
"""

from __future__ import annotations

import threading
from itertools import chain
from typing import Any

import numpy as np

from numberline.arrays import Array, Floats
from numberline.errors import MissingExtraError
from numberline.explore.landmarks import Landmarks
from numberline.explore.line import short_number
from numberline.extras import optional
from numberline.model.neighbours import unit
from numberline.numerals.vectors import prototype_values

FREQUENT_WORDS = 700
WORDS_PER_PROTOTYPE = 4
FREQUENT_NUMBERS = 160
PERPLEXITY = 25.0  # neighbours that t-SNE considers for each point


class WordMap:
    """Words and numbers with their points, which improve once t-SNE is done."""

    def __init__(self, landmarks: Landmarks) -> None:
        self.landmarks = landmarks
        self.words = characteristic_words(landmarks)
        self.numbers = frequent_numbers(landmarks)
        self.points = principal_components(self._rows())
        self.method = "principal components"
        self.is_final = False

    def start(self, pause: float = 0.0) -> threading.Thread:
        """Improve the points in the background, after a pause of seconds."""
        thread = threading.Timer(pause, self.improve)
        thread.daemon = True
        thread.start()
        return thread

    def improve(self) -> None:
        """Replace the points by those of t-SNE; without its package they stay."""
        seed = self.landmarks.model.settings.seed
        try:
            self.points, self.method = tsne(self._rows(), seed, PERPLEXITY), "t-SNE"
        except MissingExtraError:
            pass
        finally:
            self.is_final = True

    def answer(self) -> dict[str, Any]:
        """Return what the page needs to draw the map."""
        is_final = self.is_final  # read before the points, so that they are final if it is true
        return {
            "tokens": [*self.words, *map(short_number, self.numbers.tolist())],
            "words": len(self.words),
            "points": np.round(self.points, 3).tolist(),
            "method": self.method,
            "is_final": is_final,
        }

    def _rows(self) -> Array:
        return unit(self.landmarks.model.vectors([*self.words, *self.numbers.tolist()]))


def characteristic_words(landmarks: Landmarks) -> list[str]:
    """Return the words nearest to prototypes, the most similar first, then frequent words."""
    prototypes = prototype_values(landmarks.model.numerals)
    values = prototypes if len(prototypes) else np.unique(frequent_numbers(landmarks))
    near = chain.from_iterable(landmarks.nearest(values, WORDS_PER_PROTOTYPE))
    ranked = [one.token for one in sorted(near, key=lambda one: -one.similarity)]
    return list(dict.fromkeys([*ranked, *landmarks.words[:FREQUENT_WORDS]]))


def frequent_numbers(landmarks: Landmarks) -> Floats:
    """Return the corpus' most frequent numerals, the most frequent first."""
    vocabulary = landmarks.model.vocabulary
    frequent = np.argsort(-vocabulary.numeral_counts, kind="stable")[:FREQUENT_NUMBERS]
    return vocabulary.numeral_values[frequent]


def principal_components(rows: Array) -> Floats:
    """Return the first two components of each row."""
    centred = (rows - rows.mean(axis=0)).astype(np.float64)
    _, directions = np.linalg.eigh(centred.T @ centred)  # by ascending variance
    points = np.zeros((len(rows), 2))
    components = centred @ directions[:, ::-1][:, :2]
    points[:, : components.shape[1]] = components
    return points


def tsne(rows: Array, seed: int, perplexity: float) -> Floats:
    """Return a point of the plane for each row; rows with a high cosine lie together."""
    embedding = optional("openTSNE", "plot").TSNE(
        perplexity=min(perplexity, (len(rows) - 1) / 3),
        initialization="pca",
        random_state=seed,
        negative_gradient_method="bh",
    )
    return np.asarray(embedding.fit(rows.astype(float)), np.float64)
