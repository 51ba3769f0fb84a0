"""Tokens or texts → labels: a trained tagger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from numberline.errors import SentencesError
from numberline.integrations.with_torch import seeded_torch, torch
from numberline.model.embeddings import Embeddings
from numberline.model.token_vectors import TokenVectors
from numberline.reading.tokens import Token
from numberline.tagging.batches import Sentences, look_up
from numberline.tagging.network import TaggingNetwork
from numberline.tagging.scores import Scores, score
from numberline.tagging.sentences import OUTSIDE, TaggedSentence
from numberline.tagging.settings import TaggerSettings
from numberline.tagging.vectors import FrozenRows, TokenRows

SENTENCES_PER_BATCH = 200


@dataclass(frozen=True, eq=False)
class Tagger:
    model: TokenVectors
    labels: list[str]  # BIO, in the order of the network's outputs
    network: TaggingNetwork
    settings: TaggerSettings
    training: Mapping[str, Any] = field(default_factory=dict)  # epoch, loss, seconds, …

    def tag(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """Return a label for each token of each sentence."""
        rows = FrozenRows(self.model)
        looked_up = look_up([tokens for tokens in sentences if tokens], rows, self.model)
        label_ids = iter(best_labels(self.network, rows, looked_up))
        return [[self.labels[i] for i in next(label_ids)] if tokens else [] for tokens in sentences]

    def tokenize(self, text: str) -> list[Token]:
        """Split a text as the training text of the vectors was."""
        return self.model.lookup.tokens(text)

    def test(self, sentences: Sequence[TaggedSentence]) -> Scores:
        """Return the scores of the predicted labels against those of the sentences."""
        predicted = self.tag([[token for token, _ in sentence] for sentence in sentences])
        return score([[label for _, label in sentence] for sentence in sentences], predicted)

    def save(self, folder: str | Path, overwrite: bool = False) -> None:
        """Write the tagger's folder, with the model in it; `overwrite` replaces a tagger in it."""
        from numberline.tagging.folder import save_tagger

        if not isinstance(self.model, Embeddings):
            raise SentencesError("a tagger is saved with its model; this one has word vectors only")
        save_tagger(self, self.model, Path(folder), overwrite)


def best_labels(network: TaggingNetwork, rows: TokenRows, sentences: Sentences) -> list[list[int]]:
    """Return the likeliest labels of each sentence, as indices."""
    labels: list[list[int]] = [[] for _ in sentences.tokens]
    network.eval()
    with seeded_torch(), torch.no_grad():
        for batch in sentences.in_order(SENTENCES_PER_BATCH):
            vectors = rows.rows(sentences.read, batch.tokens)
            scores = network.scores(vectors, sentences.is_unknown[batch.tokens], batch.mask)
            paths = network.crf.best(scores, batch.mask)
            for sentence, path in zip(batch.sentences.tolist(), paths, strict=True):
                labels[sentence] = path
    return labels


def require_known_labels(
    sentences: Sequence[TaggedSentence], labels: Sequence[str], source: object
) -> None:
    """Refuse a label that the tagger has never seen: the mistake is in the file."""
    seen = {label[2:] for label in labels if label != OUTSIDE}
    needed = {label[2:] for sentence in sentences for _, label in sentence if label != OUTSIDE}
    if unknown := needed - seen:
        raise SentencesError(
            f"{source} has the label {min(unknown)!r:.40}, which the training sentences do not "
            f"have; known labels are {', '.join(sorted(seen)) or 'none'}"
        )
