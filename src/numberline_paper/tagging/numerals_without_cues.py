"""Test and training sentences → the test sentences whose numerals have no cue (the hard set).

A word is a cue of a label if in the training sentences it stands within REACH tokens of enough
labelled quantities, and most of these have that label: people of a party, am of a time. A sentence
is hard if it holds quantities and none of them has a cue of its label, in it or within REACH.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from numberline.reading.scanner import parse_numeral
from numberline.tagging.sentences import Stretch, TaggedSentence, stretches

REACH = 3  # as in the demo shop
FEWEST_QUANTITIES = 5
GIVEN_AWAY = 0.8  # share of the quantities near a word that have its label


def hard(test: Sequence[TaggedSentence], train: Sequence[TaggedSentence]) -> list[TaggedSentence]:
    known = cues(train)
    return [sentence for sentence in test if is_hard(sentence, known)]


def cues(train: Sequence[TaggedSentence]) -> set[tuple[str, str]]:
    """Words and the labels they give away."""
    together: Counter[tuple[str, str]] = Counter()
    near: Counter[str] = Counter()
    for sentence in train:
        for quantity in quantities(sentence):
            for word in words_near(sentence, quantity):
                together[word, quantity.label] += 1
                near[word] += 1
    return {
        (word, label)
        for (word, label), count in together.items()
        if count >= FEWEST_QUANTITIES and count >= GIVEN_AWAY * near[word]
    }


def is_hard(sentence: TaggedSentence, known: set[tuple[str, str]]) -> bool:
    found = list(quantities(sentence))
    return bool(found) and not any(
        (word, quantity.label) in known
        for quantity in found
        for word in words_near(sentence, quantity)
    )


def quantities(sentence: TaggedSentence) -> Iterator[Stretch]:
    """The labelled stretches that hold a numeral."""
    for found in stretches(label for _, label in sentence):
        if any(is_numeral(token) for token, _ in sentence[found.start : found.end]):
            yield found


def words_near(sentence: TaggedSentence, quantity: Stretch) -> set[str]:
    """Those of the stretch, and those around it that have no label."""
    start, end = quantity.start, quantity.end
    around = sentence[max(0, start - REACH) : start] + sentence[end : end + REACH]
    inside = [token for token, _ in sentence[start:end]]
    words = inside + [token for token, label in around if label == "O"]
    return {word for word in words if not is_numeral(word)}


def is_numeral(token: str) -> bool:
    return parse_numeral(token) is not None
