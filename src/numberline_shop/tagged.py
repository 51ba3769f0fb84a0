"""A seed → tagged sentences: train, dev and test, the test set with nearby numbers, its hard part.

The counts are those of the customer service data of Jiang et al., Learning Numeral Embedding.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import numberline as nl
from numberline.files import make_folder, replace_file
from numberline.tagging import TaggedSentence, tag_spans, to_conll
from numberline_shop.conversation import short_chat
from numberline_shop.hard import is_hard
from numberline_shop.message import Message
from numberline_shop.nearby import with_nearby_numbers
from numberline_shop.settings import ShopSettings

TRAIN, DEV, TEST = 1389, 793, 1802
NEW_SENTENCES = 5  # at most, made from each test sentence
FEWEST_TOKENS, MOST_TOKENS = 3, 20


def tagged_sets(seed: int = ShopSettings.seed) -> dict[str, list[TaggedSentence]]:
    """Return the five sets by name: train, dev, test, test-augmented, test-hard."""
    messages = _distinct_messages(seed)
    train = [next(messages) for _ in range(TRAIN)]
    dev = [next(messages) for _ in range(DEV)]
    test = [next(messages) for _ in range(TEST)]
    sets = {
        "train": train,
        "dev": dev,
        "test": test,
        "test-augmented": list(_augmented(test, train + dev, seed)),
    }
    tagged = {name: [tag(message) for message in messages] for name, messages in sets.items()}
    return tagged | {"test-hard": [sentence for sentence in tagged["test"] if is_hard(sentence)]}


def write_tagged(folder: str | Path, seed: int = ShopSettings.seed) -> dict[str, int]:
    """Write the tagged sets as ``<name>.tsv`` and return the number of sentences of each.

    One token and its label (``O``, ``B-height``, ``I-height``, …) per line, separated by a tab;
    an empty line after each sentence.
    """
    make_folder(Path(folder))
    sets = tagged_sets(seed)
    for name, sentences in sets.items():
        with replace_file(Path(folder) / f"{name}.tsv", overwrite=True) as file:
            file.write("".join(map(to_conll, sentences)).encode())
    return {name: len(sentences) for name, sentences in sets.items()}


def tag(message: Message) -> TaggedSentence:
    """Return tokens with BIO labels: a quantity of several tokens (5 ' 8) is one stretch."""
    return tag_spans(nl.tokenize(message.text), message.spans)


def _distinct_messages(seed: int) -> Iterator[Message]:
    """Yield short messages with at least one label; none has the tokens of an earlier one."""
    seen: set[tuple[str, ...]] = set()
    for message in short_chat(seed):
        tokens = _tokens(message)
        fits = FEWEST_TOKENS <= len(tokens) <= MOST_TOKENS
        if message.spans and fits and tokens not in seen:
            seen.add(tokens)
            yield message


def _augmented(test: list[Message], others: list[Message], seed: int) -> Iterator[Message]:
    """Yield test messages with nearby numbers that are in no set yet."""
    random = Random(seed)
    seen = {_tokens(message) for message in test + others}
    for message in test:
        for new in with_nearby_numbers(message, random, NEW_SENTENCES):
            tokens = _tokens(new)
            if tokens not in seen:
                seen.add(tokens)
                yield new


def _tokens(message: Message) -> tuple[str, ...]:
    return tuple(token.text for token in nl.tokenize(message.text))
