"""Small corpora whose answers are known, and random ones for comparing kernels."""

import re

import numpy as np

import numberline as nl
from numberline.errors import MissingExtraError
from numberline.training import devices

FILLERS = [f"filler{a}{b}" for a in "abcdefgh" for b in "abcdefgh"]


def planted(sentences=4000, seed=1):
    """Small numbers occur where "few" does, large ones where "many" does."""
    random = np.random.default_rng(seed)
    lines = []
    for _ in range(sentences):
        if random.random() < 0.5:
            quantity = "few" if random.random() < 0.2 else random.integers(1, 20)
            phrase = f"small box holds {quantity} pens"
        else:
            quantity = "many" if random.random() < 0.2 else random.integers(2000, 9000)
            phrase = f"big hall seats {quantity} people"
        before, after = random.choice(FILLERS, 2)
        lines.append(f"{before} {phrase} {after}")
    return lines


def two_numbers(sentences):
    """Return sentences that each have a small and a large number, with words between them."""
    small = [line for line in planted(4 * sentences, seed=2) if re.search(r"box holds \d", line)]
    large = [line for line in planted(4 * sentences, seed=3) if re.search(r"hall seats \d", line)]
    pairs = zip(small[:sentences], large[:sentences], strict=True)
    return [f"{one} fillerab filleraa fillerac {other}" for one, other in pairs]


def with_halves(sentences):
    """Add a half to every other small number."""
    return [
        re.sub(r"holds (\d+)", r"holds \1.5", line) if number % 2 else line
        for number, line in enumerate(planted(sentences))
    ]


def with_kinds(sentences, seed=4):
    """Numbers from 1 to 99, most of them with a sign: "%" among voters, "$" in shops."""
    random = np.random.default_rng(seed)
    phrases = ["share of {}% voters", "price is ${} shop", "match had {} goals"]
    lines = []
    for _ in range(sentences):
        phrase = phrases[random.choice(3, p=[0.4, 0.4, 0.2])].format(random.integers(1, 100))
        before, after = random.choice(FILLERS, 2)
        lines.append(f"{before} {phrase} {after}")
    return lines


def random_corpus(seed=1, words=30, numerals=12, sentences=40):
    """Sentences of 1 to 24 tokens: words, and squares of small numbers."""
    random = np.random.default_rng(seed)
    lines = []
    for _ in range(sentences):
        tokens = [
            str(random.integers(numerals) ** 2) if random.random() < 0.4 and numerals else f"w{c}"
            for c in random.choice(
                [chr(97 + i % 26) + chr(97 + i // 26) for i in range(words)], random.integers(1, 25)
            )
        ]
        lines.append(" ".join(tokens))
    return nl.encode(lines, min_count=1)


class FixedRows:
    """A fitted encoder that returns the same rows of weights for any numbers."""

    def __init__(self, rows, is_frozen=False):
        self.rows, self.is_frozen, self.size = rows, is_frozen, rows.size

    def weights(self, values, side="input"):
        return self.rows


def has_gpu():
    try:
        return devices.gpu_count(devices.optional("cupy", "cuda")) > 0
    except MissingExtraError:
        return False
