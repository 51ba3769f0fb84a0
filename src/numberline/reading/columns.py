"""A column of a table, which may be damaged → its values, a bounded number of bytes at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from numberline.extras import optional
from numberline.reading.records import LONGEST_RECORD, too_long

Sizes = npt.NDArray[np.int64]

ROWS_AT_A_TIME = 256  # rows held as Python objects
PIECE_BYTES = 16 << 20  # of text held as Python objects, if no single row is longer


def checked_bytes(values: Any) -> Any:
    """Return the same values as bytes, after a check of all lengths and offsets.

    Arrow trusts them, and would read beyond the file where they are damaged. Its check of strings
    also demands UTF-8, which other corpora need not be; so they are checked as bytes.
    """
    values.validate()
    as_bytes = values.view(bytes_type(values.type))
    as_bytes.validate(full=True)
    return as_bytes


def bytes_type(kind: Any) -> Any:
    """Return a type of strings or of lists of strings with bytes instead of strings."""
    arrow = optional("pyarrow", "arrow")
    types = arrow.types
    if types.is_dictionary(kind):
        return arrow.dictionary(kind.index_type, bytes_type(kind.value_type), kind.ordered)
    if types.is_list(kind):
        return arrow.list_(bytes_type(kind.value_type))
    if types.is_large_list(kind):
        return arrow.large_list(bytes_type(kind.value_type))
    if types.is_string(kind):
        return arrow.binary()
    return arrow.large_binary() if types.is_large_string(kind) else arrow.binary_view()


def pieces(values: Any, path: str, rows_before: int) -> Iterator[tuple[int, Any]]:
    """Yield slices of the values, each after the number of its first row.

    A slice has at most PIECE_BYTES or is a single row; a row longer than a record may be is an
    error.
    """
    for first in range(0, len(values), ROWS_AT_A_TIME):
        rows = values.slice(first, ROWS_AT_A_TIME)
        sizes = sizes_of(rows)
        if len(sizes) and sizes.max() > LONGEST_RECORD:
            row = rows_before + first + int(np.argmax(sizes > LONGEST_RECORD)) + 1
            raise too_long(f"{path}, row {row}")
        start = 0
        while start < len(rows):
            ends = np.cumsum(sizes[start:])
            count = max(1, int(np.searchsorted(ends, PIECE_BYTES, "right")))
            yield first + start, rows.slice(start, count)
            start += count


def sizes_of(values: Any) -> Sizes:
    """Return the bytes of each value; those of a list include one for each of its tokens."""
    types = optional("pyarrow", "arrow").types
    if types.is_dictionary(values.type):
        sizes = lengths_at(values.dictionary, as_int64(values.indices.fill_null(0)))
        sizes[values.is_null().to_numpy(zero_copy_only=False)] = 0
        return sizes
    if not (types.is_list(values.type) or types.is_large_list(values.type)):
        return lengths_at(values, np.arange(len(values)))
    offsets = as_int64(values.offsets)
    first, last = int(offsets[0]), int(offsets[-1])
    tokens = np.diff(offsets)
    if tokens.max(initial=0) > LONGEST_RECORD:  # decided before anything of their size is held
        return tokens
    ends = np.cumsum(sizes_of(values.values.slice(first, last - first)) + 1)
    return np.diff(np.concatenate([[0], ends])[offsets - first])


def lengths_at(values: Any, indices: Sizes) -> Sizes:
    """Return the lengths of some values of an array of bytes, read from its buffer of offsets."""
    if not len(values):
        return np.zeros(len(indices), np.int64)
    types = optional("pyarrow", "arrow").types
    buffer, at = values.buffers()[1], values.offset + indices
    if types.is_binary_view(values.type):
        lengths: Sizes = np.frombuffer(buffer, np.int32)[4 * at].astype(np.int64)
        return np.maximum(lengths, 0)  # those of nulls may be anything
    ends = np.frombuffer(buffer, np.int64 if types.is_large_binary(values.type) else np.int32)
    sizes: Sizes = ends[at + 1].astype(np.int64) - ends[at]
    return sizes


def as_int64(numbers: Any) -> Sizes:
    array: Sizes = numbers.to_numpy(zero_copy_only=False).astype(np.int64)
    return array
