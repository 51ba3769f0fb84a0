"""Arguments as they are typed → options and a text, which may begin with -; names in a list."""

from __future__ import annotations

import re
from typing import Any

from typer.core import TyperCommand

_OPTION = re.compile(r"--?[a-z][\w-]*(=.*)?", re.IGNORECASE | re.ASCII | re.DOTALL)


def listed(names: str) -> list[str]:
    """Names with commas between them."""
    return [name.strip() for name in names.split(",") if name.strip()]


class TextCommand(TyperCommand):
    """Takes `-5 degrees` for text, `--jsn` for a misspelled option. All its options are flags."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        end = args.index("--") if "--" in args else len(args)
        options = [argument for argument in args[:end] if _OPTION.fullmatch(argument)]
        text = [argument for argument in args[:end] if not _OPTION.fullmatch(argument)]
        return super().parse_args(ctx, [*options, "--", *text, *args[end + 1 :]])
