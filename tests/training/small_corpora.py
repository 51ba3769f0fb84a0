"""Small corpora whose answers are known, and random ones for comparing kernels."""

import re

import numpy as np

import numberline as nl
from numberline.errors import MissingExtraError
from numberline.training import devices

FILLERS = [f"filler{a}{b}" for a in "abcdefgh" for b in "abcdefgh"]


def planted(sentences=4000, seed=1):
    """Small numbers stand where few stands, large ones where many does."""
    random = np.random.default_rng(seed)
    lines = []
    for _ in range(sentences):
        if random.random() < 0.5:
            quantity = "few" if random.random() < 0.2 else random.integers(1, 20)
            said = f"small box holds {quantity} pens"
        else:
            quantity = "many" if random.random() < 0.2 else random.integers(2000, 9000)
            said = f"big hall seats {quantity} people"
        before, after = random.choice(FILLERS, 2)
        lines.append(f"{before} {said} {after}")
    return lines


def with_halves(sentences):
    """Every other of the small numbers has a half more."""
    return [
        re.sub(r"holds (\d+)", r"holds \1.5", line) if number % 2 else line
        for number, line in enumerate(planted(sentences))
    ]


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


class GivenRows:
    """A fitted encoder whose rows of weights are given, whatever the numbers are."""

    def __init__(self, rows, is_frozen=False):
        self.rows, self.is_frozen, self.size = rows, is_frozen, rows.size

    def weights(self, values, side="input"):
        return self.rows


def is_gpu_here():
    try:
        return devices.gpu_count(devices.optional("cupy", "cuda")) > 0
    except MissingExtraError:
        return False
