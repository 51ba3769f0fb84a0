"""The progress of long work → a bar on a terminal, or plain lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from rich.console import Console

from numberline.cli.process import tell

if TYPE_CHECKING:
    from numberline.evaluation.task import Progress as TaskProgress
    from numberline.reading.counting import Progress
    from numberline.training.progress import TrainingCallback, TrainingProgress

PLAIN_SECONDS = 30.0  # between two plain lines about the same work


@contextmanager
def reading_progress(description: str, quiet: bool) -> Iterator[Progress | None]:
    """Yield a callback for count and encode, which draws how much of the corpus has been read."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, DownloadColumn, TimeRemainingColumn

    columns = (description, BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with drawn_bar(console, *columns) as update:
        yield lambda done, total: update(completed=done, total=total)


@contextmanager
def task_progress(quiet: bool) -> Iterator[TaskProgress | None]:
    """Yield a callback for evaluate and taggers, which shows the current step and its progress."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None if quiet else PlainLines()
        return
    from rich.progress import BarColumn, TimeElapsedColumn

    columns = ("{task.description}", BarColumn(), TimeElapsedColumn())
    with drawn_bar(console, *columns) as update:
        yield lambda what, fraction: update(completed=fraction, total=1.0, description=what)


@contextmanager
def training_progress(
    quiet: bool,
) -> Iterator[tuple[Progress | None, TrainingCallback | None]]:
    """Yield callbacks for train: a bar while text is read, then one of the training."""
    console = Console(stderr=True)
    speed, print_line = Speed(), PlainLines()
    if quiet or not console.is_terminal:

        def tell(now: TrainingProgress) -> None:
            if now.counting is not None:
                print_line("counting pairs", now.counting)
            elif now.gap_model is None:
                print_line("training", now.tokens / now.total_tokens, speed.facts(now))
            else:
                print_line("gap model", now.gap_model)

        yield None, None if quiet else tell
        return
    from rich.progress import BarColumn, TimeRemainingColumn

    facts = "{task.percentage:>3.0f}%  {task.fields[facts]}"
    columns = ("training", BarColumn(), facts, TimeRemainingColumn())
    with ExitStack() as shown:  # one bar at a time: two would draw over each other
        reading = shown.enter_context(reading_progress("reading", quiet))
        update = None

        def show(now: TrainingProgress) -> None:
            nonlocal update
            if update is None:
                shown.close()
                update = shown.enter_context(drawn_bar(console, *columns))
            if now.counting is not None:
                update(completed=now.counting, total=1, facts="counting pairs")
            elif now.gap_model is None:
                update(completed=now.tokens, total=now.total_tokens, facts=speed.facts(now))
            else:
                update(completed=now.gap_model, total=1, facts="gap model")

        yield reading, show


@contextmanager
def drawn_bar(console: Console, *columns: Any) -> Iterator[Callable[..., None]]:
    """Yield a function that updates the fields of a bar."""
    from rich.progress import Progress as Bar

    with Bar(*columns, console=console, transient=True) as bar:
        yield partial(bar.update, bar.add_task("", total=None, facts=""))


class PlainLines:
    """Prints a line when something else begins, and every half a minute."""

    def __init__(self) -> None:
        self._what = ""
        self._next = 0.0

    def __call__(self, what: str, fraction: float, facts: str = "") -> None:
        if what != self._what or time.monotonic() >= self._next:
            self._what, self._next = what, time.monotonic() + PLAIN_SECONDS
            tell(f"{what} {fraction:.0%}  {facts}".rstrip())


class Speed:
    """Tokens per second since the first report, so that resumed trainings count from there."""

    def __init__(self) -> None:
        self._first: tuple[float, int] | None = None

    def facts(self, progress: TrainingProgress) -> str:
        """Return one line about a training: speed, loss, learning rate and the GPU."""
        now = time.monotonic()
        self._first = self._first or (now, progress.tokens)
        seconds, tokens = now - self._first[0], progress.tokens - self._first[1]
        rate = f"{tokens / seconds / 1e6:.2f} M tokens/s" if tokens else ""
        learning_rate = f"rate {progress.learning_rate:.4f}" if progress.learning_rate else ""
        parts = [rate, loss_text(progress.loss), learning_rate, progress.gpu or ""]
        return "  ".join(filter(None, parts))


def loss_text(loss: float | None) -> str:
    """Return the loss, or nothing for a corpus too small for a window in which it is measured."""
    return "" if loss is None else f"loss {loss:.3f}"
