"""Word embeddings in which every numeral, seen or unseen, has a good vector."""

from numberline.errors import NumberlineError
from numberline.pipeline import count, encode, parse_numeral, tokenize
from numberline.text.encoded import EncodedCorpus, load_encoded
from numberline.text.tokens import Token
from numberline.text.vocabulary import Vocabulary

__version__ = "0.1.0"

__all__ = [
    "EncodedCorpus",
    "NumberlineError",
    "Token",
    "Vocabulary",
    "count",
    "encode",
    "load_encoded",
    "parse_numeral",
    "tokenize",
]
