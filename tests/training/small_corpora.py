"""Small corpora whose answers are known, and random ones for comparing kernels."""

import numpy as np

import numberline as nl


def planted(sentences=4000, seed=1):
    """Small numbers go with few and little, large ones with many and big."""
    random = np.random.default_rng(seed)
    lines = []
    for _ in range(sentences):
        if random.random() < 0.5:
            number, words = random.integers(1, 20), ["few", "little", "small"]
        else:
            number, words = random.integers(2000, 9000), ["many", "big", "large"]
        first, second = random.choice(words, 2, replace=False)
        lines.append(f"{first} {number} {second} things")
    return lines


def random_corpus(seed=1, words=30, numerals=12, sentences=40):
    """Sentences of any length, some of one token, some longer than a block."""
    random = np.random.default_rng(seed)
    lines = []
    for _ in range(sentences):
        tokens = [
            str(random.integers(numerals) ** 2) if random.random() < 0.4 else f"w{c}"
            for c in random.choice(
                [chr(97 + i % 26) + chr(97 + i // 26) for i in range(words)], random.integers(1, 25)
            )
        ]
        lines.append(" ".join(tokens))
    return nl.encode(lines, min_count=1)
