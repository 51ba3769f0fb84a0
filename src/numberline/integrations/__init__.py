"""A model → what other tools take; each tool is an extra."""

from typing import TYPE_CHECKING

from numberline.extras import lazy_names

if TYPE_CHECKING:
    from numberline.integrations.with_torch import seeded_torch as seeded_torch
else:
    __all__, __getattr__ = lazy_names(__name__, with_torch="seeded_torch")
