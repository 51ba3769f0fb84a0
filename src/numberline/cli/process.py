"""A command among other processes: closed pipes, signals and narrow encodings end it cleanly."""

from __future__ import annotations

import io
import json
import os
import signal
import sys
from collections.abc import Iterator
from typing import Any

from rich.console import Console
from typer.core import TyperGroup

from numberline.cli.installed import installed_command, installed_names
from numberline.reading.sources import standard_input


class Commands(TyperGroup):
    """All commands, those of other packages last; they are imported only when they are needed.

    Typer would end on a closed pipe as on an error, and on Ctrl-C without a word.
    """

    def list_commands(self, ctx: Any) -> list[str]:
        return list(dict.fromkeys([*super().list_commands(ctx), *installed_names()]))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self.commands:
            names = installed_names()
            # A misspelt name needs all of them, so that similar ones can be suggested.
            for name in [cmd_name] if cmd_name in names else names:
                self.commands.setdefault(name, installed_command(name))
        return super().get_command(ctx, cmd_name)

    def invoke(self, ctx: Any) -> Any:
        try:
            result = super().invoke(ctx)
            if sys.stdout is not None:
                sys.stdout.flush()
            return result
        except BrokenPipeError:  # as in `numberline tokenize < file | head`
            discard_output()
            sys.exit(0)
        except KeyboardInterrupt:
            print("numberline: interrupted", file=sys.stderr)
            sys.exit(128 + signal.SIGINT)


class Output(Console):
    """Standard output with styles; leaves closed pipes to Commands."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def print_json(value: Any, indent: int | None = None) -> None:
    """Escaped as JSON does it where the output could not take all characters."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    is_unicode = encoding.lower().startswith("utf")
    print(json.dumps(value, indent=indent, ensure_ascii=not is_unicode))


def prepare_process() -> None:
    """Text that the output cannot take is escaped; SIGTERM unwinds, so that clean-up runs."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))


def discard_output() -> None:
    """Let what is still buffered go nowhere: Python writes it out when it ends."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def lines_of_standard_input() -> Iterator[str]:
    """As a corpus is read: UTF-8 whatever the locale, broken bytes replaced, no byte order mark."""
    for line in io.TextIOWrapper(standard_input(), encoding="utf-8-sig", errors="replace"):
        yield line.removesuffix("\n")
