"""The machine at hand → its name, for tables of speed."""

from __future__ import annotations

import os
import platform
from pathlib import Path


def machine() -> str:
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        model = names[0].split(":")[1].strip() if names else model
    return f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}"
