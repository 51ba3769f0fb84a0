"""A folder that is written as a whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from numberline.errors import OutputError


@contextmanager
def replace_folder(folder: Path) -> Iterator[Path]:
    """Give a new folder to fill; it takes the place of `folder` if all goes well, else it goes."""
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
    """A folder beside the target, on the same disk, that is gone in the end.

    `named` is what the user called the target.
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
    """Where the folder really lies; refused if it is not ours, or is but must not be replaced."""
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
    """Refuse a folder that cannot be written, before any work is put into what goes there.

    Gives the place where it really lies: a link is written through, not replaced.
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
    """Why a folder could not be put there. A place that may not be written raises OSError."""
    if any(place.is_symlink() for place in (target, *target.parents)):
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
    for place in (nearest, target) if target.is_dir() else (nearest,):
        tempfile.TemporaryFile(dir=place).close()
    return None
