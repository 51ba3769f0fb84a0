"""The vectors that training changes: one table per side, words first, then prototypes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from numberline.arrays import Array
from numberline.numerals.base import FittedEncoder
from numberline.numerals.kinds import NO_KINDS, KindRows
from numberline.threads import thread_pool

ROW_ALIGNMENT = 16  # floats of a cache line; kRowAlignment in native/training/windows.h
ROWS_AT_A_TIME = 1024  # so that rows stay in the cache while they are filled
Rows = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Tables:
    """Input and output vectors, in rows padded with zeros; kernels change them in place."""

    words: int
    dim: int
    padded_input: Rows  # [words + prototypes, padded_width(dim)]
    padded_output: Rows

    @property
    def word_input(self) -> Rows:
        return self.padded_input[: self.words, : self.dim]

    @property
    def word_output(self) -> Rows:
        return self.padded_output[: self.words, : self.dim]

    @property
    def prototype_input(self) -> Rows:
        return self.padded_input[self.words :, : self.dim]

    @property
    def prototype_output(self) -> Rows:
        return self.padded_output[self.words :, : self.dim]

    @property
    def are_finite(self) -> bool:
        """Return whether all numbers are finite: a sum is finite only if all its terms are."""
        with np.errstate(over="ignore", invalid="ignore"):
            tables = self.padded_input, self.padded_output
            return all(np.isfinite(table.sum(dtype=np.float64)) for table in tables)


def padded_width(dim: int) -> int:
    return -(-dim // ROW_ALIGNMENT) * ROW_ALIGNMENT


def zero_rows(count: int, dim: int) -> Rows:
    """Return rows aligned to cache lines, so that a register is read from one line."""
    width = padded_width(dim)
    memory = np.zeros(count * width + ROW_ALIGNMENT, np.float32)
    skipped = -(memory.ctypes.data // memory.itemsize) % ROW_ALIGNMENT
    return memory[skipped : skipped + count * width].reshape(count, width)


def tables_of(word_rows: tuple[Array, Array], prototype_rows: tuple[Array, Array]) -> Tables:
    """Return tables of the (input, output) rows of words and of prototypes."""
    words, dim = word_rows[0].shape
    tables = []
    for word_side, prototype_side in zip(word_rows, prototype_rows, strict=True):
        table = zero_rows(words + len(prototype_side), dim)
        table[:words, :dim], table[words:, :dim] = word_side, prototype_side
        tables.append(table)
    return Tables(words, dim, *tables)


def starting_tables(
    words: int,
    fitted: FittedEncoder | None,
    dim: int,
    rng: np.random.Generator,
    kinds: KindRows = NO_KINDS,
) -> Tables:
    """Return new tables: word input rows random within ±1/dim, output rows zero, as in gensim.

    The rows of kinds are zero on both sides: at first a kind says nothing.
    """
    prototypes = fitted.size if fitted else 0
    size = words + prototypes + kinds.size
    tables = Tables(words, dim, zero_rows(size, dim), zero_rows(size, dim))
    if fitted:
        inputs, outputs = fitted.starting_tables(dim, rng)
        tables.prototype_input[:prototypes], tables.prototype_output[:prototypes] = inputs, outputs

    def start(first: int, rng: np.random.Generator) -> None:
        rows = tables.word_input[first : first + ROWS_AT_A_TIME]
        rows[...] = rng.random(rows.shape, np.float32)
        rows -= np.float32(0.5)
        rows *= np.float32(2 / dim)

    firsts = range(0, words, ROWS_AT_A_TIME)  # each has its own generator: threads do not matter
    with thread_pool() as pool:
        list(pool.map(start, firsts, rng.spawn(len(firsts))))
    return tables
