"""A model → telling words and numbers with a place each on a plane; near ones are similar.

Principal components are there at once. Meanwhile t-SNE, which keeps neighbours together, works in
the background; what it has found is kept for the next time.
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
from numberline.explore.prototypes import short_number
from numberline.explore.word_map import map_places
from numberline.files.whole_file import replace_file
from numberline.model.neighbours import unit
from numberline.numerals.vectors import prototype_values

FREQUENT_WORDS = 700
NEAR_PROTOTYPES = 4  # words
NUMBERS = 160
PERPLEXITY = 25.0


class WordMap:
    """Tokens and their places, the better ones once they are there."""

    def __init__(self, landmarks: Landmarks, cache: Path | None = None) -> None:
        self.landmarks = landmarks
        self.words = telling_words(landmarks)
        self.numbers = telling_numbers(landmarks)
        self.cache = cache
        self.places = principal_components(self._rows())
        self.method = "principal components"
        self.is_final = False

    def start(self, pause: float = 0.0) -> threading.Thread:
        """Look for better places in the background, new ones after a pause of seconds."""
        if self._take_kept():
            pause = 0.0
        thread = threading.Timer(pause, self.improve)
        thread.daemon = True
        thread.start()
        return thread

    def improve(self) -> None:
        try:
            if not self._take_kept():
                self._make_new()
        except MissingExtraError:
            pass  # the map stays as it is, and says what it is
        finally:
            self.is_final = True

    def answer(self) -> dict[str, Any]:
        is_final = self.is_final  # first: what comes after it is at least as new
        return {
            "tokens": [*self.words, *map(short_number, self.numbers.tolist())],
            "words": len(self.words),
            "places": np.round(self.places, 3).tolist(),
            "method": self.method,
            "is_final": is_final,
        }

    def _rows(self) -> Array:
        return unit(self.landmarks.model.vectors([*self.words, *self.numbers.tolist()]))

    @cached_property
    def _path(self) -> Path | None:
        """Where places of these very vectors are kept."""
        return None if self.cache is None else self.cache / f"map-{fingerprint(self._rows())}.npy"

    def _take_kept(self) -> bool:
        kept = None if self._path is None else read_kept(self._path, len(self.places))
        if kept is None:
            return False
        self.places, self.method, self.is_final = kept, "t-SNE", True
        return True

    def _make_new(self) -> None:
        model, tokens = self.landmarks.model, [*self.words, *self.numbers.tolist()]
        seed = model.settings.seed
        places = np.asarray(map_places(model, tokens, seed, PERPLEXITY), np.float64)
        if self._path is not None:
            keep(self._path, places)
        self.places, self.method = places, "t-SNE"


def telling_words(landmarks: Landmarks) -> list[str]:
    """Words near some place of the line, the nearest first; then frequent ones."""
    found = landmarks.nearest(telling_values(landmarks), NEAR_PROTOTYPES)
    near = sorted(chain.from_iterable(found), key=lambda neighbour: -neighbour.similarity)
    ranked = [neighbour.token for neighbour in near]
    return list(dict.fromkeys([*ranked, *landmarks.words[:FREQUENT_WORDS]]))


def telling_numbers(landmarks: Landmarks) -> Floats:
    """The corpus' most frequent numerals, the most frequent first."""
    vocabulary = landmarks.model.vocabulary
    frequent = np.argsort(-vocabulary.numeral_counts, kind="stable")[:NUMBERS]
    return vocabulary.numeral_values[frequent]


def telling_values(landmarks: Landmarks) -> Floats:
    """Return the prototypes as numbers; frequent numerals stand for them where there are none."""
    prototypes = prototype_values(landmarks.model.numerals)
    return prototypes if len(prototypes) else np.unique(telling_numbers(landmarks))


def principal_components(rows: Array) -> Floats:
    centred = (rows - rows.mean(axis=0)).astype(np.float64)
    _, directions = np.linalg.eigh(centred.T @ centred)  # by ascending variance
    places = np.zeros((len(rows), 2))
    found = centred @ directions[:, ::-1][:, :2]
    places[:, : found.shape[1]] = found
    return places


def fingerprint(rows: Array) -> str:
    return hashlib.sha256(np.ascontiguousarray(rows).tobytes()).hexdigest()[:20]


def cache_folder() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "numberline"


def read_kept(path: Path, count: int) -> Floats | None:
    """None: there is none, or it is damaged."""
    try:
        places = np.load(path, allow_pickle=False)
    except (OSError, EOFError, ValueError):
        return None
    return places if places.shape == (count, 2) and np.isfinite(places).all() else None


def keep(path: Path, places: Floats) -> None:
    try:
        with replace_file(path, overwrite=True) as file:
            np.save(file, places)
    except OutputError:
        pass  # it is computed again the next time
