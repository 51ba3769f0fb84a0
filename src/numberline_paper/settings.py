"""Settings of the paper's experiments."""

from __future__ import annotations

from dataclasses import dataclass

from numberline.errors import ConfigError
from numberline.evaluation.settings import EvaluationSettings
from numberline.fields import LARGEST_COUNT, CheckedSettings, optional, setting, whole_number
from numberline.settings import seed_setting, threads_setting
from numberline.tagging.settings import TaggerSettings

TAGGED_SETS = ("shop", "restaurants-8k", "multidogo-finance", "multidogo-insurance")


@dataclass(frozen=True)
class TaggingSettings(EvaluationSettings):
    """What taggers are trained and tested on to evaluate vectors."""

    tagging_sets: str = setting("shop", f"Some of {', '.join(TAGGED_SETS)}; commas between them.")
    tagging_portions: str = setting(
        "100,30,10", "Percent of the training sentences to use; commas between them."
    )
    tagging_seeds: int = setting(
        3, "Taggers per figure, each from another seed.", whole_number(1, 1000)
    )
    tagger_epochs: int = setting(
        TaggerSettings.epochs, "Passes of each tagger, at most.", whole_number(1, 1_000_000)
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in self.sets:
            if name not in TAGGED_SETS:
                raise ConfigError("tagging_sets", name, f"some of {', '.join(TAGGED_SETS)}")
        for portion in self.tagging_portions.split(","):
            if not portion.strip().isdecimal() or not 1 <= int(portion) <= 100:
                raise ConfigError("tagging_portions", portion, "whole numbers from 1 to 100")

    @property
    def sets(self) -> list[str]:
        return [name.strip() for name in self.tagging_sets.split(",")]

    @property
    def portions(self) -> list[int]:
        return [int(portion) for portion in self.tagging_portions.split(",")]


@dataclass(frozen=True)
class ReproductionSettings(CheckedSettings):
    """How large the paper's experiments are done. What is left out is as in the paper."""

    budget: int | None = setting(
        None,
        "Train on at most this many tokens from the start of the corpus; all by default.",
        optional(whole_number(1, LARGEST_COUNT)),
    )
    dim: int | None = setting(
        None,
        "Length of the vectors, 300 by default; for tagging it is always 50.",
        optional(whole_number(1, LARGEST_COUNT)),
    )
    epochs: int | None = setting(
        None,
        "Passes over the text; by default 1, for headlines 10. Not for tagging.",
        optional(whole_number(1, LARGEST_COUNT)),
    )
    tagged: str | None = setting(None, "Sets to tag, with commas between them; all by default.")
    seeds: int | None = setting(
        None,
        "Taggers per figure; by default 3, for large sets 2.",
        optional(whole_number(1, LARGEST_COUNT)),
    )
    tagger_epochs: int | None = setting(
        None,
        "Passes of a tagger, at most; by default 30 or 15.",
        optional(whole_number(1, LARGEST_COUNT)),
    )
    text_field: str | None = setting(None, "Field or column that holds the text, as for train.")
    seed: int = seed_setting()
    threads: int = threads_setting()

    @property
    def tagged_sets(self) -> list[str] | None:
        names = None if self.tagged is None else self.tagged.split(",")
        return None if names is None else [name.strip() for name in names if name.strip()]
