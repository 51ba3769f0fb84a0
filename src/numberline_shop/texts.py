"""Text files of the package → lists of phrases and words, by name.

A line at the margin names a list, indented lines are its entries, and # begins a comment line.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

FILES = resources.files(__package__)


@cache
def phrases() -> dict[str, list[str]]:
    """Return all lists in `phrases/`: one phrase per line."""
    texts = [file.read_text(encoding="utf-8") for file in (FILES / "phrases").iterdir()]
    return {name: entries for text in texts for name, entries in lists_of(text).items()}


@cache
def words(name: str) -> dict[str, list[str]]:
    """Return the lists of `words/NAME.txt`: words between commas, <LIST> for an earlier list."""
    lists = lists_of((FILES / "words" / f"{name}.txt").read_text(encoding="utf-8"))
    for entries in lists.values():
        parts = [part for line in entries for part in line.rstrip(",").split(", ")]
        entries[:] = [
            word for part in parts for word in (lists[part[1:-1]] if part[0] == "<" else [part])
        ]
    return lists


def lists_of(text: str) -> dict[str, list[str]]:
    lists: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith(" "):
            lists[next(reversed(lists))].append(line.strip())
        elif line and not line.startswith("#"):
            lists[line] = []
    return lists
