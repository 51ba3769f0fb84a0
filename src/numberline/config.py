"""Every setting and its default, written once: flags, docs and file headers come from here."""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from numbers import Real
from typing import Any, TypeVar

from numberline.errors import ConfigError

# Each is the module encoders/NAME.py, with a class NameEncoder.
ENCODERS = ("som", "gmm", "token", "fixed", "lstm", "piecewise", "multiscale", "fourier")
# Classes of your own by name. They stand here, as a config must know the names without importing
# encoders; encoders.registry.register adds to them.
ADDED_ENCODERS: dict[str, type[Any]] = {}

LARGEST_COUNT = 2**63 - 1  # counts have 64 bits
LARGEST_VOCABULARY = 2**31 - 1  # ids have 32
MOST_THREADS = 1024  # each has tables of its own
LARGEST_SEED = 2**32 - 1
MINUTES_OF_A_YEAR = 366 * 24 * 60
LARGEST_BETA = 1000  # the nearest prototype has long had all the weight
MOST_DEMO_SENTENCES = 10**9


def setting(default: Any, explanation: str) -> Any:
    """A dataclass field whose explanation becomes the help text of its flag."""
    return field(default=default, metadata={"help": explanation})


def require_whole_numbers(config: Any, **ranges: tuple[int, int]) -> None:
    """Check settings against their ranges; those of NumPy become plain, so that JSON takes them."""
    for name, (smallest, largest) in ranges.items():
        value = getattr(config, name)
        number = as_whole_number(value)
        if number is None or not smallest <= number <= largest:
            raise ConfigError(name, value, f"a whole number from {smallest} to {largest:,}")
        object.__setattr__(config, name, number)


def as_whole_number(value: Any) -> int | None:
    try:
        return None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        return None


def require_number(config: Any, name: str, largest: float, may_be_zero: bool = False) -> None:
    """Check a setting that is a number above 0; one of NumPy becomes plain."""
    value = getattr(config, name)
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not is_number or not (0 < value <= largest or (may_be_zero and value == 0)):
        lowest = "0 or more" if may_be_zero else "above 0"
        raise ConfigError(name, value, f"a number {lowest}, at most {largest:,}")
    object.__setattr__(config, name, float(value))


def require_switches(config: Any) -> None:
    """Check all settings that are True or False, or 1 or 0: any other text would be true."""
    for f in fields(config):
        value = getattr(config, f.name)
        if isinstance(f.default, bool) and not isinstance(value, bool):
            if value not in (True, False):
                raise ConfigError(f.name, value, "True or False")
            object.__setattr__(config, f.name, bool(value))


def require_one_of(config: Any, name: str, known: Collection[str]) -> None:
    value = getattr(config, name)
    if value not in known:
        raise ConfigError(name, value, f"one of {', '.join(known)}")


@dataclass(frozen=True)
class CorpusConfig:
    """How files become text."""

    text_field: str | None = setting(
        None, "Field or column that holds the text of .jsonl, .parquet and .arrow files."
    )
    strict: bool = setting(False, "Refuse bytes that are not UTF-8 instead of replacing them.")

    def __post_init__(self) -> None:
        require_switches(self)


@dataclass(frozen=True)
class TextConfig:
    """How text becomes tokens. It is saved with every model: queries are read as training was."""

    lowercase: bool = setting(True, "Lower-case words.")
    punctuation: bool = setting(False, "Keep punctuation marks as tokens.")
    magnitudes: bool = setting(False, "Read '3 million', '$3M' and '5k' as one numeral.")
    number_words: bool = setting(False, "Read 'twenty-five' as 25.")
    decimal_comma: bool = setting(False, "Read '1.234,56' as 1234.56.")

    def __post_init__(self) -> None:
        require_switches(self)


@dataclass(frozen=True)
class VocabularyConfig:
    """Which words get a vector of their own. Numerals are never cut."""

    min_count: int = setting(5, "Drop words that occur less often.")
    max_vocabulary: int = setting(300_000, "Keep at most this many words, the most frequent ones.")

    def __post_init__(self) -> None:
        require_whole_numbers(
            self, min_count=(1, LARGEST_COUNT), max_vocabulary=(1, LARGEST_VOCABULARY)
        )


