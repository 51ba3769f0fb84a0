"""Files → a folder that replaces another one in one step, so that no reader sees a mixture.

A folder is replaced only if numberline wrote it, nothing else is in it, and the caller asks for it.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from numberline.errors import OutputError
from numberline.files.exchange import exchange
from numberline.files.lock import DISCARDED, NEW, OLD, Lock, hidden_folder


@dataclass(frozen=True)
class FolderKind:
    """The files of one kind of stored folder, which tell it from anybody else's folder."""

    what: str  # for messages
    names: frozenset[str]  # the files that such a folder may hold
    recognises: Callable[[Path], bool]  # whether a folder is of this kind, even if damaged
    advice: str = "overwrite it or choose another folder"  # if there is one already


@contextmanager
def replace_folder(folder: Path, kind: FolderKind, overwrite: bool = False) -> Iterator[Path]:
    """Yield a new folder to fill; it replaces `folder` at the end, or vanishes after an error."""
    with FolderWriter(folder, kind, overwrite) as writer, writer.replace() as new:
        yield new


class FolderWriter:
    """The only writer of a folder, from `with` to its end.

    Errors quote the path that the user wrote. Entering refuses what must not be replaced, so that
    the user learns it before the work; `replace` looks again.
    """

    target: Path  # the folder behind any links

    def __init__(self, folder: Path, kind: FolderKind, overwrite: bool) -> None:
        self.folder, self._kind, self._overwrite = folder, kind, overwrite

    def __enter__(self) -> FolderWriter:
        self.target = require_replaceable(self.folder)
        with output_errors(self.folder):
            self._lock = Lock(self.target)
        self._hidden = self._lock.folder
        try:
            with output_errors(self.folder):
                self._clean_up()
                self._require_free()
        except BaseException:
            self._lock.release()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            with suppress(OSError):  # the next writer tries again
                self._clean_up()
        finally:
            self._lock.release()

    @property
    def scratch(self) -> Path:
        """Return a folder on the same disk for temporary files."""
        return self._lock.folder

    @contextmanager
    def replace(self) -> Iterator[Path]:
        """Yield a new folder to fill; it replaces the old one at the end."""
        new = self._hidden / NEW
        with output_errors(self.folder):
            try:
                new.mkdir()
                yield new
                for path in (*new.iterdir(), new):
                    synchronise(path)
                self._require_free()
                self._overwrite = True  # its own folder it may replace again
                self._swap(new)
            finally:
                with suppress(OSError):
                    self._clean_up()

    def discard(self) -> None:
        """Delete the folder, if it is there and nothing else is in it."""
        with output_errors(self.folder):
            if self.target.exists():
                self._require_free()
                os.replace(self.target, self._hidden / DISCARDED)
                synchronise(self.target.parent)
                self._clean_up()

    def _swap(self, new: Path) -> None:
        target, old = self.target, self._hidden / OLD
        if not target.exists():
            os.replace(new, target)
        elif exchange(new, target):
            if others := foreign_names(new, self._kind):  # they came just now
                exchange(new, target)
                raise self._refusal(others)
        else:
            os.replace(target, old)
            if others := foreign_names(old, self._kind):
                raise self._refusal(others)  # cleaning up puts the old folder back
            os.replace(new, target)
        synchronise(self._hidden)
        synchronise(target.parent)

    def _require_free(self) -> None:
        target, kind = self.target, self._kind
        if not target.exists() or (target.is_dir() and not any(target.iterdir())):
            return
        if not target.is_dir() or not kind.recognises(target):
            raise OutputError(
                f"{self.folder} exists and holds no {kind.what}; choose another folder"
            )
        if others := foreign_names(target, kind):
            raise self._refusal(others)
        if not self._overwrite:
            raise OutputError(f"{self.folder} exists already; {kind.advice}")

    def _refusal(self, others: list[str]) -> OutputError:
        return OutputError(
            f"{self.folder} holds {others[0]}, which is no part of a {self._kind.what}; "
            "move it away or choose another folder"
        )

    def _clean_up(self) -> None:
        """Delete what this writer, or one that was killed, has left; foreign files stay."""
        restore(self.target)
        for name in (NEW, OLD, DISCARDED):
            folder = self._hidden / name
            for known in self._kind.names if folder.is_dir() else ():
                (folder / known).unlink(missing_ok=True)
            with suppress(FileNotFoundError):
                folder.rmdir()


def require_free(folder: Path, kind: FolderKind, overwrite: bool) -> None:
    """Refuse a folder that must not be replaced, before the work that fills it."""
    with FolderWriter(folder, kind, overwrite):
        pass


def restore(target: Path) -> None:
    """Put back a folder whose writer was killed between two renames; the caller has the lock."""
    old = hidden_folder(target) / OLD
    if old.is_dir() and not target.exists():
        os.replace(old, target)


def foreign_names(folder: Path, kind: FolderKind) -> list[str]:
    """Return the names in a folder that numberline did not write."""
    return sorted(
        path.name for path in folder.iterdir() if path.name not in kind.names or path.is_dir()
    )


def synchronise(path: Path) -> None:
    """Wait until the disk holds a file, or the names in a folder."""
    if os.name != "posix" and path.is_dir():
        return  # only POSIX opens folders
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def output_errors(folder: Path) -> Iterator[None]:
    """Turn errors of the system into an OutputError of one line."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"cannot write {folder}: {error.strerror or error}") from error


def make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise OutputError(f"cannot write {folder}: it is no folder") from error
    except OSError as error:
        raise OutputError(f"cannot write {folder}: {error.strerror or error}") from error


def require_replaceable(path: Path) -> Path:
    """Return the path behind any links; it is an error if nothing can be written there."""
    try:
        target = Path(os.path.realpath(path))
        obstacle = find_obstacle(target)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = getattr(error, "strerror", None) or error
        raise OutputError(f"cannot write {path}: {reason}") from error
    if obstacle is not None:
        raise OutputError(f"cannot write {path}: {obstacle}")
    return target


def find_obstacle(target: Path) -> str | None:
    """Return why nothing can be written there, or None; missing permissions raise OSError."""
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
    if target.is_dir() and not os.access(target, os.W_OK | os.X_OK):
        return os.strerror(errno.EACCES)
    return None
