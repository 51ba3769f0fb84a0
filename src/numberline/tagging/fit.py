"""A model and labelled sentences → a tagger: epochs of SGD, of which the best on dev is kept."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from numberline.errors import SentencesError, TrainingError, setting_text
from numberline.integrations.with_torch import seeded_torch, torch
from numberline.model.token_vectors import TokenVectors
from numberline.tagging.batches import Ids, look_up
from numberline.tagging.network import TaggingNetwork
from numberline.tagging.scores import score
from numberline.tagging.sentences import OUTSIDE, TaggedSentence
from numberline.tagging.settings import TaggerSettings
from numberline.tagging.tagger import Tagger, best_labels
from numberline.tagging.vectors import rows_of

Progress = Callable[[str, float], None]  # the current step, and the fraction that is done

# As in the paper, which used NCRF++.
DECAY = 0.05  # the learning rate of epoch e is the first one divided by 1 + DECAY * e
BATCH_SENTENCES = 10
L2 = 1e-8  # weight decay
PATIENCE = 6  # epochs without a better F1 on dev after which training stops

DEFAULTS = TaggerSettings()


def fit_tagger(
    model: TokenVectors,
    train: Sequence[TaggedSentence],
    dev: Sequence[TaggedSentence] = (),
    settings: TaggerSettings = DEFAULTS,
    progress: Progress | None = None,
) -> Tagger:
    """Train a tagger; without dev sentences all epochs are run, and the last one is kept."""
    if not train:
        raise SentencesError("no sentences to train a tagger on")
    start = time.monotonic()
    with seeded_torch(settings.seed):
        training = TaggerTraining(model, train, dev, settings)
        facts = training.run(progress)
    facts |= {"sentences": len(train), "seconds": time.monotonic() - start}
    training.network.eval()
    return Tagger(training.rows.to_model(), training.labels, training.network, settings, facts)


class TaggerTraining:
    """The sentences, the network and the rows that are trained. Run it once."""

    def __init__(
        self,
        model: TokenVectors,
        train: Sequence[TaggedSentence],
        dev: Sequence[TaggedSentence],
        settings: TaggerSettings,
    ) -> None:
        self._settings = settings
        self.labels = sorted({label for sentence in train for _, label in sentence} | {OUTSIDE})
        self.rows = rows_of(model, settings.fine_tune)
        self.network = TaggingNetwork(self.rows.dim, len(self.labels), settings)
        parameters = [*self.network.parameters(), *self.rows.parameters()]
        self._optimizer = torch.optim.SGD(parameters, lr=settings.learning_rate, weight_decay=L2)
        self._rng = np.random.default_rng(settings.seed)
        label_ids = ids_of(train, self.labels)
        self._train = look_up(tokens_of(train), self.rows, model, label_ids)
        self._dev = look_up(tokens_of(dev), self.rows, model) if dev else None
        self._dev_labels = [[label for _, label in sentence] for sentence in dev]

    def run(self, progress: Progress | None) -> dict[str, Any]:
        """Train until dev gets no better; return the facts of the epoch that is kept."""
        facts: dict[str, Any] = {"epoch": 0, "dev_f1": -1.0}
        kept = None
        for epoch in range(self._settings.epochs):
            if progress is not None:
                progress("tagger", epoch / self._settings.epochs)
            loss = self._train_epoch(epoch)
            f1 = self.dev_f1()
            if f1 is None or f1 > facts["dev_f1"]:
                facts = {"epoch": epoch + 1, "loss": loss, "dev_f1": f1}
                kept = None if f1 is None else self._state()
            # No patience is used up while dev_f1 is 0: with few sentences training starts slowly.
            elif facts["dev_f1"] > 0 and epoch + 1 - facts["epoch"] >= PATIENCE:
                break
        if kept is not None:
            self.network.load_state_dict(kept[0])
            self.rows.load_state_dict(kept[1])
        return facts

    def dev_f1(self) -> float | None:
        if self._dev is None:
            return None
        label_ids = best_labels(self.network, self.rows, self._dev)
        predicted = [[self.labels[label] for label in sentence] for sentence in label_ids]
        return score(self._dev_labels, predicted).f1

    def _state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        return copy.deepcopy((self.network.state_dict(), self.rows.state_dict()))

    def _train_epoch(self, epoch: int) -> float:
        """Train one epoch; return the mean loss of a sentence."""
        rate = self._settings.learning_rate
        for group in self._optimizer.param_groups:
            group["lr"] = rate / (1 + DECAY * epoch)
        self.network.train()
        total = 0.0
        for batch in self._train.shuffled(BATCH_SENTENCES, self._rng):
            assert batch.labels is not None
            vectors = self.rows.rows(self._train.read, batch.tokens)
            scores = self.network.scores(vectors, self._train.is_unknown[batch.tokens], batch.mask)
            loss = self.network.loss(scores, batch.labels, batch.mask)
            self._optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            self._optimizer.step()
            total += float(loss.detach())
        if not np.isfinite(total):
            raise TrainingError(
                f"the tagger diverges: its loss is not a number; "
                f"{setting_text('learning_rate', rate)} is too high for these vectors"
            )
        return total / len(self._train.tokens)


def tokens_of(sentences: Sequence[TaggedSentence]) -> list[list[str]]:
    return [[token for token, _ in sentence] for sentence in sentences]


def ids_of(sentences: Sequence[TaggedSentence], labels: list[str]) -> list[Ids]:
    index = {label: number for number, label in enumerate(labels)}
    return [np.array([index[label] for _, label in one], np.int64) for one in sentences]