@dataclass(frozen=True)
class MachineConfig:
    """How much of the machine to use. It never changes a result of scanning."""

    threads: int = setting(
        min(os.cpu_count() or 1, MOST_THREADS),
        "Threads to use.",
    )

    def __post_init__(self) -> None:
        require_whole_numbers(self, threads=(1, MOST_THREADS))


@dataclass(frozen=True)
class EncodingConfig:
    """All that turns a corpus into ids."""

    corpus: CorpusConfig = CorpusConfig()
    text: TextConfig = TextConfig()
    vocabulary: VocabularyConfig = VocabularyConfig()
    machine: MachineConfig = MachineConfig()


@dataclass(frozen=True)
class EncoderConfig:
    """How a numeral gets its vector. Each encoder takes some of these; the others must be left."""

    encoder: str = setting("multiscale", f"One of {', '.join(ENCODERS)}.")
    prototypes: int | None = setting(None, "How many; by default (ln N)² for N distinct numerals.")
    log: str = setting(
        "dataset",
        "Where the number line is squashed to a logarithmic scale: 'dataset' (before prototypes "
        "are induced), 'similarity' (som: only to compare) or 'none' (gmm, piecewise, "
        "multiscale).",
    )
    decimals: str = setting(
        "scores",
        "multiscale: what tells numerals with digits after the point from whole ones, where the "
        "text has many of them: 'scores', as of predict and check; 'vectors' too, which helps "
        "taggers and takes them out of line; or 'none'.",
    )
    lengths: str = setting(
        "settled",
        "multiscale: in the end vectors are made longer along what numerals differ by and shorter "
        "along what all tokens have in common, while scores stay ('settled'); or left as they were "
        "'trained'.",
    )
    beta: float = setting(1.0, "som: how steeply weights fall with distance.")
    em: str = setting("soft", "gmm: 'soft' or 'hard' EM.")
    em_start: str = setting("som", "gmm: where EM starts: 'random', 'som' or 'kmeans'.")
    numeral_min_count: int = setting(
        5, "token: rarer numerals share one vector; not used where prototypes says how many stay."
    )

    def __post_init__(self) -> None:
        if self.encoder not in (*ENCODERS, *ADDED_ENCODERS):
            needed = f"one of {', '.join(ENCODERS)}, or one that has been registered"
            raise ConfigError("encoder", self.encoder, needed)
        require_one_of(self, "log", ("dataset", "similarity", "none"))
        require_one_of(self, "decimals", ("scores", "vectors", "none"))
        require_one_of(self, "lengths", ("settled", "trained"))
        require_one_of(self, "em", ("soft", "hard"))
        require_one_of(self, "em_start", ("random", "som", "kmeans"))
        require_whole_numbers(self, numeral_min_count=(1, LARGEST_COUNT))
        if self.prototypes is not None:
            require_whole_numbers(self, prototypes=(1, LARGEST_VOCABULARY))
        require_number(self, "beta", LARGEST_BETA)

    def require_only(self, honoured: frozenset[str], encoder: str) -> None:
        """A setting that an encoder would ignore is refused."""
        for f in fields(self):
            value = getattr(self, f.name)
            if f.name not in honoured | {"encoder"} and value != f.default:
                raise ConfigError(f.name, value, f"left out: encoder {encoder!r} has no use for it")


@dataclass(frozen=True)
class RandomConfig:
    """Where random numbers come from."""

    seed: int = setting(1, "The same seed, the same result.")

    def __post_init__(self) -> None:
        require_whole_numbers(self, seed=(0, LARGEST_SEED))


@dataclass(frozen=True)
class TrainingConfig:
    """How vectors are learnt."""

    objective: str = setting("skipgram", "'skipgram' or 'cbow'.")
    dim: int = setting(100, "Length of the vectors.")
    window: int = setting(5, "Tokens on each side, drawn from 1 to window for each centre.")
    negatives: int = setting(5, "Tokens drawn at random to tell each centre from.")
    numeral_negatives: int | None = setting(
        None,
        "Of the negatives, so many are numerals where one of four centres in a row is a numeral; "
        "by default two of five.",
    )
    sample: float = setting(
        1e-4, "Words that make up more than this share of the text are thinned out; 0: none are."
    )
    epochs: int = setting(5, "Passes over the text.")
    learning_rate: float = setting(0.035, "At the start; it falls to nothing in a straight line.")
    shuffle: bool = setting(
        True, "Train ranges of the text in random order, another in each epoch; or as they stand."
    )
    start_from_odds: bool = setting(
        True, "Scores start from the odds of one centre to K negatives; or from 0, as in Eq. 6."
    )

    def __post_init__(self) -> None:
        require_one_of(self, "objective", ("skipgram", "cbow"))
        require_switches(self)
        require_whole_numbers(
            self,
            dim=(1, 10_000),
            window=(1, 1000),
            negatives=(1, 1000),
            epochs=(1, 1_000_000),
        )
        if self.numeral_negatives is not None:
            require_whole_numbers(self, numeral_negatives=(0, self.negatives))
        require_number(self, "learning_rate", 1)
        require_number(self, "sample", 1, may_be_zero=True)

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
class DeviceConfig:
    """What does the training. A model is the same, but for chance."""

    device: str = setting("auto", "'cpu', 'cuda' or 'auto': a GPU if one is there and worth it.")

    def __post_init__(self) -> None:
        require_one_of(self, "device", ("auto", "cpu", "cuda"))


