"""A model and a question of the page → an answer that JSON can hold; nothing here knows HTTP."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from numberline.arrays import Floats
from numberline.errors import QuestionError
from numberline.explore import sentences
from numberline.explore.examples import example_of
from numberline.explore.landmarks import Landmarks
from numberline.explore.line import central_range, density_on_line, steps_between
from numberline.model.embeddings import Embeddings
from numberline.numerals.explained import by_label
from numberline.numerals.squash import squash
from numberline.numerals.vectors import PrototypeVectors, prototype_values

LONGEST_NUMBER = 100  # characters
MOST_WORDS = 6  # compared at once
NEAREST = 8  # words and numbers that are listed
LANDMARKS = 60  # words along the line; the page shows those that have room
CURVE_POINTS = 480
LINE_BINS = 200
OUTSIDE = 1e-3  # fraction of the numerals at either end that the whole line leaves out
SMALLEST_WEIGHT = 0.002  # of a prototype that is listed
SHORTEST_STRETCH = 1e-3  # on the squashed line


@dataclass(frozen=True, eq=False)
class Answers:
    """The answers of one model; `name` is its title on the page."""

    model: Embeddings
    name: str

    def __post_init__(self) -> None:
        if self.model.numerals is None or not len(self.model):
            raise QuestionError(f"{self.name} has no words or no numerals: nothing to explore")

    @cached_property
    def landmarks(self) -> Landmarks:
        return Landmarks(self.model)

    def about(self) -> dict[str, Any]:
        """Return facts about the model, the whole line, and what to show first."""
        model, totals = self.model, self.model.vocabulary.totals
        low, high = self.whole_line
        example = example_of(self.landmarks)
        return {
            "name": self.name,
            "words": len(model),
            "dim": model.dim,
            "encoder": str(model.settings.encoder),
            "has_gap_model": model.gap_model is not None,
            "prototypes": self.prototypes.tolist(),
            "sentences": totals.sentences,
            "tokens": totals.tokens,
            "numeral_tokens": totals.numeral_tokens,
            "distinct_numerals": len(model.vocabulary.numeral_values),
            "training": dict(model.training),
            "low": low,
            "high": high,
            "heights": self.heights(low, high),
            "number": example.number,
            "glide_from": example.glide_from,
            "window": example.window,
            "texts": list(example.sentences),
            "compared": [word for word in example.words if word in self.landmarks.words],
        }

    @cached_property
    def whole_line(self) -> tuple[float, float]:
        """The values between which nearly all numerals of the corpus lie."""
        vocabulary = self.model.vocabulary
        counts = vocabulary.numeral_counts.astype(float)
        low, high = central_range(vocabulary.numeral_values, counts, OUTSIDE)
        return (low, high) if low < high else (low - 1, high + 1)

    @property
    def prototypes(self) -> Floats:
        """The numbers that prototypes stand for, ascending, each once."""
        return prototype_values(self.model.numerals)

    def number(self, text: str, among: str = "common") -> dict[str, Any]:
        """Return what is near a number, and which prototypes its vector is made of.

        `among` is "common" words or "all" words.
        """
        if among not in ("common", "all"):
            raise QuestionError(f"among is {among!r:.40}, but it must be common or all")
        value = self.value_of(text)
        if among == "all":
            words = self.model.similar(value, NEAREST)
        else:
            (words,) = self.landmarks.nearest(np.array([value]), NEAREST)
        numbers = self.landmarks.nearest_numbers(value, NEAREST)
        return {
            "value": value,
            "words": [near._asdict() for near in words],
            "numbers": [near._asdict() for near in numbers],
            "weights": self.weights(value),
            **self.occurrences(value),
        }

    def value_of(self, text: str) -> float:
        """Return the value of the one numeral in a text, in any format."""
        if len(text) > LONGEST_NUMBER:
            raise QuestionError(
                f"the number has {len(text)} characters; at most {LONGEST_NUMBER} are read"
            )
        tokens = self.model.lookup.tokens(text)
        values = [token.value for token in tokens if token.value is not None]
        if len(values) != 1:
            count = f"{len(values)} numbers" if values else "no number"
            raise QuestionError(
                f"“{text.strip()}” holds {count}; write one, such as 1,250.5 or 5e6 or ½"
            )
        return values[0]

    def weights(self, value: float) -> list[dict[str, Any]]:
        """Return the prototypes that make up a number's vector, the heaviest first."""
        numerals = self.model.numerals
        if not isinstance(numerals, PrototypeVectors) or numerals.labels is None:
            return []
        row = numerals.fitted.weights([value]).dense()[0]
        prototypes, weights = by_label(numerals.labels, row)
        return [
            {"prototype": float(prototypes[at]), "weight": float(weights[at])}
            for at in np.argsort(-weights, kind="stable")
            if weights[at] >= SMALLEST_WEIGHT
        ]

    def occurrences(self, value: float) -> dict[str, Any]:
        """Return how often the corpus holds a number, and the numbers beside it."""
        vocabulary = self.model.vocabulary
        values, counts = vocabulary.numeral_values, vocabulary.numeral_counts
        left, right = np.searchsorted(values, value), np.searchsorted(values, value, "right")
        return {
            "count": int(counts[left]) if right > left else 0,
            "is_supported": self.is_supported([value])[0],
            "before": float(values[left - 1]) if left > 0 else None,
            "after": float(values[right]) if right < len(values) else None,
        }

    def is_supported(self, values: Floats | list[float]) -> list[bool]:
        """Tell of each number whether the corpus holds numerals enough within 5 % of it."""
        nearby = self.landmarks.support(np.asarray(values, float))
        supported: list[bool] = (nearby >= self.landmarks.least_count).tolist()
        return supported

    def line(self, low: float, high: float) -> dict[str, Any]:
        """Return how numerals are spread over a stretch of the line, and the words along it."""
        require_stretch(low, high)
        landmarks = self.landmarks.along(low, high, LANDMARKS)
        return {
            "low": low,
            "high": high,
            "heights": self.heights(low, high),
            "landmarks": [landmark._asdict() for landmark in landmarks],
        }

    def heights(self, low: float, high: float, bins: int = LINE_BINS) -> list[float]:
        """Return the occurrences of numerals in each bin of a stretch, smoothed."""
        vocabulary = self.model.vocabulary
        values, counts = vocabulary.numeral_values, vocabulary.numeral_counts.astype(float)
        density: list[float] = density_on_line(values, counts, low, high, bins).round(3).tolist()
        return density

    def curves(self, text: str, low: float, high: float) -> dict[str, Any]:
        """Return the similarity of the words in a text to the numbers of a stretch.

        Beside them stand which numbers the corpus supports, and which similarities are usual.
        """
        require_stretch(low, high)
        words = list(dict.fromkeys(text.replace(",", " ").split()))
        if not 1 <= len(words) <= MOST_WORDS:
            raise QuestionError(f"{len(words)} words; write 1 to {MOST_WORDS}, with blanks between")
        values = steps_between(low, high, CURVE_POINTS)
        rows = [self.landmarks.curve(word, values) for word in words]
        least, most = self.landmarks.usual(values)
        return {
            "values": values.tolist(),
            "is_supported": self.is_supported(values),
            "usual": {"low": np.round(least, 4).tolist(), "high": np.round(most, 4).tolist()},
            "curves": [
                {"word": word, "similarities": np.round(row, 4).tolist()}
                for word, row in zip(words, rows, strict=True)
            ],
        }

    def check(self, text: str) -> dict[str, Any]:
        """Return the pieces of a text, and whether each of its numerals fits."""
        return {"pieces": sentences.checked_pieces(self.model, text)}

    def expected(self, text: str, start: int, end: int) -> dict[str, Any]:
        """Return which numbers are expected in place of some characters of a text."""
        return sentences.expected(self.model, text, start, end)


def require_stretch(low: float, high: float) -> None:
    if not (np.isfinite([low, high]).all() and squash(high) - squash(low) > SHORTEST_STRETCH):
        raise QuestionError("a stretch of the line needs two ends, the smaller one first")


def as_json(answer: Any) -> Any:
    """Return an answer with None for nan and infinity, which JSON lacks.

    Only vectors that overflow, or are zero, lead to them: no training ends with such vectors.
    """
    if isinstance(answer, dict):
        return {name: as_json(one) for name, one in answer.items()}
    if isinstance(answer, list | tuple):
        return [as_json(one) for one in answer]
    return None if isinstance(answer, float) and not math.isfinite(answer) else answer
