"""A corpus and evaluation sets → the paper's experiments, done and reported."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from numberline.evaluation.run import ignore
from numberline.evaluation.task import Progress
from numberline.fields import made_of
from numberline.files.whole_folder import make_folder
from numberline.reading.corpus import CorpusSource
from numberline_paper.figures import draw_figures
from numberline_paper.report import compose_report, write_report
from numberline_paper.reproduce import reproduce as do_experiments
from numberline_paper.settings import ReproductionSettings
from numberline_paper.texts import Texts


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
    """Do the paper's experiments, write report.md and report.html, and return their paths.

    `data` is the folder of evaluation sets; `folder` gets texts, models, evaluations and figures.
    What is there already is not done again: the same call continues a run that was stopped.
    `encoders` are those of train, and "default" for train without any setting but dim. Settings
    are the fields of ReproductionSettings.
    """
    chosen = made_of(ReproductionSettings, settings)
    folder, data, progress = Path(folder), Path(data), progress or ignore
    make_folder(folder)
    texts = Texts(corpus, data, folder / "texts", chosen, progress)
    done = do_experiments(texts, data, folder, chosen, progress, encoders, tasks)
    pictures, left_out = draw_figures(done, folder / "figures", progress)
    return write_report(compose_report(done, pictures, left_out), folder)
