"""Rows of the grid → tables of sequence labelling, with vectors learnt from the portion.

Other tables evaluate vectors of a large text; here they are learnt from the sentences that the
tagger is trained on.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

from numberline.errors import NumberlineWarning
from numberline.evaluation import Progress, Table
from numberline.model import TokenVectors
from numberline.tagging import TaggedSentence
from numberline_paper.grid import DEFAULT
from numberline_paper.presets import CHAT, with_preset
from numberline_paper.settings import TaggingSettings
from numberline_paper.tagging.task import RANDOM_ROWS, Source, random_sources, tables
from numberline_paper.trainers import trainer_of

# The authors trained with Adam; a thousand sentences need more of SGD than ten passes at its usual
# rate. In so short a text no frequent word is left out, and rare words count.
SHORT_TEXT = {"min_count": 1, "sample": 0.0, "learning_rate": 0.1, "epochs": 50}


def tagging_tables(
    rows: Iterable[str], settings: TaggingSettings, progress: Progress, **training: Any
) -> list[Table]:
    """Return a table per set. Rows are encoders, the default or RANDOM_ROWS.

    `training` are further settings of numberline.train.
    """
    drawn = dict(zip(RANDOM_ROWS, random_sources(int(CHAT["dim"])), strict=True))
    sources = [drawn.get(row) or learnt_source(row, settings, training) for row in rows]
    return tables(sources, settings, progress)


def learnt_source(row: str, settings: TaggingSettings, training: dict[str, Any]) -> Source:
    def learn(train: list[TaggedSentence], portion: int, seed: int) -> TokenVectors:
        general = {"threads": settings.threads, "seed": seed, **SHORT_TEXT, **training}
        if row == DEFAULT:
            chosen = {**CHAT, **general}
        else:
            chosen = with_preset(preset_of(portion), {"encoder": row, **general})
        tokens = [[token for token, _ in sentence] for sentence in train]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NumberlineWarning)  # a portion may hold few words
            return trainer_of(row)(tokens, **chosen)

    return Source(row, learn)


def preset_of(portion: int) -> str:
    """Return the preset for a portion: the paper has settings for 100, 30 and 10 percent."""
    if portion > 50:
        return "tagging"
    return "tagging-30" if portion > 20 else "tagging-10"
