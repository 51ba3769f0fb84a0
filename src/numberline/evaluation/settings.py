"""Settings that all evaluation tasks have in common."""

from __future__ import annotations

from dataclasses import dataclass

from numberline.fields import LARGEST_SIZE, CheckedSettings, one_of, setting, whole_number
from numberline.settings import seed_setting, threads_setting

MOST_ITEMS = 10_000  # all candidates are scored for all items at once


@dataclass(frozen=True)
class EvaluationSettings(CheckedSettings):
    """What a model is evaluated on. A task with settings of its own extends this class."""

    data: str | None = setting(None, "Folder of the evaluation sets.")
    text: str | None = setting(None, "Text that the model was not trained on: prediction, speed.")
    titles: str | None = setting(
        None,
        "magnitude-class: folder or file in the format of Numeracy-600K; by default headlines, in "
        "the folder of the evaluation sets.",
    )
    part: str = setting(
        "test",
        "prediction, magnitude-class: 'test', or 'validation' to choose settings by.",
        one_of("test", "validation"),
    )
    items: int = setting(
        1400,
        "prediction: sentences that lose a numeral, in either part.",
        whole_number(1, MOST_ITEMS),
    )
    protocol: str = setting(
        "naik",
        "magnitude, numeration, probing: which numerals are nearest: 'naik', all at the smallest "
        "gap; 'paper', of two at one gap the larger.",
        one_of("naik", "paper"),
    )
    numerals: str = setting(
        "naik",
        "magnitude, numeration, probing: the list 'naik', or the most frequent of the 'corpus'.",
        one_of("naik", "corpus"),
    )
    probe_items: int = setting(
        100_000,
        "probing: pairs and lists of numerals to draw, 80 % of them for training.",
        whole_number(10, LARGEST_SIZE),
    )
    seed: int = seed_setting()
    threads: int = threads_setting()
