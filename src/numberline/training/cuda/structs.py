"""Dataclasses → the structs that CUDA kernels take by value.

Each struct in the .cu files has the fields of a dataclass, in the same order: AliasTable, Sampling
and SparseRows, which the CPU uses too, and those below. Arrays lie on the device and become
addresses: a dataclass has to outlive the call that launches a kernel, but not the kernel.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from numberline.extras import optional
from numberline.numerals.rows import SparseRows


def packed(value: Any) -> Any:
    """Return a C struct of a dataclass, the address of an array, or a NumPy scalar as it is."""
    if is_dataclass(value):
        parts = {field.name: packed(getattr(value, field.name)) for field in fields(value)}
        layout = [(name, part.dtype) for name, part in parts.items()]
        return np.array(tuple(parts.values()), np.dtype(layout, align=True))
    return value if isinstance(value, np.generic) else np.uint64(value.data.ptr)


def on_device(value: Any) -> Any:
    """Return a copy of a dataclass with its arrays on the device and integers of 32 bits."""
    if is_dataclass(value):
        parts = {field.name: on_device(getattr(value, field.name)) for field in fields(value)}
        return replace(value, **parts)  # type: ignore[type-var]  # an instance, no class
    return np.int32(value) if isinstance(value, int) else sent(value)


def sent(array: npt.NDArray[Any]) -> Any:
    """Return a copy on the device, without a second copy on the host."""
    device = optional("cupy", "cuda").empty(array.shape, array.dtype)
    if array.size:
        device.set(array)
    return device


@dataclass(frozen=True, eq=False)
class DeviceText:
    """The listed tokens of a launch: Text in plan.cu."""

    ids: Any
    sentence_offsets: Any
    blocks: Any  # [block_count + 1, fields of Block]
    block_count: np.int32
    tokens: np.int32
    key: np.uint64  # of the epoch


@dataclass(frozen=True, eq=False)
class DevicePlan:
    """Memory for a plan. The host does not know how many tokens are kept, or how many groups."""

    is_kept: Any  # [tokens]
    kept_before: Any  # [tokens + 1] sums of is_kept
    group_counts: Any  # [blocks]
    groups_before: Any  # [blocks + 1] sums of group_counts
    ids: Any  # [tokens]
    first_context: Any  # [tokens]
    last_context: Any  # [tokens]
    groups: Any  # [groups, 2] first centre, and the one after the last
    first_tokens: Any  # [groups] the first centre, as an index into the corpus
    negatives: Any  # [groups, negatives]
    block_count: np.int32


@dataclass(frozen=True, eq=False)
class SideTable:
    rows: Any
    damping: Any
    lengths: Any  # [numerals] sums of their absolute weights
    numerals: SparseRows


@dataclass(frozen=True, eq=False)
class DeviceTables:
    input: SideTable
    output: SideTable
    words: np.int32
    is_frozen: np.int32
    scratch: Any  # [warps, rows of a group, stride] for rows of numerals
    loads: Any  # [warps, LOAD_SLOTS] zeros


@dataclass(frozen=True, eq=False)
class DeviceLaunch:
    """Launch in windows.cu."""

    first_rate: np.float32
    last_rate: np.float32
    loss_phase: np.int32
    totals: Any  # loss, pairs and centres: Totals in step.cu
