"""Arguments that several commands share, and texts on the command line that begin with -."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

_OPTION = re.compile(r"--?[a-z][\w-]*(=.*)?", re.IGNORECASE | re.ASCII | re.DOTALL)
_STAND_IN = "\u2212"  # a minus sign, which no parser of options takes for one

Corpus = Annotated[
    list[Path],
    typer.Argument(
        help="Files or folders (plain, gz, bz2, xz, zst, jsonl, parquet, arrow), or - for stdin.",
        metavar="CORPUS",
        show_default=False,
    ),
]
Model = Annotated[
    Path, typer.Argument(help="Folder of the model.", metavar="MODEL", show_default=False)
]
Texts = Annotated[
    list[str] | None,
    typer.Argument(
        help="One or more texts; without any, each line of standard input is one.", metavar="TEXT"
    ),
]
Tokens = Annotated[
    list[str] | None,
    typer.Argument(
        help="Words and numerals; without any, each line of standard input is one.",
        metavar="TOKEN",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
JsonLines = Annotated[bool, typer.Option("--json", help="Print one line of JSON for each.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace what is there already.")]


def listed(names: str) -> list[str]:
    """Return the names in a text that has commas between them."""
    return [name.strip() for name in names.split(",") if name.strip()]


class TextCommand(TyperCommand):
    """A command that takes `-5 degrees` for a text, but `--jsn` for a misspelt option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse with stand-ins for texts that begin with a minus, then put the texts back."""
        texts = {
            _STAND_IN + word[1:]: word
            for word in args
            if word.startswith("-") and word.strip("-") and not _OPTION.fullmatch(word)
        }
        stand_ins = {word: stand_in for stand_in, word in texts.items()}
        rest = super().parse_args(ctx, [stand_ins.get(word, word) for word in args])
        for name, value in ctx.params.items():
            if isinstance(value, list | tuple):
                ctx.params[name] = [texts.get(word, word) for word in value]
        return rest
