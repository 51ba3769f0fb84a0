"""Ids and an encoder → vectors of words and numerals.

To write your own trainer, use these names: blocks of text and their learning rates, the windows and
negatives of a block, and progress that detects divergence.
"""

from typing import TYPE_CHECKING

from numberline.extras import lazy_names

if TYPE_CHECKING:
    from numberline.training.plan import CENTRES_PER_GROUP as CENTRES_PER_GROUP
    from numberline.training.planner import BlockPlanner as BlockPlanner
    from numberline.training.planner import PlannedWindows as PlannedWindows
    from numberline.training.progress import TrainingCallback as TrainingCallback
    from numberline.training.progress import TrainingProgress as TrainingProgress
    from numberline.training.progress import diverged as diverged
    from numberline.training.schedule import Block as Block
    from numberline.training.schedule import Schedule as Schedule
else:
    __all__, __getattr__ = lazy_names(
        __name__,
        plan="CENTRES_PER_GROUP",
        planner="BlockPlanner PlannedWindows",
        progress="TrainingCallback TrainingProgress diverged",
        schedule="Block Schedule",
    )
