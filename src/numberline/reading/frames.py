"""A data frame, a dataset or a list of dicts → the texts in some of its columns, each as a line.

Frames are told by what they offer (`columns`, as pandas and polars have, or `column_names`, as
datasets of Hugging Face and tables of pyarrow have), so that none of these packages is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from numberline.errors import CorpusError, describe
from numberline.reading.blocks import Stream
from numberline.reading.report import Report
from numberline.reading.text_fields import lines_of_records, require_column
from numberline.settings import ReadingSettings


class TableWithColumns(Protocol):
    """A data frame, a dataset, or whatever else has columns by name."""

    def __getitem__(self, name: Any, /) -> Any: ...


@dataclass(frozen=True)
class Records:
    """Dicts with equal keys, such as the rows of a table."""

    records: Iterable[Any]
    name: str = "<iterable>"
    size_bytes = None

    @property
    def rereadable(self) -> bool:
        return iter(self.records) is not self.records

    def open(self, settings: ReadingSettings, report: Report) -> Stream:
        lines = lines_of_records(self._records(), self.name, settings.text_field, report)
        return Stream(lines, self.name)

    def _records(self) -> Iterator[tuple[str, Mapping[Any, Any], bool]]:
        for number, record in enumerate(self.records):
            where = f"{self.name}, element {number}"
            if not isinstance(record, Mapping):
                raise CorpusError(f"{where}: {describe(record)} is no dict")
            yield where, record, False


@dataclass(frozen=True)
class Frame:
    """A table with named columns."""

    table: Any
    columns: Sequence[Any]
    size_bytes = None
    rereadable = True

    @property
    def name(self) -> str:
        return f"<{type(self.table).__name__}>"

    def open(self, settings: ReadingSettings, report: Report) -> Stream:
        fields = settings.text_field
        for field in fields or ():
            require_column(field, self.columns, self.name)
        rows = Rows(self.table, fields or self.columns)
        return Records(rows, self.name).open(settings, report)


@dataclass(frozen=True)
class Rows:
    """The rows of a table as dicts of the chosen columns."""

    table: Any
    columns: Sequence[Any]

    def __iter__(self) -> Iterator[dict[Any, Any]]:
        if hasattr(self.table, "select_columns"):  # a dataset, which would read its other columns
            yield from self.table.select_columns(list(self.columns))
            return
        values = zip(*(self.table[name] for name in self.columns), strict=True)
        for row in values:
            yield {name: plain(one) for name, one in zip(self.columns, row, strict=True)}


def plain(value: Any) -> Any:
    """Return a value as Python holds it; pyarrow wraps each."""
    return value.as_py() if hasattr(value, "as_py") else value


def columns_of(source: Any) -> list[Any] | None:
    """Return the names of a table's columns; None for anything that is no table."""
    if isinstance(source, Mapping | str) or not hasattr(source, "__getitem__"):
        return None
    for attribute in ("column_names", "columns"):
        names = getattr(source, attribute, None)
        if isinstance(names, Iterable) and not isinstance(names, Mapping | str):
            return list(names)
    return None
