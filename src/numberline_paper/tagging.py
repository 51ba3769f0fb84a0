"""Vectors → how well a tagger labels numerals with them: accuracy of tokens, P, R, F1 of stretches.

For each set and portion of its training sentences a tagger (BiLSTM and CRF) is trained on frozen
vectors from several seeds; figures are the mean and the standard deviation over the seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from numberline.evaluation.result import Cell, Spread, Table
from numberline.evaluation.task import Progress
from numberline.extras import optional
from numberline.model.token_vectors import TokenVectors
from numberline.model.word_vectors import WordVectors
from numberline.tagging.scores import Scores
from numberline.tagging.sentences import TaggedSentence
from numberline.tagging.settings import TaggerSettings
from numberline_paper.settings import TaggingSettings
from numberline_paper.tagging_sets import TaggedSet, load_set

COLUMNS = {"accuracy": "accuracy", "precision": "P", "recall": "R", "f1": "F1"}
RANDOM_ROWS = ("random, frozen", "random, fine-tuned")
NOTE = (
    "Mean and standard deviation over {seeds} seeds, at most {epochs} epochs each; frozen vectors "
    "unless fine-tuned is said."
)


class Source(NamedTuple):
    """Where the vectors of a row come from: training sentences, their percent, and a seed."""

    name: str
    vectors: Callable[[list[TaggedSentence], int, int], TokenVectors]
    fine_tune: bool = False


class Case(NamedTuple):
    """One figure's taggers."""

    portion: int
    source: Source


def evaluate(model: TokenVectors, settings: TaggingSettings, progress: Progress) -> list[Table]:
    own = Source("model", lambda train, portion, seed: model)
    return tables([own], settings, progress)


def tables(sources: list[Source], settings: TaggingSettings, progress: Progress) -> list[Table]:
    """A table per set, with the rows of all sources."""
    sets = {name: load_set(name, settings) for name in settings.sets}
    note = NOTE.format(seeds=settings.tagging_seeds, epochs=settings.tagger_epochs)
    cases = [Case(portion, source) for portion in settings.portions for source in sources]
    found = []
    for number, (name, tagged) in enumerate(sets.items()):
        rows: list[dict[str, Cell]] = []
        for place, case in enumerate(cases):
            share = (number + place / len(cases)) / len(sets)
            progress(f"tagging {name}, {case.portion} %, {case.source.name}", share)
            rows += case_rows(tagged, case, settings)
        found.append(Table(f"Tagging: {name}", rows, (note,)))
    return found


def case_rows(
    tagged: TaggedSet, case: Case, settings: TaggingSettings
) -> Iterator[dict[str, Cell]]:
    """A row per test set."""
    train = portion_of(tagged.train, case.portion, settings.seed)
    seeds = range(settings.seed, settings.seed + settings.tagging_seeds)
    scores = [seed_scores(tagged, train, case, settings, seed) for seed in seeds]
    for part in tagged.tests:
        of_seeds = [one[part] for one in scores]
        yield {
            "train %": case.portion,
            "vectors": case.source.name,
            "test": part,
            **{title: spread(of_seeds, name) for name, title in COLUMNS.items()},
        }


def seed_scores(
    tagged: TaggedSet,
    train: list[TaggedSentence],
    case: Case,
    settings: TaggingSettings,
    seed: int,
) -> dict[str, Scores]:
    """One tagger, on all test sets."""
    fit = optional("numberline.tagging.fit", "torch")
    chosen = TaggerSettings(
        epochs=settings.tagger_epochs, fine_tune=case.source.fine_tune, seed=seed
    )
    model = case.source.vectors(train, case.portion, seed)
    tagger = fit.fit_tagger(model, train, tagged.dev, chosen)
    return {part: tagger.test(sentences) for part, sentences in tagged.tests.items()}


def spread(scores: list[Scores], name: str) -> Spread:
    values = [getattr(one, name) for one in scores]
    deviation = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
    return Spread(float(np.mean(values)), deviation)


def portion_of(train: list[TaggedSentence], percent: int, seed: int) -> list[TaggedSentence]:
    """Sentences drawn by the seed; a smaller portion is part of a larger one."""
    order = np.random.default_rng(seed).permutation(len(train))
    kept = sorted(order[: max(1, round(len(train) * percent / 100))].tolist())
    return [train[place] for place in kept]


def random_sources(dim: int) -> list[Source]:
    """Every token of the training sentences has a vector of its own; others are unknown."""

    def draw(train: list[TaggedSentence], portion: int, seed: int) -> TokenVectors:
        words = sorted({token for sentence in train for token, _ in sentence})
        largest = np.sqrt(3 / dim)  # as NCRF++ does it
        table = np.random.default_rng(seed).uniform(-largest, largest, (len(words), dim))
        return WordVectors(words, table.astype(np.float32))

    frozen, tuned = RANDOM_ROWS
    return [Source(frozen, draw), Source(tuned, draw, fine_tune=True)]
