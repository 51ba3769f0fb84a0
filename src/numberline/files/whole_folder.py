"""Files → a folder that appears as a whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from numberline.errors import OutputError


@contextmanager
def replace_folder(folder: Path) -> Iterator[Path]:
    """Yield a new folder to fill; it replaces `folder` at the end, or vanishes after an error."""
    target = require_replaceable(folder)
    with hidden_neighbour(target, folder) as partial:
        new, old = partial / "new", partial / "old"
        new.mkdir()
        yield new
        try:
            if target.exists():
                os.replace(target, old)
            os.replace(new, target)
        except BaseException:
            if old.exists() and not target.exists():
                os.replace(old, target)
            raise


@contextmanager
def hidden_neighbour(target: Path, named: Path) -> Iterator[Path]:
    """Yield a temporary folder beside the target, on the same disk.

    Errors quote `named`, the path that the user wrote.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(
            prefix=".numberline-",
            suffix=".partial",
            dir=target.parent,
            ignore_cleanup_errors=True,
        ) as partial:
            yield Path(partial)
    except OSError as error:
        raise OutputError(f"cannot write {named}: {error.strerror or error}") from error


def free_folder(folder: Path, what: str, is_ours: Callable[[Path], bool], overwrite: bool) -> Path:
    """Return the path behind any links; it is an error if the folder must not be replaced.

    A folder that is not empty is replaced only if `is_ours` recognises it and with `overwrite`.
    """
    target = require_replaceable(folder)
    if not target.exists() or (target.is_dir() and not any(target.iterdir())):
        return target
    if not is_ours(target):
        raise OutputError(f"{folder} exists and holds no {what}; choose another folder")
    if not overwrite:
        raise OutputError(f"{folder} exists already; overwrite it or choose another folder")
    return target


def make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise OutputError(f"cannot write {folder}: it is no folder") from error
    except OSError as error:
        raise OutputError(f"cannot write {folder}: {error.strerror or error}") from error


def require_replaceable(folder: Path) -> Path:
    """Return the path behind any links; it is an error if nothing can be written there.

    Called before the work starts, so that the user does not learn it only at the end.
    """
    try:
        target = Path(os.path.realpath(folder))
        obstacle = find_obstacle(target)
    except OSError as error:
        raise OutputError(f"cannot write {folder}: {error.strerror or error}") from error
    if obstacle is not None:
        raise OutputError(f"cannot write {folder}: {obstacle}")
    return target


def find_obstacle(target: Path) -> str | None:
    """Return why no folder can be written there, or None; missing permissions raise OSError."""
    if any(path.is_symlink() for path in (target, *target.parents)):
        return "it holds links that lead nowhere"
    if Path.cwd().is_relative_to(target):
        return "the current folder cannot be replaced; name a folder in it"
    if os.path.ismount(target):
        return "a mount point cannot be replaced; name a folder in it"
    nearest = target.parent
    while not nearest.exists() and nearest != nearest.parent:
        nearest = nearest.parent
    if not nearest.is_dir():
        return f"{nearest} is no folder"
    for folder in (nearest, target) if target.is_dir() else (nearest,):
        tempfile.TemporaryFile(dir=folder).close()
    return None
