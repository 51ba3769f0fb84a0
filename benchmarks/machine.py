"""The name of the machine and the memory of this process, for tables."""

import os
import platform
import resource
from pathlib import Path


def machine() -> str:
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        model = names[0].split(":")[1].strip() if names else model
    return f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}"


def peak_megabytes() -> float:
    """The most memory that this program has held.

    Not ru_maxrss where there is another way: that goes on counting from before exec.
    """
    status = Path("/proc/self/status")
    if status.exists():
        peak = [line for line in status.read_text().splitlines() if line.startswith("VmHWM")]
        return int(peak[0].split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
