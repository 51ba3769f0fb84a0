"""The whole method, one function per step that a user can take."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import numberline
from numberline.errors import ConfigError, NumberlineWarning, describe
from numberline.evaluation.settings import ReproductionConfig
from numberline.files.whole_folder import free_folder, make_folder
from numberline.reading import scanner
from numberline.reading.corpus import CorpusSource, open_corpus
from numberline.reading.encoded import EncodedCorpus, is_encoded, load_encoded
from numberline.reading.tokens import Token
from numberline.reading.vocabulary import Vocabulary
from numberline.settings import (
    EncodingConfig,
    MachineConfig,
    PrototypesConfig,
    TextConfig,
    TrainConfig,
    from_settings,
    setting_names,
)
from numberline_paper.presets import with_preset

# The native module is imported where text is indexed: reading a model or a text needs none.
if TYPE_CHECKING:
    from numberline.evaluation.result import Evaluation
    from numberline.evaluation.task import Progress as TaskProgress
    from numberline.model.embeddings import Embeddings
    from numberline.model.token_vectors import TokenVectors
    from numberline.numerals.explained import ExplainedPrototypes
    from numberline.reading.indexing import Progress
    from numberline.training.progress import TrainingCallback


def tokenize(text: str, **settings: bool) -> list[Token]:
    """Split a text into words and numerals, as training with the same settings does.

    Settings are the fields of TextConfig: lowercase, punctuation, magnitudes, number_words and
    decimal_comma.
    """
    require_string(text, "tokenize")
    return scanner.tokenize(text, from_settings(TextConfig, settings))


def parse_numeral(text: str, **settings: bool) -> float | None:
    """The value of a text that is one numeral and nothing else, or None; settings as above."""
    require_string(text, "parse_numeral")
    return scanner.parse_numeral(text, from_settings(TextConfig, settings))


def count(corpus: CorpusSource, *, progress: Progress | None = None, **settings: Any) -> Vocabulary:
    """Count the words and distinct numerals of a corpus; sources and settings as in encode."""
    from numberline.reading.indexing import count as count_corpus

    config = from_settings(EncodingConfig, settings)
    vocabulary = count_corpus(open_corpus(corpus, config.corpus), config, progress)
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
    far as it fits. Settings are the fields of CorpusConfig, TextConfig, VocabularyConfig and
    MachineConfig.
    """
    from numberline.reading.encoding import encode as encode_corpus

    config = from_settings(EncodingConfig, settings)
    target = None
    if folder is not None:
        target = free_folder(Path(folder), "encoded corpus", is_encoded, overwrite)
    encoded = encode_corpus(open_corpus(corpus, config.corpus), config, target, progress)
    warn_of_oddities(encoded.vocabulary)
    if not encoded.vocabulary.words:
        needed = config.vocabulary.min_count
        message = f"no word occurs min_count={needed} times; only numerals are kept"
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

    `corpus` is what encode takes, or what it gave: the encoded corpus or its folder. With `folder`
    the model is saved there; while training runs, checkpoints are kept beside it, and `resume` goes
    on from the last one. `preset` names an experiment of the paper. `progress` is told how training
    goes, `reading` how much of the corpus has been read. `encoder` is one of numberline's or of
    your own, such as Gmm(prototypes=300), or its name; other settings are the fields of
    TrainingConfig, RandomConfig and CheckpointConfig, and those of encode.
    """
    from numberline.model.embeddings import Embeddings
    from numberline.model.folder import is_model
    from numberline.training.checkpoint import Checkpoints
    from numberline.training.fit import fit_embeddings

    chosen = with_preset(preset, settings)
    config = from_settings(TrainConfig, chosen)
    target = None
    if folder is not None:
        target = free_folder(Path(folder), "model", is_model, overwrite)
    checkpoints = Checkpoints.beside(target, config.checkpoints, resume=resume)
    checkpoints.require_free(overwrite)
    encoded = encoded_corpus(corpus, chosen, settings, reading)
    config = config.for_text(encoded.text_config, encoded.vocabulary_config)
    trained = fit_embeddings(encoded, config, checkpoints, progress)
    model = Embeddings(
        encoded.vocabulary,
        trained.tables.word_input,
        trained.tables.word_output,
        trained.numerals,
        config.model,
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
    """Say how good the vectors of a model are, by the experiments of the paper.

    `model` is what load or read_vectors gave; `tasks` names some tasks. Without any, all are done
    for which data, model and packages are there, but not speed and tagging, which train for
    minutes. What could not be done is in `left_out`; if nothing could, it is an error. Settings are
    those of EvaluationConfig: `numberline evaluate --help` lists them.
    """
    from numberline.evaluation import run

    return run.evaluate(model, tasks, progress=progress, **settings)


def reproduce(
    corpus: CorpusSource,
    data: str | Path,
    folder: str | Path,
    *,
    encoders: Sequence[str] | None = None,
    tasks: Sequence[str] | None = None,
    progress: TaskProgress | None = None,
    **settings: Any,
) -> list[Path]:
    """Do the paper's experiments, and write report.md and report.html; gives their paths.

    `data` is the folder of evaluation sets; `folder` gets texts, models, evaluations and figures.
    What is there already is not done again, so that a run that was stopped can be resumed by the
    same call. `encoders` are those of train, and "default" for train without any setting but dim.
    Settings are the fields of ReproductionConfig.
    """
    from numberline.evaluation.run import ignore
    from numberline_paper.figures import draw_figures
    from numberline_paper.report import compose_report, write_report
    from numberline_paper.reproduce import reproduce as do_experiments
    from numberline_paper.texts import Texts

    config = from_settings(ReproductionConfig, settings)
    folder, data, progress = Path(folder), Path(data), progress or ignore
    make_folder(folder)
    texts = Texts(corpus, data, folder / "texts", config, progress)
    done = do_experiments(texts, data, folder, config, progress, encoders, tasks)
    pictures, left_out = draw_figures(done, folder / "figures", progress)
    return write_report(compose_report(done, pictures, left_out), folder)


def encoded_corpus(
    corpus: CorpusSource | EncodedCorpus,
    settings: dict[str, Any],
    given: dict[str, Any],
    reading: Progress | None,
) -> EncodedCorpus:
    """The corpus as ids, encoded now if it was not before."""
    known = known_encoding(corpus, given)
    if known is not None:
        return known
    assert not isinstance(corpus, EncodedCorpus)
    return encode(corpus, progress=reading, **encoding_settings(settings))


def known_encoding(
    corpus: CorpusSource | EncodedCorpus, given: dict[str, Any]
) -> EncodedCorpus | None:
    """The corpus if it is encoded; settings given beside it must be those it was encoded with."""
    if isinstance(corpus, (str, Path)) and is_encoded(Path(corpus)):
        corpus = load_encoded(corpus)
    if not isinstance(corpus, EncodedCorpus):
        return None
    real = asdict(corpus.text_config) | asdict(corpus.vocabulary_config)
    for name in set(encoding_settings(given)) - setting_names(MachineConfig):
        if name not in real or given[name] != real[name]:
            needed = f"{real[name]!r}, as encoded" if name in real else "left out"
            raise ConfigError(name, given[name], f"{needed}: the corpus is encoded already")
    return corpus


def explain_prototypes(
    corpus: CorpusSource, *, progress: Progress | None = None, **settings: Any
) -> ExplainedPrototypes:
    """Induce the prototypes of a corpus, or of a folder that holds an encoded one.

    Settings are `encoder` and `seed` as of train, and those of encode. An encoded corpus has been
    read: settings of text may be left out, but not be other ones.
    """
    from numberline.numerals.explained import explain, require_labels

    config = from_settings(PrototypesConfig, settings)
    require_labels(config.encoder)
    encoded = known_encoding(corpus, settings)
    if encoded is not None:
        vocabulary = encoded.vocabulary
    else:
        vocabulary = count(corpus, progress=progress, **encoding_settings(settings))
    counts = vocabulary.numeral_counts.astype(np.float64)
    rng = np.random.default_rng(config.random.seed)
    return explain(config.encoder, vocabulary.numeral_values, counts, rng)


def encoding_settings(settings: dict[str, Any]) -> dict[str, Any]:
    names = setting_names(EncodingConfig)
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
