"""A model and evaluation sets → tables of how good its vectors are.

`task.py` lists the tasks, each of which is a module here. The names below are what a package needs
that brings a task of its own, by an entry point of the group `numberline.tasks`.
"""

from typing import TYPE_CHECKING

from numberline.extras import lazy_names

if TYPE_CHECKING:
    from numberline.evaluation.candidates import middle_best as middle_best
    from numberline.evaluation.candidates import middle_ranks as middle_ranks
    from numberline.evaluation.candidates import scores_in_gaps as scores_in_gaps
    from numberline.evaluation.gaps import Gap as Gap
    from numberline.evaluation.gaps import gap_at as gap_at
    from numberline.evaluation.magnitude import magnitude_cells as magnitude_cells
    from numberline.evaluation.numerals import evaluated_numerals as evaluated_numerals
    from numberline.evaluation.result import Cell as Cell
    from numberline.evaluation.result import Evaluation as Evaluation
    from numberline.evaluation.result import Spread as Spread
    from numberline.evaluation.result import Table as Table
    from numberline.evaluation.result import shown_cell as shown_cell
    from numberline.evaluation.sets import find_set as find_set
    from numberline.evaluation.sets import read_set as read_set
    from numberline.evaluation.settings import EvaluationSettings as EvaluationSettings
    from numberline.evaluation.task import Progress as Progress
    from numberline.evaluation.task import Task as Task
    from numberline.evaluation.task import no_progress as no_progress
    from numberline.evaluation.task import require_embeddings as require_embeddings
else:
    __all__, __getattr__ = lazy_names(
        __name__,
        candidates="middle_best middle_ranks scores_in_gaps",
        gaps="Gap gap_at",
        magnitude="magnitude_cells",
        numerals="evaluated_numerals",
        result="Cell Evaluation Spread Table shown_cell",
        sets="find_set read_set",
        settings="EvaluationSettings",
        task="Progress Task no_progress require_embeddings",
    )
