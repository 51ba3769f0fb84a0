"""A model → the number, the sentences and the words that its page shows first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from numberline.explore.landmarks import Landmarks
from numberline.numerals.squash import squash, unsquash
from numberline.reading.numerals import plain_number

FREQUENT_NUMERALS = 200  # one of them is chosen


@dataclass(frozen=True)
class Example:
    number: str
    glide_from: (
        str  # the handle glides from here to the number, so that a visitor sees words change
    )
    window: tuple[float, float]  # the stretch of the line that is shown first
    sentences: tuple[str, ...]
    words: tuple[str, ...]


SHOP = Example(
    "190",
    "152",
    (135, 215),
    (
        "Jeff is 160, so he should wear size XXL",
        "Jeff is ___, so he should wear size XXL",
        "I'm 175 cm tall and weigh 700 kg",
        "Her size is XS, she is ___ cm tall",
        "delivery takes 3 to 5 days",
    ),
    ("xs", "m", "xxl"),
)
ENCYCLOPEDIA = Example(
    "1492",
    "1942",
    (1360, 2060),
    (
        "The tower is 1889 metres tall",
        "The tower is ___ metres tall",
        "World War II ended in 1945",
        "The temperature fell to -5 degrees",
    ),
    ("renaissance", "napoleon", "nazi"),
)
SIGNATURES = ((SHOP, ("xxl", "xs", "wear")), (ENCYCLOPEDIA, ("century", "population", "metres")))


def example_of(landmarks: Landmarks) -> Example:
    """Return a prepared example if the model knows its words, else one from the model itself."""
    for example, words in SIGNATURES:
        if all(word in landmarks.model for word in words):
            return example
    return derived_example(landmarks)


def derived_example(landmarks: Landmarks) -> Example:
    """Choose a frequent numeral that has a word far more similar to it than other words."""
    vocabulary = landmarks.model.vocabulary
    frequent = np.argsort(-vocabulary.numeral_counts, kind="stable")[:FREQUENT_NUMERALS]
    values = vocabulary.numeral_values[frequent]
    similarity = landmarks.word_rows @ landmarks.numeral_rows(values).T
    best = int((similarity.max(axis=0) - similarity.mean(axis=0)).argmax())
    number, start = plain_number(float(values[best])), plain_number(float(values[0]))
    near = [landmarks.words[id] for id in np.argsort(-similarity[:, best])[:3].tolist()]
    text = " ".join(near[:2])
    low, high = unsquash(squash(values[best]) + np.array([-1.0, 1.0])).tolist()
    return Example(number, start, (low, high), (f"{text} {number}", f"{text} ___"), tuple(near))
