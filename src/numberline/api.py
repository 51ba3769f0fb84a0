"""The whole method, one function per step that a user can take."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import numberline
from numberline.errors import ConfigError, NumberlineWarning, describe
from numberline.fields import made_of, setting_names
from numberline.files.whole_folder import free_folder
from numberline.presets import with_preset
from numberline.reading import scanner
from numberline.reading.corpus import CorpusSource, open_corpus
from numberline.reading.encoded import EncodedCorpus, is_encoded, load_encoded
from numberline.reading.tokens import Token
from numberline.reading.vocabulary import Vocabulary
from numberline.settings import (
    NumeralSettings,
    ReadingSettings,
    Settings,
    TextSettings,
    saved_settings,
)

# The native module is imported where text is indexed: reading a model or a text needs none.
if TYPE_CHECKING:
    from numberline.evaluation.result import Evaluation
    from numberline.evaluation.task import Progress as TaskProgress
    from numberline.model.embeddings import Embeddings
    from numberline.model.token_vectors import TokenVectors
    from numberline.numerals.explained import ExplainedPrototypes
    from numberline.reading.counting import Progress
    from numberline.training.progress import TrainingCallback


def tokenize(text: str, **settings: bool) -> list[Token]:
    """Split a text into words and numerals, as training with the same settings does.

    Settings are `lowercase`, `magnitudes`, `number_words` and `decimal_comma`.
    """
    require_string(text, "tokenize")
    return scanner.tokenize(text, made_of(TextSettings, settings))


def parse_numeral(text: str, **settings: bool) -> float | None:
    """Return the value of a text that is one numeral and nothing else, or None.

    Settings are those of tokenize.
    """
    require_string(text, "parse_numeral")
    return scanner.parse_numeral(text, made_of(TextSettings, settings))


def count(corpus: CorpusSource, *, progress: Progress | None = None, **settings: Any) -> Vocabulary:
    """Count the words and distinct numerals of a corpus; sources and settings as in encode."""
    from numberline.reading.counting import count as count_corpus

    chosen = made_of(ReadingSettings, settings)
    vocabulary = count_corpus(open_corpus(corpus, chosen), chosen, progress)
    warn_of_oddities(vocabulary)
    return vocabulary


def encode(
    corpus: CorpusSource,
    folder: str | Path | None = None,
    *,
    overwrite: bool = False,
    progress: Progress | None = None,
    **settings: Any,
) -> EncodedCorpus:
    """Turn a corpus into ids, once for many trainings.

    `corpus` is a path, a folder, "-" for standard input, an iterable of strings or of token lists.
    With `folder` the result is kept there and mapped into memory; without, it stays in memory as
    far as it fits. Settings are those of tokenize, and `min_count`, `max_vocabulary`, `text_field`
    and `threads`.
    """
    from numberline.reading.encoding import encode as encode_corpus

    chosen = made_of(ReadingSettings, settings)
    target = None
    if folder is not None:
        target = free_folder(Path(folder), "encoded corpus", is_encoded, overwrite)
    encoded = encode_corpus(open_corpus(corpus, chosen), chosen, target, progress)
    warn_of_oddities(encoded.vocabulary)
    if not encoded.vocabulary.words:
        message = f"no word occurs min_count={chosen.min_count} times; only numerals are kept"
        warnings.warn(message, NumberlineWarning, stacklevel=2)
    return encoded


def train(
    corpus: CorpusSource | EncodedCorpus,
    folder: str | Path | None = None,
    *,
    preset: str | None = None,
    resume: bool = False,
    overwrite: bool = False,
    progress: TrainingCallback | None = None,
    reading: Progress | None = None,
    **settings: Any,
) -> Embeddings:
    """Learn vectors of words and numerals from a corpus.

    `corpus` is what encode takes, or what it returned: the encoded corpus or its folder. With
    `folder` the model is saved there; while training runs, a checkpoint is kept beside it every ten
    minutes, and `resume` continues from it. `preset` names settings that an installed package
    brings, such as those of the paper's experiments; settings given beside it win. `progress` is
    called with the state of the training, `reading` with the bytes of the corpus that were read.
    `encoder` is one of numberline's or your own, such as Gmm(prototypes=300), or its name; the
    other settings are the fields of Settings: `numberline train --help` lists them.
    """
    from numberline.model.embeddings import Embeddings
    from numberline.model.folder import is_model
    from numberline.training.checkpoint import Checkpoints
    from numberline.training.fit import fit_embeddings

    settings_with_preset = with_preset(preset, settings)
    chosen = made_of(Settings, settings_with_preset)
    target = None
    if folder is not None:
        target = free_folder(Path(folder), "model", is_model, overwrite)
    checkpoints = Checkpoints.beside(target, resume=resume)
    checkpoints.require_free(overwrite)
    encoded = encode_once(corpus, settings_with_preset, settings, reading)
    chosen = chosen.reading_as(encoded.settings)
    trained = fit_embeddings(encoded, chosen, checkpoints, progress)
    model = Embeddings(
        encoded.vocabulary,
        trained.tables.word_input,
        trained.tables.word_output,
        trained.numerals,
        chosen,
        trained.facts | {"numberline": numberline.__version__},
    )
    if target is not None:
        model.save(target)
        checkpoints.remove()
    return model


def evaluate(
    model: TokenVectors,
    tasks: str | Iterable[str] | None = None,
    *,
    progress: TaskProgress | None = None,
    **settings: Any,
) -> Evaluation:
    """Measure how good the vectors of a model are.

    `model` is what load or read_vectors returned. `tasks` names the tasks to do; without it, all
    quick tasks are done for which data, model and packages are there. The result lists what was
    left out and why; if nothing could be done, that is an error. `numberline evaluate --help`
    lists tasks and settings.
    """
    from numberline.evaluation import run

    return run.evaluate(model, tasks, progress=progress, **settings)


def explain_prototypes(
    corpus: CorpusSource | EncodedCorpus, *, progress: Progress | None = None, **settings: Any
) -> ExplainedPrototypes:
    """Fit the prototypes of a corpus, and measure what fraction of its numerals each explains.

    `corpus` is what train takes; settings are `encoder` and `seed`, and those of encode.
    """
    from numberline.numerals.explained import explain, require_labels

    chosen = made_of(NumeralSettings, settings)
    require_labels(chosen.encoder)
    opened = opened_if_encoded(corpus)
    if isinstance(opened, EncodedCorpus):
        require_encoded_with(settings, opened)
        vocabulary = opened.vocabulary
    else:
        vocabulary = count(opened, progress=progress, **reading_settings(settings))
    counts = vocabulary.numeral_counts.astype(np.float64)
    rng = np.random.default_rng(chosen.seed)
    return explain(chosen.encoder, vocabulary.numeral_values, counts, rng)


def encode_once(
    corpus: CorpusSource | EncodedCorpus,
    settings: dict[str, Any],
    given: dict[str, Any],
    progress: Progress | None,
) -> EncodedCorpus:
    """Return the corpus as ids, encoded now unless it was before; then `given` must agree."""
    opened = opened_if_encoded(corpus)
    if isinstance(opened, EncodedCorpus):
        require_encoded_with(given, opened)
        return opened
    return encode(opened, progress=progress, **reading_settings(settings))


def opened_if_encoded(corpus: CorpusSource | EncodedCorpus) -> CorpusSource | EncodedCorpus:
    """Return an encoded corpus for the path of its folder; anything else as it is."""
    if isinstance(corpus, (str, Path)) and is_encoded(Path(corpus)):
        return load_encoded(corpus)
    return corpus


def require_encoded_with(settings: dict[str, Any], corpus: EncodedCorpus) -> None:
    """Refuse settings that contradict how a corpus was encoded."""
    real = saved_settings(corpus.settings, ReadingSettings)
    for name, value in reading_settings(settings).items():
        if name == "threads" or real.get(name, ...) == value:
            continue
        needed = f"{real[name]!r}, as encoded" if name in real else "left out"
        raise ConfigError(name, value, f"{needed}: the corpus is encoded already")


def reading_settings(settings: dict[str, Any]) -> dict[str, Any]:
    names = setting_names(ReadingSettings)
    return {name: value for name, value in settings.items() if name in names}


def require_string(text: object, reader: str) -> None:
    if not isinstance(text, str):
        raise TypeError(f"{reader} reads a string, not {describe(text)}")


def warn_of_oddities(vocabulary: Vocabulary) -> None:
    totals = vocabulary.totals
    if totals.numeral_tokens == 0:
        message = "the corpus holds no numerals; words will get vectors, numerals nothing to learn"
        warnings.warn(message, NumberlineWarning, stacklevel=3)
    if totals.replaced_characters:
        message = f"{totals.replaced_characters:,} characters were not UTF-8 and have been replaced"
        warnings.warn(message, NumberlineWarning, stacklevel=3)
