"""The words around a gap, in their order → how likely each number is there.

    tokens ─places.py─▶ ids ─contexts.py─▶ features ─┐
                                                     ├─network.py─▶ scores ─scorer.py─▶ lifts
    numbers ──────────────numbers.py─────▶ features ─┘

`fit.py` trains the network on the numerals of a corpus, after its vectors; `calibration.py` makes
its probabilities agree with text that it was not trained on.
"""

from numberline.gap_model.model import GapModel, gap_model_from_state, is_gap_state
from numberline.gap_model.places import FAR, NEAR, NO_TOKEN, Ids, neighbours
from numberline.gap_model.scorer import GapScorer

__all__ = [
    "FAR",
    "NEAR",
    "NO_TOKEN",
    "GapModel",
    "GapScorer",
    "Ids",
    "gap_model_from_state",
    "is_gap_state",
    "neighbours",
]
