"""Vectors and labelled sentences → a tagger: BiLSTM and conditional random field."""

from numberline.tagging.sentences import (
    Span,
    Stretch,
    TaggedSentence,
    read_sentences,
    stretches,
    tag_spans,
    to_conll,
)

__all__ = [
    "Span",
    "Stretch",
    "TaggedSentence",
    "read_sentences",
    "stretches",
    "tag_spans",
    "to_conll",
]
