"""A trained model: tokens → vectors, neighbours, and answers about the numbers in a text."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from numberline.arrays import Array, Floats
from numberline.errors import NumberlineWarning, TokensError, VectorsError, describe
from numberline.gap_model import GapModel, GapScorer
from numberline.model.check import ODD_ABOVE, CheckedNumeral, check
from numberline.model.distribution import NumeralDistribution
from numberline.model.gaps import TextWithGap
from numberline.model.lookup import UNKNOWN, Lookup, Query, TokenIds
from numberline.model.neighbours import Neighbour, Neighbours, unit
from numberline.model.prediction import GAP_MODEL, RankedNumeral, predict, score_gaps
from numberline.model.scores import Candidates
from numberline.model.senses import NumeralSenses, SenseReader, senses
from numberline.model.token_vectors import TokenVectors
from numberline.numerals.base import SIDES, Side
from numberline.numerals.vectors import NumeralVectors
from numberline.reading.kinds import UNKNOWN_KIND
from numberline.reading.vocabulary import Vocabulary
from numberline.senses import SenseMixture
from numberline.settings import Settings
from numberline.training.sampling import keep_probabilities, numeral_probabilities


@dataclass(frozen=True, eq=False)
class Embeddings(TokenVectors):
    """Input and output vectors of words and of all numbers.

    model["187.3"] is the input vector of a token: a word of the vocabulary, a numeral in any
    format, or a number. `"187.3" in model` says whether the model knows it. Its length and
    iteration are those of its words.
    """

    vocabulary: Vocabulary
    word_input: Array  # [words, dim]
    word_output: Array  # [words, dim]
    numerals: NumeralVectors | None  # None: the corpus held no numerals
    settings: Settings
    training: Mapping[str, Any] = field(default_factory=dict)  # facts such as the seconds it took
    gap_model: GapModel | None = None  # None: not wanted, or the corpus held few numerals
    sense_mixture: SenseMixture | None = None  # None: no kinds, or the corpus held few numerals

    @property
    def words(self) -> list[str]:
        """The vocabulary, most frequent first."""
        return self.vocabulary.words

    def __len__(self) -> int:
        return len(self.words)

    def __iter__(self) -> Iterator[str]:
        """Yield the words; numerals, of which there are infinitely many, are left out."""
        return iter(self.words)

    def __repr__(self) -> str:
        numerals = self.settings.encoder if self.numerals else "no numerals"
        return f"<Embeddings of {len(self):,} words, {self.dim} dimensions, {numerals}>"

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields; pickles and copies compute indexes and other cached values anew."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

    def rows(self, tokens: TokenIds, side: Side = "input") -> Array:
        """Return one row per token; unknown ones get zeros."""
        rows = super().rows(tokens, side)
        if len(tokens.values):
            is_numeral = tokens.is_numeral
            assert self.numerals is not None, "without them, no token is read as a numeral"
            numerals = self.numerals.vectors(tokens.values, side, tokens.kinds)
            rows[is_numeral] = numerals[tokens.ids[is_numeral] - tokens.words]
        return rows

    def word_table(self, side: Side = "input") -> Array:
        return self.word_input if side == "input" else self.word_output

    def numeral_vectors(self, values: npt.ArrayLike, side: Side = "input") -> Array:
        """Return one row per number; each distinct number is composed once."""
        assert self.numerals is not None, "the corpus held no numerals"
        if values is self.vocabulary.numeral_values:
            return self._corpus_numerals[side]
        distinct, indices = np.unique(np.asarray(values, np.float64), return_inverse=True)
        rows: Array = self.numerals.vectors(distinct, side)[indices]
        return rows

    @cached_property
    def _corpus_numerals(self) -> dict[Side, Array]:
        """The vectors of the corpus' numerals, which every prediction needs."""
        assert self.numerals is not None
        values = self.vocabulary.numeral_values
        return {side: self.numerals.vectors(values, side) for side in SIDES}

    @cached_property
    def lookup(self) -> Lookup:
        has_numerals = self.numerals is not None
        kinds = self.numerals.kind_count if self.numerals is not None else 0
        return Lookup(self.words, self.vocabulary.word_ids, self.settings, has_numerals, kinds)

    @cached_property
    def keep_probabilities(self) -> npt.NDArray[np.float32]:
        """How likely training was to keep an occurrence of each word: [words]."""
        sample = self.settings.sample
        return keep_probabilities(self.vocabulary.word_counts, self.vocabulary.kept_tokens, sample)

    @cached_property
    def numeral_probabilities(self) -> Floats:
        """How likely training was to draw each number of the corpus as a negative; sums to 1."""
        numerals = self.vocabulary.numerals
        sums = np.zeros(len(self.vocabulary.numeral_values))
        np.add.at(sums, numerals.value_indices, numeral_probabilities(numerals.counts))
        return sums

    @cached_property
    def gap_scorer(self) -> GapScorer | None:
        """The gap model with the vectors it was trained on; what it needs is computed once."""
        if self.gap_model is None or self.numerals is None:
            return None
        return GapScorer(self.gap_model, self.word_input, self.numerals, self.vocabulary)

    @cached_property
    def sense_reader(self) -> SenseReader | None:
        """The mixture of senses with its vocabulary; what it needs is computed once."""
        if self.sense_mixture is None:
            return None
        return SenseReader(self.sense_mixture, self.words, self.vocabulary.word_counts)

    def in_context(self, tokens: TokenIds, bounds: npt.NDArray[np.int64]) -> TokenIds:
        """Return tokens of texts in which bare numerals have the kind of their likeliest sense.

        Text t has the tokens bounds[t] up to bounds[t + 1].
        """
        reader = self.sense_reader
        return tokens if reader is None else reader.in_context(tokens, bounds)

    @cached_property
    def corpus_candidates(self) -> Candidates:
        """The numerals of the corpus, to be scored; what scores need is computed once."""
        return Candidates.of_numerals(self, self.vocabulary.numeral_values)

    def similarity(self, first: Query | Array, second: Query | Array) -> float:
        """Return the cosine of two tokens or vectors."""
        return float(unit(self._vector_of(first)[1]) @ unit(self._vector_of(second)[1]))

    def distance(self, first: Query | Array, second: Query | Array) -> float:
        """Return 1 - similarity."""
        return 1 - self.similarity(first, second)

    def similar(
        self,
        token: Query | Array,
        count: int = 10,
        kind: str = "words",
        *,
        among: str = "line",
        min_count: int | None = None,
        sense: str | None = None,
    ) -> list[Neighbour]:
        """Return the words, numerals, or both, nearest to a token or vector by cosine.

        The token itself is left out, and so is what the corpus says little about: words that occur
        fewer than `min_count` times, and numbers with fewer numerals within 5 % of them. By default
        that is the count that tokens of 99 % of the text reach, or 20 if it is larger.

        There are infinitely many numbers: among="line" looks at those of the corpus and at round
        numbers between its smallest and largest, more closely around the best; among="corpus" at
        those of the corpus alone. `sense` is the kind that a number is meant to be of, such as
        "year"; numbers are then compared with it as numbers of that kind.
        """
        itself, vector = self._vector_of(token if sense is None else in_sense(token, sense))
        meant = UNKNOWN_KIND if itself is None else next(iter(itself.kinds.tolist()), UNKNOWN_KIND)
        neighbours = self._neighbours_in(meant)
        return neighbours.nearest(vector, count, kind, among, itself, min_count)

    def predict(
        self,
        context: TextWithGap,
        candidates: Iterable[Query] | None = None,
        score: str = GAP_MODEL,
    ) -> list[RankedNumeral] | NumeralDistribution:
        """Predict the number in a gap.

        `context` is a text with a gap ___, or two lists of tokens, to its left and right. With
        candidates, return them all with their lifts, the best first; without, a distribution over
        the number line. `score` may name one of the paper's scores instead of the gap model.
        """
        answer = predict(self, context, candidates, score)
        if score == GAP_MODEL:
            self._warn_without_gap_model()
        return answer

    def score_gaps(self, contexts: Iterable[TextWithGap], candidates: Iterable[Query]) -> Floats:
        """Return how many times likelier each candidate is in each gap than in general.

        The result is [contexts, candidates]; contexts are those of `predict`. Where no word around
        a gap is known, lifts are nan.
        """
        lifts = score_gaps(self, contexts, candidates)
        self._warn_without_gap_model()
        return lifts

    def check(self, text: str, odd_above: float = ODD_ABOVE) -> list[CheckedNumeral]:
        """Return how well each numeral of a text fits the words around it.

        A numeral is odd if the probability that it is wrong is above `odd_above`.
        """
        (checked,) = check(self, [text], odd_above)
        if checked:
            self._warn_without_gap_model()
        return checked

    def check_all(
        self, texts: Iterable[str], odd_above: float = ODD_ABOVE
    ) -> list[list[CheckedNumeral]]:
        """Return what `check` says of each text; many texts at once take far less time."""
        checked = check(self, texts, odd_above)
        if any(checked):
            self._warn_without_gap_model()
        return checked

    def _warn_without_gap_model(self) -> None:
        """Warn whoever called the method that calls this one."""
        if self.gap_model is None:
            message = (
                "the model has no gap model (its text held too few numerals, or gap_model=False): "
                "words around a number are read in any order, and probabilities are not calibrated"
            )
            warnings.warn(message, NumberlineWarning, stacklevel=3)

    def senses(self, text: str) -> list[NumeralSenses]:
        """Return, for each numeral of a text, the kinds it may be of with their probabilities.

        A number alone is a text as well: its kinds are those it has in all texts.
        """
        return senses(self, text)

    def _vector_of(self, query: Query | Array) -> tuple[TokenIds | None, Array]:
        """Return a token's id and input vector; a vector is returned as it is, without an id."""
        if not isinstance(query, np.ndarray):
            token = self.lookup.read_tokens([query])
            if token.ids[0] == UNKNOWN:
                self.lookup.refuse(query)
            return token, self.rows(token)[0]
        if query.shape != (self.dim,):
            raise VectorsError(
                f"a vector of shape {query.shape}, but vectors of the model have {self.dim} numbers"
            )
        if not np.isfinite(query).all():
            raise VectorsError("the vector holds numbers that are not finite")
        return None, query

    @cached_property
    def _neighbours(self) -> dict[int, Neighbours]:
        """Searches, by the kind that numerals are meant to be of."""
        return {}

    def _neighbours_in(self, kind: int) -> Neighbours:
        if kind not in self._neighbours:
            self._neighbours[kind] = Neighbours(
                self.words, self.word_input, self.vocabulary, self.numerals, kind
            )
        return self._neighbours[kind]

    def save(self, folder: str | Path, overwrite: bool = False, compact: bool = False) -> None:
        """Write the model folder, whole or not at all; `overwrite` replaces a model in it.

        Anything else than a model is never replaced. `compact` rounds the vectors of words to a
        byte per number: a quarter of the size, and similarities that differ in the third digit.
        """
        from numberline.model.folder import save

        save(self, Path(folder), overwrite, compact)

    def export(self, path: str | Path, format: str = "word2vec", **settings: Any) -> None:
        """Write words and chosen numerals for other tools; settings as in interchange.export."""
        from numberline.model.interchange import export

        export(self, path, format, **settings)


def in_sense(token: Query | Array, sense: str) -> Query:
    """Return a number with the kind it is meant to be of; refuse anything that is no number."""
    if isinstance(token, str | int | float | np.integer | np.floating):
        return token, sense
    raise TokensError(f"sense={sense!r} goes with a number, not with {describe(token)}")
