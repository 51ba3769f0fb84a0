"""A trained model: vectors for words, and for every numeral there is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from numberline.arrays import Array
from numberline.errors import VectorsError
from numberline.model.arguments import one_of, several
from numberline.model.lookup import NUMERAL, UNKNOWN, Lookup, Query
from numberline.model.neighbours import Neighbour, Neighbours, unit
from numberline.model.token_vectors import UNKNOWN_CHOICES, TokenVectors
from numberline.numerals.base import SIDES, Side
from numberline.numerals.vectors import NumeralVectors
from numberline.reading.vocabulary import Vocabulary
from numberline.settings import Settings
from numberline.training.sampling import keep_probabilities, numeral_probabilities

if TYPE_CHECKING:
    from numberline.model.check import CheckedNumeral
    from numberline.model.context import Given
    from numberline.model.prediction import NumeralDistribution, RankedNumeral
    from numberline.model.scores import Candidates


@dataclass(frozen=True, eq=False)
class Embeddings(TokenVectors):
    """Vectors of words and numerals, on the input and on the output side.

    model["187.3"] is the input vector of a token: a word of the vocabulary, or any numeral in any
    format; numbers of Python will do. "187.3" in model tells whether there is one.
    """

    vocabulary: Vocabulary
    word_input: Array  # [words, dim]
    word_output: Array  # [words, dim]
    numerals: NumeralVectors | None  # None: the corpus held no numerals
    settings: Settings
    training: Mapping[str, Any] = field(default_factory=dict)  # how it went

    @property
    def words(self) -> list[str]:
        """The vocabulary, most frequent first."""
        return self.vocabulary.words

    @property
    def dim(self) -> int:
        """The length of the vectors."""
        return int(self.word_input.shape[1])

    def __len__(self) -> int:
        return len(self.words)

    def __repr__(self) -> str:
        numerals = self.settings.encoder if self.numerals else "no numerals"
        return f"<Embeddings of {len(self):,} words, {self.dim} dimensions, {numerals}>"

    def __getstate__(self) -> dict[str, Any]:
        """What a pickle and a copy hold: not what is derived, such as an index of words."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

    def vectors(
        self, tokens: Iterable[Query], side: Side = "input", unknown: str = "error"
    ) -> Array:
        """One row per token.

        An unknown word is a KeyError, or with unknown="zero" a row of zeros, with "mean" the mean
        of all words.
        """
        one_of("side", side, SIDES)
        one_of("unknown", unknown, UNKNOWN_CHOICES)
        asked = several("tokens", tokens)
        found = self.lookup.find(asked)
        is_unknown = found.ids == UNKNOWN
        if unknown == "error" and is_unknown.any():
            self.lookup.refuse(asked[int(np.argmax(is_unknown))])
        rows = self._word_rows(found.ids, side)
        if len(found.values):
            rows[found.ids == NUMERAL] = self.numeral_vectors(found.values, side)
        if unknown == "mean" and len(self) and is_unknown.any():
            rows[is_unknown] = self.word_table(side).mean(axis=0)
        return rows

    def _word_rows(self, ids: npt.NDArray[np.int64], side: Side) -> Array:
        """The rows of words; what is no word gets zeros."""
        rows = np.zeros((len(ids), self.dim), np.float32)
        if len(self):
            # All at once and straight into place, which takes half the time of words alone.
            np.take(self.word_table(side), ids, axis=0, out=rows, mode="clip")
            rows[ids < 0] = 0
        return rows

    def word_table(self, side: Side = "input") -> Array:
        return self.word_input if side == "input" else self.word_output

    def numeral_vectors(self, values: Array, side: Side = "input") -> Array:
        """One row per value; equal values are composed once."""
        assert self.numerals is not None, "the corpus held no numerals"
        if values is self.vocabulary.numeral_values:
            return self._corpus_numerals[side]
        distinct, places = np.unique(np.asarray(values, np.float64), return_inverse=True)
        rows: Array = self.numerals.vectors(distinct, side)[places]
        return rows

    @cached_property
    def _corpus_numerals(self) -> dict[Side, Array]:
        """Their vectors: predictions look at all of them again and again."""
        assert self.numerals is not None
        values = self.vocabulary.numeral_values
        return {side: self.numerals.vectors(values, side) for side in SIDES}

    @cached_property
    def lookup(self) -> Lookup:
        vocabulary = self.vocabulary
        has_numerals = self.numerals is not None
        return Lookup(vocabulary.words, vocabulary.word_ids, self.settings, has_numerals)

    @cached_property
    def keep_shares(self) -> Array:
        """How often each word was kept when frequent ones were thinned out for training."""
        sample = self.settings.sample
        return keep_probabilities(self.vocabulary.word_counts, self.vocabulary.kept_tokens, sample)

    @cached_property
    def numeral_probabilities(self) -> Array:
        """How often each numeral of the corpus was drawn as a negative; they sum to 1."""
        return numeral_probabilities(self.vocabulary.numeral_counts)

    @cached_property
    def corpus_candidates(self) -> Candidates:
        """The numerals of the corpus; their normalisers are computed when first asked for."""
        from numberline.model.scores import numerals

        return numerals(self, self.vocabulary.numeral_values)

    def similarity(self, first: Query | Array, second: Query | Array) -> float:
        """The cosine of two tokens or vectors."""
        return float(unit(self._query(first)) @ unit(self._query(second)))

    def distance(self, first: Query | Array, second: Query | Array) -> float:
        """1 - similarity."""
        return 1 - self.similarity(first, second)

    def similar(
        self,
        token: Query | Array,
        count: int = 10,
        kind: str = "words",
        *,
        among: str = "line",
        exact: bool = True,
    ) -> list[Neighbour]:
        """The nearest words, numerals or both, by cosine, without the token itself.

        Numerals are infinitely many: those of the corpus are looked at and round numbers between
        its smallest and largest, more closely around the best (among="line"), or those of the
        corpus alone (among="corpus"). exact=False looks words up in an approximate index, built at
        the first call (extra numberline[index]): for vocabularies of millions.
        """
        return self._neighbours.nearest(
            self._query(token),
            count,
            kind=kind,
            among=among,
            exact=exact,
            itself=None if isinstance(token, np.ndarray) else self.lookup.read(token),
        )

    def predict(
        self,
        context: Given,
        candidates: Iterable[Query] | None = None,
        score: str = "s0",
        weighting: str | None = None,
    ) -> list[RankedNumeral] | NumeralDistribution:
        """Which numeral fits the gap ___ in a text, or between tokens to the left and right.

        With candidates: all of them, the best first. Without: a distribution over the number line.
        Contexts weigh by distance and by the root of the share of their word that training keeps,
        or with weighting="training" by that share itself, which predicts less well.
        """
        from numberline.model.prediction import predict

        return predict(self, context, candidates, score, weighting)

    def check(self, text: str, odd_below: float | None = None) -> list[CheckedNumeral]:
        """How well each numeral of a text fits the words around it.

        Its lift says how many times likelier it is there than in general; below `odd_below`, by
        default 0.3, it is odd.
        """
        from numberline.model.check import check

        return check(self, text, odd_below)

    def _query(self, token: Query | Array) -> Array:
        if not isinstance(token, np.ndarray):
            return self.vector(token)
        if token.shape != (self.dim,):
            raise VectorsError(
                f"a vector of shape {token.shape}, but those of the model have {self.dim} numbers"
            )
        if not np.isfinite(token).all():
            raise VectorsError("a vector that holds numbers that are not finite")
        return token

    @cached_property
    def _neighbours(self) -> Neighbours:
        return Neighbours(self.words, self.word_input, self.vocabulary, self.numerals)

    def export(self, path: str | Path, format: str = "word2vec", **settings: Any) -> None:
        """Write words and chosen numerals for other tools; settings as in interchange.export."""
        from numberline.model.interchange import export

        export(self, path, format, **settings)

    def to_keyed_vectors(self, **settings: Any) -> Any:
        """gensim's KeyedVectors that know every numeral (extra numberline[gensim])."""
        return integration("gensim").to_keyed_vectors(self, **settings)

    def save_pretrained(self, folder: str | Path, **settings: Any) -> None:
        """Write the model folder with a model card, as the Hugging Face Hub shows it."""
        integration("hub").save_pretrained(self, folder, **settings)

    @classmethod
    def from_pretrained(cls, path_or_repo_id: str | Path, **settings: Any) -> Embeddings:
        """The model in a folder, or in a repository of the Hub (extra numberline[hub])."""
        model: Embeddings = integration("hub").from_pretrained(path_or_repo_id, **settings)
        return model

    def push_to_hub(self, repo_id: str, **settings: Any) -> str:
        """Upload the model and its card (extra numberline[hub]); gives the commit's address."""
        return str(integration("hub").push_to_hub(self, repo_id, **settings))

    def save(self, folder: str | Path) -> None:
        """Write the model folder, whole or not at all; one that is there is replaced."""
        from numberline.model.folder import save

        save(self, Path(folder))


def integration(name: str) -> Any:
    """A later stage, looked up only when it is called."""
    return import_module(f"numberline.integrations.{name}")
