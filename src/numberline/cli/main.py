"""The command line → one call into the library per command; an error prints one line."""

from __future__ import annotations

import sys
import warnings
from typing import Annotated, Any

import typer

from numberline.cli.commands import Commands
from numberline.cli.process import USAGE_ERROR, discard, prepare_process, tell_in_one_line
from numberline.errors import NumberlineError, NumberlineWarning
from numberline.threads import require_address_space
from numberline.version import __version__

# Texts of the RuntimeErrors that torch raises for lack of memory.
TORCH_LACKS_MEMORY = (
    "can't allocate memory",
    "could not create a",
    "could not execute a primitive",
)
# The class of click, which typer imports or, in later versions, brings along.
UsageError: Any = typer.BadParameter.__mro__[1]

app = typer.Typer(
    help="Word embeddings in which every numeral, seen or unseen, has a good vector.",
    cls=Commands,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def version_flag(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        print(__version__)
        raise typer.Exit


def main() -> None:
    """Run the command line of this process and end it with the exit code."""
    warnings.showwarning = print_warning
    prepare_process()
    try:
        require_address_space()
        arguments = sys.argv[1:] or ["--help"]
        sys.exit(app(arguments, prog_name="numberline", standalone_mode=False))
    except UsageError as error:
        command = getattr(error, "ctx", None)
        path = command.command_path if command else "numberline"
        refuse(f"{error.format_message().rstrip('.')}; {path} --help says more")
    except NumberlineError as error:
        refuse(error)
    except OSError as error:  # such as a full disk
        discard(sys.stdout)
        refuse(error)
    except (MemoryError, RuntimeError) as error:
        if (reason := shortage(error)) is None:
            raise
        refuse(reason)


def shortage(error: BaseException) -> str | None:
    """Return what this process could not get from the system, and what to do; else None."""
    if "start new thread" in str(error):
        return "cannot start a thread; allow more of them, or pass --threads 1"
    if isinstance(error, MemoryError) or any(text in str(error) for text in TORCH_LACKS_MEMORY):
        return "out of memory; free some, or use fewer threads or a smaller input"
    return None


def refuse(reason: object) -> None:
    """End the process with one line that says why."""
    tell_in_one_line(f"numberline: {reason}")
    sys.exit(USAGE_ERROR)


def print_warning(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
    """Print a warning in one line; those of other packages are named."""
    label = "" if issubclass(category, NumberlineWarning) else f"{category.__name__}: "
    tell_in_one_line(f"numberline: note: {label}{message}")
