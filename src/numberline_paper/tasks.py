"""Tasks of `numberline evaluate` for the paper: entry points of the group numberline.tasks."""

from numberline.evaluation import Task
from numberline_paper.settings import TaggingSettings

speed = Task("numberline_paper.speed", "how fast every encoder trains here", by_default=False)
tagging = Task(
    "numberline_paper.tagging.task",
    "a tagger of quantities on frozen vectors",
    by_default=False,
    settings_class=TaggingSettings,
)
