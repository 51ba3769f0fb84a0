"""What users of the demo can set."""

from __future__ import annotations

from dataclasses import dataclass

from numberline.fields import CheckedSettings, setting, whole_number


@dataclass(frozen=True)
class ShopSettings(CheckedSettings):
    """How much chat is written, and which."""

    sentences: int = setting(
        80_000, "Messages to write; about eleven tokens each.", whole_number(1, 10**9)
    )
    seed: int = setting(1, "Another seed gives another chat.", whole_number(0, 2**32 - 1))
