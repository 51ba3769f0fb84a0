"""Long work → a bar on the terminal, or plain lines where there is none."""

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

PLAIN_SECONDS = 30.0  # between two lines where there is no terminal


@contextmanager
def reading_progress(description: str, quiet: bool) -> Iterator[Progress | None]:
    """A callback for count and encode that draws how much of the corpus has been read."""
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
    """A callback for work that says what it is doing and how much of it is done."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None if quiet else PlainTasks()
        return
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as RichProgress

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with RichProgress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=1.0)
        yield lambda what, share: bar.update(task, completed=share, description=what)


class PlainTasks:
    """A line whenever something else is done, and now and then."""

    def __init__(self) -> None:
        self._what = ""
        self._next = 0.0

    def __call__(self, what: str, share: float) -> None:
        if what != self._what or time.monotonic() >= self._next:
            self._what, self._next = what, time.monotonic() + PLAIN_SECONDS
            print(f"{what} {share:.0%}", file=sys.stderr, flush=True)


@contextmanager
def training_progress(
    quiet: bool,
) -> Iterator[tuple[Progress | None, TrainingCallback | None]]:
    """Callbacks for train: a bar while text is read, then in its place one of the training."""
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
    """Speed, loss, learning rate and the time that is left."""

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
    """Tokens a second since the first report: a training that was resumed counts from there."""

    def __init__(self) -> None:
        self._first: tuple[float, int] | None = None

    def describe(self, progress: TrainingProgress) -> str:
        now = time.monotonic()
        self._first = self._first or (now, progress.tokens)
        seconds, tokens = now - self._first[0], progress.tokens - self._first[1]
        rate = f"{tokens / seconds / 1e6:.2f} M tokens/s  " if seconds > 0 else ""
        where = f"  {progress.gpu}" if progress.gpu else ""
        loss = loss_text(progress.loss)
        return f"{rate}{loss and f'{loss}  '}rate {progress.learning_rate:.4f}{where}"


def loss_text(loss: float) -> str:
    """Nothing where there is none: it is taken of some windows, and few sentences hold none."""
    return f"loss {loss:.3f}" if math.isfinite(loss) else ""


class PlainLines:
    """A line now and then, for logs."""

    def __init__(self) -> None:
        self._speed = Speed()
        self._next = time.monotonic() + PLAIN_SECONDS

    def __call__(self, progress: TrainingProgress) -> None:
        facts = self._speed.describe(progress)
        if time.monotonic() >= self._next:
            self._next += PLAIN_SECONDS
            share = progress.tokens / progress.total_tokens
            print(f"training {share:.0%}  {facts}", file=sys.stderr, flush=True)
