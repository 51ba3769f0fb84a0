"""Every setting of taggers, evaluation and reproduction and its default, as in config.py."""

from __future__ import annotations

from dataclasses import dataclass

from numberline.errors import ConfigError
from numberline.fields import (
    LARGEST_COUNT,
    LARGEST_SIZE,
    CheckedSettings,
    one_of,
    optional,
    positive_number,
    setting,
    whole_number,
)
from numberline.settings import (
    MOST_DEMO_SENTENCES,
    CorpusConfig,
    MachineConfig,
    RandomConfig,
    TrainingConfig,
)

MOST_ITEMS = 10_000  # all candidates are scored for all items at once


@dataclass(frozen=True)
class TaggerConfig(CheckedSettings):
    """How a tagger is trained. The defaults are those of the paper, which used NCRF++."""

    tagger_hidden: int = setting(
        200, "Width of the BiLSTM, both directions together.", whole_number(2, 100_000)
    )
    tagger_dropout: float = setting(
        0.5,
        "Fraction of inputs and of hidden units that is left out.",
        positive_number(0.99, may_be_zero=True),
    )
    tagger_learning_rate: float = setting(
        0.015, "Of the first epoch, for the loss summed over a batch.", positive_number(1)
    )
    tagger_decay: float = setting(
        0.05,
        "The rate of epoch e is divided by 1 + decay * e.",
        positive_number(1, may_be_zero=True),
    )
    tagger_batch: int = setting(10, "Sentences in a step.", whole_number(1, 1_000_000))
    tagger_l2: float = setting(1e-8, "Weight decay.", positive_number(1, may_be_zero=True))
    tagger_epochs: int = setting(
        30, "Passes over the sentences, at most.", whole_number(1, 1_000_000)
    )
    tagger_patience: int = setting(
        6, "Epochs without a better F1 on dev after which it stops.", whole_number(1, 1_000_000)
    )
    fine_tune: bool = setting(False, "Train the vectors too: of words, and of prototypes.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.tagger_hidden % 2:
            raise ConfigError("tagger_hidden", self.tagger_hidden, "even: half for each direction")


@dataclass(frozen=True)
class TagConfig:
    """All that turns vectors and labelled sentences into a tagger."""

    tagger: TaggerConfig = TaggerConfig()
    random: RandomConfig = RandomConfig()


TAGGED_SETS = ("shop", "restaurants-8k", "multidogo-finance", "multidogo-insurance")


@dataclass(frozen=True)
class TaggingConfig(CheckedSettings):
    """What taggers are trained and tested on to evaluate vectors."""

    tagging_sets: str = setting("shop", f"Some of {', '.join(TAGGED_SETS)}; commas between them.")
    tagging_portions: str = setting(
        "100,30,10", "Percent of the training sentences to use; commas between them."
    )
    tagging_seeds: int = setting(
        3, "Taggers per figure, each from another seed.", whole_number(1, 1000)
    )
    tagging_random: bool = setting(
        False, "Also vectors drawn at random: frozen, and tuned with the tagger."
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
class EvaluationDataConfig(CheckedSettings):
    """What a model is evaluated on."""

    data: str | None = setting(None, "Folder of the evaluation sets.")
    text: str | None = setting(None, "Text that the model was not trained on: prediction, speed.")


@dataclass(frozen=True)
class GapsConfig(CheckedSettings):
    """What is around a numeral that was taken out of a text."""

    part: str = setting(
        "test",
        "prediction, magnitude-class: 'test', or 'validation' to choose settings by.",
        one_of("test", "validation"),
    )
    context_words: int = setting(
        5,
        "prediction, magnitude-class: tokens on each side of a numeral that are its context.",
        whole_number(1, 60),
    )


@dataclass(frozen=True)
class PredictionConfig(CheckedSettings):
    """How many sentences of the text lose a numeral."""

    test_items: int = setting(
        1400, "prediction: sentences of the test part.", whole_number(1, MOST_ITEMS)
    )
    validation_items: int = setting(
        600, "prediction: sentences of the validation part.", whole_number(1, MOST_ITEMS)
    )


@dataclass(frozen=True)
class TitlesConfig(CheckedSettings):
    """Titles whose numerals have a class of magnitude."""

    titles: str | None = setting(
        None,
        "magnitude-class: folder or file in the format of Numeracy-600K; by default headlines, in "
        "the folder of the evaluation sets.",
    )
    class_numerals: int = setting(
        100,
        "magnitude-class: numerals whose mean stands for a class.",
        whole_number(1, LARGEST_COUNT),
    )


@dataclass(frozen=True)
class SpeedConfig(CheckedSettings):
    """How long to look at the speed of training."""

    speed_sentences: int = setting(
        50_000,
        "speed: first sentences of the text to train on; without a text, the demo shop's.",
        whole_number(1, MOST_DEMO_SENTENCES),
    )
    speed_runs: int = setting(
        3, "speed: trainings of each encoder, of which the median counts.", whole_number(1, 1000)
    )


@dataclass(frozen=True)
class NumeracyConfig(CheckedSettings):
    """How vectors are held against the number line: magnitude, numeration, probing."""

    protocol: str = setting(
        "naik",
        "Which numerals are the nearest: 'naik', all at the smallest gap; 'paper', of two at one "
        "gap the larger.",
        one_of("naik", "paper"),
    )
    numerals: str = setting(
        "naik",
        "Which are asked about: the list 'naik', or the most frequent of the 'corpus'.",
        one_of("naik", "corpus"),
    )


@dataclass(frozen=True)
class ProbingConfig(CheckedSettings):
    """How much small networks are shown of vectors before they are asked."""

    probe_items: int = setting(
        100_000,
        "Pairs and lists of numerals to draw, 80 % for training.",
        whole_number(10, LARGEST_SIZE),
    )
    probe_steps: int = setting(
        1500, "Batches of 512 that a probe is trained on.", whole_number(1, LARGEST_SIZE)
    )


@dataclass(frozen=True)
class EvaluationConfig:
    """All that tasks can be told."""

    data: EvaluationDataConfig = EvaluationDataConfig()
    gaps: GapsConfig = GapsConfig()
    prediction: PredictionConfig = PredictionConfig()
    titles: TitlesConfig = TitlesConfig()
    speed: SpeedConfig = SpeedConfig()
    numeracy: NumeracyConfig = NumeracyConfig()
    probing: ProbingConfig = ProbingConfig()
    tagging: TaggingConfig = TaggingConfig()
    tagger: TaggerConfig = TaggerConfig()
    random: RandomConfig = RandomConfig()
    machine: MachineConfig = MachineConfig()


@dataclass(frozen=True)
class ScaleConfig(CheckedSettings):
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
    shuffle: bool = setting(
        TrainingConfig.shuffle,
        "Train blocks of the text in random order, or as they stand. Not for tagging.",
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

    @property
    def tagged_sets(self) -> list[str] | None:
        names = None if self.tagged is None else self.tagged.split(",")
        return None if names is None else [name.strip() for name in names if name.strip()]


@dataclass(frozen=True)
class ReproductionConfig:
    """All that the paper's experiments can be told."""

    scale: ScaleConfig = ScaleConfig()
    corpus: CorpusConfig = CorpusConfig()
    random: RandomConfig = RandomConfig()
    machine: MachineConfig = MachineConfig()
