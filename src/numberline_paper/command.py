"""`numberline reproduce`: a corpus and evaluation sets → the paper's experiments, and a report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from numberline.cli import listed, task_progress, visible, with_settings
from numberline_paper.settings import ReproductionSettings


@with_settings(ReproductionSettings)
def reproduce(
    corpus: Annotated[list[Path], typer.Option(help="File or folder of text; repeat it for each.")],
    sets: Annotated[Path, typer.Option("--eval", help="Folder of the evaluation sets.")],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="Folder of texts, models, evaluations and reports."),
    ],
    settings: dict[str, Any],
    encoders: Annotated[
        str | None,
        typer.Option(
            help="Rows of the tables, separated by commas: encoders, 'default' (numberline's own "
            "settings except dim) and 'random' (tagging only); all by default."
        ),
    ] = None,
    tasks: Annotated[
        str | None, typer.Option(help="Tasks, separated by commas; all by default.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
) -> None:
    """Run the paper's experiments, and report our figures beside the published ones.

    After an interruption, the same command continues where it stopped.
    """
    from numberline_paper.run import reproduce as run_experiments

    with task_progress(quiet) as progress:
        written = run_experiments(
            corpus,
            sets,
            output,
            encoders=None if encoders is None else listed(encoders),
            tasks=None if tasks is None else listed(tasks),
            progress=progress,
            **settings,
        )
    for path in written:
        print(f"written to {visible(path)}")
