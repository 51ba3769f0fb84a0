"""Text files of the package → lists of phrases, words or table rows, by name.

A line at the margin names a list, indented lines are its entries, and # begins a comment line.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

FILES = resources.files(__package__)


@cache
def phrases() -> dict[str, list[str]]:
    """Return all lists in `phrases/`: one phrase per line."""
    files = [file for file in (FILES / "phrases").iterdir() if file.name.endswith(".txt")]
    texts = [file.read_text(encoding="utf-8") for file in files]
    return {name: lines for text in texts for name, lines in lists_of(text).items()}


@cache
def words(file: str) -> dict[str, list[str]]:
    """Return lists of words between commas; <NAME> stands for an earlier list."""
    lists: dict[str, list[str]] = {}
    for name, lines in lists_of(read(file)).items():
        parts = [part for line in lines for part in line.rstrip(",").split(", ")]
        lists[name] = [
            word for part in parts for word in (lists[part[1:-1]] if part[0] == "<" else [part])
        ]
    return lists


@cache
def tables(file: str) -> dict[str, list[list[str]]]:
    """Return lists of rows, whose cells are separated by blanks."""
    return {name: [line.split() for line in lines] for name, lines in lists_of(read(file)).items()}


def read(file: str) -> str:
    return (FILES / "lists" / f"{file}.txt").read_text(encoding="utf-8")


def lists_of(text: str) -> dict[str, list[str]]:
    """Return the entries of each list in the text of a file."""
    lists: dict[str, list[str]] = {}
    entries: list[str] = []
    for line in text.splitlines():
        if line.startswith(" "):
            entries.append(line.strip())
        elif line and not line.startswith("#"):
            entries = lists[line] = []
    return lists
