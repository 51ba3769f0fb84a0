"""A class for every error that users can cause; each message is one clear line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import islice
from reprlib import Repr

__all__ = [
    "ConfigError",
    "ContextError",
    "CorpusError",
    "EncoderStateError",
    "EvaluationDataError",
    "EvaluationModelError",
    "HubError",
    "InputError",
    "MissingExtraError",
    "MissingKernelsError",
    "NumberlineError",
    "NumberlineWarning",
    "NumeralsError",
    "OutputError",
    "PrototypesError",
    "QuestionError",
    "SentencesError",
    "StoreError",
    "TokensError",
    "TrainingError",
    "UnknownWordError",
    "VectorsError",
]


LONGEST_VALUE = 40  # characters of a value in a message
LONGEST_SETTING = 100  # characters of a setting in a message
MOST_NAMES = 20  # names in a message

# Repeats the start of a value; the whole text of a large one may take more memory than there is.
_START = Repr()
_START.maxlevel = _START.maxlist = _START.maxtuple = _START.maxdict = _START.maxset = LONGEST_VALUE
_START.maxstring = 10 * LONGEST_SETTING


# Control characters, which a terminal obeys; marks that reorder a line; line ends; lone surrogates.
UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def visible(text: object) -> str:
    """Return a text for a terminal: in one line, with characters escaped that it would obey."""
    return UNSAFE.sub(lambda match: match[0].encode("unicode_escape").decode(), str(text))


def short(value: object, length: int = LONGEST_VALUE) -> str:
    """Return the start of a value as Python writes it."""
    try:
        return f"{_START.repr(value):.{length}}"
    except Exception:  # an integer of too many digits, a list in itself, a class with a fault
        return "…"


def describe(value: object) -> str:
    """Return a value and its type, shortened for a message of one line."""
    return f"{short(value)} ({type(value).__name__})"


def first_of(names: Iterable[str], separator: str = ", ") -> str:
    """Return names with commas between them, shortened for a message of one line."""
    first = [f"{name:.{LONGEST_VALUE}}" for name in islice(names, MOST_NAMES + 1)]
    return separator.join(first[:MOST_NAMES] + ["…"] * (len(first) > MOST_NAMES))


# The names of settings as the reader of messages types them, where they differ: flags of a command.
_typed_names: ContextVar[Mapping[str, str]] = ContextVar("_typed_names", default={})  # noqa: B039


@contextmanager
def settings_typed_as(names: Mapping[str, str]) -> Iterator[None]:
    """Let messages call settings by these names, such as `--min-count` for `min_count`."""
    before = _typed_names.set(names)
    try:
        yield
    finally:
        _typed_names.reset(before)


def setting_name(name: str) -> str:
    """Return a setting as it is typed: `min_count`, or `--min-count` on the command line."""
    return _typed_names.get().get(name, name)


def setting_text(name: str, value: object) -> str:
    """Return a setting with its value as they are typed: `min_count=5` or `--min-count 5`."""
    typed = setting_name(name)
    return f"{typed}{'=' if typed == name else ' '}{short(value, LONGEST_SETTING)}"


class NumberlineError(Exception):
    """The base of all errors that numberline raises on purpose."""


class ConfigError(NumberlineError, ValueError):
    """A setting with an impossible value; the message says which values are possible."""

    def __init__(self, name: str, value: object, needed: str) -> None:
        super().__init__(f"{setting_text(name, value)}, but it must be {needed}")


class CorpusError(NumberlineError):
    """A corpus, or a compressed file, that is missing, unreadable, broken or empty."""


class PrototypesError(NumberlineError, ValueError):
    """More prototypes than a corpus has distinct numerals."""


class StoreError(NumberlineError):
    """A folder or file that holds no model, checkpoint, tagger, encoded corpus or evaluation."""


class TrainingError(NumberlineError):
    """Training that cannot continue."""


class NumeralsError(NumberlineError, ValueError):
    """Values that are not finite, or counts that are not positive."""


class UnknownWordError(NumberlineError, KeyError):
    """A word for which a model has no vector."""

    def __str__(self) -> str:  # KeyError would show it as a quoted string
        return str(self.args[0])


class ContextError(NumberlineError, ValueError):
    """A text from which no numeral can be predicted: no gap, several, or no known words."""


class EncoderStateError(NumberlineError, ValueError):
    """Saved arrays that do not fit their encoder."""


class TokensError(NumberlineError, ValueError):
    """Tokens or ids that a model cannot read, or candidates that are no numbers."""


class VectorsError(NumberlineError, ValueError):
    """Vectors that cannot be read or do not fit a model, or words that a format cannot hold."""


class InputError(NumberlineError, ValueError):
    """Texts, numbers or vectors that an integration cannot use."""


class HubError(NumberlineError):
    """A model that could not be sent to the Hugging Face Hub, or fetched from it."""


class EvaluationDataError(NumberlineError):
    """An evaluation set that is missing or damaged."""


class EvaluationModelError(NumberlineError, ValueError):
    """A model that a task cannot evaluate."""


class SentencesError(NumberlineError, ValueError):
    """Labelled sentences that are missing or malformed, or do not fit a tagger."""


class QuestionError(NumberlineError, ValueError):
    """A question that the explorer cannot answer: too long, no number, or nothing to show."""


class OutputError(NumberlineError):
    """A file or folder that cannot be written, or must not be overwritten."""


class MissingExtraError(NumberlineError, ImportError):
    """An optional package that cannot be imported; the message says what to do."""

    def __init__(self, package: str, extra: str, error: ImportError | None = None) -> None:
        install = f"run pip install 'numberline[{extra}]'"
        if error is None or isinstance(error, ModuleNotFoundError):
            super().__init__(f"{package} is not installed; {install}")
        else:  # for lack of memory, or since files of it are missing
            reason = str(error).strip().partition("\n")[0]
            super().__init__(f"{package} cannot be imported: {reason}; free memory, or {install}")


class MissingKernelsError(NumberlineError, ImportError):
    """A call that needs the native module, in a package that was not built."""

    def __init__(self) -> None:
        super().__init__("numberline was not built here; pip install . builds its native module")


class NumberlineWarning(UserWarning):
    """A result that is probably not what the user wanted."""
