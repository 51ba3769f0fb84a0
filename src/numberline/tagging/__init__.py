"""Vectors and labelled sentences → a tagger: BiLSTM and conditional random field."""

from typing import TYPE_CHECKING

from numberline.extras import lazy_names

if TYPE_CHECKING:
    from numberline.tagging.fit import fit_tagger as fit_tagger
    from numberline.tagging.folder import load_tagger as load_tagger
    from numberline.tagging.scores import Scores as Scores
    from numberline.tagging.sentences import Span as Span
    from numberline.tagging.sentences import Stretch as Stretch
    from numberline.tagging.sentences import TaggedSentence as TaggedSentence
    from numberline.tagging.sentences import as_bio as as_bio
    from numberline.tagging.sentences import read_sentences as read_sentences
    from numberline.tagging.sentences import stretches as stretches
    from numberline.tagging.sentences import tag_spans as tag_spans
    from numberline.tagging.sentences import to_conll as to_conll
    from numberline.tagging.settings import TaggerSettings as TaggerSettings
    from numberline.tagging.tagger import Tagger as Tagger
else:
    # torch takes seconds to import.
    __all__, __getattr__ = lazy_names(
        __name__,
        fit="fit_tagger",
        folder="load_tagger",
        scores="Scores",
        sentences="Span Stretch TaggedSentence as_bio read_sentences stretches tag_spans to_conll",
        settings="TaggerSettings",
        tagger="Tagger",
    )