@dataclass(frozen=True)
class CheckpointConfig:
    """How much work a stop may cost. It does not change a model."""

    checkpoint_minutes: float = setting(10.0, "Minutes between checkpoints; 0: none are written.")

    def __post_init__(self) -> None:
        require_number(self, "checkpoint_minutes", MINUTES_OF_A_YEAR, may_be_zero=True)


@dataclass(frozen=True)
class ModelConfig:
    """All that makes a model what it is. It is saved with the model."""

    text: TextConfig = TextConfig()
    vocabulary: VocabularyConfig = VocabularyConfig()
    encoder: EncoderConfig = EncoderConfig()
    training: TrainingConfig = TrainingConfig()
    random: RandomConfig = RandomConfig()


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
class PrototypesConfig:
    """All that turns a corpus into prototypes."""

    encoding: EncodingConfig = EncodingConfig()
    encoder: EncoderConfig = EncoderConfig()
    random: RandomConfig = RandomConfig()


@dataclass(frozen=True)
class DemoConfig:
    """The chat of the demo shop."""

    seed: int = setting(1, "Another seed, another chat.")
    sentences: int = setting(80_000, "Messages to write; about eleven tokens each.")

    def __post_init__(self) -> None:
        require_whole_numbers(self, seed=(0, LARGEST_SEED), sentences=(1, MOST_DEMO_SENTENCES))


@dataclass(frozen=True)
class ExploreConfig:
    """Where the explorer is reached."""

    host: str = setting("127.0.0.1", "Address to listen on; 0.0.0.0 opens it to the network.")
    port: int = setting(8190, "Port to listen on; 0: any that is free.")

    def __post_init__(self) -> None:
        require_whole_numbers(self, port=(0, 65_535))


@dataclass(frozen=True)
class PlotConfig:
    """What figures show, and how they look."""

    theme: str = setting("light", "'light' for print, 'dark' for dark pages.")
    picture: str = setting("png", "Format of the files: 'png', 'svg' or 'pdf'.")
    sentence: str | None = setting(
        None, "Text with a gap ___ whose prediction is drawn; by default one of the model's trade."
    )
    tokens: str | None = setting(
        None, "Words and numerals of the map, with blanks between; by default common ones."
    )

    def __post_init__(self) -> None:
        require_one_of(self, "theme", ("light", "dark"))
        require_one_of(self, "picture", ("png", "svg", "pdf"))


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
        names |= setting_names(type(f.default)) if is_dataclass(f.default) else {f.name}
    return names


def _take(config_class: type[Config], settings: dict[str, Any]) -> Config:
    chosen = {}
    for f in fields(config_class):  # type: ignore[arg-type]
        if is_dataclass(f.default):
            chosen[f.name] = _take(type(f.default), settings)
        elif f.name in settings:
            chosen[f.name] = settings.pop(f.name)
    return config_class(**chosen)


def from_nested(config_class: type[Config], settings: Mapping[str, Any]) -> Config:
    """The inverse of dataclasses.asdict; a setting that is not known is a TypeError."""
    chosen = {}
    for f in fields(config_class):  # type: ignore[arg-type]
        if f.name in settings:
            value = settings[f.name]
            chosen[f.name] = (
                from_nested(type(f.default), value) if is_dataclass(f.default) else value
            )
    unknown = set(settings) - set(chosen)
    if unknown:
        raise TypeError(f"unknown setting {min(unknown)!r}")
    return config_class(**chosen)
