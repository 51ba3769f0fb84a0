"""Long work → a bar on the terminal; nothing where there is no terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console

if TYPE_CHECKING:
    from numberline.text.indexing import Progress


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
