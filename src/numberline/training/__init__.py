"""Ids and an encoder → vectors of words and numerals.

The names below are what a trainer of your own needs: the ranges of text and their learning rates,
the windows and negatives of a range, and progress that notices when training diverges.
"""

from typing import TYPE_CHECKING

from numberline.extras import lazy_names

if TYPE_CHECKING:
    from numberline.training.divergence import diverged as diverged
    from numberline.training.divergence import has_diverged as has_diverged
    from numberline.training.plan import CENTRES_PER_DRAW as CENTRES_PER_DRAW
    from numberline.training.planner import PlannedWindows as PlannedWindows
    from numberline.training.planner import RangePlanner as RangePlanner
    from numberline.training.progress import TrainingCallback as TrainingCallback
    from numberline.training.progress import TrainingProgress as TrainingProgress
    from numberline.training.schedule import Schedule as Schedule
    from numberline.training.schedule import TextRange as TextRange
else:
    __all__, __getattr__ = lazy_names(
        __name__,
        divergence="diverged has_diverged",
        plan="CENTRES_PER_DRAW",
        planner="PlannedWindows RangePlanner",
        progress="TrainingCallback TrainingProgress",
        schedule="Schedule TextRange",
    )
