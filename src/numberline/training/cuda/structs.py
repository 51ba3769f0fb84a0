"""Groups of arguments → the structs of the same names in the kernels, passed by value.

A dataclass here has the fields of its twin in the .cu files, in the same order. Arrays lie on the
device and become addresses: a group has to outlive the launch it is passed to, but not the kernel.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np


def packed(value: Any) -> Any:
    """Return a C struct of a group, the address of an array, or a NumPy scalar as it is."""
    if is_dataclass(value):
        parts = {field.name: packed(getattr(value, field.name)) for field in fields(value)}
        layout = [(name, part.dtype) for name, part in parts.items()]
        return np.array(tuple(parts.values()), np.dtype(layout, align=True))
    return value if isinstance(value, np.generic) else np.uint64(value.data.ptr)


@dataclass(frozen=True, eq=False)
class DeviceText:
    """The listed tokens of a launch: Text in plan.cu."""

    ids: Any
    sentence_offsets: Any
    ranges: Any  # [ranges + 1, fields of TextRange]
    range_count: np.int32
    tokens: np.int32
    key: np.uint64  # of the epoch


@dataclass(frozen=True, eq=False)
class DeviceAliasTable:
    thresholds: Any
    others: Any
    size: np.uint32


@dataclass(frozen=True, eq=False)
class DeviceSampling:
    keep_probability: Any
    negatives: DeviceAliasTable
    numeral_negatives: DeviceAliasTable
    words: np.int32
    numerals_per_draw: np.int32


@dataclass(frozen=True, eq=False)
class DevicePlan:
    ids: Any  # [kept] and more: nobody knows here how many are kept
    first_context: Any  # [kept]
    last_context: Any  # [kept]
    draws: Any  # [draws, 2] first centre, and the one after the last
    positions: Any  # [draws] of the first centre in the corpus
    negatives: Any  # [draws, negatives]
    draws_before: Any  # [ranges + 1]


@dataclass(frozen=True, eq=False)
class DeviceRows:
    """The weights of numerals: SparseRows in numerals.cu."""

    offsets: Any
    indices: Any
    weights: Any


@dataclass(frozen=True, eq=False)
class DeviceSide:
    table: Any
    parts: Any
    numerals: DeviceRows


@dataclass(frozen=True, eq=False)
class DeviceTables:
    input: DeviceSide
    output: DeviceSide
    words: np.int32
    is_frozen: np.int32
    scratch: Any  # [warps, rows of a draw, stride] for rows of numerals


@dataclass(frozen=True, eq=False)
class LaunchSettings:
    """Settings in windows.cu."""

    first_rate: np.float32
    last_rate: np.float32
    score_offset: np.float32
    loss_phase: np.int32
