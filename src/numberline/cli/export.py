"""`numberline export`: a model folder → a file that other tools read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import numberline
from numberline.cli.arguments import Model, Overwrite
from numberline.errors import VectorsError, visible
from numberline.fields import one_of
from numberline.files.regular import read_text, reason_of
from numberline.model.interchange import WRITTEN_FORMATS
from numberline.model.materialise import Numerals
from numberline.numerals.base import SIDES


def export(
    model: Model,
    output: Annotated[
        Path,
        typer.Argument(
            help="File to write, compressed if it ends in .gz; a folder for npy and model2vec.",
            metavar="OUT",
            show_default=False,
        ),
    ],
    format: Annotated[
        str,
        typer.Option(
            help="Format: word2vec (binary), word2vec-text, glove (text without a header), npy "
            "(vectors.npy, which can be mapped into memory, and words.json), or model2vec (which "
            "sentence-transformers reads, too)."
        ),
    ] = WRITTEN_FORMATS[0],
    numerals: Annotated[
        str | None,
        typer.Option(
            help="Numerals to write after the words: the N most frequent ones of the corpus, or "
            "those in a file with one per line.",
            metavar="N|FILE",
        ),
    ] = None,
    side: Annotated[str, typer.Option(help=f"Which vectors: {' or '.join(SIDES)}.")] = SIDES[0],
    skip_unwritable: Annotated[
        bool,
        typer.Option(
            "--skip-unwritable",
            help="Leave out words with blanks or control characters, which only npy can hold.",
        ),
    ] = False,
    overwrite: Overwrite = False,
) -> None:
    """Write vectors for other tools: gensim, spaCy, fastText, NumPy, model2vec.

    Such a file has vectors for the tokens in it only; choose its numerals with --numerals.
    """
    from numberline.model import interchange

    one_of(*WRITTEN_FORMATS)("format", format)
    one_of(*SIDES)("side", side)
    loaded = numberline.load(model)
    written = interchange.export(
        loaded,
        output,
        format,
        numerals=None if numerals is None else chosen_numerals(numerals),
        side="input" if side == "input" else "output",
        overwrite=overwrite,
        skip_unwritable=skip_unwritable,
    )
    words = sum(word in loaded.vocabulary.word_ids for word in written.words)
    left_out = f" ({len(loaded) - words:,} left out)" if words < len(loaded) else ""
    print(
        f"{visible(output)}: {words:,} words{left_out}, {len(written) - words:,} numerals, "
        f"{written.dim} dimensions"
    )


def chosen_numerals(text: str) -> Numerals:
    """Return a count, or the lines of a file; `1000` is a count, `./1000` a file."""
    if text.isascii() and text.isdigit():
        return int(text)
    try:
        lines = read_text(Path(text)).split("\n")
    except (OSError, ValueError) as error:
        reason = reason_of(error)
        raise VectorsError(
            f"--numerals {text}: {reason}; give a number, or a file with a numeral per line"
        ) from error
    return [line.strip() for line in lines if line.strip()]
