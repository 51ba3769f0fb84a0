"""A folder that is written as a whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from numberline.errors import OutputError


@contextmanager
def replace_folder(folder: Path) -> Iterator[Path]:
    """Give a new folder to fill; it takes the place of `folder` if all goes well, else it goes."""
    require_writable(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    partial = Path(
        tempfile.mkdtemp(prefix=f".{folder.name}-", suffix=".partial", dir=folder.parent)
    )
    try:
        yield partial
        os.chmod(partial, 0o755)  # mkdtemp makes folders that nobody else may read
        if folder.exists():
            shutil.rmtree(folder)
        os.replace(partial, folder)
    except BaseException as error:
        shutil.rmtree(partial, ignore_errors=True)
        if isinstance(error, OSError):
            raise OutputError(f"cannot write {folder}: {error.strerror or error}") from error
        raise


def require_writable(folder: Path) -> None:
    """Refuse a folder that cannot be made, before any work is put into what goes there."""
    nearest = folder.absolute().parent
    while not nearest.exists() and nearest != nearest.parent:
        nearest = nearest.parent
    if not nearest.is_dir():
        raise OutputError(f"cannot write {folder}: {nearest} is no folder")
    try:
        tempfile.TemporaryFile(dir=nearest).close()
    except OSError as error:
        raise OutputError(f"cannot write {folder}: {error.strerror or error}") from error
