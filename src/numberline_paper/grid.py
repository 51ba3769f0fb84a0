"""The paper's experiments as data: which models, trained on which text, do which task.

A model is one row of a table: an encoder with the settings that the paper reports for the
experiment, or `default`, what numberline does if only the length of the vectors is set. Models of
several experiments that have the same settings have the same name, and are trained once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from numberline.numerals import Encoder
from numberline_paper.presets import PRESETS, Keywords, with_preset
from numberline_paper.settings import ReproductionSettings
from numberline_paper.trainers import ENCODERS

DEFAULT = "default"
ROWS = (*ENCODERS, DEFAULT)
RANDOM = "random"  # tagging only: vectors that were drawn, not learnt
WIKIPEDIA = "wikipedia"
HEADLINES = "headlines"


@dataclass(frozen=True)
class Experiment:
    name: str
    task: str  # of numberline.evaluate
    preset: str
    text: str = WIKIPEDIA  # what its models are trained on
    held_out: bool = False  # the task reads text that no model has seen, as its setting `text`
    settings: Keywords = field(default_factory=dict)  # of the task
    shared: bool = False  # run once: the result does not depend on the row


AS_IN_THE_PAPER = {"protocol": "paper", "numerals": "corpus"}

EXPERIMENTS = (
    Experiment("similarity", "similarity", "similarity"),
    Experiment("magnitude", "magnitude", "magnitude", settings=AS_IN_THE_PAPER),
    Experiment("magnitude-naik", "magnitude", "magnitude"),
    Experiment("numeration", "numeration", "numeration", settings=AS_IN_THE_PAPER),
    Experiment("numeration-naik", "numeration", "numeration"),
    Experiment("prediction", "prediction", "prediction", held_out=True),
    Experiment("headlines", "magnitude-class", "headlines", HEADLINES),
    # Naik's numerals: errors of the most frequent numerals of a corpus are as large as millions.
    Experiment("probing", "probing", "magnitude", settings={"protocol": "paper"}),
    Experiment("speed", "speed", "similarity", held_out=True, shared=True),
)

TAGGING = "tagging"  # learns its vectors from portions of its own sets: tagging/learnt_vectors.py
LARGE_SET: Keywords = {"tagging_portions": "30,10", "tagging_seeds": 2, "tagger_epochs": 15}
TAGGED: Mapping[str, Keywords] = {  # sets, with less work on those that are large
    "shop": {},
    "restaurants-8k": LARGE_SET,
    "multidogo-finance": LARGE_SET,
    "multidogo-insurance": LARGE_SET,
}
ROWS_OF_LARGE_SETS = ("gmm", "token", DEFAULT)

# Rows and presets of the models in figures, as close to the paper's as the grid has them.
PROTOTYPE_WORDS_OF = ("som", "similarity")
HISTOGRAMS_OF = (("som", "numeration"), ("gmm", "numeration"))
MAPS_OF = (("som", "magnitude"), ("gmm", "magnitude"))

# How models are named: settings that most models of the paper have are left out.
NAMED_BY_VALUE = ("prototypes", "log", "em", "em_start")  # no two of them have a value in common
USUAL_OF_ENCODER = {"log": "dataset", "em_start": "random", "nearest": None}
USUAL = {"seed": 1, "gap_model": False, "kinds": False}


@dataclass(frozen=True)
class Training:
    """A model to be trained."""

    row: str
    text: str
    settings: Keywords  # of numberline.train
    budget: int | None  # tokens of the text to train on; None: all of them

    @property
    def name(self) -> str:
        """Return a readable name, which differs if any setting differs."""
        usual = {**USUAL, **self._usual}
        named = {name: value for name, value in self.settings.items() if value != usual.get(name)}
        encoder = named.pop("encoder", None)
        parts = [] if self.text == WIKIPEDIA else [self.text]
        parts += [self.row, *(encoder_words(encoder) if encoder else [])]
        parts += [f"{name}{value}" for name, value in named.items()]
        parts += [] if self.budget is None else [short_count(self.budget)]
        return "-".join(parts)

    @property
    def _usual(self) -> Keywords:
        """Return the settings that all models of a text have in the paper."""
        usual = usual_settings(self.text)
        return {"dim": usual["dim"]} if self.row == DEFAULT else usual


def encoder_words(encoder: Encoder) -> list[str]:
    """Return the settings of an encoder that are unusual in the paper: 300, soft."""
    words = []
    for one in fields(encoder):
        value = getattr(encoder, one.name)
        # The paper has tables of both kinds of EM, so it is always named.
        if one.name == "em" or value != USUAL_OF_ENCODER.get(one.name, one.default):
            words.append(str(value) if one.name in NAMED_BY_VALUE else f"{one.name}{value}")
    return words


def usual_settings(text: str) -> Keywords:
    return PRESETS[{WIKIPEDIA: "similarity"}.get(text, text)].general


def training_of(row: str, preset: str, text: str, settings: ReproductionSettings) -> Training:
    """Return the training of a row for an experiment, at the scale of the reproduction."""
    if row == DEFAULT:
        keywords = {"dim": PRESETS[preset].general["dim"], **settings.training}
    else:
        keywords = with_preset(preset, {"encoder": row, **settings.training})
    budget = settings.budget if text == WIKIPEDIA else None
    return Training(row, text, keywords, budget)


def short_count(tokens: int) -> str:
    for unit, size in (("M", 10**6), ("k", 10**3)):
        if tokens % size == 0:
            return f"{tokens // size}{unit}"
    return str(tokens)
