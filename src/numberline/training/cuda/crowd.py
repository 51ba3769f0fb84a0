"""How often words occur → how many warps may work at once, and who takes smaller steps.

Warps do not see what others are about to add to a row. Where many pull at the same one, their steps
add up, and overshoot beyond some sum of learning rates. So few warps work on a text of few words;
and on any text the most frequent words take a part of each step, which costs them nothing: they
are trained more often than all others.

A rare word that is repeated again and again in one place would be crowded there. That is why each
warp goes through a piece of text of its own (rounds.cu).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from numberline.config import TrainingConfig
from numberline.encoders.weights import Array
from numberline.extras import optional

SAFE_PULL = 0.72  # learning rate times warps at work on an input row: all is as with a few warps
MOST_PULL = 3.0 * SAFE_PULL  # with parts of steps
OUTPUTS = 2.0  # times as much may pull at an output row: most do so as negatives, and less


@dataclass(frozen=True, eq=False)
class Crowd:
    """What one warp at work adds to the pull at each word, most frequent first."""

    input_pull: Array
    output_pull: Array

    @staticmethod
    def of(config: TrainingConfig, kept_shares: Array, negative_shares: Array) -> Crowd:
        inputs = config.window + 3  # of a step, on average
        return Crowd(
            config.learning_rate * inputs * kept_shares,
            config.learning_rate * config.negatives * negative_shares / OUTPUTS,
        )

    def most_warps(self, warps: int) -> int:
        pull = max(self.input_pull.max(initial=0), self.output_pull.max(initial=0), 1e-12)
        return min(warps, max(1, int(MOST_PULL / float(pull))))

    def parts(self, warps: int) -> tuple[Any, Any, np.int32]:
        """Of a step, that crowded words take on either side; and how many words are crowded."""
        cupy = optional("cupy", "cuda")
        others = warps - 1
        shares = [
            np.minimum(1, SAFE_PULL / np.maximum(others * pull, 1e-12))
            for pull in (self.input_pull, self.output_pull)
        ]
        crowded = max(int(np.flatnonzero(part < 1).max(initial=-1)) + 1 for part in shares)
        inputs, outputs = (
            cupy.asarray(np.append(part[:crowded], 1).astype(np.float32)) for part in shares
        )
        return inputs, outputs, np.int32(crowded)
