"""A vocabulary ↔ its part of the header and of the arrays of a stored folder.

words           the UTF-8 bytes of all words, one after the other
word_ends       the offset in `words` at which each word ends
word_counts     as in Vocabulary
numeral_values, numeral_kinds, numeral_counts, as in Numerals
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from itertools import pairwise
from typing import Any

import numpy as np

from numberline.arrays import Array
from numberline.reading.kinds import MOST_KINDS
from numberline.reading.vocabulary import CorpusTotals, Numerals, Vocabulary

TYPES = {
    "words": np.uint8,
    "word_ends": np.int64,
    "word_counts": np.int64,
    "numeral_values": np.float64,
    "numeral_kinds": np.int32,
    "numeral_counts": np.int64,
}


def vocabulary_arrays(vocabulary: Vocabulary) -> dict[str, Array]:
    encoded = [word.encode() for word in vocabulary.words]
    return {
        "words": np.frombuffer(b"".join(encoded), np.uint8),
        "word_ends": np.cumsum([len(word) for word in encoded], dtype=np.int64),
        "word_counts": vocabulary.word_counts,
        "numeral_values": vocabulary.numerals.values,
        "numeral_kinds": vocabulary.numerals.kinds,
        "numeral_counts": vocabulary.numerals.counts,
    }


def totals_header(vocabulary: Vocabulary) -> dict[str, int]:
    return asdict(vocabulary.totals)


def stored_vocabulary(totals: Any, arrays: Mapping[str, Array]) -> Vocabulary:
    """Return the vocabulary; a ValueError or KeyError says why the parts cannot be one."""
    parts = {name: arrays[name] for name in TYPES}
    for name, dtype in TYPES.items():
        if parts[name].dtype != dtype or parts[name].ndim != 1:
            raise ValueError(f"{name} is no list of {np.dtype(dtype)}")
    vocabulary = Vocabulary(
        stored_words(parts["words"], parts["word_ends"]),
        # Small beside the vectors, and used all the time.
        np.array(parts["word_counts"]),
        Numerals(
            np.array(parts["numeral_values"]),
            np.array(parts["numeral_kinds"]),
            np.array(parts["numeral_counts"]),
        ),
        CorpusTotals(**totals),
    )
    require_valid(vocabulary)
    return vocabulary


def stored_words(data: Array, ends: Array) -> list[str]:
    if len(ends) and (ends[0] < 0 or (np.diff(ends) < 0).any()):
        raise ValueError("the ends of its words do not ascend")
    if (ends[-1] if len(ends) else 0) != len(data):
        raise ValueError("the ends of its words are not those of the text")
    text = data.tobytes()
    return [text[start:end].decode() for start, end in pairwise([0, *ends.tolist()])]


def require_valid(vocabulary: Vocabulary) -> None:
    """Refuse words, counts and values that no corpus has."""
    words, numerals = vocabulary.words, vocabulary.numerals
    counts = (vocabulary.word_counts, numerals.counts)
    totals = asdict(vocabulary.totals).values()
    faults = {
        "its words are not unique": len(set(words)) != len(words),
        "it holds an empty word": "" in words,
        "its counts are not those of its words and numerals": [
            *[len(words), len(numerals), len(numerals)]
        ]
        != [len(column) for column in (*counts, numerals.kinds)],
        "it holds counts below zero": (vocabulary.word_counts < 0).any(),
        "it holds numerals that never occur": (numerals.counts < 1).any(),
        "it holds numerals that are not finite": not np.isfinite(numerals.values).all(),
        "its numerals are of kinds that do not exist": not are_kinds(numerals.kinds),
        "its numerals do not ascend": not ascend(numerals),
        "its totals are not counts": any(type(one) is not int or one < 0 for one in totals),
    }
    for fault, is_so in faults.items():
        if is_so:
            raise ValueError(fault)


def are_kinds(kinds: Array) -> bool:
    return bool(((kinds >= 0) & (kinds < MOST_KINDS)).all())


def ascend(numerals: Numerals) -> bool:
    """Tell whether kinds ascend, and within a kind values, without equal ones."""
    if len(numerals.kinds) != len(numerals):
        return False
    kind_steps = np.diff(numerals.kinds)
    rises = (kind_steps > 0) | ((kind_steps == 0) & (np.diff(numerals.values) > 0))
    return bool(rises.all())
