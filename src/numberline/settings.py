"""Every setting of reading and training: its default, its range and its help text, written once.

The settings of a step include those of the steps before it, so that one frozen object travels from
the user's call to the kernels. Settings of an encoder are fields of the encoder (numerals/NAME.py).
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from numberline.errors import ConfigError
from numberline.extras import plugins
from numberline.fields import (
    LARGEST_COUNT,
    LARGEST_SIZE,
    CheckedSettings,
    names,
    one_of,
    or_none,
    positive_number,
    setting,
    setting_names,
    whole_number,
)
from numberline.numerals.base import Encoder
from numberline.numerals.line import Line
from numberline.numerals.notation import encoder_header, encoder_of

__all__ = [
    "NumeralSettings",
    "ReadingSettings",
    "Settings",
    "TextSettings",
    "preset_names",
    "saved_settings",
    "seed_setting",
    "threads_setting",
    "with_preset",
]

MOST_THREADS = 1024  # each holds tables in memory
LARGEST_SEED = 2**32 - 1
DEFAULT_ENCODER = Line()
PRESETS = "numberline.presets"  # entry points: functions that complete a caller's settings


def seed_setting() -> Any:
    return setting(1, "Seed of all random draws.", whole_number(0, LARGEST_SEED))


def threads_setting() -> Any:
    return setting(
        min(os.cpu_count() or 1, MOST_THREADS),
        "Threads to use.",
        whole_number(1, MOST_THREADS),
        saved=False,
    )


@dataclass(frozen=True)
class TextSettings(CheckedSettings):
    """How text becomes tokens. Saved with every model, so that queries are read like its corpus."""

    lowercase: bool = setting(True, "Lower-case words.", rare=True)
    magnitudes: bool = setting(False, "Read '3 million', '$3M' and '5k' as one numeral.", rare=True)
    number_words: bool = setting(False, "Read 'twenty-five' as 25.", rare=True)
    decimal_comma: bool = setting(False, "Read '1.234,56' as 1234.56.", rare=True)


@dataclass(frozen=True)
class ReadingSettings(TextSettings):
    """How files become text, and which words get a vector. All numerals get one."""

    min_count: int = setting(
        5, "Leave out words that occur fewer times than this.", whole_number(1, LARGEST_COUNT)
    )
    max_vocabulary: int = setting(
        300_000,
        "Keep at most this many words, the most frequent ones.",
        whole_number(1, LARGEST_SIZE),
        rare=True,
    )
    text_field: tuple[str, ...] | None = setting(
        None,
        "Column or field that holds the text of tables and JSON; repeat it for several.",
        or_none(names),
        rare=True,
        saved=False,
    )
    threads: int = threads_setting()


@dataclass(frozen=True)
class NumeralSettings(ReadingSettings):
    """How numbers become rows of weights."""

    encoder: Encoder = setting(
        DEFAULT_ENCODER,
        "How numerals get their vectors: an encoder, with its own settings after a colon, as in "
        "gmm:prototypes=300,em=hard.",
        lambda _, value: encoder_of(value),
    )
    seed: int = seed_setting()


@dataclass(frozen=True)
class Settings(NumeralSettings):
    """How vectors are trained, together with the settings of all earlier steps."""

    objective: str = setting(
        "skipgram",
        "Training objective: 'skipgram' or 'cbow'.",
        one_of("skipgram", "cbow"),
        rare=True,
    )
    dim: int = setting(100, "Length of the vectors.", whole_number(1, 10_000))
    window: int = setting(
        5,
        "Context tokens on each side of a centre; their number is drawn from 1 to window.",
        whole_number(1, 1000),
    )
    negatives: int = setting(
        5, "Random tokens that each centre is contrasted with.", whole_number(1, 1000)
    )
    sample: float = setting(
        1e-4,
        "Leave out occurrences of words above this fraction of the text; 0 keeps them all.",
        positive_number(1, may_be_zero=True),
        rare=True,
    )
    epochs: int = setting(5, "Passes over the text.", whole_number(1, 1_000_000))
    learning_rate: float = setting(
        0.035, "Learning rate at the start; it falls linearly to zero.", positive_number(1)
    )
    kinds: bool = setting(
        True,
        "Learn a vector for each kind of number, such as money or year, and for decimals.",
        rare=True,
    )
    start_from_odds: bool = setting(
        True,
        "Start scores from the odds of one centre to K negatives. Without it, the loss is the "
        "paper's Eq. 6 as it is written.",
        rare=True,
    )
    gap_model: bool = setting(
        True,
        "Also learn to read the words around numbers in their order, for predict and check. It "
        "takes at least 3,000 numerals.",
        rare=True,
    )
    device: str = setting(
        "auto",
        "'cpu', 'cuda', or 'auto': a GPU if there is one and the work is large enough.",
        one_of("auto", "cpu", "cuda"),
        saved=False,
    )

    @property
    def score_offset(self) -> float:
        """Return the log odds of a negative against the centre, which every score starts from.

        With it x · o estimates the pointwise mutual information of two tokens from the first step
        on; without it all vectors first learn this offset, in one direction that tells nothing
        apart.
        """
        return math.log(self.negatives) if self.start_from_odds else 0.0

    def reading_as(self, reading: ReadingSettings) -> Self:
        """Return these settings with their reading part replaced by that of an encoded corpus."""
        return replace(self, **saved_settings(reading, ReadingSettings))


def saved_settings(settings: ReadingSettings, kind: type[Any] | None = None) -> dict[str, Any]:
    """Return the settings that files keep, as JSON can hold them; with `kind`, only its fields.

    Settings that depend on the machine, such as threads, are not kept.
    """
    kept = {}
    for name in setting_names(kind or type(settings), saved=True):
        value = getattr(settings, name)
        kept[name] = encoder_header(value) if isinstance(value, Encoder) else value
    return kept


def preset_names() -> list[str]:
    """Return the names of the presets of installed packages, without loading them."""
    return sorted(plugins(PRESETS))


def with_preset(name: str | None, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a preset together with those of the caller, which win."""
    if name is None:
        return dict(settings)
    presets = plugins(PRESETS)
    if name not in presets:
        raise ConfigError("preset", name, f"one of {', '.join(sorted(presets))}")
    chosen: dict[str, Any] = presets[name].load()(settings)
    return chosen
