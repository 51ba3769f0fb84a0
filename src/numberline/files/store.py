"""A header and named arrays ↔ a folder with two files; reading them never executes anything.

numberline.json   a checksum of this file; the name and version of the format; the size and the
                  checksum of the other file; the header
the other file    the arrays, as safetensors; they stay on disk and are mapped into memory
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numberline.arrays import Array
from numberline.errors import StoreError
from numberline.files import checked_json
from numberline.files.regular import open_regular, reason_of
from numberline.files.snapshot import Snapshot, read_snapshot
from numberline.files.tensors import Pieces, TensorFile, write_tensors
from numberline.files.whole_folder import FolderKind

HEADER, TENSORS = "numberline.json", "model.safetensors"
MOST_HEADER_BYTES = 1 << 20  # parsed, JSON may take 30 times the memory


@dataclass(frozen=True)
class Format:
    """The name and version that a folder's header states, and the name of its file of arrays."""

    name: str
    version: int
    tensors: str = TENSORS

    @property
    def kind(self) -> FolderKind:
        return FolderKind(self.name, frozenset({HEADER, self.tensors}), self.is_in)

    def is_in(self, folder: Path) -> bool:
        """Tell whether a folder holds this format, in any version, even if it is damaged."""
        try:
            with open_regular(folder / HEADER) as file:
                return parsed_header(file.read(MOST_HEADER_BYTES + 1)).get("format") == self.name
        except OSError:
            return False
        except ValueError:
            return (folder / self.tensors).is_file()


def write_store(
    folder: Path,
    store_format: Format,
    header: Mapping[str, Any],
    arrays: Mapping[str, Array | Pieces],
) -> None:
    """Write both files into a new folder, which the caller then moves into place as a whole."""
    with (folder / store_format.tensors).open("wb") as file:
        checksum = write_tensors(file, arrays)
    full = {
        "format": store_format.name,
        "version": store_format.version,
        "tensors": {
            "bytes": (folder / store_format.tensors).stat().st_size,
            "checksum": checksum,
        },
        **header,
    }
    (folder / HEADER).write_bytes(checked_json.to_bytes(full))


def read_store(
    folder: Path, store_format: Format, verify: bool = True
) -> tuple[dict[str, Any], dict[str, Array]]:
    """Return the header and the arrays; without `verify` the arrays' checksum is not compared.

    Both are of one version of the folder, also while another process replaces it.
    """

    def read(snapshot: Snapshot) -> tuple[dict[str, Any], dict[str, Array]]:
        header = read_header(snapshot, folder, store_format)
        return header, read_arrays(snapshot, folder, header, store_format.tensors, verify)

    try:
        return read_snapshot(folder, read)
    except (FileNotFoundError, NotADirectoryError):
        raise StoreError(f"{folder} holds no {store_format.name}: no {HEADER} in it") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise StoreError(f"{folder} cannot be read: {reason_of(error)}") from error


def read_header(snapshot: Snapshot, folder: Path, store_format: Format) -> dict[str, Any]:
    what, path = store_format.name, folder / HEADER
    with snapshot.open(HEADER) as file, store_errors(path):
        header = parsed_header(file.read(MOST_HEADER_BYTES + 1))
    if header.get("format") != what:
        raise StoreError(f"{path} is not the header of a {what}")
    if header.get("version") != store_format.version:
        raise StoreError(
            f"{folder} has format version {header.get('version')!r:.40} and this numberline reads "
            f"{store_format.version}; use the numberline that wrote it"
        )
    return header


def parsed_header(data: bytes) -> dict[str, Any]:
    """Return the content of a header file; a ValueError says what is wrong with it."""
    if len(data) > MOST_HEADER_BYTES:
        raise ValueError(f"it has more than {MOST_HEADER_BYTES:,} bytes")
    return checked_json.from_bytes(data)


def read_arrays(
    snapshot: Snapshot, folder: Path, header: Mapping[str, Any], name: str, verify: bool
) -> dict[str, Array]:
    try:
        file = snapshot.open(name)
    except FileNotFoundError:
        raise StoreError(f"{folder} is incomplete: no {name} in it") from None
    with file, store_errors(folder / name):
        tensors = TensorFile(file)
        expected = header.get("tensors")
        if not isinstance(expected, dict) or tensors.size != expected.get("bytes"):
            raise ValueError(f"it is damaged: its size is not the one in {HEADER}")
        if verify and tensors.checksum() != expected.get("checksum"):
            raise ValueError(f"it is damaged: its checksum is not the one in {HEADER}")
        return tensors.arrays()


@contextmanager
def store_errors(path: Path) -> Iterator[None]:
    """Turn errors of reading a file into a StoreError of one line."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise StoreError(f"{path} cannot be read: {reason_of(error)}") from error


def damaged(folder: str | Path, error: Exception) -> StoreError:
    """Return the error for contents that pass their checksums but make no sense."""
    fault = f"{error} is missing" if isinstance(error, KeyError) else str(error)
    return StoreError(f"{folder} is damaged: {fault[:200]}")
