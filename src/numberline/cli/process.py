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

from numberline.reading.sources import standard_input


class Commands(TyperGroup):
    """All commands. Typer would end on a closed pipe as on an error, on Ctrl-C without a word."""

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
