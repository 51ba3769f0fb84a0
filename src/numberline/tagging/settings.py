"""Settings of training a tagger."""

from __future__ import annotations

from dataclasses import dataclass

from numberline.errors import ConfigError
from numberline.fields import CheckedSettings, positive_number, setting, whole_number
from numberline.settings import seed_setting


@dataclass(frozen=True)
class TaggerSettings(CheckedSettings):
    """How a tagger is trained. The defaults are those of the paper, which used NCRF++."""

    hidden: int = setting(
        200, "Width of the BiLSTM, both directions together.", whole_number(2, 100_000)
    )
    learning_rate: float = setting(
        0.015,
        "Learning rate of the first epoch, for the loss summed over a batch.",
        positive_number(1),
    )
    epochs: int = setting(30, "Passes over the sentences, at most.", whole_number(1, 1_000_000))
    fine_tune: bool = setting(False, "Train the vectors of words and prototypes, too.")
    seed: int = seed_setting()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.hidden % 2:
            raise ConfigError("hidden", self.hidden, "even: half for each direction")
