"""Settings of the paper's experiments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numberline.errors import ConfigError
from numberline.evaluation import EvaluationSettings
from numberline.fields import CheckedSettings, or_none, setting, whole_number
from numberline.settings import seed_setting, threads_setting
from numberline.tagging import TaggerSettings

TAGGED_SETS = ("shop", "restaurants-8k", "multidogo-finance", "multidogo-insurance")
MOST_TOKENS = 10**15


def names_in(text: str) -> list[str]:
    """Split a list at its commas."""
    return [name for name in map(str.strip, text.split(",")) if name]


def known_sets(name: str, value: str) -> str:
    if unknown := [one for one in names_in(value) if one not in TAGGED_SETS]:
        raise ConfigError(name, unknown[0], f"some of {', '.join(TAGGED_SETS)}")
    return value


def percentages(name: str, value: str) -> str:
    for portion in value.split(","):
        if not portion.strip().isdecimal() or not 1 <= int(portion) <= 100:
            raise ConfigError(name, portion, "whole numbers from 1 to 100")
    return value


@dataclass(frozen=True)
class HeadlineSettings(EvaluationSettings):
    """Which headlines are evaluated."""

    titles: str | None = setting(
        None,
        "magnitude-class: folder or file in the format of Numeracy-600K; by default the folder "
        "headlines of the evaluation sets.",
    )


@dataclass(frozen=True)
class SpeedSettings(EvaluationSettings):
    """How encoders are trained to measure their speed."""

    threads: int = threads_setting()


@dataclass(frozen=True)
class TaggingSettings(SpeedSettings):
    """How taggers are trained and tested to evaluate vectors."""

    tagging_sets: str = setting(
        "shop", f"Some of {', '.join(TAGGED_SETS)}, separated by commas.", known_sets
    )
    tagging_portions: str = setting(
        "100,30,10",
        "Percentages of the training sentences to use, separated by commas.",
        percentages,
    )
    tagging_seeds: int = setting(
        3, "Taggers per figure, each with its own seed.", whole_number(1, 1000)
    )
    tagger_epochs: int = setting(
        TaggerSettings.epochs, "Passes of each tagger, at most.", whole_number(1, 1_000_000)
    )

    @property
    def sets(self) -> list[str]:
        return names_in(self.tagging_sets)

    @property
    def portions(self) -> list[int]:
        return [int(portion) for portion in self.tagging_portions.split(",")]


@dataclass(frozen=True)
class ReproductionSettings(CheckedSettings):
    """The scale of the experiments. Where a setting is None, the paper's value applies."""

    budget: int | None = setting(
        None,
        "Train on at most this many tokens from the start of the corpus; all by default.",
        or_none(whole_number(1, MOST_TOKENS)),
    )
    dim: int | None = setting(
        None,
        "Length of the vectors, 300 by default; for tagging it is always 50.",
        or_none(whole_number(1, 10_000)),
    )
    epochs: int | None = setting(
        None,
        "Passes over the text; by default 1, and 10 for headlines. Tagging ignores this.",
        or_none(whole_number(1, 1_000_000)),
    )
    tagging_sets: str = setting(
        ",".join(TAGGED_SETS), "Sets to tag, separated by commas.", known_sets
    )
    tagging_seeds: int | None = setting(
        None,
        "Taggers per figure; by default 3, and 2 for large sets.",
        or_none(whole_number(1, 1000)),
    )
    tagger_epochs: int | None = setting(
        None,
        "Passes of a tagger, at most; by default 30, and 15 for large sets.",
        or_none(whole_number(1, 1_000_000)),
    )
    text_field: str | None = setting(None, "Field or column that holds the text, as for train.")
    seed: int = seed_setting()
    threads: int = threads_setting()

    @property
    def sets(self) -> list[str]:
        return names_in(self.tagging_sets)

    @property
    def training(self) -> dict[str, Any]:
        """Return the settings of every model, as keywords of numberline.train."""
        chosen = {"dim": self.dim, "epochs": self.epochs, "seed": self.seed}
        return {name: value for name, value in chosen.items() if value is not None}
