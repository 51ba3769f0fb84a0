"""A corpus and evaluation sets → the paper's experiments, run and reported."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from numberline.evaluation import Progress, no_progress
from numberline.fields import made_of
from numberline.files import make_folder
from numberline.reading import CorpusSource
from numberline_paper.experiments import do_experiments
from numberline_paper.report.compose import compose_report, write_report
from numberline_paper.report.figures import draw_figures
from numberline_paper.settings import ReproductionSettings
from numberline_paper.texts import Texts
from numberline_paper.workshop import Workshop


def reproduce(
    corpus: CorpusSource,
    data: str | Path,
    folder: str | Path,
    *,
    encoders: Sequence[str] | None = None,
    tasks: Sequence[str] | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> list[Path]:
    """Run the paper's experiments, write report.md and report.html, and return their paths.

    `data` is the folder of evaluation sets; `folder` gets texts, models, evaluations and figures.
    Results that exist are kept: the same call continues a run that was stopped.
    `encoders` are those of train, and "default": its own settings except dim. Settings
    are the fields of ReproductionSettings.
    """
    chosen = made_of(ReproductionSettings, settings)
    folder, data, progress = Path(folder), Path(data), progress or no_progress
    make_folder(folder)
    texts = Texts(corpus, data, folder / "texts", chosen, progress)
    workshop = Workshop(texts, data, folder, chosen, progress)
    results = do_experiments(workshop, encoders, tasks)
    pictures, left_out = draw_figures(results, folder / "figures", progress)
    return write_report(compose_report(results, pictures, left_out), folder)
