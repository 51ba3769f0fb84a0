"""Every setting and its default, written once: flags, docs and file headers come from here.

Settings of encoders are fields of the encoders (numerals/NAME.py): here `encoder` is one setting.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

from numberline.fields import (
    LARGEST_COUNT,
    LARGEST_SIZE,
    CheckedSettings,
    is_setting,
    one_of,
    optional,
    positive_number,
    setting,
    whole_number,
)
from numberline.numerals.base import Encoder
from numberline.numerals.line import Line
from numberline.numerals.notation import encoder_header, encoder_of

MOST_THREADS = 1024  # each has tables of its own
LARGEST_SEED = 2**32 - 1
MINUTES_OF_A_YEAR = 366 * 24 * 60
MOST_DEMO_SENTENCES = 10**9


def encoder_setting() -> Any:
    return setting(
        Line(),
        "How numerals get their vectors: the name of an encoder, with settings of its own after a "
        "colon, as in gmm:prototypes=300,em=hard.",
        lambda _, value: encoder_of(value),
    )


@dataclass(frozen=True)
class CorpusConfig(CheckedSettings):
    """How files become text."""

    text_field: str | None = setting(
        None, "Field or column that holds the text of .jsonl, .parquet and .arrow files."
    )
    strict: bool = setting(False, "Refuse bytes that are not UTF-8 instead of replacing them.")


@dataclass(frozen=True)
class TextConfig(CheckedSettings):
    """How text becomes tokens. It is saved with every model: queries are read as training was."""

    lowercase: bool = setting(True, "Lower-case words.")
    punctuation: bool = setting(False, "Keep punctuation marks as tokens.")
    magnitudes: bool = setting(False, "Read '3 million', '$3M' and '5k' as one numeral.")
    number_words: bool = setting(False, "Read 'twenty-five' as 25.")
    decimal_comma: bool = setting(False, "Read '1.234,56' as 1234.56.")


@dataclass(frozen=True)
class VocabularyConfig(CheckedSettings):
    """Which words get a vector of their own. Numerals are never cut."""

    min_count: int = setting(5, "Drop words that occur less often.", whole_number(1, LARGEST_COUNT))
    max_vocabulary: int = setting(
        300_000,
        "Keep at most this many words, the most frequent ones.",
        whole_number(1, LARGEST_SIZE),
    )


@dataclass(frozen=True)
class MachineConfig(CheckedSettings):
    """How much of the machine to use. It never changes a result of scanning."""

    threads: int = setting(
        min(os.cpu_count() or 1, MOST_THREADS),
        "Threads to use.",
        whole_number(1, MOST_THREADS),
    )


@dataclass(frozen=True)
class EncodingConfig:
    """All that turns a corpus into ids."""

    corpus: CorpusConfig = CorpusConfig()
    text: TextConfig = TextConfig()
    vocabulary: VocabularyConfig = VocabularyConfig()
    machine: MachineConfig = MachineConfig()


@dataclass(frozen=True)
class RandomConfig(CheckedSettings):
    """Where random numbers come from."""

    seed: int = setting(1, "The same seed, the same result.", whole_number(0, LARGEST_SEED))


@dataclass(frozen=True)
class TrainingConfig(CheckedSettings):
    """How vectors are learnt."""

    objective: str = setting("skipgram", "'skipgram' or 'cbow'.", one_of("skipgram", "cbow"))
    dim: int = setting(100, "Length of the vectors.", whole_number(1, 10_000))
    window: int = setting(
        5, "Tokens on each side, drawn from 1 to window for each centre.", whole_number(1, 1000)
    )
    negatives: int = setting(
        5, "Tokens drawn at random to tell each centre from.", whole_number(1, 1000)
    )
    numeral_negatives: int | None = setting(
        None,
        "Negatives drawn from numerals when any of the four centres that share them is a numeral; "
        "by default two of five.",
    )
    sample: float = setting(
        1e-4,
        "Words that make up more than this share of the text are thinned out; 0: none are.",
        positive_number(1, may_be_zero=True),
    )
    epochs: int = setting(5, "Passes over the text.", whole_number(1, 1_000_000))
    learning_rate: float = setting(
        0.035, "At the start; it falls to nothing in a straight line.", positive_number(1)
    )
    shuffle: bool = setting(
        True, "Train ranges of the text in random order, another in each epoch; or as they stand."
    )
    start_from_odds: bool = setting(
        True, "Scores start from the odds of one centre to K negatives; or from 0, as in Eq. 6."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check = optional(whole_number(0, self.negatives))
        value = check("numeral_negatives", self.numeral_negatives)
        object.__setattr__(self, "numeral_negatives", value)

    @property
    def score_offset(self) -> float:
        """Return what is taken from every score."""
        return math.log(self.negatives) if self.start_from_odds else 0.0

    @property
    def negatives_of_numerals(self) -> int:
        """What numeral_negatives says, or leaves to us."""
        if self.numeral_negatives is None:
            return 2 * self.negatives // 5
        return self.numeral_negatives


@dataclass(frozen=True)
class DeviceConfig(CheckedSettings):
    """What does the training. A model is the same, but for chance."""

    device: str = setting(
        "auto",
        "'cpu', 'cuda' or 'auto': a GPU if one is there and worth it.",
        one_of("auto", "cpu", "cuda"),
    )


@dataclass(frozen=True)
class CheckpointConfig(CheckedSettings):
    """How much work a stop may cost. It does not change a model."""

    checkpoint_minutes: float = setting(
        10.0,
        "Minutes between checkpoints; 0: none are written.",
        positive_number(MINUTES_OF_A_YEAR, may_be_zero=True),
    )


@dataclass(frozen=True)
class ModelConfig(CheckedSettings):
    """All that makes a model what it is. It is saved with the model."""

    training: TrainingConfig = TrainingConfig()
    encoder: Encoder = encoder_setting()
    random: RandomConfig = RandomConfig()
    text: TextConfig = TextConfig()
    vocabulary: VocabularyConfig = VocabularyConfig()


@dataclass(frozen=True)
class TrainConfig:
    """All that turns a corpus into a model."""

    corpus: CorpusConfig = CorpusConfig()
    machine: MachineConfig = MachineConfig()
    model: ModelConfig = ModelConfig()
    device: DeviceConfig = DeviceConfig()
    checkpoints: CheckpointConfig = CheckpointConfig()

    def for_text(self, text: TextConfig, vocabulary: VocabularyConfig) -> TrainConfig:
        """The same, for a corpus that was encoded with these settings."""
        return replace(self, model=replace(self.model, text=text, vocabulary=vocabulary))


@dataclass(frozen=True)
class PrototypesConfig(CheckedSettings):
    """All that turns a corpus into prototypes."""

    encoder: Encoder = encoder_setting()
    random: RandomConfig = RandomConfig()
    encoding: EncodingConfig = EncodingConfig()


@dataclass(frozen=True)
class DemoConfig(CheckedSettings):
    """The chat of the demo shop."""

    seed: int = setting(1, "Another seed, another chat.", whole_number(0, LARGEST_SEED))
    sentences: int = setting(
        80_000,
        "Messages to write; about eleven tokens each.",
        whole_number(1, MOST_DEMO_SENTENCES),
    )


@dataclass(frozen=True)
class ExploreConfig(CheckedSettings):
    """Where the explorer is reached."""

    host: str = setting("127.0.0.1", "Address to listen on; 0.0.0.0 opens it to the network.")
    port: int = setting(8190, "Port to listen on; 0: any that is free.", whole_number(0, 65_535))


@dataclass(frozen=True)
class PlotConfig(CheckedSettings):
    """What figures show, and how they look."""

    theme: str = setting(
        "light", "'light' for print, 'dark' for dark pages.", one_of("light", "dark")
    )
    picture: str = setting(
        "png", "Format of the files: 'png', 'svg' or 'pdf'.", one_of("png", "svg", "pdf")
    )
    sentence: str | None = setting(
        None, "Text with a gap ___ whose prediction is drawn; by default one of the model's trade."
    )
    tokens: str | None = setting(
        None, "Words and numerals of the map, with blanks between; by default common ones."
    )


Config = TypeVar("Config")


def from_settings(config_class: type[Config], settings: Mapping[str, Any]) -> Config:
    """Fill a config, and the configs in it, from flat settings; each must belong somewhere."""
    rest = dict(settings)
    config = _take(config_class, rest)
    if rest:
        known = sorted(setting_names(config_class))
        raise TypeError(f"unknown setting {next(iter(rest))!r}; known are {', '.join(known)}")
    return config


def setting_names(config_class: type[Any]) -> set[str]:
    names: set[str] = set()
    for f in fields(config_class):
        names |= {f.name} if is_setting(f) else setting_names(type(f.default))
    return names


def _take(config_class: type[Config], settings: dict[str, Any]) -> Config:
    chosen = {}
    for f in fields(config_class):  # type: ignore[arg-type]
        if not is_setting(f):
            chosen[f.name] = _take(type(f.default), settings)
        elif f.name in settings:
            chosen[f.name] = settings.pop(f.name)
    return config_class(**chosen)


def flat_settings(config: Any) -> dict[str, Any]:
    """Return what from_settings takes: all settings of a config, and of the configs in it."""
    flat: dict[str, Any] = {}
    for f in fields(config):
        value = getattr(config, f.name)
        flat |= {f.name: value} if is_setting(f) else flat_settings(value)
    return flat


def to_nested(config: Any) -> dict[str, Any]:
    """Return the settings of a config, and of the configs in it, as JSON can hold them."""
    nested: dict[str, Any] = {}
    for f in fields(config):
        value = getattr(config, f.name)
        if not is_setting(f):
            value = to_nested(value)
        elif isinstance(value, Encoder):
            value = encoder_header(value)
        nested[f.name] = value
    return nested


def from_nested(config_class: type[Config], settings: Mapping[str, Any]) -> Config:
    """Return the config that to_nested was given; a setting that is not known is a TypeError."""
    chosen = {}
    for f in fields(config_class):  # type: ignore[arg-type]
        if f.name in settings:
            value = settings[f.name]
            chosen[f.name] = value if is_setting(f) else from_nested(type(f.default), value)
    unknown = set(settings) - set(chosen)
    if unknown:
        raise TypeError(f"unknown setting {min(unknown)!r}")
    return config_class(**chosen)
