"""An objective and what the caller asks for → an error for what this objective cannot do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numberline.errors import ConfigError, TrainingError, setting_text
from numberline.fields import setting_names
from numberline.settings import Settings

# Settings of skipgram and cbow.
OF_WINDOWS = ("negatives", "sample", "epochs", "learning_rate", "start_from_odds")


def unsuitable(settings: Settings, reason: str) -> TrainingError:
    """Return the error for an encoder that an objective cannot use."""
    return TrainingError(
        f"objective {settings.objective.name} cannot use encoder {settings.encoder}, {reason}; "
        "choose another encoder, or objective skipgram"
    )


def require_possible(settings: Settings, explicit: Mapping[str, Any], pairs: object) -> None:
    """Refuse settings and arguments that the objective would not use."""
    objective = settings.objective
    if not objective.counts_pairs:
        if pairs is not None:
            needed = f"left out: objective {objective.name} counts no pairs"
            raise ConfigError("pairs", str(pairs), needed)
        return
    for name in OF_WINDOWS:
        if name not in explicit:
            continue
        needed = f"left out: objective {objective.name} does not use it"
        if name in setting_names(type(objective)):
            notation = f"{objective.name}:{name}={explicit[name]}"
            needed = f"set as {setting_text('objective', notation)}"
        raise ConfigError(name, explicit[name], needed)
    if settings.device == "cuda":
        needed = f"'auto' or 'cpu': objective {objective.name} is trained on the CPU"
        raise ConfigError("device", settings.device, needed)
