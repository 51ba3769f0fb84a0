"""Tasks of `numberline evaluate` for the paper: entry points of the group numberline.tasks."""

from numberline.evaluation import Task
from numberline_paper.settings import HeadlineSettings, SpeedSettings, TaggingSettings

magnitude_class = Task(
    "numberline_paper.headlines.task",
    "how many digits the numeral of a title has",
    settings_class=HeadlineSettings,
)
probing = Task(
    "numberline_paper.probing.task", "what small networks can read from vectors of numerals"
)
speed = Task(
    "numberline_paper.speed",
    "how fast every encoder trains here",
    by_default=False,
    settings_class=SpeedSettings,
)
tagging = Task(
    "numberline_paper.tagging.task",
    "a tagger of quantities on frozen vectors",
    by_default=False,
    settings_class=TaggingSettings,
)
