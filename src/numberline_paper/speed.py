"""A text → how fast each encoder is trained on it, on the machine at hand (appendix C).

All encoders train on the same sentences, for one epoch, with the training settings of the given
model and their own defaults. They take turns, so that a noisy machine disturbs all alike, and the
median of the runs counts. Rates are those of training alone: the time to fit an encoder before it,
which does not grow with the epochs, has a column of its own.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from numberline import api as pipeline
from numberline.errors import EvaluationDataError, MissingExtraError
from numberline.evaluation.result import Cell, Table
from numberline.evaluation.settings import EvaluationSettings
from numberline.evaluation.task import Progress
from numberline.model.embeddings import Embeddings
from numberline.model.token_vectors import TokenVectors
from numberline.reading.corpus import open_corpus
from numberline.reading.encoded import EncodedCorpus
from numberline.reading.lines import Sentence, sentences_of
from numberline.settings import ReadingSettings, Settings, saved_settings
from numberline_paper.machine import machine
from numberline_paper.trainers import trained_encoders, trainer_of
from numberline_shop.shop import chat

PUBLISHED = "SOM 13,591, GMM 12,691, NumAsTok 22,908, D-LSTM 8,422, Fixed 13,055"
FIRST_SENTENCES = 50_000  # of the text
RUNS = 3  # trainings of each encoder, of which the median counts


class Run(NamedTuple):
    tokens: int
    sentences: int
    fit_seconds: float
    seconds: float  # of training, after the fit


def evaluate(model: TokenVectors, settings: EvaluationSettings, progress: Progress) -> list[Table]:
    progress("reading text", 0.0)
    trained = model.settings if isinstance(model, Embeddings) else Settings()
    trained = replace(trained, epochs=1, seed=settings.seed, threads=settings.threads)
    corpus = corpus_of(trained, settings)
    names, lacking = available_encoders()
    turns = [name for _ in range(RUNS) for name in names]
    runs: dict[str, list[Run]] = {name: [] for name in names}
    for at, name in enumerate(turns):
        progress(f"training {name}", at / len(turns))
        runs[name].append(timed_run(corpus, name, trained))
    rows = [{"encoder": name, **speed_row(runs[name])} for name in names]
    notes = (*circumstances(corpus, trained, settings), *lacking)
    return [Table("Speed of training", rows, notes)]


def available_encoders() -> tuple[list[str], list[str]]:
    """Return names of encoders that can be trained here, and a note on each other one."""
    names, lacking = [], []
    for name in trained_encoders():
        try:
            trainer_of(name)
            names.append(name)
        except MissingExtraError as error:
            lacking.append(f"{name} is left out: {error}")
    return names, lacking


def circumstances(
    corpus: EncodedCorpus, training: Settings, settings: EvaluationSettings
) -> list[str]:
    return [
        f"{machine()}; {settings.threads} threads.",
        f"{settings.text or 'Chat of the demo shop'}: {len(corpus):,} sentences, "
        f"{len(corpus.ids):,} tokens; {training.dim} dimensions, window {training.window}, "
        f"{training.negatives} negatives; median of {RUNS} runs.",
        f"The paper has, in sentences/s on a GPU: {PUBLISHED}.",
    ]


def corpus_of(training: Settings, settings: EvaluationSettings) -> EncodedCorpus:
    sentences = list(islice(first_sentences(settings), FIRST_SENTENCES))
    read_as = saved_settings(training, ReadingSettings)
    corpus = pipeline.encode(sentences, threads=training.threads, **read_as)
    if not len(corpus.vocabulary.numeral_values):
        raise EvaluationDataError(f"the first {len(sentences):,} sentences hold no numeral")
    return corpus


def first_sentences(settings: EvaluationSettings) -> Iterator[Sentence]:
    if settings.text is None:
        return (message.text for message in chat(settings.seed))
    return sentences_of(open_corpus(settings.text))


def timed_run(corpus: EncodedCorpus, encoder: str, training: Settings) -> Run:
    given = saved_settings(training) | {"encoder": encoder}
    started = time.monotonic()
    train = trainer_of(encoder)
    model = train(corpus, threads=training.threads, **given)
    spent = time.monotonic() - started
    seconds = float(model.training["seconds"])
    return Run(int(model.training["tokens"]), len(corpus), spent - seconds, seconds)


def speed_row(runs: list[Run]) -> dict[str, Cell]:
    return {
        "sentences/s": round(statistics.median(run.sentences / run.seconds for run in runs)),
        "tokens/s": round(statistics.median(run.tokens / run.seconds for run in runs)),
        "fit, s": statistics.median(run.fit_seconds for run in runs),
    }
