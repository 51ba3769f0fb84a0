"""The name of the machine and the memory of this process, for tables."""

import resource
from pathlib import Path

from numberline_paper.speed import machine

__all__ = ["machine", "peak_megabytes"]


def peak_megabytes() -> float:
    """Return the most memory that this program has held.

    Not ru_maxrss where there is another way: that goes on counting from before exec.
    """
    status = Path("/proc/self/status")
    if status.exists():
        peak = [line for line in status.read_text().splitlines() if line.startswith("VmHWM")]
        return int(peak[0].split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
