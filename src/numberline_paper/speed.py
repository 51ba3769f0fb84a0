"""A text → how fast each encoder is trained on it, on the machine at hand (appendix C).

All encoders train on the same sentences for one epoch, with the training settings of a model and
their own defaults. They take turns, so that a noisy machine disturbs all alike, and the median of
the runs counts. Rates are those of training alone: the time to fit an encoder before it, which does
not grow with the epochs, has a column of its own.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from statistics import median
from typing import NamedTuple

import numberline as nl
from numberline.errors import EvaluationDataError, MissingExtraError
from numberline.evaluation import Cell, Progress, Table
from numberline.model import TokenVectors
from numberline.reading import Sentence, open_corpus, sentences_of
from numberline.settings import ReadingSettings, Settings, saved_settings
from numberline_paper.settings import SpeedSettings
from numberline_paper.trainers import ENCODERS, trainer_of
from numberline_shop import chat

PUBLISHED = "SOM 13,591, GMM 12,691, NumAsTok 22,908, D-LSTM 8,422, Fixed 13,055"
MOST_SENTENCES = 50_000  # from the start of the text
RUNS = 3  # trainings of each encoder, of which the median counts


class Run(NamedTuple):
    tokens: int
    sentences: int
    fit_seconds: float
    training_seconds: float


def evaluate(model: TokenVectors, settings: SpeedSettings, progress: Progress) -> list[Table]:
    progress("reading text", 0.0)
    trained = model.settings if isinstance(model, nl.Embeddings) else Settings()
    training = replace(trained, epochs=1, seed=settings.seed, threads=settings.threads)
    corpus = corpus_of(training, settings)
    names, notes_on_others = available_encoders()
    turns = [name for _ in range(RUNS) for name in names]
    runs: dict[str, list[Run]] = {name: [] for name in names}
    for turn, name in enumerate(turns):
        progress(f"training {name}", turn / len(turns))
        runs[name].append(timed_run(corpus, name, training))
    rows = [{"encoder": name, **speed_row(runs[name])} for name in names]
    notes = (*circumstances(corpus, training, settings), *notes_on_others)
    return [Table("Speed of training", rows, notes)]


def available_encoders() -> tuple[list[str], list[str]]:
    """Return the encoders that can be trained here, and a note on each of the others."""
    names, notes = [], []
    for name in ENCODERS:
        try:
            trainer_of(name)
            names.append(name)
        except MissingExtraError as error:
            notes.append(f"{name} is left out: {error}")
    return names, notes


def circumstances(
    corpus: nl.EncodedCorpus, training: Settings, settings: SpeedSettings
) -> list[str]:
    return [
        f"{machine()}; {settings.threads} threads.",
        f"{settings.text or 'Chat of the demo shop'}: {len(corpus):,} sentences, "
        f"{len(corpus.ids):,} tokens; {training.dim} dimensions, window {training.window}, "
        f"{training.negatives} negatives; median of {RUNS} runs.",
        f"The paper has, in sentences/s on a GPU: {PUBLISHED}.",
    ]


def corpus_of(training: Settings, settings: SpeedSettings) -> nl.EncodedCorpus:
    sentences = list(islice(text_of(settings), MOST_SENTENCES))
    read_as = saved_settings(training, ReadingSettings)
    corpus = nl.encode(sentences, threads=training.threads, **read_as)
    if not len(corpus.vocabulary.numeral_values):
        raise EvaluationDataError(f"the first {len(sentences):,} sentences hold no numeral")
    return corpus


def text_of(settings: SpeedSettings) -> Iterator[Sentence]:
    """Yield the sentences of the text, by default of the demo shop's chat."""
    if settings.text is None:
        return (message.text for message in chat(settings.seed))
    return sentences_of(open_corpus(settings.text))


def timed_run(corpus: nl.EncodedCorpus, encoder: str, training: Settings) -> Run:
    keywords = saved_settings(training) | {"encoder": encoder, "threads": training.threads}
    started = time.monotonic()
    model = trainer_of(encoder)(corpus, **keywords)
    spent = time.monotonic() - started
    seconds = float(model.training["seconds"])
    return Run(int(model.training["tokens"]), len(corpus), spent - seconds, seconds)


def speed_row(runs: list[Run]) -> dict[str, Cell]:
    sentences_per_second = median(run.sentences / run.training_seconds for run in runs)
    tokens_per_second = median(run.tokens / run.training_seconds for run in runs)
    return {
        "sentences/s": round(sentences_per_second),
        "tokens/s": round(tokens_per_second),
        "fit, s": median(run.fit_seconds for run in runs),
    }


def machine() -> str:
    """Return the name of the processor, its number of cores and the version of Python."""
    processor = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        processor = names[0].split(":")[1].strip() if names else processor
    return f"{processor}, {os.cpu_count()} cores, Python {platform.python_version()}"
