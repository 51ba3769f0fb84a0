"""A model → what other tools take; each tool is an extra."""

from typing import TYPE_CHECKING

from numberline.extras import lazy_names

if TYPE_CHECKING:
    from numberline.integrations.with_torch import Tensor as Tensor
    from numberline.integrations.with_torch import nn as nn
    from numberline.integrations.with_torch import seeded_torch as seeded_torch
    from numberline.integrations.with_torch import torch as torch
else:
    __all__, __getattr__ = lazy_names(__name__, with_torch="Tensor nn seeded_torch torch")
