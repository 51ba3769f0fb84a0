"""A seed → tagged sentences: train, dev and test, the test set augmented, and its hard part.

The counts are those of the customer service data of Jiang et al., Learning Numeral Embedding.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from numberline.reading.scanner import tokenize
from numberline.tagging.sentences import TaggedSentence, tag_spans
from numberline_shop.conversation import short_chat
from numberline_shop.cues import is_hard
from numberline_shop.message import Message
from numberline_shop.nudge import nudged

TRAIN, DEV, TEST = 1389, 793, 1802
NEW_SENTENCES = 5  # at most, made from each test sentence
FEWEST_TOKENS, MOST_TOKENS = 3, 20


def tagged_sets(seed: int) -> dict[str, list[TaggedSentence]]:
    """The five sets by name."""
    messages = _distinct_messages(seed)
    train = [next(messages) for _ in range(TRAIN)]
    dev = [next(messages) for _ in range(DEV)]
    test = [next(messages) for _ in range(TEST)]
    tagged_test = [tag(message) for message in test]
    return {
        "train": [tag(message) for message in train],
        "dev": [tag(message) for message in dev],
        "test": tagged_test,
        "test-augmented": [tag(message) for message in _augmented(test, train + dev, seed)],
        "test-hard": [sentence for sentence in tagged_test if is_hard(sentence)],
    }


def tag(message: Message) -> TaggedSentence:
    """Tokens with BIO labels: a quantity of several tokens (5 ' 8) is one labelled stretch."""
    return tag_spans(tokenize(message.text), message.spans)


def _distinct_messages(seed: int) -> Iterator[Message]:
    """Short messages with at least one label; none has the tokens of an earlier one."""
    seen: set[tuple[str, ...]] = set()
    for message in short_chat(seed):
        tokens = _tokens(message)
        fits = FEWEST_TOKENS <= len(tokens) <= MOST_TOKENS
        if message.spans and fits and tokens not in seen:
            seen.add(tokens)
            yield message


def _augmented(test: list[Message], others: list[Message], seed: int) -> Iterator[Message]:
    """Nudged test sentences; what is in one of the sets already is left out."""
    random = Random(seed)
    seen = {_tokens(message) for message in test + others}
    for message in test:
        for new in nudged(message, random, NEW_SENTENCES):
            tokens = _tokens(new)
            if tokens not in seen:
                seen.add(tokens)
                yield new


def _tokens(message: Message) -> tuple[str, ...]:
    return tuple(token.text for token in tokenize(message.text))
