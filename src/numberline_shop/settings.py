"""Settings of the demo shop's chat."""

from __future__ import annotations

from dataclasses import dataclass

from numberline.fields import CheckedSettings, setting, whole_number
from numberline.settings import seed_setting


@dataclass(frozen=True)
class ShopSettings(CheckedSettings):
    """How much is written."""

    sentences: int = setting(
        80_000, "Messages to write; about eleven tokens each.", whole_number(1, 10**9)
    )
    seed: int = seed_setting()
