"""Limits of the system, as faults: the size of files, memory, a full or a read-only disk."""

import os
import resource
import subprocess
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

PAGE = resource.getpagesize()
AMOUNTS = {
    "file size": (0, 1, 100, 1000, 5000, 20_000, 100_000),  # bytes of a file
    "memory": tuple(
        megabytes << 20 for megabytes in (0, 16, 64, 160, 176, 192, 224, 256, 320)
    ),  # bytes more
    "full disk": tuple(pages * PAGE for pages in (0, 1, 2, 3, 4, 8, 16, 32)),  # bytes left
    "read-only": (0,),
}
MOUNTED = ("full disk", "read-only")  # they need a disk of their own, which root may mount
DISK_BYTES = 1 << 26


@dataclass(frozen=True)
class Limit:
    name: str
    amount: int

    def __str__(self):
        return f"{self.name} {self.amount:,}"

    def set_in_process(self):
        """Limit this process."""
        if self.name == "file size":
            resource.setrlimit(resource.RLIMIT_FSIZE, (self.amount, self.amount))
        if self.name == "memory":
            now = int(Path("/proc/self/statm").read_text().split()[0]) * PAGE
            resource.setrlimit(resource.RLIMIT_AS, (now + self.amount, now + self.amount))

    @contextmanager
    def set_on_disk(self, root):
        """Fill the disk at a folder, or let nobody write it, until the end of the block."""
        if self.name == "full disk":
            filler = root / "filler"
            free = os.statvfs(root).f_bavail * PAGE
            filler.write_bytes(bytes(max(0, free - self.amount)))
            yield
            filler.unlink()
        elif self.name == "read-only":
            subprocess.run(["mount", "-o", "remount,ro", root.parent], check=True)
            yield
            subprocess.run(["mount", "-o", "remount,rw", root.parent], check=True)
        else:
            yield


def limits(is_mounted):
    """Return all limits that can be set here."""
    return [
        Limit(name, amount)
        for name, amounts in AMOUNTS.items()
        for amount in amounts
        if is_mounted or name not in MOUNTED
    ]


@contextmanager
def small_disk(folder):
    """Mount a small disk in a folder; yield whether that was allowed."""
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", folder]
    try:
        is_mounted = not subprocess.run(command, stderr=subprocess.DEVNULL).returncode
    except FileNotFoundError:  # no such program here
        is_mounted = False
    try:
        yield is_mounted
    finally:
        if is_mounted:
            os.chdir("/")
            subprocess.run(["umount", folder], check=True)
