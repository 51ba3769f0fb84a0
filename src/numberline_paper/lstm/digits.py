"""Numbers → the symbols they are written with, in one way for each: 190, 0.5, 6.02e+23."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from numberline.numerals import finite_numbers
from numberline.reading import plain_number

SYMBOLS = "0123456789.+-e"
INDEX_OF = {symbol: index for index, symbol in enumerate(SYMBOLS)}


@dataclass(frozen=True, eq=False)
class Digits:
    """Numbers as indices into SYMBOLS. Codes beyond a number's length mean nothing."""

    codes: npt.NDArray[np.int8]  # [numbers, longest]
    lengths: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.lengths)

    def __getitem__(self, rows: Any) -> Digits:
        lengths = self.lengths[rows]
        return Digits(self.codes[rows, : lengths.max(initial=1)], lengths)

    def batches(self, size: int) -> Iterator[Digits]:
        """Yield all numbers in order, `size` at a time."""
        for first in range(0, len(self), size):
            yield self[first : first + size]


def digits_of(values: npt.ArrayLike) -> Digits:
    """Return the digits of finite numbers; refuse anything else."""
    written = [plain_number(value) for value in finite_numbers(values).tolist()]
    lengths = np.array([len(text) for text in written], np.int64)
    codes = np.zeros((len(written), lengths.max(initial=1)), np.int8)
    for row, text in enumerate(written):
        codes[row, : len(text)] = [INDEX_OF[symbol] for symbol in text]
    return Digits(codes, lengths)
