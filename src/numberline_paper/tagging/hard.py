"""Test and training sentences → the test sentences whose quantities have no cue (the hard set).

A word is a cue of a label if in the training sentences it stands within MOST_DISTANCE tokens of
enough labelled quantities, and most of these have that label: people of a party, am of a time. A
sentence is hard if it holds quantities and none of them has a cue of its label, in it or that near.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from numberline import parse_numeral
from numberline.tagging import Stretch, TaggedSentence, stretches

MOST_DISTANCE = 3  # tokens, as in the demo shop
FEWEST_QUANTITIES = 5
CUE_FRACTION = 0.8  # of the quantities near a cue, those that have its label


def hard(test: Sequence[TaggedSentence], train: Sequence[TaggedSentence]) -> list[TaggedSentence]:
    known_cues = cues(train)
    return [sentence for sentence in test if is_hard(sentence, known_cues)]


def cues(train: Sequence[TaggedSentence]) -> set[tuple[str, str]]:
    """Return pairs of a word and the label that it is a cue of."""
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
        if count >= FEWEST_QUANTITIES and count >= CUE_FRACTION * near[word]
    }


def is_hard(sentence: TaggedSentence, known_cues: set[tuple[str, str]]) -> bool:
    labelled = list(quantities(sentence))
    return bool(labelled) and not any(
        (word, quantity.label) in known_cues
        for quantity in labelled
        for word in words_near(sentence, quantity)
    )


def quantities(sentence: TaggedSentence) -> Iterator[Stretch]:
    """Yield the labelled stretches that hold a numeral."""
    for stretch in stretches(label for _, label in sentence):
        if any(is_numeral(token) for token, _ in sentence[stretch.start : stretch.end]):
            yield stretch


def words_near(sentence: TaggedSentence, quantity: Stretch) -> set[str]:
    """Return the words of a quantity, and those around it that have no label."""
    start, end = quantity.start, quantity.end
    around = sentence[max(0, start - MOST_DISTANCE) : start] + sentence[end : end + MOST_DISTANCE]
    inside = [token for token, _ in sentence[start:end]]
    words = inside + [token for token, label in around if label == "O"]
    return {word for word in words if not is_numeral(word)}


def is_numeral(token: str) -> bool:
    return parse_numeral(token) is not None
