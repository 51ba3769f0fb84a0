"""What went wrong → one clear line: every error a user can cause has a class here."""

from __future__ import annotations

__all__ = [
    "CandidateError",
    "ConfigError",
    "ContextError",
    "CorpusError",
    "EncodedCorpusError",
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


def describe(value: object) -> str:
    """What came, for a message of one line."""
    return f"{value!r:.40} ({type(value).__name__})"


class NumberlineError(Exception):
    """Base of all errors that numberline raises on purpose; its text is meant for the user."""


class ConfigError(NumberlineError, ValueError):
    """A setting that cannot be: says its name, what came and what was needed."""

    def __init__(self, name: str, value: object, needed: str) -> None:
        super().__init__(f"{name}={value!r}, but it must be {needed}")


class CorpusError(NumberlineError):
    """A corpus that is missing, unreadable, broken or empty."""


class PrototypesError(NumberlineError, ValueError):
    """More prototypes than there are numerals to make them of."""


class StoreError(NumberlineError):
    """A folder that should hold a model or a checkpoint and does not, or a damaged one."""


class TrainingError(NumberlineError):
    """Training that cannot go on."""


class NumeralsError(NumberlineError, ValueError):
    """Values that are no finite numbers, or counts that are none."""


class UnknownWordError(NumberlineError, KeyError):
    """A word that the model has no vector for."""

    def __str__(self) -> str:  # KeyError would show it as a quoted string
        return str(self.args[0])


class ContextError(NumberlineError, ValueError):
    """A text from which no numeral can be predicted: no gap, several, or nothing known around."""


class CandidateError(NumberlineError, ValueError):
    """A candidate that is no number."""


class EncoderStateError(NumberlineError, ValueError):
    """Arrays that are not what an encoder has written."""


class TokensError(NumberlineError, ValueError):
    """Tokens, or ids of tokens, that a model cannot read."""


class EncodedCorpusError(NumberlineError):
    """A folder that should hold an encoded corpus and does not, or a damaged one."""


class VectorsError(NumberlineError, ValueError):
    """Vectors that do not fit a model or cannot be read, or words that formats cannot hold."""


class InputError(NumberlineError, ValueError):
    """Texts, numbers or vectors that an integration cannot work with."""


class HubError(NumberlineError):
    """A model that the Hugging Face Hub did not give or did not take."""


class EvaluationDataError(NumberlineError):
    """An evaluation set that is missing or is not what its name says."""


class EvaluationModelError(NumberlineError, ValueError):
    """A model that a task cannot evaluate."""


class SentencesError(NumberlineError, ValueError):
    """Labelled sentences that are missing, are not what they should be, or do not fit a tagger."""


class QuestionError(NumberlineError, ValueError):
    """A question of the explorer that has no answer: too long, no number, or nothing to show."""


class OutputError(NumberlineError):
    """A place that cannot be written, or must not be overwritten."""


class MissingExtraError(NumberlineError, ImportError):
    """An optional package that is not installed: names the extra that brings it."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"{package} is not installed; pip install 'numberline[{extra}]' brings it")


class MissingKernelsError(NumberlineError, ImportError):
    """Work that needs the native module, in a package that was not built."""

    def __init__(self) -> None:
        super().__init__("numberline was not built here; pip install . builds its native module")


class NumberlineWarning(UserWarning):
    """Something that works but is probably not what was meant."""
