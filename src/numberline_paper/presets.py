"""The name of an experiment → the settings that the paper reports for it (appendix B).

Learning rates are not among them: the authors trained with Adam. Explicit settings win:
`encoder="gmm:prototypes=50"` changes one setting of the preset's encoder, while an encoder
object, such as Gmm(prototypes=50), replaces it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from numberline import Gmm, Som
from numberline.numerals import encoder_of

Keywords = Mapping[str, Any]  # settings of numberline.train
WIKIPEDIA = {"dim": 300, "window": 5, "negatives": 5, "epochs": 1, "max_vocabulary": 300_000}
HEADLINES = {"dim": 300, "window": 2, "negatives": 5, "epochs": 10, "max_vocabulary": 100_000}
CHAT = {"dim": 50, "window": 2, "negatives": 5, "epochs": 10, "max_vocabulary": 500}
PAPER_ENCODER = "gmm"  # of a preset without an encoder beside it


@dataclass(frozen=True)
class Preset:
    general: Keywords
    som: Som
    gmm: Gmm


PRESETS = {
    "similarity": Preset(WIKIPEDIA, Som(200, nearest=None), Gmm(200, em="hard", em_start="random")),
    "magnitude": Preset(WIKIPEDIA, Som(200, nearest=None), Gmm(300, em_start="random")),
    "numeration": Preset(
        WIKIPEDIA, Som(300, log="similarity", nearest=None), Gmm(500, em_start="random")
    ),
    "prediction": Preset(
        WIKIPEDIA,
        Som(300, log="similarity", nearest=None),
        Gmm(300, log="none", em="hard", em_start="random"),
    ),
    "headlines": Preset(
        HEADLINES, Som(50, nearest=None), Gmm(200, log="none", em="hard", em_start="random")
    ),
    "tagging": Preset(CHAT, Som(15, nearest=None), Gmm(30, log="none", em_start="random")),
    "tagging-30": Preset(CHAT, Som(10, nearest=None), Gmm(15, log="none", em_start="kmeans")),
    "tagging-10": Preset(
        CHAT, Som(25, log="similarity", nearest=None), Gmm(20, log="none", em_start="som")
    ),
}


def with_preset(name: str, settings: Keywords) -> dict[str, Any]:
    """Return the settings of a preset, overridden by `settings`."""
    preset = PRESETS[name]
    encoder = settings.get("encoder", PAPER_ENCODER)
    usual = {"som": preset.som, "gmm": preset.gmm}
    without = {"gap_model": False, "kinds": False}  # which the paper does not have
    return {**preset.general, **without, **settings, "encoder": encoder_of(encoder, usual)}


# Entry points of the group numberline.presets.
similarity, magnitude, numeration, prediction, headlines, tagging, tagging_30, tagging_10 = (
    partial(with_preset, name) for name in PRESETS
)
