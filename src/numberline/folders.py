"""A folder that is written as a whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replace_folder(folder: Path) -> Iterator[Path]:
    """Give a new folder to fill; it takes the place of `folder` if all goes well, else it goes."""
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
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise
