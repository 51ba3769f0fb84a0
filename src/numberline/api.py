"""Text → tokens → ids → vectors → tables of how good they are: one function per verb."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from numberline.errors import (
    ConfigError,
    NumberlineWarning,
    OutputError,
    describe,
    setting_name,
    setting_text,
)
from numberline.extras import optional
from numberline.fields import made_of, setting_names
from numberline.files.whole_folder import FolderWriter
from numberline.reading import scanner, tokenizer
from numberline.reading.corpus import CorpusSource, open_corpus
from numberline.reading.encoded import ENCODED, EncodedCorpus, is_encoded, load_encoded
from numberline.reading.tokens import Token
from numberline.reading.vocabulary import Vocabulary
from numberline.settings import (
    NumeralSettings,
    ReadingSettings,
    Settings,
    TextSettings,
    saved_settings,
    with_preset,
)
from numberline.version import __version__

__all__ = [
    "count",
    "encode",
    "encode_once",
    "evaluate",
    "explain_prototypes",
    "parse_numeral",
    "quantities",
    "tokenize",
    "train",
]

# Native code, evaluation and training are imported when first used: reading a text needs none.
if TYPE_CHECKING:
    from numberline.evaluation.result import Evaluation
    from numberline.evaluation.task import Progress as TaskProgress
    from numberline.gap_model import GapModel
    from numberline.model.embeddings import Embeddings
    from numberline.model.token_vectors import TokenVectors
    from numberline.numerals.explained import ExplainedPrototypes
    from numberline.reading.counting import Progress
    from numberline.reading.quantities import Quantity
    from numberline.training.fit import Trained
    from numberline.training.progress import TrainingCallback


def tokenize(text: str, **settings: bool) -> list[Token]:
    """Split a text into words and numerals, as training does.

        >>> [token.text for token in nl.tokenize("Jeff is 1.80 m")]
        ['jeff', 'is', '1.80', 'm']

    Args:
        text: A text of any length, or a single token.
        settings: `lowercase`, `magnitudes`, `number_words` and `decimal_comma`.

    Returns:
        The tokens in their order; the value of a word is None.
    """
    require_string(text, "tokenize")
    return tokenizer.tokenize(text, made_of(TextSettings, settings))


def parse_numeral(text: str, **settings: bool) -> float | None:
    """Return the value of a text that is one numeral and nothing else, or None.

        >>> nl.parse_numeral("1,250.5")
        1250.5

    Args:
        text: A text that may be a numeral, in any format that a corpus may use.
        settings: Those of `tokenize`.
    """
    require_string(text, "parse_numeral")
    return scanner.parse_numeral(text, made_of(TextSettings, settings))


def quantities(
    text: str, *, units: Mapping[str, str] | None = None, decimal_comma: bool = False
) -> list[Quantity]:
    """Return the numbers of a text with what they count or measure.

        >>> [(one.value, one.unit) for one in nl.quantities("3.5 km for $1.2M")]
        [(3.5, 'kilometer'), (1200000.0, 'USD')]

    Args:
        text: A text of any length, in English.
        units: Further units by their spelling: a number and a known unit, as in
            `{"smoots": "1.702 meter"}`, or an empty string for a unit of its own dimension.
        decimal_comma: Read '1.234,56' as 1234.56.

    Returns:
        The quantities in their order; those with `is_amount` are numbers of something.
    """
    from numberline.reading.quantities import quantities as read_quantities

    require_string(text, "quantities")
    settings = made_of(TextSettings, {"decimal_comma": decimal_comma})
    return read_quantities(text, settings, units or {})


def count(corpus: CorpusSource, *, progress: Progress | None = None, **settings: Any) -> Vocabulary:
    """Count the words and the distinct numerals of a corpus.

    Args:
        corpus: The path of a file or folder, a list of Path objects, "-" for standard input, a data
            frame or dataset, or an iterable of strings, of lists of tokens, or of dicts.
        progress: Called with the bytes read so far and their total, or None if it is unknown.
        settings: Those of `tokenize`, and `min_count`, `max_vocabulary`, `text_field`, `threads`.
    """
    from numberline.reading.counting import count as count_corpus

    require_callback("progress", progress)
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
    """Turn a corpus into ids once, to train on it many times.

    Args:
        corpus: What `count` takes.
        folder: Folder to keep the result in, which is then mapped into memory. Without a folder
            it is held in memory, or in a temporary file if it is large.
        overwrite: Replace an encoded corpus that the folder already holds.
        progress: As in `count`.
        settings: Those of `count`.

    Returns:
        The ids of all tokens by sentence, with their vocabulary; `train` takes it as a corpus.
    """
    from numberline.reading.encoding import encode as encode_corpus

    require_callback("progress", progress)
    chosen = made_of(ReadingSettings, settings)
    with ExitStack() as stack:
        writer = None
        if folder is not None:
            writer = stack.enter_context(FolderWriter(Path(folder), ENCODED.kind, overwrite))
        encoded = encode_corpus(open_corpus(corpus, chosen), chosen, writer, progress)
    warn_of_oddities(encoded.vocabulary)
    if not encoded.vocabulary.words:
        needed = setting_text("min_count", chosen.min_count)
        message = f"no word occurs {needed} times; only numerals are kept"
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

        >>> model = nl.train("chat.txt", "model", dim=50, encoder=nl.Gmm(prototypes=300))
        >>> model["187.3"]  # a number that the corpus may never mention

    Args:
        corpus: What `count` takes, an encoded corpus, or the folder of one.
        folder: Folder to save the model in. While training runs, a checkpoint is kept beside it and
            renewed every ten minutes.
        preset: The name of settings that an installed package defines, such as those of the
            paper's experiments. Settings that are passed as well override them.
        resume: Continue from the checkpoint of a training that was stopped.
        overwrite: Replace a model that the folder already holds.
        progress: Called now and then with a `TrainingProgress`: tokens, loss, learning rate.
        reading: Called with the bytes of the corpus that have been read, as in `count`.
        settings: Those of `count`, and all others of `Settings`: `encoder` (one of numberline's,
            one of your own, or a name), `dim`, `window`, `negatives`, `epochs`, `seed` …

    Returns:
        The trained model, as `load` returns it.
    """
    from numberline.model.embeddings import Embeddings
    from numberline.model.folder import MODEL, write
    from numberline.senses import with_senses
    from numberline.training.checkpoint import NO_CHECKPOINTS, checkpoints_beside
    from numberline.training.fit import fit_embeddings

    require_callback("progress", progress)
    require_callback("reading", reading)
    settings_with_preset = with_preset(preset, settings)
    chosen = made_of(Settings, settings_with_preset)
    with ExitStack() as stack:
        writer, checkpoints = None, NO_CHECKPOINTS
        if folder is not None:
            writer = stack.enter_context(FolderWriter(Path(folder), MODEL.kind, overwrite))
            beside = checkpoints_beside(writer.target, resume, overwrite)
            checkpoints = stack.enter_context(beside)
        encoded = encode_once(corpus, settings_with_preset, settings, reading)
        chosen = chosen.reading_as(encoded.settings)
        mixture = None
        if chosen.kinds:
            encoded, mixture = with_senses(encoded, chosen.seed, chosen.threads)
        else:
            encoded = encoded.without_kinds()
        trained = fit_embeddings(encoded, chosen, checkpoints, progress)
        try:
            gap_model, facts = fit_gap_model(encoded, trained, chosen, progress)
        except BaseException:  # an interrupt, too little memory, an error of `progress`
            checkpoints.keep(trained.state, chosen, encoded)
            raise
        model = Embeddings(
            encoded.vocabulary,
            trained.state.tables.word_input,
            trained.state.tables.word_output,
            trained.state.numerals,
            chosen,
            trained.facts | facts | {"numberline": __version__},
            gap_model,
            mixture,
        )
        if writer is not None:
            try:
                with writer.replace() as new_folder:
                    write(model, new_folder)
            except OutputError as error:
                raise checkpoints.kept(trained.state, chosen, encoded, error) from error
            checkpoints.remove()
    return model


