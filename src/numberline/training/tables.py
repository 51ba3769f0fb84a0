"""Vectors of words, in rows padded for the kernels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from numberline.encoders.weights import Array

ROW_ALIGNMENT = 16  # floats; kRowAlignment in native/window_kernel.h
ROWS_AT_A_TIME = 1024  # that are made while they are in the cache
Rows = npt.NDArray[np.float32]


def padded_width(dim: int) -> int:
    return -(-dim // ROW_ALIGNMENT) * ROW_ALIGNMENT


def padded(rows: Array) -> Rows:
    """A copy whose rows end in zeros, which training leaves zeros."""
    table = zero_rows(len(rows), rows.shape[1])
    table[:, : rows.shape[1]] = rows
    return table


def zero_rows(count: int, dim: int) -> Rows:
    """Rows that begin where a line of the cache does: a register is then read from one line."""
    width = padded_width(dim)
    room = np.zeros(count * width + ROW_ALIGNMENT, np.float32)
    skipped = -(room.ctypes.data // room.itemsize) % ROW_ALIGNMENT
    return room[skipped : skipped + count * width].reshape(count, width)


@dataclass(frozen=True, eq=False)
class WordTables:
    """Input and output vectors of the words; kernels change them in place."""

    dim: int
    padded_input: Rows  # [words, padded_width(dim)]
    padded_output: Rows

    @property
    def input(self) -> Rows:
        return self.padded_input[:, : self.dim]

    @property
    def output(self) -> Rows:
        return self.padded_output[:, : self.dim]


def starting_tables(words: int, dim: int, rng: np.random.Generator) -> WordTables:
    """As gensim and fastText start: input rows random within ±1/dim, output rows zero."""
    table = zero_rows(words, dim)
    for first in range(0, words, ROWS_AT_A_TIME):
        rows = table[first : first + ROWS_AT_A_TIME, :dim]
        rows[...] = rng.random(rows.shape, np.float32)
        rows -= np.float32(0.5)
        rows *= np.float32(2 / dim)
    return WordTables(dim, table, zero_rows(words, dim))
