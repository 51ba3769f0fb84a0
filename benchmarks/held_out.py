"""A corpus → lines to train on, and lines that are held out.

    python benchmarks/held_out.py CORPUS FOLDER

writes train.txt (90 % of the lines), held-out.txt and unseen.txt (5 % each). A hash of the line
says where it goes, so that a line that occurs twice is on one side only.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from hashlib import blake2b
from itertools import islice
from pathlib import Path

from numberline.reading import open_corpus, sentences_of


def split_corpus(path: Path, tokens: int, held_out: int) -> tuple[list[str], list[str]]:
    """Return lines with that many tokens, and later lines that hold a digit."""
    lines = lines_of(path)
    training = list(first_lines(lines, tokens))
    return training, list(islice((line for line in lines if any(map(str.isdigit, line))), held_out))


def first_lines(lines: Iterator[str], tokens: int) -> Iterator[str]:
    """Yield lines until they hold that many tokens, split at blanks."""
    while tokens > 0 and (line := next(lines, None)) is not None:
        yield line
        tokens -= line.count(" ") + 1


def lines_of(path: Path) -> Iterator[str]:
    for line in sentences_of(open_corpus(path)):
        assert isinstance(line, str), "a text, not lists of tokens"
        yield line


PARTS = ("held-out", "unseen", *["train"] * 18)  # by the hash of a line


def part_of(line: str) -> str:
    digest = blake2b(line.encode(), digest_size=4).digest()
    return PARTS[int.from_bytes(digest, "little") % len(PARTS)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    files = {name: (arguments.folder / f"{name}.txt").open("w") for name in set(PARTS)}
    for line in lines_of(arguments.corpus):
        files[part_of(line)].write(line + "\n")
    for file in files.values():
        file.close()


if __name__ == "__main__":
    main()
