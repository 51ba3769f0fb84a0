"""The progress of long work → a bar on a terminal, or plain lines elsewhere."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from rich.console import Console

if TYPE_CHECKING:
    from numberline.evaluation.task import Progress as TaskProgress
    from numberline.reading.counting import Progress
    from numberline.training.progress import TrainingCallback, TrainingProgress

PLAIN_SECONDS = 30.0  # between two plain lines


@contextmanager
def reading_progress(description: str, quiet: bool) -> Iterator[Progress | None]:
    """Yield a callback for count and encode, which draws how much of the corpus has been read."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as RichProgress

    columns = (TextColumn(description), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with RichProgress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(description, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def task_progress(quiet: bool) -> Iterator[TaskProgress | None]:
    """Yield a callback for evaluate and taggers, which shows what is done and how far it is."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None if quiet else PlainTasks()
        return
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as RichProgress

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with RichProgress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=1.0)
        yield lambda what, fraction: bar.update(task, completed=fraction, description=what)


class PlainTasks:
    """Prints a line when something else begins, and every half a minute."""

    def __init__(self) -> None:
        self._what = ""
        self._next = 0.0

    def __call__(self, what: str, fraction: float) -> None:
        if what != self._what or time.monotonic() >= self._next:
            self._what, self._next = what, time.monotonic() + PLAIN_SECONDS
            print(f"{what} {fraction:.0%}", file=sys.stderr, flush=True)


@contextmanager
def training_progress(
    quiet: bool,
) -> Iterator[tuple[Progress | None, TrainingCallback | None]]:
    """Yield callbacks for train: a bar while text is read, then one of the training."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None, None if quiet else PlainLines()
        return
    with ExitStack() as shown:  # one bar at a time: two would draw over each other
        reading = shown.enter_context(reading_progress("reading", quiet))
        bar = None

        def show(progress: TrainingProgress) -> None:
            nonlocal bar
            if bar is None:
                shown.close()
                bar = shown.enter_context(TrainingBar(console))
            bar.show(progress)

        yield reading, show


class TrainingBar:
    """A bar with speed, loss, learning rate and the time that is left."""

    def __init__(self, console: Console) -> None:
        from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress

        facts = TextColumn("{task.percentage:>3.0f}%  {task.fields[facts]}")
        columns = (TextColumn("training"), BarColumn(), facts, TimeRemainingColumn())
        self._bar = RichProgress(*columns, console=console, transient=True)
        self._task = self._bar.add_task("training", total=None, facts="")
        self._speed = Speed()

    def __enter__(self) -> TrainingBar:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def show(self, progress: TrainingProgress) -> None:
        self._bar.update(
            self._task,
            completed=progress.tokens,
            total=progress.total_tokens,
            facts=self._speed.describe(progress),
        )


class Speed:
    """Tokens per second since the first report, so that resumed trainings count from there."""

    def __init__(self) -> None:
        self._first: tuple[float, int] | None = None

    def describe(self, progress: TrainingProgress) -> str:
        """Return one line about a training: speed, loss, learning rate and the GPU."""
        now = time.monotonic()
        self._first = self._first or (now, progress.tokens)
        seconds, tokens = now - self._first[0], progress.tokens - self._first[1]
        rate = f"{tokens / seconds / 1e6:.2f} M tokens/s  " if seconds > 0 else ""
        gpu = f"  {progress.gpu}" if progress.gpu else ""
        loss = loss_text(progress.loss)
        return f"{rate}{loss and f'{loss}  '}rate {progress.learning_rate:.4f}{gpu}"


def loss_text(loss: float) -> str:
    """Return the loss, or nothing for a corpus too small for a window in which it is measured."""
    return f"loss {loss:.3f}" if math.isfinite(loss) else ""


class PlainLines:
    """Prints a line about a training every half a minute, for logs."""

    def __init__(self) -> None:
        self._speed = Speed()
        self._next = time.monotonic() + PLAIN_SECONDS

    def __call__(self, progress: TrainingProgress) -> None:
        facts = self._speed.describe(progress)
        if time.monotonic() >= self._next:
            self._next += PLAIN_SECONDS
            fraction = progress.tokens / progress.total_tokens
            print(f"training {fraction:.0%}  {facts}", file=sys.stderr, flush=True)