def fit_gap_model(
    corpus: EncodedCorpus, trained: Trained, settings: Settings, progress: TrainingCallback | None
) -> tuple[GapModel | None, dict[str, Any]]:
    """Return the gap model and how its training went; None if it is not wanted or not possible."""
    from numberline.gap_model.train import train_gap_model

    if not settings.gap_model:
        return None, {}

    def report(done: int, total: int) -> None:
        trained.progress.gap_model = done / total
        if progress is not None:
            progress(trained.progress)

    began = time.monotonic()
    arrays = optional("cupy", "cuda") if "gpu" in trained.facts else np
    gap_model = train_gap_model(
        corpus,
        trained.state.tables.word_input,
        trained.state.numerals,
        settings.seed,
        settings.threads,
        arrays,
        report,
    )
    return gap_model, {"gap_model_seconds": time.monotonic() - began} if gap_model else {}


def evaluate(
    model: TokenVectors,
    tasks: str | Iterable[str] | None = None,
    *,
    progress: TaskProgress | None = None,
    **settings: Any,
) -> Evaluation:
    """Measure how good the vectors of a model are.

        >>> nl.evaluate(model, "similarity", data="sets").tables["similarity"]

    Args:
        model: A model, or vectors of another tool from `read_vectors`.
        tasks: The names of tasks. Without any, all quick tasks run that suit the model and
            whose data and packages are installed.
        progress: Called with a description of the current step and the fraction of it done.
        settings: The fields of the settings of the tasks; `numberline evaluate --help` lists them.

    Returns:
        Tables by task, and the reason for each task that was left out.

    Raises:
        NumberlineError: None of the named tasks could be run.
    """
    from numberline.evaluation import run

    require_callback("progress", progress)
    return run.evaluate(model, tasks, progress=progress, **settings)


