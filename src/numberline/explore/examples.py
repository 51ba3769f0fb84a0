"""A model → the number, the sentences and the words that its page shows first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from numberline.arrays import Floats
from numberline.explore.landmarks import Landmarks
from numberline.model.check import ODD_ABOVE, CheckedNumeral, check
from numberline.model.neighbours import largest
from numberline.numerals.squash import squash, unsquash
from numberline.reading.numerals import plain_number

FREQUENT_NUMERALS = 30  # one of them is chosen
LEAST_NUMBER = 3  # the window of a smaller one would hold few whole numbers
FREQUENT_WORDS = 1000  # of the common ones; the first view is made of them
SAMPLE = 300  # distinct numerals of the corpus to which the frequent ones are compared
HALF_WINDOW = 1.0  # on the squashed line, to either side of the number
CANDIDATES = 6  # words near the number that may stand beside it in a sentence
WORDS = 3  # that are compared
LANDMARKS = 60  # words along the window; the compared ones are among them
APART = 0.2  # on the squashed line, between the numbers of two compared words
OTHER_NUMERALS = 20  # one that is odd in the sentence is sought among them


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
    """Return a prepared example if its words are common in the text, else one from the model."""
    common = set(landmarks.words)
    for example, words in SIGNATURES:
        if common.issuperset(words):
            return example
    return derived_example(landmarks)


def derived_example(landmarks: Landmarks) -> Example:
    """Choose a frequent numeral that has a word far more similar to it than to other numerals."""
    values = frequent_numerals(landmarks)
    words = landmarks.word_rows[:FREQUENT_WORDS]
    similarity = words @ landmarks.numeral_rows(values).T
    distinct = landmarks.model.vocabulary.numeral_values
    others = landmarks.numeral_rows(distinct[:: max(1, len(distinct) // SAMPLE)])
    telling = similarity - (words @ others.T).mean(axis=1, keepdims=True)
    best = int((telling.max(axis=0) - telling.mean(axis=0)).argmax())
    number, start = plain_number(float(values[best])), plain_number(float(values[0]))
    word = landmarks.words[int(telling[:, best].argmax())]
    near = [landmarks.words[id] for id in largest(similarity[:, best], CANDIDATES).tolist()]
    ends = unsquash(squash(values[best]) + np.array([-HALF_WINDOW, HALF_WINDOW])).tolist()
    window = (ends[0], ends[1])
    frequent = [plain_number(float(value)) for value in values[:OTHER_NUMERALS]]
    sentences = derived_sentences(landmarks, number, frequent, near)
    compared = compared_words(landmarks, word, float(values[best]), window)
    return Example(number, start, window, sentences, compared)


def frequent_numerals(landmarks: Landmarks) -> Floats:
    """Return the most frequent numerals that suit a first view, or the most frequent one."""
    vocabulary = landmarks.model.vocabulary
    values, counts = vocabulary.numeral_values, vocabulary.numeral_counts
    order = np.argsort(-counts, kind="stable")[:FREQUENT_NUMERALS]
    is_chosen = (counts[order] >= landmarks.least_count) & (values[order] >= LEAST_NUMBER)
    frequent = order[is_chosen]
    return values[frequent if is_chosen.any() else order[:1]]


def compared_words(
    landmarks: Landmarks, word: str, value: float, window: tuple[float, float]
) -> tuple[str, ...]:
    """Return a word and others of the window whose most similar numbers are far from each other."""
    words, positions = [word], [float(squash(value))]
    for landmark in landmarks.along(*window, LANDMARKS):
        position = float(squash(landmark.value))
        is_apart = all(abs(position - other) > APART for other in positions)
        if is_apart and landmark.word not in words and len(words) < WORDS:
            words.append(landmark.word)
            positions.append(position)
    return tuple(words)


def derived_sentences(
    landmarks: Landmarks, number: str, others: list[str], words: list[str]
) -> tuple[str, ...]:
    """Put a number between the words that make it likeliest; the sentence with a gap follows.

    If one of the other numbers is odd there, the sentence with the oddest comes first.
    """
    words = [word for word in words if word.isalpha()] or words
    before = likeliest(landmarks, {word: f"{word} {number}" for word in words})
    rest = [word for word in words if word != before] or words
    after = likeliest(landmarks, {word: f"{before} {number} {word}" for word in rest})
    wrong = judged(landmarks, [f"{before} {other} {after}" for other in others])
    oddest = int(np.argmax([one.probability_wrong for one in wrong]))
    odd = [f"{before} {others[oddest]} {after}"] if wrong[oddest].is_odd else []
    return (*odd, f"{before} {number} {after}", f"{before} ___ {after}")


def likeliest(landmarks: Landmarks, texts: dict[str, str]) -> str:
    """Return the key of the text whose numeral is most likely there, compared with in general."""
    lifts = [one.lift for one in judged(landmarks, list(texts.values()))]
    return list(texts)[int(np.argmax(np.nan_to_num(lifts)))]


def judged(landmarks: Landmarks, texts: list[str]) -> list[CheckedNumeral]:
    """Return the verdict on the last numeral of each text."""
    return [numerals[-1] for numerals in check(landmarks.model, texts, ODD_ABOVE)]
