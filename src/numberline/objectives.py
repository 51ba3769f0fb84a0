"""Training objectives: what vectors are trained for, each with settings of its own.

    nl.train(corpus, objective="cbow")               # a name stands for the defaults
    nl.train(corpus, objective="glove:epochs=25")    # as on the command line
    nl.train(corpus, objective=nl.Ppmi(shift=5))

Skip-gram and CBOW predict from windows and use the settings of training. The others count first:
their vectors are fitted to how often two tokens occur within `window` of each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from numberline.errors import ConfigError, settings_typed_as
from numberline.fields import one_of, positive_number, setting, whole_number
from numberline.notation import NamedSettings, described, kind_of_header, settings_of

WEIGHTINGS = ("ramp", "inverse", "flat")  # cooccurrence/definition.py defines them


@dataclass(frozen=True)
class Objective(NamedSettings):
    """A base class of objectives."""

    counts_pairs: ClassVar[bool] = False


@dataclass(frozen=True)
class SkipGram(Objective):
    """Each context tells the centre of its window from random tokens."""

    name: ClassVar[str] = "skipgram"


@dataclass(frozen=True)
class Cbow(Objective):
    """The mean of a window's contexts tells its centre from random tokens."""

    name: ClassVar[str] = "cbow"


def weighting_setting(default: str) -> Any:
    return setting(
        default,
        "How a pair counts at a distance: 'ramp' (falling linearly), 'inverse' or 'flat'.",
        one_of(*WEIGHTINGS),
    )


@dataclass(frozen=True)
class Glove(Objective):
    """Products of vectors, with biases, fit the logarithms of counts."""

    epochs: int = setting(15, "Passes over all pairs.", whole_number(1, 1_000_000))
    learning_rate: float = setting(0.05, "Learning rate of AdaGrad.", positive_number(1))
    x_max: float = setting(
        100, "A pair that counts this or more has full weight.", positive_number(1e12)
    )
    power: float = setting(
        0.75, "Power of count / x_max in the weight of rarer pairs.", positive_number(1, True)
    )
    sum_sides: bool = setting(
        True,
        "Add output vectors to input vectors, which are then less noisy; the scores s0, S_A, S_B "
        "and lift need them apart.",
    )
    weighting: str = weighting_setting("inverse")

    name: ClassVar[str] = "glove"
    counts_pairs: ClassVar[bool] = True


@dataclass(frozen=True)
class Ppmi(Objective):
    """Products of vectors approximate how much more often than by chance two tokens meet."""

    weighting: str = weighting_setting("ramp")
    matrix: str = setting(
        "ppmi",
        "What is factorised: 'ppmi', positive pointwise mutual information, or 'counts', as in "
        "HAL.",
        one_of("ppmi", "counts"),
    )
    # With 0.75, usual elsewhere, Rare Words and MTurk-771 are 2 points lower, the mean of both on
    # each of two texts. With 1 they are as with 0.9, but rare numerals of small texts suffer.
    smoothing: float = setting(
        0.9, "Power of the contexts' counts in their probabilities.", positive_number(1)
    )
    shift: float = setting(
        1, "The logarithm of this is subtracted from the mutual information.", positive_number(1e6)
    )
    input_power: float = setting(
        0.5,
        "Power of the singular values in input vectors; output vectors take the rest.",
        positive_number(1, may_be_zero=True),
    )

    name: ClassVar[str] = "ppmi"
    counts_pairs: ClassVar[bool] = True


OBJECTIVES: dict[str, type[Objective]] = {kind.name: kind for kind in (SkipGram, Cbow, Glove, Ppmi)}
DEFAULT_OBJECTIVE = SkipGram()


def objective_of(notation: str | Mapping[str, Any] | Objective) -> Objective:
    """Return the objective that text or a header stands for; an objective stands for itself."""
    if isinstance(notation, Objective):
        return notation
    if isinstance(notation, Mapping):
        header = dict(notation)
        kind = objective_class(header.get("name"), header)
        return kind(**kind_of_header("objective", kind, header))
    if not isinstance(notation, str):
        raise ConfigError("objective", notation, "an objective, or the name of one")
    name, _, settings = map(str.strip, notation.partition(":"))
    kind = objective_class(name, notation)
    read = settings_of("objective", kind, notation, settings)
    with settings_typed_as({}):  # glove:epochs=25 has no flags
        return kind(**read)


def objective_class(name: Any, notation: Any) -> type[Objective]:
    if name not in OBJECTIVES:
        raise ConfigError("objective", notation, f"one of {', '.join(OBJECTIVES)}")
    return OBJECTIVES[name]


def described_objectives() -> str:
    """Return one line for a help text: all names, with their settings."""
    return described(dict(OBJECTIVES))
