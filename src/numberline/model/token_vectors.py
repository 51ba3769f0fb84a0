"""What everything with a vector per token can be asked."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

from numberline.arrays import Array
from numberline.errors import TokensError
from numberline.model.lookup import UNKNOWN, Lookup, Query
from numberline.numerals.base import Side

UNKNOWN_CHOICES = ("error", "zero", "mean")


class TokenVectors(ABC):
    """A child says how tokens are looked up, and gives rows."""

    @property
    @abstractmethod
    def lookup(self) -> Lookup: ...

    @abstractmethod
    def vectors(
        self, tokens: Iterable[Query], side: Side = "input", unknown: str = "error"
    ) -> Array:
        """One row per token."""

    def spelled(self, token: Query) -> Query:
        """A token as it is looked up."""
        return token

    def __contains__(self, token: object) -> bool:
        try:
            return self.lookup.read(self.spelled(token))[0] != UNKNOWN  # type: ignore[arg-type]
        except TokensError:
            return False

    def __getitem__(self, token: Query) -> Array:
        return self.vector(token)

    def vector(self, token: Query, side: Side = "input", unknown: str = "error") -> Array:
        """The vector of one token."""
        row: Array = self.vectors([token], side, unknown)[0]
        return row
