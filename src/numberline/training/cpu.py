"""Ids, rows of weights and settings → trained tables, by the threads of a CPU."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numberline.arrays import Array
from numberline.kernels import require_native
from numberline.numerals.rows import SparseRows
from numberline.reading.encoded import EncodedCorpus
from numberline.settings import Settings
from numberline.training.progress import TrainingProgress
from numberline.training.random import epoch_key
from numberline.training.sampling import Sampling, sampling_of
from numberline.training.schedule import Block, Schedule
from numberline.training.state import TrainingState
from numberline.training.threads import ThreadedTrainer

LOSS_STRIDE = 29  # steps by which the sample for the loss shifts from block to block


class CpuTrainer(ThreadedTrainer[TrainingProgress]):
    """Trains the tables of `state` in place."""

    extra: Mapping[str, Array] = {}  # beside the tables, there is no state to keep

    def __init__(self, corpus: EncodedCorpus, state: TrainingState, settings: Settings) -> None:
        super().__init__(settings.threads)
        self.tables, self.next_block = state.tables, state.next_block
        self._settings = settings
        self.schedule = Schedule(corpus, settings)
        self.block_count, self.tokens = self.schedule.block_count, self.schedule.tokens
        self.progress = TrainingProgress(self.schedule, state.next_block)
        self._arguments = native_arguments(corpus, state, settings)

    def _new_native(self) -> Any:
        return require_native().BlockTrainer(**self._arguments)

    def _block(self, number: int) -> Block:
        return self.schedule[number]

    def _train_block(self, native: Any, block: Block) -> None:
        rate = self.schedule.learning_rate(block.done)
        loss_sum, pairs = self._train(native, block, rate)
        with self._lock:
            self.progress.add(block.tokens, rate, loss_sum, pairs)

    def _train(self, native: Any, block: Block, rate: float) -> tuple[float, int]:
        loss: tuple[float, int] = native.train(
            first_token=block.first_token,
            last_token=block.last_token,
            key=epoch_key(self._settings.seed, block.epoch),
            learning_rate=rate,
            loss_phase=LOSS_STRIDE * block.number,
        )
        return loss


def native_arguments(
    corpus: EncodedCorpus, state: TrainingState, settings: Settings
) -> dict[str, Any]:
    """Return the arguments of a native BlockTrainer; all threads share their arrays."""
    vocabulary = corpus.vocabulary
    sampling = sampling_of(vocabulary, len(corpus.ids), settings)
    rows = state.numeral_rows(vocabulary.numerals)
    return {
        "corpus": native_corpus(corpus),
        "sampling": native_sampling(sampling),
        "input": native_side(state.tables.padded_input, rows["input"]),
        "output": native_side(state.tables.padded_output, rows["output"]),
        "is_frozen": state.is_frozen,
        "is_cbow": settings.objective.name == "cbow",
        "score_offset": settings.score_offset,
    }


def native_corpus(corpus: EncodedCorpus) -> Any:
    return require_native().Corpus(ids=corpus.ids, sentence_offsets=corpus.sentence_offsets)


def native_sampling(sampling: Sampling) -> Any:
    return require_native().Sampling(
        keep_probability=sampling.keep_probability,
        thresholds=sampling.negatives.thresholds,
        others=sampling.negatives.others,
        numeral_thresholds=sampling.numeral_negatives.thresholds,
        numeral_others=sampling.numeral_negatives.others,
        window=sampling.window,
        negatives_per_group=sampling.negatives_per_group,
        numerals_per_group=sampling.numerals_per_group,
    )


def native_side(table: Array, numerals: SparseRows) -> Any:
    return require_native().SideTable(
        rows=table, offsets=numerals.offsets, indices=numerals.indices, weights=numerals.weights
    )
