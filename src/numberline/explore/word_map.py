"""A model → characteristic words and numbers as points of a plane; near points are similar.

Principal components are there at once. t-SNE, which keeps neighbours together, replaces them when
it is done in the background; its points are kept in a file for the next time.
"""

from __future__ import annotations

import hashlib
import os
import threading
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from numberline.arrays import Array, Floats
from numberline.errors import MissingExtraError, OutputError
from numberline.explore.landmarks import Landmarks
from numberline.explore.line import short_number
from numberline.extras import optional
from numberline.files.whole_file import replace_file
from numberline.model.neighbours import unit
from numberline.numerals.vectors import prototype_values

FREQUENT_WORDS = 700
WORDS_PER_PROTOTYPE = 4
FREQUENT_NUMBERS = 160
PERPLEXITY = 25.0  # neighbours that t-SNE considers for each point


class WordMap:
    """Words and numbers with their points, which improve once t-SNE is done."""

    def __init__(self, landmarks: Landmarks, cache: Path | None = None) -> None:
        self.landmarks = landmarks
        self.words = characteristic_words(landmarks)
        self.numbers = frequent_numbers(landmarks)
        self.cache = cache
        self.points = principal_components(self._rows())
        self.method = "principal components"
        self.is_final = False

    def start(self, pause: float = 0.0) -> threading.Thread:
        """Look for better points in the background, after a pause of seconds if they are new."""
        if self._take_kept():
            pause = 0.0
        thread = threading.Timer(pause, self.improve)
        thread.daemon = True
        thread.start()
        return thread

    def improve(self) -> None:
        """Replace the points by those of t-SNE; without its package they stay."""
        try:
            if not self._take_kept():
                self._make_new()
        except MissingExtraError:
            pass
        finally:
            self.is_final = True

    def answer(self) -> dict[str, Any]:
        """Return what the page needs to draw the map."""
        is_final = self.is_final  # read first: points that are read after it are as new, or newer
        return {
            "tokens": [*self.words, *map(short_number, self.numbers.tolist())],
            "words": len(self.words),
            "points": np.round(self.points, 3).tolist(),
            "method": self.method,
            "is_final": is_final,
        }

    def _rows(self) -> Array:
        return unit(self.landmarks.model.vectors([*self.words, *self.numbers.tolist()]))

    @cached_property
    def _path(self) -> Path | None:
        """The file of these vectors' points."""
        return None if self.cache is None else self.cache / f"map-{fingerprint(self._rows())}.npy"

    def _take_kept(self) -> bool:
        kept = None if self._path is None else read_kept(self._path, len(self.points))
        if kept is None:
            return False
        self.points, self.method, self.is_final = kept, "t-SNE", True
        return True

    def _make_new(self) -> None:
        seed = self.landmarks.model.settings.seed
        points = tsne(self._rows(), seed, PERPLEXITY)
        if self._path is not None:
            keep(self._path, points)
        self.points, self.method = points, "t-SNE"


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


def fingerprint(rows: Array) -> str:
    return hashlib.sha256(np.ascontiguousarray(rows).tobytes()).hexdigest()[:20]


def cache_folder() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "numberline"


def read_kept(path: Path, count: int) -> Floats | None:
    """Return the points in a file, or None if it is missing or damaged."""
    try:
        points = np.load(path, allow_pickle=False)
    except (OSError, EOFError, ValueError):
        return None
    return points if points.shape == (count, 2) and np.isfinite(points).all() else None


def keep(path: Path, points: Floats) -> None:
    """Write points; if that fails, they are computed again the next time."""
    try:
        with replace_file(path, overwrite=True) as file:
            np.save(file, points)
    except OutputError:
        pass
