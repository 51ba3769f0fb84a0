"""A model → a number, a sentence and words to begin with, of the trade it was trained on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from numberline.explore.landmarks import Landmarks
from numberline.numerals.squash import squash, unsquash
from numberline.reading.numerals import plain_number

FREQUENT = 200  # numerals among which one is chosen


@dataclass(frozen=True)
class Example:
    number: str
    glide_from: str  # where the handle starts, so that one sees words change
    window: tuple[float, float]  # the stretch of the line to begin with
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
TELLING = ((SHOP, ("xxl", "xs", "wear")), (ENCYCLOPEDIA, ("century", "population", "metres")))


def example_of(landmarks: Landmarks) -> Example:
    """The one whose telling words the model knows, or one of its own numerals and words."""
    for example, telling in TELLING:
        if all(word in landmarks.model for word in telling):
            return example
    return own_example(landmarks)


def own_example(landmarks: Landmarks) -> Example:
    """A frequent numeral with a word that is much more like it than words are on average."""
    vocabulary = landmarks.model.vocabulary
    frequent = np.argsort(-vocabulary.numeral_counts, kind="stable")[:FREQUENT]
    values = vocabulary.numeral_values[frequent]
    similarity = landmarks.word_rows @ landmarks.numeral_rows(values).T
    best = int((similarity.max(axis=0) - similarity.mean(axis=0)).argmax())
    number, start = plain_number(float(values[best])), plain_number(float(values[0]))
    near = [landmarks.words[at] for at in np.argsort(-similarity[:, best])[:3].tolist()]
    text = " ".join(near[:2])
    window = unsquash(squash(values[best]) + np.array([-1.0, 1.0])).tolist()
    return Example(
        number, start, (window[0], window[1]), (f"{text} {number}", f"{text} ___"), tuple(near)
    )
