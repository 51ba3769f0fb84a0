"""A target → inputs that reach new code in it, by atheris (libFuzzer for Python).

usage: python -m tests.fuzz.guided TARGET SECONDS [options of libFuzzer]

It needs an installed wheel, as `make fuzz` makes one: atheris sees nothing of an editable install.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["numberline", "json"]):
    from tests.fuzz.targets import TARGETS, refused_or_read

from tests.fuzz.seeds import seeds_of

LONGEST_INPUT = 1 << 14  # bytes
MEMORY_MIB = 4096
SLOW_SECONDS = 20


def main() -> None:
    name, seconds = sys.argv[1], sys.argv[2]
    if any("Redirecting" in type(finder).__name__ for finder in sys.meta_path):
        sys.exit("numberline is an editable install, which atheris cannot follow; run make fuzz")
    folder = Path(tempfile.mkdtemp(prefix=f"numberline-fuzz-{name}-"))
    for number, seed in enumerate(seeds_of(name)):
        (folder / f"seed-{number}").write_bytes(seed)
    limits = [
        f"-max_total_time={seconds}",
        f"-max_len={LONGEST_INPUT}",
        f"-rss_limit_mb={MEMORY_MIB}",
        f"-timeout={SLOW_SECONDS}",
        f"-artifact_prefix={folder}/",
        "-verbosity=0",
        "-print_final_stats=1",
    ]

    def run(data: bytes) -> None:
        refused_or_read(TARGETS[name], data)

    run(b"")  # makes what a target makes when it is first used: that is no slow input
    atheris.Setup([sys.argv[0], *limits, *sys.argv[3:], str(folder)], run)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
