"""Text → tokens → vocabulary and ids: the first stage, and the only one that reads text."""

from numberline.reading.corpus import Corpus, CorpusSource, open_corpus
from numberline.reading.encoded import is_encoded
from numberline.reading.lines import Sentence, sentences_of
from numberline.reading.numerals import plain_number

__all__ = [
    "Corpus",
    "CorpusSource",
    "Sentence",
    "is_encoded",
    "open_corpus",
    "plain_number",
    "sentences_of",
]
