"""Tokens or texts → labels: a trained tagger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from numberline.errors import MissingExtraError, SentencesError
from numberline.model.embeddings import Embeddings
from numberline.model.token_vectors import TokenVectors
from numberline.reading.tokens import Token
from numberline.tagging.scores import Scores, score
from numberline.tagging.sentences import OUTSIDE, TaggedSentence
from numberline.tagging.settings import TaggerSettings

try:
    import torch
except ImportError as error:
    raise MissingExtraError("torch", "torch") from error

from numberline.tagging.batches import Sentences, look_up
from numberline.tagging.network import TaggingNetwork
from numberline.tagging.threads import one_thread
from numberline.tagging.vectors import FrozenRows, TokenRows

SENTENCES_AT_A_TIME = 200


@dataclass(frozen=True, eq=False)
class Tagger:
    model: TokenVectors
    labels: list[str]  # BIO, in the order of the network's outputs
    network: TaggingNetwork
    settings: TaggerSettings
    training: Mapping[str, Any] = field(default_factory=dict)  # how it went

    def tag(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """A label for each token of each sentence."""
        rows = FrozenRows(self.model)
        asked = [place for place, sentence in enumerate(sentences) if len(sentence)]
        looked_up = look_up([sentences[place] for place in asked], rows, self.model)
        found: list[list[str]] = [[] for _ in sentences]
        for place, labels in zip(asked, best_labels(self.network, rows, looked_up), strict=True):
            found[place] = [self.labels[label] for label in labels]
        return found

    def tokenize(self, text: str) -> list[Token]:
        """As the text was read that the vectors were learnt from."""
        return self.model.lookup.tokens(text)

    def test(self, sentences: Sequence[TaggedSentence]) -> Scores:
        """How well it labels sentences whose labels are known."""
        found = self.tag([[token for token, _ in sentence] for sentence in sentences])
        return score([[label for _, label in sentence] for sentence in sentences], found)

    def require_known_labels(self, sentences: Sequence[TaggedSentence], source: object) -> None:
        require_known(sentences, self.labels, source)

    def save(self, folder: str | Path) -> None:
        """Write the tagger's folder, with the model in it, whole or not at all."""
        from numberline.tagging.folder import save

        if not isinstance(self.model, Embeddings):
            raise SentencesError("a tagger is saved with its model; this one has word vectors only")
        save(self, self.model, Path(folder))


def best_labels(network: TaggingNetwork, rows: TokenRows, sentences: Sentences) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in sentences.places]
    network.eval()
    with one_thread(), torch.no_grad():
        for batch in sentences.in_order(SENTENCES_AT_A_TIME):
            vectors = rows.rows(sentences.read, batch.places)
            scores = network.scores(vectors, sentences.is_unknown[batch.places], batch.mask)
            paths = network.crf.best(scores, batch.mask)
            for sentence, path in zip(batch.sentences.tolist(), paths, strict=True):
                found[sentence] = path
    return found


def require_known(
    sentences: Sequence[TaggedSentence], labels: Sequence[str], source: object
) -> None:
    """A label that the tagger never saw is a mistake in a file, and not one of the tagger."""
    known = {label[2:] for label in labels if label != OUTSIDE}
    asked = {label[2:] for sentence in sentences for _, label in sentence if label != OUTSIDE}
    if asked - known:
        raise SentencesError(
            f"{source} has the label {min(asked - known)!r:.40}, which the training sentences have "
            f"not; known are {', '.join(sorted(known)) or 'none'}"
        )
