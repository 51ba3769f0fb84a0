from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

_Token = tuple[bytes, float | None, int, int]
_TokenOfKind = tuple[bytes, float | None, int, int, int]

class Scanner:
    def __init__(
        self,
        *,
        shape: npt.NDArray[np.uint8],
        folded: npt.NDArray[np.uint32],
        zeros: npt.NDArray[np.uint32],
        vulgar: Sequence[tuple[int, float]],
        lowercase: bool,
        magnitudes: bool,
        number_words: bool,
        decimal_comma: bool,
    ) -> None: ...
    def tokenize(self, text: bytes) -> list[_Token]: ...

_Numbered = tuple[npt.NDArray[np.int32], npt.NDArray[np.int64], int]

class Counter:
    def __init__(self, scanner: Scanner, tables: QuantityTables | None = None) -> None: ...
    def add_text(self, text: bytes, keep_ids: bool) -> _Numbered: ...
    def add_tokens(self, tokens: bytes, keep_ids: bool) -> _Numbered: ...

class Renumbering:
    def apply(self, ids: npt.NDArray[np.int32], line_lengths: npt.NDArray[np.int64]) -> int: ...

def merge(
    counters: Sequence[Counter], min_count: int, max_vocabulary: int
) -> tuple[
    bytes,
    npt.NDArray[np.int64],
    tuple[npt.NDArray[np.float64], npt.NDArray[np.int32], npt.NDArray[np.int64]],
    int,
    int,
    list[Renumbering],
]: ...

class QuantityTables:
    def __init__(
        self,
        *,
        classes: Sequence[str],
        spellings: Sequence[tuple[str, bool, tuple[int, int], float, int]],
        longest: Sequence[tuple[str, int]],
        anchors: tuple[int, int],
        units: Sequence[tuple[int, float, Sequence[int]]],
        dimension_of: Sequence[tuple[Sequence[int], int]],
        kind_of_dimension: Sequence[int],
        rules: Sequence[tuple[int, int, str, Sequence[object], tuple[int, int]]],
        numbers: Sequence[tuple[str, int]],
    ) -> None: ...

_Span = tuple[int, int]

class QuantityReader:
    def __init__(self, scanner: Scanner, tables: QuantityTables) -> None: ...
    def tokenize(self, text: bytes) -> list[_TokenOfKind]: ...
    def words_and_numerals(self, text: bytes) -> tuple[list[str | None], list[_TokenOfKind]]: ...
    def read(
        self, text: bytes
    ) -> list[
        tuple[
            int,
            int,
            float | None,
            float | None,
            float | None,
            int,
            int,
            list[tuple[int, int]],
            _Span | None,
            _Span | None,
            tuple[int | None, int | None, int | None] | None,
        ]
    ]: ...
    def kinds_of(self, text: bytes) -> list[int]: ...

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
    smallest_ratio: float,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.float32]]: ...
def sparse_product(
    *,
    offsets: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[np.float32],
    table: npt.NDArray[np.float32],
    vectors: npt.NDArray[np.float32],
) -> None: ...
def support_sums(
    *,
    scores: npt.NDArray[np.float32],
    fractions: npt.NDArray[np.float32],
    limits: npt.NDArray[np.float32],
    ends: npt.NDArray[np.int64],
    bounds: npt.NDArray[np.float64],
) -> tuple[
    npt.NDArray[np.float64],
    npt.NDArray[np.float64],
    npt.NDArray[np.float64],
    npt.NDArray[np.int64],
]: ...
def instruction_sets() -> list[str]: ...
def instruction_set() -> str: ...
def use_instruction_set(name: str) -> None: ...

class Sampling:
    def __init__(
        self,
        *,
        keep_probability: npt.NDArray[np.float32],
        thresholds: npt.NDArray[np.uint32],
        others: npt.NDArray[np.int32],
        numeral_thresholds: npt.NDArray[np.uint32],
        numeral_others: npt.NDArray[np.int32],
        window: int,
        negatives_per_group: int,
        numerals_per_group: int,
    ) -> None: ...

class Corpus:
    def __init__(
        self, *, ids: npt.NDArray[np.int32], sentence_offsets: npt.NDArray[np.int64]
    ) -> None: ...

class SideTable:
    def __init__(
        self,
        *,
        rows: npt.NDArray[np.float32],
        offsets: npt.NDArray[np.int64],
        indices: npt.NDArray[np.int32],
        weights: npt.NDArray[np.float32],
    ) -> None: ...

class BlockTrainer:
    def __init__(
        self,
        *,
        corpus: Corpus,
        sampling: Sampling,
        input: SideTable,
        output: SideTable,
        is_frozen: bool,
        is_cbow: bool,
        score_offset: float,
    ) -> None: ...
    def plan(
        self, *, first_token: int, last_token: int, key: int
    ) -> dict[str, npt.NDArray[np.int32] | int]: ...
    def train(
        self, *, first_token: int, last_token: int, key: int, learning_rate: float, loss_phase: int
    ) -> tuple[float, int]: ...
