"""Settings that all evaluation tasks have in common."""

from __future__ import annotations

from dataclasses import dataclass

from numberline.fields import CheckedSettings, one_of, setting, whole_number
from numberline.settings import seed_setting

MOST_ITEMS = 10_000  # the scores of all candidates for all items are in memory at once


@dataclass(frozen=True)
class EvaluationSettings(CheckedSettings):
    """Data, protocol and seed of an evaluation; a task with further settings extends this class."""

    data: str | None = setting(None, "Folder of the evaluation sets.")
    text: str | None = setting(None, "Text that the model was not trained on.")
    part: str = setting(
        "test",
        "Part of the text: 'test', or 'validation' to choose settings.",
        one_of("test", "validation"),
    )
    items: int = setting(
        1400,
        "prediction, detection: sentences of each part in which a numeral is asked for or judged.",
        whole_number(1, MOST_ITEMS),
    )
    protocol: str = setting(
        "naik",
        "Numerals that count as nearest: 'naik', all at the smallest gap; 'paper', only the larger "
        "of two.",
        one_of("naik", "paper"),
    )
    numerals: str = setting(
        "naik",
        "Numerals to compare: the list 'naik', or the most frequent ones of the 'corpus'.",
        one_of("naik", "corpus"),
    )
    seed: int = seed_setting()
