"""An encoded corpus → the same one, in which bare numerals have the kind of their likeliest sense.

Kinds are part of a numeral, so that vectors are learnt for senses as for kinds that the text tells.
"""

from __future__ import annotations

import mmap
import tempfile
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from numberline.reading.encoded import EncodedCorpus
from numberline.reading.kinds import PLAIN_INDEX
from numberline.reading.parallel import ordered_map
from numberline.reading.vocabulary import Numerals
from numberline.senses.evidence import Indices, Texts, neighbour_count, texts_of
from numberline.senses.fit import fit_senses
from numberline.senses.mixture import SenseMixture

FEWEST_BARE, FEWEST_TOLD = 1000, 1000  # numerals; fewer are too few to learn from
MOST_EXAMPLES = 300_000  # to fit a mixture to
TOKENS_AT_A_TIME = 1 << 22
NUMERALS_AT_A_TIME = 1 << 14
IN_MEMORY_BYTES = 2 << 30  # of ids; more go to a temporary file


def with_senses(
    corpus: EncodedCorpus, seed: int, threads: int = 1
) -> tuple[EncodedCorpus, SenseMixture | None]:
    """Return the corpus with the kinds of bare numerals, and the mixture that tells them.

    A corpus with few bare numerals, or with few whose kind the text tells, stays as it is.
    """
    kind_counts = corpus.vocabulary.kind_counts
    bare = int(kind_counts[PLAIN_INDEX]) if len(kind_counts) else 0
    if bare < FEWEST_BARE or int(kind_counts.sum()) - bare < FEWEST_TOLD:
        return corpus, None
    vocabulary = corpus.vocabulary
    texts = texts_of(
        corpus.ids, corpus.sentence_offsets, len(vocabulary.words), vocabulary.numerals
    )
    mixture = fitted_to(texts, vocabulary.numerals, np.random.default_rng(seed))
    return assigned(corpus, texts, mixture, threads), mixture


def fitted_to(texts: Texts, numerals: Numerals, rng: np.random.Generator) -> SenseMixture:
    """Return a mixture fitted to a sample of the numerals of texts."""
    keep = min(1.0, MOST_EXAMPLES / max(1, int(numerals.counts.sum())))
    chosen = [
        tokens[rng.random(len(tokens)) < keep] for tokens in numeral_tokens(texts.ids, texts.words)
    ]
    tokens = np.concatenate(chosen)
    kinds = numerals.kinds[texts.ids[tokens] - texts.words]
    return fit_senses(texts.evidence(tokens), kinds, neighbour_count(texts.words), rng)


def numeral_tokens(ids: npt.NDArray[np.int32], words: int) -> Iterator[Indices]:
    """Yield the indices of numerals, a part of the corpus at a time."""
    for first in range(0, len(ids), TOKENS_AT_A_TIME):
        yield first + np.flatnonzero(ids[first : first + TOKENS_AT_A_TIME] >= words)


def assigned(
    corpus: EncodedCorpus, texts: Texts, mixture: SenseMixture, threads: int
) -> EncodedCorpus:
    """Return the corpus in which each bare numeral has the kind of its likeliest sense."""
    numerals, words = corpus.vocabulary.numerals, texts.words
    is_bare = numerals.kinds == PLAIN_INDEX

    def bare_tokens() -> Iterator[Indices]:
        for tokens in numeral_tokens(corpus.ids, words):
            bare = tokens[is_bare[corpus.ids[tokens] - words]]
            for first in range(0, len(bare), NUMERALS_AT_A_TIME):
                yield bare[first : first + NUMERALS_AT_A_TIME]

    def pairs(tokens: Indices) -> tuple[Indices, npt.NDArray[np.int64]]:
        senses = mixture.log_scores(texts.evidence(tokens)).argmax(axis=1)
        bare = corpus.ids[tokens].astype(np.int64) - words
        return tokens, bare * len(mixture) + senses

    ids = copied(corpus.ids)
    renumbering = Renumbering(numerals, mixture)
    parts = list(ordered_map(pairs, bare_tokens(), threads))
    keys, counts = np.unique(np.concatenate([keys for _, keys in parts]), return_counts=True)
    new_numerals, new_of_old, new_of_keys = renumbering.renumbered(keys, counts)
    for first in range(0, len(ids), TOKENS_AT_A_TIME):
        part = ids[first : first + TOKENS_AT_A_TIME]
        is_numeral = part >= words
        part[is_numeral] = words + new_of_old[part[is_numeral] - words]
    for tokens, of_part in parts:
        ids[tokens] = words + new_of_keys[np.searchsorted(keys, of_part)]
    vocabulary = replace(corpus.vocabulary, numerals=new_numerals)
    return replace(corpus, ids=ids, vocabulary=vocabulary)


class Renumbering:
    """Bare numerals with their senses → the numerals of the new vocabulary."""

    def __init__(self, numerals: Numerals, mixture: SenseMixture) -> None:
        self._old, self._mixture = numerals, mixture

    def renumbered(
        self, keys: npt.NDArray[np.int64], counts: npt.NDArray[np.int64]
    ) -> tuple[Numerals, npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """Return the new numerals, and their indices for old numerals and for keys.

        Key old * senses + s is the bare numeral `old` in sense s. Bare numerals have no index.
        """
        old, size = self._old, len(self._mixture)
        told = np.flatnonzero(old.kinds != PLAIN_INDEX)
        values = np.concatenate([old.values[told], old.values[keys // size]])
        kinds = np.concatenate([old.kinds[told], self._mixture.kinds[keys % size]])
        order = np.lexsort((values, kinds))
        sorted_values, sorted_kinds = values[order], kinds[order]
        is_new = np.ones(len(order), bool)
        is_new[1:] = (np.diff(sorted_kinds) != 0) | (np.diff(sorted_values) != 0)
        indices = np.empty(len(order), np.int32)
        indices[order] = np.cumsum(is_new) - 1
        sums = np.zeros(int(is_new.sum()), np.int64)
        np.add.at(sums, indices, np.concatenate([old.counts[told], counts]))
        of_old = np.zeros(len(old), np.int32)
        of_old[told] = indices[: len(told)]
        new = Numerals(sorted_values[is_new], sorted_kinds[is_new].astype(np.int32), sums)
        return new, of_old, indices[len(told) :]


def copied(ids: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """Return a copy that may be changed; a large one is in a temporary file without a name."""
    if ids.nbytes <= IN_MEMORY_BYTES:
        return np.array(ids)
    with tempfile.TemporaryFile() as file:
        file.truncate(ids.nbytes)
        mapped = mmap.mmap(file.fileno(), ids.nbytes)
    copy = np.frombuffer(mapped, np.int32)
    for first in range(0, len(ids), TOKENS_AT_A_TIME):
        copy[first : first + TOKENS_AT_A_TIME] = ids[first : first + TOKENS_AT_A_TIME]
    return copy
