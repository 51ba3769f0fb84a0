"""The library of injected.c: it is compiled, preloaded, and armed with one fault at a time."""

import ctypes
import errno
import os
import subprocess
import sys
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from tests.faults.limits import Limit

SOURCE = Path(__file__).with_name("injected.c")
LIBRARY = "NUMBERLINE_FAULTS"  # variable of the environment: the path of the compiled library
MOST_CALLS = 1 << 20
# Smaller allocations succeed. A new thread needs 16 KiB first: without them it ends before it says
# that it has begun, for which Python 3.11 waits without end.
LARGE_BYTES = 20_000

Kind = IntEnum(
    "Kind",
    "OPEN CREATE READ WRITE SYNC RENAME MKDIR REMOVE TRUNCATE MAP CLOSE LOCK LINK MODE MEMORY "
    "THREAD",
    start=0,
)
Action = IntEnum("Action", "COUNT FAIL FAIL_FROM_HERE_ON SHORTEN KILL_BEFORE KILL_AFTER", start=0)

CHANGES = {Kind.CREATE, Kind.WRITE, Kind.SYNC, Kind.RENAME, Kind.MKDIR, Kind.REMOVE}
CHANGES |= {Kind.TRUNCATE, Kind.CLOSE, Kind.LINK, Kind.MODE}
ERRORS = {
    Kind.OPEN: (errno.EACCES, errno.EMFILE, errno.EIO),
    Kind.CREATE: (errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EMFILE, errno.EDQUOT),
    Kind.READ: (errno.EIO,),
    Kind.WRITE: (errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EDQUOT),
    Kind.SYNC: (errno.EIO, errno.ENOSPC),
    Kind.RENAME: (errno.EACCES, errno.EIO, errno.ENOSPC, errno.EINVAL),
    Kind.MKDIR: (errno.ENOSPC, errno.EACCES, errno.EROFS),
    Kind.REMOVE: (errno.EACCES, errno.EIO),
    Kind.TRUNCATE: (errno.ENOSPC, errno.EFBIG),
    Kind.MAP: (errno.ENOMEM,),
    Kind.CLOSE: (errno.EIO,),
    Kind.LOCK: (errno.ENOLCK, errno.EIO),
    Kind.LINK: (errno.EPERM, errno.EACCES),
    Kind.MODE: (errno.EPERM,),
    Kind.MEMORY: (errno.ENOMEM,),
    Kind.THREAD: (errno.EAGAIN,),
}
FULL_DISK = {Kind.CREATE, Kind.WRITE, Kind.MKDIR, Kind.TRUNCATE}


@dataclass(frozen=True)
class Fault:
    """What happens at the call number `at`; with FAIL_FROM_HERE_ON also to calls of `later`."""

    at: int
    action: Action = Action.FAIL
    error: int = 0
    later: frozenset[Kind] = frozenset()
    limit: Limit | None = None  # set instead of injecting anything

    @property
    def is_kill(self):
        return self.action in (Action.KILL_BEFORE, Action.KILL_AFTER)

    def __str__(self):
        if self.limit is not None:
            return str(self.limit)
        name = self.action.name.lower().replace("_", " ")
        return f"call {self.at}: {name} {errno.errorcode.get(self.error, '')}".rstrip()


def faults_at(at, kind):
    """Yield all faults to try at a call of a kind."""
    for error in ERRORS[kind]:
        yield Fault(at, Action.FAIL, error)
    if kind in (Kind.READ, Kind.WRITE):
        yield Fault(at, Action.SHORTEN)
    if kind in FULL_DISK:
        yield Fault(at, Action.FAIL_FROM_HERE_ON, errno.ENOSPC, frozenset(FULL_DISK))
    if kind in CHANGES:
        broken = CHANGES - {Kind.CLOSE} if kind is not Kind.CLOSE else CHANGES
        yield Fault(at, Action.FAIL_FROM_HERE_ON, errno.EIO, frozenset(broken))
        yield Fault(at, Action.KILL_BEFORE)
        yield Fault(at, Action.KILL_AFTER)


class _State(ctypes.Structure):
    _fields_ = (
        ("is_armed", ctypes.c_int),
        ("action", ctypes.c_int),
        ("error", ctypes.c_int),
        ("later_kinds", ctypes.c_uint),
        ("at", ctypes.c_long),
        ("memory_bytes", ctypes.c_long),
        ("calls", ctypes.c_long),
        ("hits", ctypes.c_long),
        ("root", ctypes.c_char * 4096),
        ("kinds", ctypes.c_ubyte * MOST_CALLS),
    )


class Injector:
    """The preloaded library of this process and of the processes that it forks."""

    def __init__(self):
        library = ctypes.CDLL(os.environ[LIBRARY])
        library.faults_state.restype = ctypes.POINTER(_State)
        self._state = library.faults_state().contents

    def prepare(self, root, fault, with_memory=False):
        """Choose a fault for calls on files below a folder; nothing happens before `arm`."""
        state = self._state
        state.root, state.memory_bytes = os.fsencode(root), LARGE_BYTES if with_memory else 0
        state.at, state.action, state.error = fault.at, fault.action, fault.error
        state.later_kinds = sum(1 << kind for kind in fault.later)
        state.calls = state.hits = 0

    def arm(self):
        self._state.is_armed = 1

    def disarm(self):
        self._state.is_armed = 0

    @property
    def hits(self):
        """How many calls were failed, shortened or killed."""
        return self._state.hits

    def kinds(self):
        """Return the kinds of the calls that were counted, in their order."""
        return [
            Kind(kind) for kind in self._state.kinds[1 : min(self._state.calls + 1, MOST_CALLS)]
        ]


def compiled(folder):
    """Compile the library into a folder."""
    path = Path(folder) / "faults.so"
    command = ["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", path, SOURCE]
    subprocess.run([*map(str, command), "-ldl", "-lpthread"], check=True)
    return path


def preloaded(arguments, library, **settings):
    """Run this Python with the library before all others, in one thread per task."""
    environment = os.environ | {"LD_PRELOAD": str(library), LIBRARY: str(library)}
    one_thread = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, env=environment | one_thread, **settings)
