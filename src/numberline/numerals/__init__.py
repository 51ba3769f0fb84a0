"""Numbers → short rows of weights over a table of prototype vectors.

These names are all that a new encoder needs.
"""

from numberline.numerals.base import SIDES, Encoder, FittedEncoder, Side, number_of_prototypes
from numberline.numerals.notation import encoder_of
from numberline.numerals.registry import BUILT_IN, register
from numberline.numerals.rows import SparseRows
from numberline.numerals.squash import squash, unsquash
from numberline.numerals.state import refuse_others, required_array
from numberline.numerals.values import finite_numbers
from numberline.numerals.vectors import NumeralVectors, prototype_values

__all__ = [
    "BUILT_IN",
    "SIDES",
    "Encoder",
    "FittedEncoder",
    "NumeralVectors",
    "Side",
    "SparseRows",
    "encoder_of",
    "finite_numbers",
    "number_of_prototypes",
    "prototype_values",
    "refuse_others",
    "register",
    "required_array",
    "squash",
    "unsquash",
]
