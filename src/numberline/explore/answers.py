"""A model and a question → an answer that JSON can hold. What the page shows; no web in it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from numberline.arrays import Floats
from numberline.errors import QuestionError
from numberline.explore import sentences
from numberline.explore.densities import central_range, density_on_line
from numberline.explore.examples import example_of
from numberline.explore.landmarks import CURVE_POINTS, Landmarks, stretch
from numberline.model.embeddings import Embeddings
from numberline.numerals.explained import by_label
from numberline.numerals.squash import squash
from numberline.numerals.vectors import PrototypeVectors, prototype_values
from numberline.reading.scanner import tokenize

LONGEST_NUMBER = 100  # characters
MOST_WORDS = 6  # compared at once
NEAREST_WORDS = 8
NEAREST_NUMBERS = 8
LANDMARKS = 60  # of which the page shows those that have room
LINE_BINS = 200
OUTSIDE = 1e-3  # share of the numerals at either end that the whole line leaves out
SMALLEST_WEIGHT = 0.002  # of a prototype that is listed
SHORTEST_STRETCH = 1e-3  # on the squashed line


@dataclass(frozen=True, eq=False)
class Answers:
    model: Embeddings
    name: str

    def __post_init__(self) -> None:
        if self.model.numerals is None or not len(self.model):
            raise QuestionError(f"{self.name} has no words or no numerals; there is nothing to see")

    @cached_property
    def landmarks(self) -> Landmarks:
        return Landmarks(self.model)

    def about(self) -> dict[str, Any]:
        """Facts, the whole line, and where to begin."""
        model, totals = self.model, self.model.vocabulary.totals
        low, high = self.whole_line
        example = example_of(self.landmarks)
        return {
            "name": self.name,
            "words": len(model),
            "dim": model.dim,
            "encoder": str(model.settings.encoder),
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
        vocabulary = self.model.vocabulary
        counts = vocabulary.numeral_counts.astype(float)
        low, high = central_range(vocabulary.numeral_values, counts, OUTSIDE)
        return (low, high) if low < high else (low - 1, high + 1)

    @property
    def prototypes(self) -> Floats:
        """As numbers, each once."""
        return prototype_values(self.model.numerals)

    def number(self, text: str, among: str = "common") -> dict[str, Any]:
        """What is near a number, and what its vector is made of."""
        if among not in ("common", "all"):
            raise QuestionError(f"among is {among!r:.40}, but it must be common or all")
        value = self.value_of(text)
        if among == "all":
            words = self.model.similar(value, NEAREST_WORDS)
        else:
            (words,) = self.landmarks.nearest(np.array([value]), NEAREST_WORDS)
        numbers = self.model.similar(value, NEAREST_NUMBERS, kind="numerals")
        return {
            "value": value,
            "words": [near._asdict() for near in words],
            "numbers": [near._asdict() for near in numbers],
            "weights": self.weights(value),
            **self.occurrences(value),
        }

    def value_of(self, text: str) -> float:
        """Of the one numeral in a text, in any format."""
        if len(text) > LONGEST_NUMBER:
            raise QuestionError(f"a number of {len(text)} characters; at most {LONGEST_NUMBER}")
        tokens = tokenize(text, self.model.settings)
        values = [token.value for token in tokens if token.value is not None]
        if len(values) != 1:
            count = f"{len(values)} numbers" if values else "no number"
            raise QuestionError(
                f"“{text.strip()}” holds {count}; write one, as 1,250.5 or 5e6 or ½"
            )
        return values[0]

    def weights(self, value: float) -> list[dict[str, Any]]:
        """Return the prototypes that make up a number's vector, the heaviest first."""
        numerals = self.model.numerals
        if not isinstance(numerals, PrototypeVectors) or numerals.labels is None:
            return []
        row = numerals.fitted.weights([value]).dense()[0]
        prototypes, weights = by_label(numerals.labels, row)
        heavy = np.flatnonzero(weights >= SMALLEST_WEIGHT)
        found = heavy[np.argsort(-weights[heavy], kind="stable")]
        return [
            {"prototype": prototype, "weight": weight}
            for prototype, weight in zip(
                prototypes[found].tolist(), weights[found].tolist(), strict=True
            )
        ]

    def occurrences(self, value: float) -> dict[str, Any]:
        """How often the corpus holds a number, and those beside it."""
        vocabulary = self.model.vocabulary
        values, counts = vocabulary.numeral_values, vocabulary.numeral_counts
        left, right = np.searchsorted(values, value), np.searchsorted(values, value, "right")
        return {
            "count": int(counts[left]) if right > left else 0,
            "before": float(values[left - 1]) if left > 0 else None,
            "after": float(values[right]) if right < len(values) else None,
        }

    def line(self, low: float, high: float) -> dict[str, Any]:
        """A stretch of the line: how its numerals are spread, and which words live there."""
        require_stretch(low, high)
        found = self.landmarks.along(low, high, LANDMARKS)
        return {
            "low": low,
            "high": high,
            "heights": self.heights(low, high),
            "landmarks": [landmark._asdict() for landmark in found],
        }

    def heights(self, low: float, high: float, bins: int = LINE_BINS) -> list[float]:
        vocabulary = self.model.vocabulary
        values, counts = vocabulary.numeral_values, vocabulary.numeral_counts.astype(float)
        found: list[float] = density_on_line(values, counts, low, high, bins).round(3).tolist()
        return found

    def curves(self, text: str, low: float, high: float) -> dict[str, Any]:
        """How similar words are to the numbers of a stretch."""
        require_stretch(low, high)
        words = list(dict.fromkeys(text.replace(",", " ").split()))
        if not 1 <= len(words) <= MOST_WORDS:
            raise QuestionError(f"{len(words)} words; write 1 to {MOST_WORDS}, with blanks between")
        values = stretch(low, high, CURVE_POINTS)
        rows = [self.landmarks.curve(word, values) for word in words]
        return {
            "values": values.tolist(),
            "curves": [
                {"word": word, "similarities": np.round(row, 4).tolist()}
                for word, row in zip(words, rows, strict=True)
            ],
        }

    def check(self, text: str) -> dict[str, Any]:
        return {"pieces": sentences.checked_pieces(self.model, text)}

    def expected(self, text: str, start: int, end: int) -> dict[str, Any]:
        return sentences.expected(self.model, text, start, end)


def require_stretch(low: float, high: float) -> None:
    if not (np.isfinite([low, high]).all() and squash(high) - squash(low) > SHORTEST_STRETCH):
        raise QuestionError("a stretch of the line must have two ends, the smaller one first")