def explain_prototypes(
    corpus: CorpusSource | EncodedCorpus, *, progress: Progress | None = None, **settings: Any
) -> ExplainedPrototypes:
    """Fit the prototypes of a corpus, and measure what fraction of its numerals each explains.

    Args:
        corpus: What `train` takes.
        progress: As in `count`.
        settings: `encoder`, `seed`, and those of `count`.
    """
    from numberline.numerals.explained import explain, require_labels

    require_callback("progress", progress)
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
    explicit: dict[str, Any],
    progress: Progress | None,
) -> EncodedCorpus:
    """Return an encoded corpus; one that is not encoded yet is encoded now, with `settings`.

    The caller's `explicit` settings must agree with those of a corpus that was encoded earlier.
    """
    opened = opened_if_encoded(corpus)
    if isinstance(opened, EncodedCorpus):
        require_encoded_with(explicit, opened)
        return opened
    return encode(opened, progress=progress, **reading_settings(settings))


def opened_if_encoded(corpus: CorpusSource | EncodedCorpus) -> CorpusSource | EncodedCorpus:
    """Return the encoded corpus that a folder holds; return anything else unchanged."""
    if isinstance(corpus, (str, Path)) and is_encoded(Path(corpus)):
        return load_encoded(corpus)
    return corpus


def require_encoded_with(settings: dict[str, Any], corpus: EncodedCorpus) -> None:
    """Refuse settings that contradict how a corpus was encoded."""
    encoded_with = saved_settings(corpus.settings, ReadingSettings)
    for name, value in reading_settings(settings).items():
        if name == "threads" or encoded_with.get(name) == value:
            continue
        needed = f"{encoded_with[name]!r}, as encoded" if name in encoded_with else "left out"
        raise ConfigError(name, value, f"{needed}: the corpus is encoded already")


def reading_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """Return the settings that determine how a corpus is read."""
    names = setting_names(ReadingSettings)
    return {name: value for name, value in settings.items() if name in names}


def require_string(text: object, reader: str) -> None:
    """Refuse bytes, numbers and lists, which would fail later and less clearly."""
    if not isinstance(text, str):
        raise TypeError(f"{reader} reads a string, not {describe(text)}")


def require_callback(name: str, callback: object) -> None:
    """Refuse True and False, which switch a progress bar in other libraries, before any work."""
    if callback is not None and not callable(callback):
        message = f"{name}={callback!r}, but it must be None or a function to call"
        raise TypeError(message)


def warn_of_oddities(vocabulary: Vocabulary) -> None:
    """Warn about a corpus without numerals or most texts, and about bytes that are not UTF-8."""
    totals = vocabulary.totals
    if totals.numeral_tokens == 0:
        message = "the corpus holds no numerals; only words will get vectors"
        warnings.warn(message, NumberlineWarning, stacklevel=3)
    if totals.missing_texts > totals.sentences:
        message = (
            f"{totals.missing_texts:,} texts are missing, and only {totals.sentences:,} sentences "
            f"were read; is {setting_name('text_field')} right?"
        )
        warnings.warn(message, NumberlineWarning, stacklevel=3)
    if totals.replaced_characters:
        message = f"{totals.replaced_characters:,} characters were not UTF-8 and have been replaced"
        warnings.warn(message, NumberlineWarning, stacklevel=3)
