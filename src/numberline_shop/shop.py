"""A seed → files: the chat of an apparel shop as a corpus, and a tagged part of it."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from numberline.tagging.sentences import to_conll
from numberline_shop.conversation import chat
from numberline_shop.settings import ShopSettings
from numberline_shop.tagged import tagged_sets

__all__ = ["chat", "write_corpus", "write_tagged"]

DEFAULTS = ShopSettings()


def write_corpus(
    path: str | Path, sentences: int = DEFAULTS.sentences, seed: int = DEFAULTS.seed
) -> None:
    """Write that many messages as UTF-8 text, one per line."""
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.writelines(message.text + "\n" for message in islice(chat(seed), sentences))


def write_tagged(folder: str | Path, seed: int = DEFAULTS.seed) -> dict[str, int]:
    """Write the tagged sets as ``<name>.tsv``; gives the number of sentences of each.

    One token and its label (``O``, ``B-height``, ``I-height``, …) per line, separated by a tab;
    an empty line after each sentence.
    """
    Path(folder).mkdir(parents=True, exist_ok=True)
    sets = tagged_sets(seed)
    for name, sentences in sets.items():
        path = Path(folder) / f"{name}.tsv"
        path.write_text("".join(map(to_conll, sentences)), encoding="utf-8", newline="\n")
    return {name: len(sentences) for name, sentences in sets.items()}
