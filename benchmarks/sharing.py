"""What two threads pay for sharing their tables, also on a machine that does other work.

    python benchmarks/sharing.py FOLDER [--encoders line token] [--dim 100 300] [--seconds 20]

FOLDER is an encoded corpus. Two threads, each on a core of its own, train blocks of text: in turns
both on the same tables, and each on its own, as two processes would. A block counts if nothing
interrupted it and the other thread was training all the while. The table has the medians of their
CPU times; "own / shared" is the speed of two threads beside that of two processes.
"""

from __future__ import annotations

import argparse
import itertools
import os
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
from machine import machine
from rich.console import Console
from rich.table import Table

import numberline as nl
from numberline.kernels import require_native
from numberline.settings import Settings
from numberline.training.checkpoint import NO_CHECKPOINTS
from numberline.training.cpu import native_arguments
from numberline.training.fit import first_state
from numberline.training.random import epoch_key

BLOCK_TOKENS = 1024  # a fraction of a millisecond: few blocks are interrupted
TURN_SECONDS = 0.35
MOST_LOST = 1.15  # ratio of the time that passed during a block to its CPU time
LEAST_OVERLAP = 0.9  # fraction of a block during which the other thread was training
LEARNING_RATE = 0.01


class Turns:
    """Says which tables the threads train, and when to stop."""

    is_shared = True
    is_over = False


def train_blocks(core: int, trainers: dict[bool, Any], tokens: int, turns: Turns) -> np.ndarray:
    """Train random blocks; return for each: shared or not, begin, end and CPU time in ns."""
    os.sched_setaffinity(0, {core})
    random, blocks = np.random.default_rng(core), []
    while not turns.is_over:
        is_shared, first = turns.is_shared, int(random.integers(tokens - BLOCK_TOKENS))
        begin, cpu = time.perf_counter_ns(), time.thread_time_ns()
        trainers[is_shared].train(
            first_token=first,
            last_token=first + BLOCK_TOKENS,
            key=epoch_key(1, len(blocks)),
            learning_rate=LEARNING_RATE,
            loss_phase=1,
        )
        cpu, end = time.thread_time_ns() - cpu, time.perf_counter_ns()
        blocks.append((is_shared, begin, end, cpu))
    found = np.array(blocks, np.int64)
    return found[found[:, 2] - found[:, 1] < MOST_LOST * found[:, 3]]


def overlaps(blocks: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return the fraction of each block during which the other thread trained one, too."""
    begins, lengths = others[:, 1], others[:, 2] - others[:, 1]
    before = np.concatenate([[0], np.cumsum(lengths)])

    def trained_until(times: np.ndarray) -> np.ndarray:
        at = np.maximum(np.searchsorted(begins, times, side="right") - 1, 0)
        return before[at] + np.clip(times - begins[at], 0, lengths[at])

    return (trained_until(blocks[:, 2]) - trained_until(blocks[:, 1])) / (
        blocks[:, 2] - blocks[:, 1]
    )


def measure(corpus: nl.EncodedCorpus, settings: Settings, seconds: float) -> dict[str, Any]:
    """Return medians of CPU time, in ns per token, and the number of blocks they are of."""
    states = [first_state(corpus, settings, NO_CHECKPOINTS) for _ in range(2)]
    arguments = [native_arguments(corpus, state, settings) for state in states]
    native, turns, found = require_native(), Turns(), {}

    def work(thread: int, core: int) -> None:
        shared, own = (native.BlockTrainer(**arguments[table]) for table in (0, thread))
        found[thread] = train_blocks(core, {True: shared, False: own}, len(corpus.ids), turns)

    cores = sorted(os.sched_getaffinity(0))[:2]
    threads = [threading.Thread(target=work, args=pair) for pair in enumerate(cores)]
    for thread in threads:
        thread.start()
    for _ in range(round(seconds / TURN_SECONDS)):
        time.sleep(TURN_SECONDS)
        turns.is_shared = not turns.is_shared
    turns.is_over = True
    for thread in threads:
        thread.join()
    both = [
        blocks[overlaps(blocks, others) > LEAST_OVERLAP]
        for blocks, others in itertools.permutations(found.values())
    ]
    blocks = np.concatenate(both)
    times = {is_shared: blocks[blocks[:, 0] == is_shared, 3] for is_shared in (True, False)}
    shared, own = (float(np.median(times[each])) / BLOCK_TOKENS for each in (True, False))
    return {"shared": shared, "own": own, "blocks": min(map(len, times.values()))}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--encoders", nargs="+", default=["line", "token"])
    parser.add_argument("--dim", type=int, nargs="+", default=[100, 300])
    parser.add_argument("--seconds", type=float, default=20)
    options = parser.parse_args()
    corpus = nl.load_encoded(options.folder)
    columns = ("encoder", "dim", "shared, ns per token", "own, ns per token", "own / shared")
    table = Table(*columns, "blocks", title=f"{options.folder.name}, {machine()}")
    for dim, encoder in itertools.product(options.dim, options.encoders):
        one = measure(corpus, Settings(dim=dim, encoder=encoder), options.seconds)
        figures = (f"{one['shared']:.0f}", f"{one['own']:.0f}", f"{one['own'] / one['shared']:.2f}")
        table.add_row(encoder, str(dim), *figures, str(one["blocks"]))
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
