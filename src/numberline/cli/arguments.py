"""Arguments that several commands share, and texts on the command line that begin with -."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from numberline.errors import settings_typed_as

_OPTION = re.compile(r"--?[a-z][\w-]*(=.*)?", re.IGNORECASE | re.ASCII | re.DOTALL)
_STAND_IN = "\u2212"  # a minus sign, which does not begin an option

Corpus = Annotated[
    list[Path],
    typer.Argument(
        help="Files or folders (text, csv, json, parquet, arrow; gz, bz2, xz, zst); - is stdin.",
        metavar="CORPUS",
        show_default=False,
    ),
]
Model = Annotated[
    Path,
    typer.Argument(
        help="Folder of the model, or the name of an installed one: see numberline models.",
        metavar="MODEL",
        show_default=False,
    ),
]
Texts = Annotated[
    list[str] | None,
    typer.Argument(help="Texts; by default the lines of standard input.", metavar="TEXT"),
]
Tokens = Annotated[
    list[str] | None,
    typer.Argument(
        help="Words and numerals; by default the lines of standard input.",
        metavar="TOKEN",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
JsonLines = Annotated[bool, typer.Option("--json", help="Print each answer as a line of JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace an output that exists.")]


def listed(names: str) -> list[str]:
    """Split a text at its commas."""
    return [name.strip() for name in names.split(",") if name.strip()]


class TextCommand(TyperCommand):
    """A command that takes `-5 degrees` for a text, but `--jsn` for a misspelt option.

    Messages name its settings by their flags.
    """

    def invoke(self, ctx: Any) -> Any:
        flags = {one.name: one.opts[0] for one in self.params if one.opts[0].startswith("--")}
        with settings_typed_as(flags):
            return super().invoke(ctx)

    def make_parser(self, ctx: Any) -> Any:
        """Return a parser that reads stand-ins for texts with a minus, and puts the texts back."""
        parser = super().make_parser(ctx)
        parse = parser.parse_args

        def parse_args(args: list[str]) -> tuple[dict[str, Any], list[str], Any]:
            texts = {
                _STAND_IN + word[1:]: word
                for word in args
                if word.startswith("-") and word.strip("-") and not _OPTION.fullmatch(word)
            }
            stand_ins = {word: stand_in for stand_in, word in texts.items()}
            values, rest, order = parse(args=[stand_ins.get(word, word) for word in args])
            return {name: _restored(value, texts) for name, value in values.items()}, rest, order

        parser.parse_args = parse_args  # type: ignore[method-assign]
        return parser


def _restored(value: Any, texts: dict[str, str]) -> Any:
    """Return the value of a parameter, one word or several, without stand-ins."""
    if isinstance(value, list | tuple):
        return [texts.get(word, word) for word in value]
    return texts.get(value, value) if isinstance(value, str) else value
