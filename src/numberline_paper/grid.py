"""The paper's experiments as data: which models, trained on which text, do which task.

A model is one row of a table: an encoder with the settings that the paper reports for the
experiment, or `default`, what numberline does if nothing is said but the length of the vectors.
Models of several experiments that have the same settings have the same name, and are trained once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from numberline.numerals.base import Encoder
from numberline_paper.presets import PRESETS, Settings, with_preset
from numberline_paper.settings import ReproductionSettings
from numberline_paper.trainers import trained_encoders

DEFAULT = "default"
ROWS = (*trained_encoders(), DEFAULT)
RANDOM = "random"  # tagging only: vectors that were drawn, not learnt
WIKIPEDIA = "wikipedia"
HEADLINES = "headlines"
SHOWN_ALONE = ("prototypes", "log", "em", "em_start")  # no two of them have a value in common
UNSAID = {"log": "dataset", "em_start": "random", "nearest": None}  # as mostly in the paper


@dataclass(frozen=True)
class Experiment:
    name: str
    task: str  # one of evaluation.task.TASKS
    preset: str
    text: str = WIKIPEDIA  # what its models are trained on
    held_out: bool = False  # the task reads text that no model has seen, as its setting `text`
    settings: Settings = field(default_factory=dict)  # of the task
    shared: bool = False  # it is done once: what the task says does not depend on the row


AS_IN_THE_PAPER = {"protocol": "paper", "numerals": "corpus"}

EXPERIMENTS = (
    Experiment("similarity", "similarity", "similarity"),
    Experiment("magnitude", "magnitude", "magnitude", settings=AS_IN_THE_PAPER),
    Experiment("magnitude-naik", "magnitude", "magnitude"),
    Experiment("numeration", "numeration", "numeration", settings=AS_IN_THE_PAPER),
    Experiment("numeration-naik", "numeration", "numeration"),
    Experiment("prediction", "prediction", "prediction", held_out=True),
    Experiment("headlines", "magnitude-class", "headlines", HEADLINES),
    # Naik's numerals: errors of the most frequent of a corpus are those of a few millions.
    Experiment("probing", "probing", "magnitude", settings={"protocol": "paper"}),
    Experiment("speed", "speed", "similarity", held_out=True, shared=True),
)

TAGGING = "tagging"  # learns its vectors from portions of its own sets: tagging_grid.py
LARGE_SET: Settings = {"tagging_portions": "30,10", "tagging_seeds": 2, "tagger_epochs": 15}
TAGGED: Mapping[str, Settings] = {  # sets, with what is done less of on those that are large
    "shop": {},
    "restaurants-8k": LARGE_SET,
    "multidogo-finance": LARGE_SET,
    "multidogo-insurance": LARGE_SET,
}
ROWS_OF_LARGE_SETS = ("gmm", "token", DEFAULT)

# Rows and presets of the models that figures are of, as close to the paper's as the grid has them.
PROTOTYPE_WORDS_OF = ("som", "similarity")
HISTOGRAMS_OF = (("som", "numeration"), ("gmm", "numeration"))
MAPS_OF = (("som", "magnitude"), ("gmm", "magnitude"))


@dataclass(frozen=True)
class Training:
    """A model to be trained."""

    row: str
    text: str
    settings: Settings  # of numberline.train
    budget: int | None  # tokens of the text; None: all there are

    @property
    def name(self) -> str:
        """Readable, and another one for any other setting."""
        unsaid = {"seed": 1, **self._usual}
        told = {name: value for name, value in self.settings.items() if value != unsaid.get(name)}
        encoder = told.pop("encoder", None)
        parts = [] if self.text == WIKIPEDIA else [self.text]
        parts += [self.row, *(encoder_words(encoder) if encoder else [])]
        parts += [
            f"no-{name}" if value is False else f"{name}{value}" for name, value in told.items()
        ]
        parts += [] if self.budget is None else [short_count(self.budget)]
        return "-".join(parts)

    @property
    def _usual(self) -> Settings:
        """What goes without saying: what the paper has for all models of a text."""
        usual = usual_settings(self.text)
        return {"dim": usual["dim"]} if self.row == DEFAULT else usual


def encoder_words(encoder: Encoder) -> list[str]:
    """Return the settings of an encoder that do not go without saying: 300, soft."""
    words = []
    for one in fields(encoder):
        value = getattr(encoder, one.name)
        # The paper has tables of both kinds of EM, so that neither goes without saying.
        if one.name == "em" or value != UNSAID.get(one.name, one.default):
            words.append(str(value) if one.name in SHOWN_ALONE else f"{one.name}{value}")
    return words


def usual_settings(text: str) -> Settings:
    return PRESETS[{WIKIPEDIA: "similarity"}.get(text, text)].general


def training_of(row: str, preset: str, text: str, settings: ReproductionSettings) -> Training:
    given = {"dim": settings.dim, "epochs": settings.epochs, "seed": settings.seed}
    chosen = {name: value for name, value in given.items() if value is not None}
    if row == DEFAULT:
        of_training = {"dim": PRESETS[preset].general["dim"], **chosen}
    else:
        of_training = with_preset(preset, {"encoder": row, **chosen})
    budget = settings.budget if text == WIKIPEDIA else None
    return Training(row, text, of_training, budget)


def short_count(tokens: int) -> str:
    for unit, size in (("M", 10**6), ("k", 10**3)):
        if tokens % size == 0:
            return f"{tokens // size}{unit}"
    return str(tokens)
