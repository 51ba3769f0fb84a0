"""Word embeddings in which every numeral, seen or unseen, has a good vector."""

from numberline.api import count, encode, evaluate, parse_numeral, quantities, tokenize, train
from numberline.errors import NumberlineError
from numberline.model.embeddings import Embeddings
from numberline.model.folder import load
from numberline.numerals.fixed import Fixed
from numberline.numerals.fourier import Fourier
from numberline.numerals.gmm import Gmm
from numberline.numerals.line import Line
from numberline.numerals.som import Som
from numberline.numerals.token import NumeralTokens
from numberline.reading.encoded import EncodedCorpus, load_encoded
from numberline.reading.quantities.quantity import Quantity
from numberline.reading.tokens import Token
from numberline.reading.vocabulary import Vocabulary
from numberline.version import __version__

__all__ = [
    "Embeddings",
    "EncodedCorpus",
    "Fixed",
    "Fourier",
    "Gmm",
    "Line",
    "NumberlineError",
    "NumeralTokens",
    "Quantity",
    "Som",
    "Token",
    "Vocabulary",
    "__version__",
    "count",
    "encode",
    "evaluate",
    "load",
    "load_encoded",
    "parse_numeral",
    "quantities",
    "tokenize",
    "train",
]
