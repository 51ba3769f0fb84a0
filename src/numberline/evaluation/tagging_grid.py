"""Encoders → the paper's table of sequence labelling: vectors learnt from the training portion."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numberline
from numberline.config_evaluation import EvaluationConfig
from numberline.errors import NumberlineWarning
from numberline.evaluation.result import Table
from numberline.evaluation.tagging import Source, random_sources, tables
from numberline.evaluation.task import Progress
from numberline.model.token_vectors import TokenVectors
from numberline.presets import CHAT
from numberline.tagging.sentences import TaggedSentence

PAPER_ENCODERS = ("gmm", "som", "lstm", "fixed", "token")
# The authors trained with Adam; a thousand sentences need more of SGD than ten passes at its usual
# rate. So short a text is not thinned out, and its rare words count. Their number line holds
# no order numbers; where it does, prototypes that are not squashed go to these alone.
SHORT_TEXT = {"min_count": 1, "sample": 0.0, "learning_rate": 0.1, "epochs": 50, "log": "dataset"}


def tagging_grid(
    config: EvaluationConfig,
    progress: Progress,
    encoders: Sequence[str] = PAPER_ENCODERS,
    **settings: Any,
) -> list[Table]:
    """A table per set; settings are those of numberline.train, beside the preset."""
    learnt = [learnt_source(encoder, config, settings) for encoder in encoders]
    return tables([*learnt, *random_sources(int(CHAT["dim"]))], config, progress)


def learnt_source(encoder: str, config: EvaluationConfig, settings: dict[str, Any]) -> Source:
    def learn(train: list[TaggedSentence], portion: int, seed: int) -> TokenVectors:
        chosen = {**SHORT_TEXT, "threads": config.machine.threads, **settings}
        tokens = [[token for token, _ in sentence] for sentence in train]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NumberlineWarning)  # a portion may hold few words
            return numberline.train(
                tokens, preset=preset_of(portion), encoder=encoder, seed=seed, **chosen
            )

    return Source(encoder, learn)


def preset_of(portion: int) -> str:
    """The paper has settings for 100, 30 and 10 percent."""
    if portion > 50:
        return "tagging"
    return "tagging-30" if portion > 20 else "tagging-10"
