"""Settings that several encoders have."""

from __future__ import annotations

from typing import Any

from numberline.fields import LARGEST_SIZE, one_of, optional, setting, whole_number


def prototypes_setting() -> Any:
    return setting(
        None,
        "How many prototypes; by default (ln N)² for N distinct numerals.",
        optional(whole_number(1, LARGEST_SIZE)),
    )


def line_setting() -> Any:
    return setting(
        "dataset",
        "The line that prototypes are fitted on: squashed ('dataset'), or as it is ('none').",
        one_of("dataset", "none"),
    )
