"""Every setting of reading and training: its default, its range and its help text, written once.

The settings of a step include those of the steps before it, so that one frozen object travels from
the user's call to the kernels. Settings of an encoder are fields of the encoder (numerals/NAME.py).
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import Any, Self

from numberline.fields import (
    LARGEST_COUNT,
    LARGEST_SIZE,
    CheckedSettings,
    one_of,
    positive_number,
    setting,
    setting_names,
    whole_number,
)
from numberline.numerals.base import Encoder
from numberline.numerals.line import Line
from numberline.numerals.notation import encoder_header, encoder_of

MOST_THREADS = 1024  # each has tables of its own
LARGEST_SEED = 2**32 - 1
DEFAULT_ENCODER = Line()


def seed_setting() -> Any:
    return setting(1, "The same seed gives the same result.", whole_number(0, LARGEST_SEED))


def threads_setting() -> Any:
    return setting(
        min(os.cpu_count() or 1, MOST_THREADS),
        "Threads to use.",
        whole_number(1, MOST_THREADS),
        saved=False,
    )


@dataclass(frozen=True)
class TextSettings(CheckedSettings):
    """How text becomes tokens. Saved with every model: queries are read as its corpus was."""

    lowercase: bool = setting(True, "Lower-case words.", rare=True)
    magnitudes: bool = setting(False, "Read '3 million', '$3M' and '5k' as one numeral.", rare=True)
    number_words: bool = setting(False, "Read 'twenty-five' as 25.", rare=True)
    decimal_comma: bool = setting(False, "Read '1.234,56' as 1234.56.", rare=True)


@dataclass(frozen=True)
class ReadingSettings(TextSettings):
    """How files become text, and which words get a vector. Numerals are never left out."""

    min_count: int = setting(
        5, "Leave out words that occur less often.", whole_number(1, LARGEST_COUNT)
    )
    max_vocabulary: int = setting(
        300_000,
        "Keep at most this many words, the most frequent ones.",
        whole_number(1, LARGEST_SIZE),
        rare=True,
    )
    text_field: str | None = setting(
        None,
        "Field or column that holds the text of .jsonl, .parquet and .arrow files.",
        rare=True,
        saved=False,
    )
    threads: int = threads_setting()


@dataclass(frozen=True)
class NumeralSettings(ReadingSettings):
    """How numbers become rows of weights."""

    encoder: Encoder = setting(
        DEFAULT_ENCODER,
        "How numerals get their vectors: the name of an encoder, with settings of its own after a "
        "colon, as in gmm:prototypes=300,em=hard.",
        lambda _, value: encoder_of(value),
    )
    seed: int = seed_setting()


@dataclass(frozen=True)
class Settings(NumeralSettings):
    """How vectors are trained, and all that comes before."""

    objective: str = setting(
        "skipgram", "'skipgram' or 'cbow'.", one_of("skipgram", "cbow"), rare=True
    )
    dim: int = setting(100, "Length of the vectors.", whole_number(1, 10_000))
    window: int = setting(
        5, "Tokens on each side, drawn from 1 to window for each centre.", whole_number(1, 1000)
    )
    negatives: int = setting(
        5, "Random tokens that each centre is told apart from.", whole_number(1, 1000)
    )
    sample: float = setting(
        1e-4,
        "Words above this fraction of the text are randomly left out; 0 keeps them all.",
        positive_number(1, may_be_zero=True),
        rare=True,
    )
    epochs: int = setting(5, "Passes over the text.", whole_number(1, 1_000_000))
    learning_rate: float = setting(
        0.035, "First learning rate; it falls linearly to zero.", positive_number(1)
    )
    device: str = setting(
        "auto",
        "'cpu', 'cuda', or 'auto': a GPU where there is one and the work is large enough.",
        one_of("auto", "cpu", "cuda"),
        saved=False,
    )

    def reading_as(self, reading: ReadingSettings) -> Self:
        """Return these settings with `reading` for all that determines the ids of a corpus."""
        return replace(self, **saved_settings(reading, ReadingSettings))


def saved_settings(settings: ReadingSettings, kind: type[Any] | None = None) -> dict[str, Any]:
    """Return the settings that files keep, as JSON can hold them; with `kind`, its fields alone.

    Settings that only say how to use the machine at hand, such as threads, are not kept.
    """
    kept = {}
    for name in setting_names(kind or type(settings), saved=True):
        value = getattr(settings, name)
        kept[name] = encoder_header(value) if isinstance(value, Encoder) else value
    return kept
