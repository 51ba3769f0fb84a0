"""A corpus in which 1,990 to 2,020 are years in some sentences and counts in others."""

import numpy as np

from numberline.reading.encoded import EncodedCorpus
from numberline.reading.kinds import KIND_INDEX, PLAIN_INDEX
from numberline.reading.vocabulary import CorpusTotals, Numerals, Vocabulary
from numberline.settings import ReadingSettings

YEAR, COUNT = KIND_INDEX["year"], KIND_INDEX["count"]
WORDS = ["the", "and", "in", "people", *("king", "born", "died", "ruled")]
WORDS += ["bought", "sold", "bricks", "apples"]
TELLING = {YEAR: "in", COUNT: "people"}
BESIDE = {YEAR: ("king", "born", "died", "ruled"), COUNT: ("bought", "sold", "bricks", "apples")}
SENTENCES = 6000
UNSEEN = 1995.0  # occurs nowhere


def sentence(rng, kind, is_told):
    """Return words, with None in place of the number: the kind's words, and the one that tells."""
    before = TELLING[YEAR] if is_told and kind == YEAR else "and"
    after = TELLING[COUNT] if is_told and kind == COUNT else "and"
    return [*rng.choice(BESIDE[kind], 2), before, None, after, *rng.choice(BESIDE[kind], 1), "the"]


def planted_corpus(seed=1):
    """Return the encoded corpus, and the true kind of each of its numerals."""
    rng = np.random.default_rng(seed)
    ids, offsets, numerals, truth = [], [0], {}, []
    places = []
    for _ in range(SENTENCES):
        kind = (YEAR, COUNT)[rng.integers(2)]
        is_told = rng.random() < (0.7 if kind == YEAR else 0.3)
        value = float(rng.integers(1990, 2020))
        value += value >= UNSEEN
        for word in sentence(rng, kind, is_told):
            if word is None:
                places.append((len(ids), (kind if is_told else PLAIN_INDEX, value)))
                truth.append(kind)
                ids.append(-1)
            else:
                ids.append(WORDS.index(word))
        offsets.append(len(ids))
    pairs = sorted({pair for _, pair in places})
    numerals = {pair: number for number, pair in enumerate(pairs)}
    for place, pair in places:
        ids[place] = len(WORDS) + numerals[pair]
    counts = np.bincount([numerals[pair] for _, pair in places])
    kinds, values = zip(*pairs, strict=True)
    ids = np.array(ids, np.int32)
    vocabulary = Vocabulary(
        WORDS,
        np.bincount(ids[ids < len(WORDS)], minlength=len(WORDS)),
        Numerals(np.array(values), np.array(kinds, np.int32), counts),
        CorpusTotals(SENTENCES, len(ids) - SENTENCES, SENTENCES, len(WORDS), 0),
    )
    return EncodedCorpus(ids, np.array(offsets), vocabulary, ReadingSettings()), np.array(truth)
