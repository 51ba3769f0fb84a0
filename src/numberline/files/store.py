"""A header and named arrays ↔ a folder with two files; reading them never executes anything.

numberline.json     the name and version of the format, a checksum, and the header
model.safetensors   the arrays; they stay on disk and are mapped into memory
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from numberline.arrays import Array
from numberline.errors import StoreError

HEADER, TENSORS = "numberline.json", "model.safetensors"
CHECKSUM_CHUNK_BYTES = 1 << 24

_DTYPES = {"F32": np.float32, "F64": np.float64, "I32": np.int32, "I64": np.int64}


class Format(NamedTuple):
    name: str
    version: int
    header: str = HEADER  # the JSON file that states name and version


def write_store(
    folder: Path, store_format: Format, header: Mapping[str, Any], arrays: Mapping[str, Array]
) -> None:
    """Write both files into a folder, which the caller then moves into place as a whole."""
    from safetensors.numpy import save_file

    plain = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    save_file(plain, folder / TENSORS)
    full = {
        "format": store_format.name,
        "version": store_format.version,
        "checksum": checksum(folder / TENSORS),
        **header,
    }
    text = json.dumps(full, ensure_ascii=False, indent=1)
    (folder / HEADER).write_text(text, encoding="utf-8")


def read_store(
    folder: Path, store_format: Format, verify: bool = True
) -> tuple[dict[str, Any], dict[str, Array]]:
    """Return the header and the arrays; without `verify` the checksum is not checked."""
    header = read_header(folder, store_format)
    path = folder / TENSORS
    try:
        if verify and checksum(path) != header["checksum"]:
            raise StoreError(f"{path} is damaged: its checksum is not the one in {HEADER}")
        return header, map_tensors(path)
    except FileNotFoundError:
        raise StoreError(f"{folder} is incomplete: no {TENSORS} in it") from None
    except (OSError, ValueError, KeyError, TypeError, OverflowError) as error:
        raise StoreError(f"{path} cannot be read: {error}") from error


def read_header(folder: Path, store_format: Format) -> dict[str, Any]:
    what, path = store_format.name, folder / store_format.header
    try:
        header = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise StoreError(f"{folder} holds no {what}: no {path.name} in it") from None
    except (OSError, ValueError) as error:
        raise StoreError(f"{path} cannot be read: {error}") from error
    if not isinstance(header, dict) or header.get("format") != what:
        raise StoreError(f"{path} is not the header of a {what}")
    if header.get("version") != store_format.version:
        raise StoreError(
            f"{folder} has format version {header.get('version')} and this numberline reads "
            f"{store_format.version}; use the numberline that wrote it"
        )
    return header


def holds(folder: Path, store_format: Format) -> bool:
    """Return whether a folder holds this format, in any version."""
    try:
        header = json.loads((folder / HEADER).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(header, dict) and header.get("format") == store_format.name


def checksum(path: Path) -> int:
    total = 0
    with path.open("rb") as file:
        while piece := file.read(CHECKSUM_CHUNK_BYTES):
            total = zlib.crc32(piece, total)
    return total


def map_tensors(path: Path) -> dict[str, Array]:
    """Return the arrays of a safetensors file, mapped read-only; `safetensors` would copy them."""
    with path.open("rb") as file:
        header_bytes = int.from_bytes(file.read(8), "little")
        described = json.loads(file.read(header_bytes))
    start, size = 8 + header_bytes, path.stat().st_size
    arrays: dict[str, Array] = {}
    for name, tensor in described.items():
        if name == "__metadata__":
            continue
        dtype, shape = np.dtype(_DTYPES[tensor["dtype"]]), tuple(tensor["shape"])
        first, last = tensor["data_offsets"]
        if last - first != dtype.itemsize * int(np.prod(shape)) or start + last > size or first < 0:
            raise ValueError(f"the bytes of {name} do not fit the file")
        if last == first:
            arrays[name] = np.zeros(shape, dtype)
        else:
            arrays[name] = np.memmap(path, dtype, "r", offset=start + first, shape=shape)
    return arrays
