"""Vectors → how well a tagger labels quantities with them: accuracy of tokens, P, R, F1.

For each set and portion of its training sentences a tagger (BiLSTM and CRF) is trained on frozen
vectors from several seeds; figures are the mean and the standard deviation over the seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from numberline.evaluation import Cell, Progress, Spread, Table
from numberline.model import TokenVectors, WordVectors
from numberline.tagging import Scores, TaggedSentence, TaggerSettings
from numberline_paper.settings import TaggingSettings
from numberline_paper.tagging.sets import TaggedSet, load_set

COLUMNS = {"accuracy": "accuracy", "precision": "P", "recall": "R", "f1": "F1"}
RANDOM_ROWS = ("random, frozen", "random, fine-tuned")
NOTE = (
    "Mean and standard deviation over {seeds} seeds, at most {epochs} epochs each; vectors are "
    "frozen except in the row fine-tuned."
)


class Source(NamedTuple):
    """The vectors of a row: a function of training sentences, their percentage, and a seed."""

    name: str
    vectors: Callable[[list[TaggedSentence], int, int], TokenVectors]
    fine_tune: bool = False


class Case(NamedTuple):
    """A portion of the training sentences, and the source of the vectors of its taggers."""

    portion: int  # percent of the training sentences
    source: Source


def evaluate(model: TokenVectors, settings: TaggingSettings, progress: Progress) -> list[Table]:
    return tables([Source("model", lambda train, portion, seed: model)], settings, progress)


def tables(sources: list[Source], settings: TaggingSettings, progress: Progress) -> list[Table]:
    """Return a table per set, with the rows of all sources."""
    sets = {name: load_set(name, settings) for name in settings.sets}
    note = NOTE.format(seeds=settings.tagging_seeds, epochs=settings.tagger_epochs)
    cases = [Case(portion, source) for portion in settings.portions for source in sources]
    written = []
    for number, (name, tagged) in enumerate(sets.items()):
        rows: list[dict[str, Cell]] = []
        for index, case in enumerate(cases):
            fraction = (number + index / len(cases)) / len(sets)
            progress(f"tagging {name}, {case.portion} %, {case.source.name}", fraction)
            rows += case_rows(tagged, case, settings)
        written.append(Table(f"Tagging: {name}", rows, (note,)))
    return written


def case_rows(
    tagged: TaggedSet, case: Case, settings: TaggingSettings
) -> Iterator[dict[str, Cell]]:
    """Yield a row per test set."""
    train = portion_of(tagged.train, case.portion, settings.seed)
    seeds = range(settings.seed, settings.seed + settings.tagging_seeds)
    scores = [scores_on_tests(tagged, train, case, settings.tagger_epochs, seed) for seed in seeds]
    for test in tagged.tests:
        of_seeds = [one[test] for one in scores]
        yield {
            "train %": case.portion,
            "vectors": case.source.name,
            "test": test,
            **{title: spread(of_seeds, name) for name, title in COLUMNS.items()},
        }


def scores_on_tests(
    tagged: TaggedSet, train: list[TaggedSentence], case: Case, epochs: int, seed: int
) -> dict[str, Scores]:
    """Train one tagger and return its scores on all test sets."""
    from numberline.tagging import fit_tagger

    settings = TaggerSettings(epochs=epochs, fine_tune=case.source.fine_tune, seed=seed)
    model = case.source.vectors(train, case.portion, seed)
    tagger = fit_tagger(model, train, tagged.dev, settings)
    return {test: tagger.test(sentences) for test, sentences in tagged.tests.items()}


def spread(scores: list[Scores], name: str) -> Spread:
    values = [getattr(one, name) for one in scores]
    deviation = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
    return Spread(float(np.mean(values)), deviation)


def portion_of(train: list[TaggedSentence], percent: int, seed: int) -> list[TaggedSentence]:
    """Draw sentences by the seed; a smaller portion is part of a larger one."""
    order = np.random.default_rng(seed).permutation(len(train))
    kept = sorted(order[: max(1, round(len(train) * percent / 100))].tolist())
    return [train[index] for index in kept]


def random_sources(dim: int) -> list[Source]:
    """Return sources that draw a vector for every token of the training sentences, and no other."""

    def draw(train: list[TaggedSentence], portion: int, seed: int) -> TokenVectors:
        words = sorted({token for sentence in train for token, _ in sentence})
        largest = np.sqrt(3 / dim)  # as in NCRF++
        table = np.random.default_rng(seed).uniform(-largest, largest, (len(words), dim))
        return WordVectors(words, table.astype(np.float32))

    frozen, tuned = RANDOM_ROWS
    return [Source(frozen, draw), Source(tuned, draw, fine_tune=True)]
