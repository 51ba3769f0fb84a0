"""Tasks of `numberline evaluate` that the paper has and most users need not."""

from __future__ import annotations

from numberline.evaluation.task import Task
from numberline_paper.settings import TaggingSettings

speed = Task("numberline_paper.speed", "how fast every encoder trains here", by_default=False)
tagging = Task(
    "numberline_paper.tagging",
    "a tagger of quantities on frozen vectors",
    by_default=False,
    settings_class=TaggingSettings,
)
