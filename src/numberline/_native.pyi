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
def sparse_rows(
    *,
    offsets: npt.NDArray[np.int64],
    columns: npt.NDArray[np.int32],
    shares: npt.NDArray[np.float32],
    rows: npt.NDArray[np.int32],
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
def dense_product(
    *,
    weights: npt.NDArray[np.float32],
    basis: npt.NDArray[np.float32],
    rows: npt.NDArray[np.float32],
    transposed: bool,
) -> None: ...
def instruction_sets() -> list[str]: ...
def instruction_set() -> str: ...
def use_instruction_set(name: str) -> None: ...

class Sampling:
    def __init__(
        self,
        *,
        keep_share: npt.NDArray[np.float32],
        thresholds: npt.NDArray[np.uint32],
        others: npt.NDArray[np.int32],
        window: int,
        negatives_per_centre: int,
        numeral_thresholds: npt.NDArray[np.uint32],
        numeral_others: npt.NDArray[np.int32],
        numeral_negatives: int,
    ) -> None: ...

class BlockTrainer:
    def __init__(self, sampling: Sampling, groups: npt.NDArray[np.int32]) -> None: ...
    def plan(
        self,
        *,
        ids: npt.NDArray[np.int32],
        sentence_ends: npt.NDArray[np.int64],
        first_token: int,
        last_token: int,
        key: int,
    ) -> None: ...
    def plan_arrays(self) -> dict[str, npt.NDArray[np.int32]]: ...
    @property
    def input_numerals(self) -> npt.NDArray[np.int32]: ...
    @property
    def output_numerals(self) -> npt.NDArray[np.int32]: ...
    def train(
        self,
        *,
        word_input: npt.NDArray[np.float32],
        word_output: npt.NDArray[np.float32],
        numeral_input: npt.NDArray[np.float32],
        numeral_output: npt.NDArray[np.float32],
        learning_rate: float,
        cbow: bool,
        loss_phase: int,
    ) -> tuple[float, int]: ...
