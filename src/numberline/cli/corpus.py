"""`numberline tokenize`, `stats` and `encode`: texts → tokens, counts and ids."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import numberline
from numberline.cli.arguments import Corpus, Json, Overwrite, Quiet
from numberline.cli.flags import with_settings
from numberline.cli.process import Output, lines_of_standard_input, print_json, without_text
from numberline.cli.progress import reading_progress
from numberline.errors import visible
from numberline.fields import made_of
from numberline.reading import statistics
from numberline.reading.kinds import KINDS
from numberline.reading.numerals import plain_number
from numberline.settings import ReadingSettings, TextSettings


@with_settings(TextSettings)
def tokenize(
    settings: dict[str, Any],
    text: Annotated[
        list[str] | None,
        typer.Argument(help="A text; by default the lines of standard input.", metavar="TEXT"),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show how a text is read: its words, and the values of its numerals in brackets."""
    for line in [" ".join(text)] if text else lines_of_standard_input():
        tokens = numberline.tokenize(line, **settings)
        if as_json:
            print_json([described(token) for token in tokens])
        else:
            print(" ".join(shown(token) for token in tokens))


def described(token: numberline.Token) -> dict[str, Any]:
    """Return a token as JSON can hold it; a numeral has the name of its kind, a word has none."""
    return token._asdict() | {"kind": None if token.value is None else KINDS[token.kind]}


def shown(token: numberline.Token) -> str:
    """Return the text of a word, or the value of a numeral in brackets."""
    return visible(token.text) if token.value is None else f"[{plain_number(token.value)}]"


@with_settings(ReadingSettings)
def stats(
    corpus: Corpus, settings: dict[str, Any], as_json: Json = False, quiet: Quiet = False
) -> None:
    """Count the words and numerals of a corpus, and show the most frequent ones."""
    with reading_progress("counting", quiet) as progress:
        vocabulary = numberline.count(corpus, progress=progress, **settings)
    min_count = made_of(ReadingSettings, settings).min_count
    facts = statistics.corpus_facts(vocabulary, min_count)
    if as_json:
        print_json(facts, indent=2)
    else:
        Output().print(statistics.facts_table(facts))


@with_settings(ReadingSettings)
def encode(
    corpus: Corpus,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder to write.")],
    settings: dict[str, Any],
    overwrite: Overwrite = False,
    quiet: Quiet = False,
) -> None:
    """Encode a corpus as ids once, to train on it many times."""
    with reading_progress("encoding", quiet) as progress:
        encoded = numberline.encode(
            corpus, output, overwrite=overwrite, progress=progress, **settings
        )
    vocabulary = encoded.vocabulary
    print(
        f"{visible(output)}: {len(encoded.ids):,} tokens in {len(encoded):,} sentences, "
        f"{len(vocabulary.words):,} words, {len(vocabulary.numeral_values):,} distinct numerals"
        f"{without_text(vocabulary.totals.missing_texts)}"
    )
