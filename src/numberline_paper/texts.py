"""A corpus and headlines → encoded texts to train on, made once, and a file of held-out lines.

A line is held out if a hash of it and of the seed says so: the same lines in every run, and both
copies of a line that occurs twice.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO

import numberline as nl
from numberline.errors import OutputError
from numberline.evaluation import Progress
from numberline.files import replace_file
from numberline.reading import Corpus, CorpusSource, is_encoded, open_corpus, sentences_of
from numberline.settings import ReadingSettings
from numberline_paper.grid import HEADLINES, WIKIPEDIA, short_count, usual_settings
from numberline_paper.headlines.titles import training_titles
from numberline_paper.settings import ReproductionSettings

HELD_OUT_FRACTION = 0.02
LEAST_HELD_OUT_LINES = 15_000  # even with a small budget: prediction needs 1,400 numerals
LINES_PER_REPORT = 1000
ENCODED, HELD_OUT, SOURCE = "encoded", "held-out.txt", "source.json"

# Texts that come with evaluation sets: the folder of the sets → the lines to train on.
LINES: dict[str, Callable[[Path], Iterable[str]]] = {
    HEADLINES: lambda data: training_titles(data / HEADLINES),
}


class Texts:
    """All texts of a reproduction, below one folder."""

    def __init__(
        self,
        corpus: CorpusSource,
        data: Path,
        folder: Path,
        settings: ReproductionSettings,
        progress: Progress,
    ) -> None:
        self._corpus = corpus
        self._data = data
        self._folder = folder
        self._settings = settings
        self._progress = progress
        self._encoded: dict[str, nl.EncodedCorpus] = {}

    def encoded(self, name: str) -> nl.EncodedCorpus:
        """Return the encoded text of that name; it is made when it is first needed."""
        if name not in self._encoded:
            make = self._wikipedia if name == WIKIPEDIA else self._small_text
            self._encoded[name] = make(name)
        return self._encoded[name]

    @property
    def held_out(self) -> Path:
        """Return the file of lines that no model is trained on."""
        self.encoded(WIKIPEDIA)
        return self._wikipedia_folder / HELD_OUT

    @property
    def _wikipedia_folder(self) -> Path:
        budget, seed = self._settings.budget, self._settings.seed
        parts = [WIKIPEDIA, *([short_count(budget)] if budget else [])]
        return self._folder / "-".join([*parts, *([f"seed{seed}"] if seed != 1 else [])])

    def _wikipedia(self, name: str) -> nl.EncodedCorpus:
        return split_text(self._corpus, self._wikipedia_folder, self._settings, self._progress)

    def _small_text(self, name: str) -> nl.EncodedCorpus:
        folder = self._folder / name
        if is_encoded(folder):
            return nl.load_encoded(folder)
        words = usual_settings(name)["max_vocabulary"]
        return nl.encode(LINES[name](self._data), folder, max_vocabulary=words)


def split_text(
    corpus: CorpusSource, folder: Path, settings: ReproductionSettings, progress: Progress
) -> nl.EncodedCorpus:
    """Encode the lines to train on and write the others; read a folder that is complete."""
    fields = (settings.text_field,) if settings.text_field else None
    opened = open_corpus(corpus, ReadingSettings(text_field=fields))
    source = {"bytes": opened.size_bytes, "text_field": settings.text_field}
    if is_complete(folder):
        require_same_source(folder, source)
        return nl.load_encoded(folder / ENCODED)
    with replace_file(folder / HELD_OUT, overwrite=True) as held_out:
        encoded = nl.encode(
            training_lines(opened, held_out, settings, progress),
            folder / ENCODED,
            overwrite=True,
            threads=settings.threads,
            max_vocabulary=usual_settings(WIKIPEDIA)["max_vocabulary"],
        )
    with replace_file(folder / SOURCE, overwrite=True) as file:
        file.write(json.dumps(source).encode())
    return encoded


def is_complete(folder: Path) -> bool:
    return is_encoded(folder / ENCODED) and all((folder / n).is_file() for n in (HELD_OUT, SOURCE))


def require_same_source(folder: Path, source: dict[str, Any]) -> None:
    before = json.loads((folder / SOURCE).read_text(encoding="utf-8"))
    if before != source:
        raise OutputError(
            f"{folder} was made from a corpus of {before['bytes']} bytes, this one has "
            f"{source['bytes']}, or is read in another way; choose another folder to write to"
        )


def training_lines(
    corpus: Corpus, held_out: BinaryIO, settings: ReproductionSettings, progress: Progress
) -> Iterator[str]:
    """Yield lines to train on, up to the budget of tokens; write those that are held out."""
    tokens_left = settings.budget or float("inf")
    held_out_lines = 0
    key = settings.seed.to_bytes(8, "little")
    for number, sentence in enumerate(sentences_of(corpus)):
        if number % LINES_PER_REPORT == 0:
            progress("reading", corpus.bytes_read / corpus.size_bytes if corpus.size_bytes else 0.0)
        line = sentence if isinstance(sentence, str) else " ".join(sentence)
        if is_held_out(line, key):
            held_out.write(line.encode() + b"\n")
            held_out_lines += 1
        elif tokens_left > 0:
            yield line
            tokens_left -= line.count(" ") + 1
        elif held_out_lines >= LEAST_HELD_OUT_LINES:
            return


def is_held_out(line: str, key: bytes) -> bool:
    digest = blake2b(line.encode(), digest_size=8, key=key).digest()
    return int.from_bytes(digest, "little") < HELD_OUT_FRACTION * 2**64
