"""Names of the paper's experiments → the settings it reports for them (appendix B).

Learning rates are not among them: the authors trained with Adam. What is given beside a preset
wins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from numberline.errors import ConfigError

Settings = Mapping[str, Any]
NEGATIVES = {"negatives": 5, "numeral_negatives": 0}  # numerals among them as in the text
WIKIPEDIA = {"dim": 300, "window": 5, **NEGATIVES, "epochs": 1, "max_vocabulary": 300_000}
HEADLINES = {"dim": 300, "window": 2, **NEGATIVES, "epochs": 10, "max_vocabulary": 100_000}
PAPER_ENCODER = "gmm"  # of a preset, if none is named
CHAT = {"dim": 50, "window": 2, **NEGATIVES, "epochs": 10, "max_vocabulary": 500}


@dataclass(frozen=True)
class Preset:
    general: Settings
    som: Settings
    gmm: Settings


def _som(prototypes: int, log: str = "dataset") -> Settings:
    return {"prototypes": prototypes, "log": log}


def _gmm(prototypes: int, log: str, em: str, em_start: str = "random") -> Settings:
    return {"prototypes": prototypes, "log": log, "em": em, "em_start": em_start}


PRESETS = {
    "similarity": Preset(WIKIPEDIA, _som(200), _gmm(200, "dataset", "hard")),
    "magnitude": Preset(WIKIPEDIA, _som(200), _gmm(300, "dataset", "soft")),
    "numeration": Preset(WIKIPEDIA, _som(300, "similarity"), _gmm(500, "dataset", "soft")),
    "prediction": Preset(WIKIPEDIA, _som(300, "similarity"), _gmm(300, "none", "hard")),
    "headlines": Preset(HEADLINES, _som(50), _gmm(200, "none", "hard")),
    "tagging": Preset(CHAT, _som(15), _gmm(30, "none", "soft")),
    "tagging-30": Preset(CHAT, _som(10), _gmm(15, "none", "soft", "kmeans")),
    "tagging-10": Preset(CHAT, _som(25, "similarity"), _gmm(20, "none", "soft", "som")),
}


def with_preset(name: str | None, settings: Settings) -> dict[str, Any]:
    """The settings of a preset, for the encoder that is asked for, and those given beside it."""
    if name is None:
        return dict(settings)
    if name not in PRESETS:
        raise ConfigError("preset", name, f"one of {', '.join(PRESETS)}")
    preset = PRESETS[name]
    encoder = settings.get("encoder", PAPER_ENCODER)
    for_encoder = {"som": preset.som, "gmm": preset.gmm}.get(encoder, {})
    return {**preset.general, "encoder": encoder, **for_encoder, **settings}
