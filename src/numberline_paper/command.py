"""`numberline reproduce`: a corpus and evaluation sets → the paper's experiments, and a report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from numberline.cli.arguments import listed
from numberline.cli.flags import with_settings
from numberline.cli.progress import task_progress
from numberline.numerals.registry import BUILT_IN
from numberline_paper.settings import ReproductionSettings


@with_settings(ReproductionSettings)
def reproduce(
    corpus: Annotated[
        list[Path], typer.Option(help="File or folder of text; may be given several times.")
    ],
    sets: Annotated[Path, typer.Option("--eval", help="Folder of the evaluation sets.")],
    out: Annotated[Path, typer.Option(help="Folder of texts, models, evaluations and reports.")],
    settings: dict[str, Any],
    encoders: Annotated[
        str | None,
        typer.Option(
            help=f"Some of {','.join(BUILT_IN)}, default (train without any setting but dim) and "
            "random (tagging only), with commas between them; all by default."
        ),
    ] = None,
    tasks: Annotated[
        str | None, typer.Option(help="Tasks, with commas between them; all by default.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
) -> None:
    """Do the experiments of the paper, and report our figures beside the published ones.

    It may be stopped; the same command goes on where it was. What is done is not done again.
    """
    from numberline_paper.run import reproduce as do_experiments

    with task_progress(quiet) as progress:
        written = do_experiments(
            corpus,
            sets,
            out,
            encoders=None if encoders is None else listed(encoders),
            tasks=None if tasks is None else listed(tasks),
            progress=progress,
            **settings,
        )
    for path in written:
        print(f"written to {path}")
