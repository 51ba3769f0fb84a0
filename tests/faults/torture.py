"""All harnesses at full size → a table in docs/reliability.md.

    python -m tests.faults.torture [--only NAME …]

Each harness runs in a process of its own and writes a row for each thing that it tried.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tests.fuzz.targets import TARGETS

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/reliability.md"
BEGIN, END = (
    "<!-- torture: the table below is made by make torture -->",
    "<!-- end of the table -->",
)
DAMAGED_INPUTS = 20_000  # of each target of tests/fuzz

HARNESSES = {
    "faults of system calls": ["tests.faults.system_calls"],
    "damaged and crafted folders": ["tests.faults.tampering"],
    "loads during saves": ["tests.faults.readers"],
    "calls of native functions": ["tests.native.calls"],
    "threads that share native objects": ["tests.native.threads"],
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="*", default=[""], help="how names of harnesses begin")
    chosen = tuple(parser.parse_args().only)
    folder = ROOT / "build/torture"
    folder.mkdir(parents=True, exist_ok=True)
    for name, command in HARNESSES.items():
        if name.startswith(chosen):
            run(name, command, folder)
    if "damaged input".startswith(chosen):
        (folder / "damaged input.json").write_text(json.dumps([fuzzed(one) for one in TARGETS]))
    rows = [row for file in sorted(folder.glob("*.json")) for row in rows_of(file)]
    write_table(rows)
    sys.exit(any(row["failed"] for row in rows))


def run(name: str, command: list[str], folder: Path) -> None:
    start = time.monotonic()
    out = folder / f"{name}.json"
    out.unlink(missing_ok=True)
    subprocess.run([sys.executable, "-m", *command, "--json", str(out)], cwd=ROOT)
    if not out.exists():
        sys.exit(f"{name} ended without a report")
    print(f"{name}: {time.monotonic() - start:.0f} s", flush=True)


def fuzzed(target: str) -> dict[str, Any]:
    """Return a row for a target of the fuzzers, given damaged inputs."""
    command = [sys.executable, "-m", "tests.fuzz.mutate", target, str(DAMAGED_INPUTS)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    latest = result.stderr.rpartition("\r")[2][-500:]
    is_bad = result.returncode != 0
    print(result.stdout, latest if is_bad else "", flush=True)
    return {"what": target, "tried": DAMAGED_INPUTS, "failed": int(is_bad), "examples": [latest]}


def rows_of(file: Path) -> list[dict[str, Any]]:
    """Return the sums of a harness, by what its rows have before their first comma."""
    sums: dict[str, dict[str, Any]] = {}
    for row in json.loads(file.read_text(encoding="utf-8")):
        what = row["what"].partition(",")[0]
        total = sums.setdefault(what, {"harness": file.stem, "what": what, "tried": 0, "failed": 0})
        total["tried"] += row["tried"]
        total["failed"] += row["failed"]
    return list(sums.values())


def write_table(rows: list[dict[str, Any]]) -> None:
    """Replace the table between its two marks."""
    head, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    lines = ["| harness | what | tried | failed |", "| --- | --- | --: | --: |"]
    lines += [
        f"| {row['harness']} | {row['what']} | {row['tried']:,} | {row['failed']} |" for row in rows
    ]
    total = [sum(row[column] for row in rows) for column in ("tried", "failed")]
    lines.append(f"| **all** | | **{total[0]:,}** | **{total[1]}** |")
    table = "\n".join(lines)
    tail = rest.partition(END)[2]
    PAGE.write_text(f"{head}{BEGIN}\n\n{table}\n\n{END}{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
