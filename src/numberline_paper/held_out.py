"""A corpus → an encoded one to train on, and a text file of the lines that are held out.

A line is held out if a hash of it and of the seed says so: the same lines in every run, and of a
line that occurs twice both.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO

import numberline
from numberline.errors import OutputError
from numberline.evaluation.task import Progress
from numberline.files.whole_file import replace_file
from numberline.reading.blocks import Block
from numberline.reading.corpus import Corpus, CorpusSource, open_corpus
from numberline.reading.encoded import EncodedCorpus, is_encoded
from numberline.reading.lines import lines_of
from numberline.settings import ReadingSettings
from numberline_paper.settings import ReproductionSettings

HELD_OUT_SHARE = 0.02
ENCODED, HELD_OUT, SOURCE = "encoded", "held-out.txt", "source.json"


def prepare_text(
    corpus: CorpusSource, folder: Path, settings: ReproductionSettings, progress: Progress
) -> EncodedCorpus:
    """What models are trained on. It is made once: a folder that is complete is only read."""
    opened = open_corpus(corpus, ReadingSettings(text_field=settings.text_field))
    source = {"bytes": opened.size_bytes, "text_field": settings.text_field}
    if is_complete(folder):
        require_same_source(folder, source)
        return numberline.load_encoded(folder / ENCODED)
    with replace_file(folder / HELD_OUT, overwrite=True) as held_out:
        lines = training_lines(opened, held_out, settings, progress)
        encoded = numberline.encode(
            lines, folder / ENCODED, overwrite=True, threads=settings.threads
        )
    with replace_file(folder / SOURCE, overwrite=True) as file:
        file.write(json.dumps(source).encode())
    return encoded


def is_complete(folder: Path) -> bool:
    return is_encoded(folder / ENCODED) and all((folder / n).is_file() for n in (HELD_OUT, SOURCE))


def require_same_source(folder: Path, source: dict[str, Any]) -> None:
    known = json.loads((folder / SOURCE).read_text(encoding="utf-8"))
    if known != source:
        raise OutputError(
            f"{folder} was made from a corpus of {known['bytes']} bytes, this one has "
            f"{source['bytes']}, or is read in another way; choose another folder to write to"
        )


def training_lines(
    corpus: Corpus, held_out: BinaryIO, settings: ReproductionSettings, progress: Progress
) -> Iterator[str]:
    """Lines to train on, until they hold as many tokens as wanted; the others are written."""
    left = settings.budget or float("inf")
    key = settings.seed.to_bytes(8, "little")
    for line in lines_of(reported(corpus, progress)):
        if is_held_out(line, key):
            held_out.write(line + b"\n")
            continue
        yield line.decode("utf-8", "replace")
        left -= line.count(b" ") + 1
        if left <= 0:
            return


def reported(corpus: Corpus, progress: Progress) -> Iterator[Block]:
    for block in corpus.blocks():
        progress("reading", corpus.bytes_read / corpus.size_bytes if corpus.size_bytes else 0.0)
        yield block


def is_held_out(line: bytes, key: bytes) -> bool:
    digest = blake2b(line, digest_size=8, key=key).digest()
    return int.from_bytes(digest, "little") < HELD_OUT_SHARE * 2**64
