from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

class Scanner:
    def __init__(
        self,
        *,
        shape: npt.NDArray[np.uint8],
        folded: npt.NDArray[np.uint32],
        zeros: npt.NDArray[np.uint32],
        vulgar: Sequence[tuple[int, float]],
        lowercase: bool,
        punctuation: bool,
        magnitudes: bool,
        number_words: bool,
        decimal_comma: bool,
    ) -> None: ...
    def tokenize(self, text: bytes) -> list[tuple[bytes, float | None, int, int]]: ...

_Indexed = tuple[npt.NDArray[np.int32], npt.NDArray[np.int64], int, int]

class Index:
    def __init__(self, scanner: Scanner) -> None: ...
    def add_text(self, text: bytes, keep_ids: bool) -> _Indexed: ...
    def add_tokens(self, tokens: bytes, keep_ids: bool) -> _Indexed: ...

class Renumbering:
    def apply(self, ids: npt.NDArray[np.int32], line_lengths: npt.NDArray[np.int64]) -> int: ...

def merge(
    indexes: Sequence[Index], min_count: int, max_vocabulary: int
) -> tuple[
    bytes,
    npt.NDArray[np.int64],
    npt.NDArray[np.float64],
    npt.NDArray[np.int64],
    int,
    int,
    list[Renumbering],
]: ...
def mixture_expectation(
    *,
    values: npt.NDArray[np.float64],
    weights: npt.NDArray[np.float64],
    constants: npt.NDArray[np.float64],
    means: npt.NDArray[np.float64],
    precisions: npt.NDArray[np.float64],
    hard: bool,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64], float]: ...
def mixture_posterior(
    *,
    values: npt.NDArray[np.float64],
    constants: npt.NDArray[np.float64],
    means: npt.NDArray[np.float64],
    precisions: npt.NDArray[np.float64],
    smallest_share: float,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.float32]]: ...
def sparse_product(
    *,
    offsets: npt.NDArray[np.int64],
    columns: npt.NDArray[np.int32],
    shares: npt.NDArray[np.float32],
    basis: npt.NDArray[np.float32],
    rows: npt.NDArray[np.float32],
) -> None: ...
def sparse_adjoint(
    *,
    offsets: npt.NDArray[np.int64],
    columns: npt.NDArray[np.int32],
    shares: npt.NDArray[np.float32],
    changes: npt.NDArray[np.float32],
    total: npt.NDArray[np.float32],
) -> None: ...
