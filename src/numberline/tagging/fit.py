"""A model and labelled sentences → a tagger: epochs of SGD, the best one on dev is kept."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from numberline.errors import MissingExtraError, SentencesError, TrainingError
from numberline.model.token_vectors import TokenVectors
from numberline.tagging.scores import score
from numberline.tagging.sentences import OUTSIDE, TaggedSentence
from numberline.tagging.settings import TaggerSettings

try:
    import torch
except ImportError as error:
    raise MissingExtraError("torch", "torch") from error

from numberline.tagging.batches import Ids, Sentences, look_up
from numberline.tagging.network import TaggingNetwork
from numberline.tagging.tagger import Tagger, best_labels
from numberline.tagging.threads import one_thread
from numberline.tagging.vectors import TokenRows, rows_of

Progress = Callable[[str, float], None]  # what is being done, and the share of it that is

# As in the paper, which used NCRF++.
DECAY = 0.05  # the learning rate of epoch e is the first one divided by 1 + DECAY * e
BATCH_SENTENCES = 10
L2 = 1e-8  # weight decay
PATIENCE = 6  # epochs without a better F1 on dev after which training stops

DEFAULTS = TaggerSettings()


@dataclass(eq=False)
class Training:
    """What changes from epoch to epoch."""

    network: TaggingNetwork
    rows: TokenRows
    optimizer: torch.optim.Optimizer
    rng: np.random.Generator


def fit_tagger(
    model: TokenVectors,
    train: Sequence[TaggedSentence],
    dev: Sequence[TaggedSentence] = (),
    settings: TaggerSettings = DEFAULTS,
    progress: Progress | None = None,
) -> Tagger:
    """Without dev sentences all epochs are trained, and the last one counts."""
    if not train:
        raise SentencesError("no sentences to train a tagger on")
    start = time.monotonic()
    labels = sorted({label for sentence in train for _, label in sentence} | {OUTSIDE})
    with one_thread(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(settings.seed)
        training = start_training(model, len(labels), settings)
        sentences = look_up(tokens_of(train), training.rows, model, ids_of(train, labels))
        facts = run_epochs(
            training, sentences, Dev.of(dev, labels, model, training), settings, progress
        )
    facts |= {"sentences": len(train), "seconds": time.monotonic() - start}
    training.network.eval()
    return Tagger(training.rows.to_model(), labels, training.network, settings, facts)


def start_training(model: TokenVectors, labels: int, settings: TaggerSettings) -> Training:
    rows = rows_of(model, settings.fine_tune)
    network = TaggingNetwork(rows.dim, labels, settings)
    optimizer = torch.optim.SGD(
        [*network.parameters(), *rows.parameters()],
        lr=settings.learning_rate,
        weight_decay=L2,
    )
    return Training(network, rows, optimizer, np.random.default_rng(settings.seed))


@dataclass(frozen=True, eq=False)
class Dev:
    """Sentences that say which epoch is best."""

    sentences: Sentences
    right: list[list[str]]
    labels: list[str]

    @classmethod
    def of(
        cls,
        dev: Sequence[TaggedSentence],
        labels: list[str],
        model: TokenVectors,
        training: Training,
    ) -> Dev | None:
        if not dev:
            return None
        right = [[label for _, label in sentence] for sentence in dev]
        return cls(look_up(tokens_of(dev), training.rows, model), right, labels)

    def f1(self, training: Training) -> float:
        found = best_labels(training.network, training.rows, self.sentences)
        named = [[self.labels[label] for label in sentence] for sentence in found]
        return score(self.right, named).f1


def run_epochs(
    training: Training,
    sentences: Sentences,
    dev: Dev | None,
    settings: TaggerSettings,
    progress: Progress | None,
) -> dict[str, Any]:
    """Train until dev gets no better; gives the facts of the epoch that is kept."""
    epochs, patience = settings.epochs, PATIENCE
    facts: dict[str, Any] = {"epoch": 0, "dev_f1": -1.0}
    kept = None
    for epoch in range(epochs):
        if progress is not None:
            progress("tagger", epoch / epochs)
        loss = train_epoch(training, sentences, epoch, settings)
        f1 = dev.f1(training) if dev is not None else None
        if f1 is None or f1 > facts["dev_f1"]:
            facts = {"epoch": epoch + 1, "loss": loss, "dev_f1": f1}
            kept = None if f1 is None else state(training)
        # Nothing right yet is no sign that nothing will be: few sentences make a slow start.
        elif facts["dev_f1"] > 0 and epoch + 1 - facts["epoch"] >= patience:
            break
    if kept is not None:
        training.network.load_state_dict(kept[0])
        training.rows.load_state_dict(kept[1])
    return facts


def state(training: Training) -> tuple[dict[str, Any], dict[str, Any]]:
    return copy.deepcopy((training.network.state_dict(), training.rows.state_dict()))


def train_epoch(
    training: Training, sentences: Sentences, epoch: int, settings: TaggerSettings
) -> float:
    """One pass; gives the mean loss of a sentence."""
    network = training.network
    for group in training.optimizer.param_groups:
        group["lr"] = settings.learning_rate / (1 + DECAY * epoch)
    network.train()
    total = 0.0
    for batch in sentences.shuffled(BATCH_SENTENCES, training.rng):
        assert batch.labels is not None
        vectors = training.rows.rows(sentences.read, batch.places)
        scores = network.scores(vectors, sentences.is_unknown[batch.places], batch.mask)
        loss = network.loss(scores, batch.labels, batch.mask)
        training.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        training.optimizer.step()
        total += float(loss.detach())
    if not np.isfinite(total):
        raise TrainingError(
            f"the tagger's loss is no number; learning_rate={settings.learning_rate} "
            "is too high for these vectors"
        )
    return total / len(sentences.places)


def tokens_of(sentences: Sequence[TaggedSentence]) -> list[list[str]]:
    return [[token for token, _ in sentence] for sentence in sentences]


def ids_of(sentences: Sequence[TaggedSentence], labels: list[str]) -> list[Ids]:
    number = {label: place for place, label in enumerate(labels)}
    return [np.array([number[label] for _, label in one], np.int64) for one in sentences]
