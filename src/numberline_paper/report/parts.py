"""The parts of a report, independent of the format it is written in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple


class ShownCell(NamedTuple):
    text: str
    published: str = ""
    marks: tuple[int, ...] = ()  # footnotes on what was published


@dataclass(frozen=True)
class ShownTable:
    title: str
    columns: list[str]
    rows: list[list[ShownCell]]
    notes: tuple[str, ...] = ()
    footnotes: tuple[str, ...] = ()  # the first one is number 1


@dataclass(frozen=True)
class Picture:
    path: Path
    caption: str


@dataclass(frozen=True)
class Section:
    title: str
    paragraphs: tuple[str, ...] = ()
    tables: tuple[ShownTable, ...] = ()
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True)
class Report:
    title: str
    sections: tuple[Section, ...]
