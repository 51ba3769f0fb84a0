"""`numberline export`: a model folder → a file that other tools read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import numberline
from numberline.errors import VectorsError
from numberline.fields import one_of
from numberline.model.interchange import FORMATS
from numberline.model.materialise import Numerals
from numberline.numerals.base import SIDES


def export(
    model: Annotated[
        Path, typer.Argument(help="Folder of the model.", metavar="MODEL", show_default=False)
    ],
    output: Annotated[
        Path,
        typer.Argument(
            help="File to write, compressed if it ends in .gz; a folder for npy.",
            metavar="OUT",
            show_default=False,
        ),
    ],
    format: Annotated[
        str,
        typer.Option(
            help="word2vec (binary), word2vec-text, glove (text without a header), or npy "
            "(vectors.npy, which can be mapped into memory, and words.json)."
        ),
    ] = FORMATS[0],
    numerals: Annotated[
        str | None,
        typer.Option(
            help="Numerals to write after the words: how many of the most frequent ones of the "
            "corpus, or a file with one per line.",
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
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace what is there.")] = False,
) -> None:
    """Write vectors for other tools: gensim, spaCy, fastText, NumPy.

    Such files know only the tokens that are in them: choose numerals with --numerals.
    """
    from numberline.model import interchange

    one_of(*FORMATS)("format", format)
    one_of(*SIDES)("side", side)
    loaded = numberline.load(model)
    written = interchange.export(
        loaded,
        output,
        format,
        numerals=None if numerals is None else wanted_numerals(numerals),
        side="input" if side == "input" else "output",
        overwrite=overwrite,
        skip_unwritable=skip_unwritable,
    )
    words = sum(word in loaded.vocabulary.word_ids for word in written.words)
    left_out = f" ({len(loaded) - words:,} left out)" if words < len(loaded) else ""
    print(
        f"{output}: {words:,} words{left_out}, {len(written) - words:,} numerals, "
        f"{written.dim} dimensions"
    )


def wanted_numerals(wanted: str) -> Numerals:
    """`1000` is a number, also where a file has that name; `./1000` is the file."""
    if wanted.isascii() and wanted.isdigit():
        return int(wanted)
    try:
        text = Path(wanted).read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no UTF-8 text"
        raise VectorsError(
            f"--numerals {wanted}: {reason}; give a number, or a file with a numeral per line"
        ) from error
    return [line.strip() for line in text.split("\n") if line.strip()]
