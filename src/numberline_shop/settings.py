"""Settings of the demo."""

from __future__ import annotations

from dataclasses import dataclass

from numberline.fields import CheckedSettings, setting, whole_number


@dataclass(frozen=True)
class ShopSettings(CheckedSettings):
    """The length and the seed of the chat."""

    sentences: int = setting(
        80_000, "Messages to write; about eleven tokens each.", whole_number(1, 10**9)
    )
    seed: int = setting(
        1, "Seed of the chat; another seed gives another chat.", whole_number(0, 2**32 - 1)
    )
