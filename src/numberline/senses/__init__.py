"""Numerals of which the text does not say the kind → the probability of each, by their contexts."""

from numberline.senses.assign import with_senses
from numberline.senses.evidence import Evidence, Texts, texts_of
from numberline.senses.fit import fit_senses
from numberline.senses.mixture import (
    SENSE_NEIGHBOURS,
    SenseMixture,
    is_sense_state,
    kind_name,
    mixture_from_state,
)

__all__ = [
    "SENSE_NEIGHBOURS",
    "Evidence",
    "SenseMixture",
    "Texts",
    "fit_senses",
    "is_sense_state",
    "kind_name",
    "mixture_from_state",
    "texts_of",
    "with_senses",
]
