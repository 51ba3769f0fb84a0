"""A command among other processes: its output and input, whatever streams it gets."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import sys
from collections.abc import Iterator
from typing import Any

from rich.console import Console

from numberline.errors import UNSAFE, visible
from numberline.reading.sources import standard_input

USAGE_ERROR = 2  # exit code
LONGEST_LINE = 500  # characters of a message


class Output(Console):
    """Standard output with styles; it leaves closed pipes to Commands."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def print_json(value: Any, indent: int | None = None) -> None:
    """Print JSON; characters are escaped that a terminal obeys or the output cannot take."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    is_unicode = encoding.lower().startswith("utf")
    text = json.dumps(value, indent=indent, ensure_ascii=not is_unicode)
    print(UNSAFE.sub(as_json_escape, text))


def as_json_escape(match: re.Match[str]) -> str:
    """Return a character as JSON may write it in a string; line ends are those between values."""
    return match[0] if match[0] == "\n" else f"\\u{ord(match[0]):04x}"


def prepare_process() -> None:
    """Escape characters that the output cannot take; let SIGTERM unwind, so that clean-up runs.

    Streams that are closed lead nowhere: print would write errors to standard output instead.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))


def discard(stream: Any) -> None:
    """Drop what is still buffered: Python would fail to write it when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def tell(line: str) -> None:
    """Print a line to standard error; no work stops because nobody can read it."""
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        discard(sys.stderr)


def without_text(missing_texts: int) -> str:
    """Return the end of a line that says how many rows of a table had no text, if any had none."""
    return f"; {missing_texts:,} texts are missing" if missing_texts else ""


def tell_in_one_line(message: str) -> None:
    """Print a message to standard error without escape codes; its middle is cut if it is long."""
    line = visible(message)
    if len(line) > LONGEST_LINE:
        line = f"{line[: LONGEST_LINE // 2]} … {line[3 - LONGEST_LINE // 2 :]}"
    tell(line)


def lines_of_standard_input() -> Iterator[str]:
    """Yield lines as a corpus is read: UTF-8 in any locale, with bad bytes replaced."""
    for line in io.TextIOWrapper(standard_input(), encoding="utf-8-sig", errors="replace"):
        yield line.removesuffix("\n")
