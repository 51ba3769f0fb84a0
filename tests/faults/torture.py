"""All harnesses at full size → a table in docs/reliability.md.

    python -m tests.faults.torture [--only NAME …] [--calls N]

Each harness runs in a process of its own and writes a row for each thing that it tried. `--calls`
is the number of system calls to fail in each command; all of them take hours on a busy machine.
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
    "<!-- the table below is made by make torture -->",
    "<!-- end of the table -->",
)
DAMAGED_INPUTS = 20_000  # of each target of tests/fuzz
DAMAGED_STRINGS = 110_000  # of the two scanners, which read each in two ways

HARNESSES = {
    "system calls": ["tests.faults.system_calls", "--what", "calls"],
    "limits of the system": ["tests.faults.system_calls", "--what", "limits"],
    "stored folders": ["tests.faults.tampering"],
    "loads during saves": ["tests.faults.readers"],
    "native calls": ["tests.native.calls"],
    "native objects and threads": ["tests.native.threads"],
}
RESUMED = ("train with checkpoints", "train --resume")  # scenarios that resume after each fault


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="*", default=[""], help="how names of harnesses begin")
    parser.add_argument("--calls", type=int, default=10**9, help="at most so many of each command")
    options = parser.parse_args()
    chosen = tuple(options.only)
    HARNESSES["system calls"] += ["--tries", str(options.calls)]
    folder = ROOT / "build/torture"
    folder.mkdir(parents=True, exist_ok=True)
    for name, command in HARNESSES.items():
        if name.startswith(chosen):
            run(name, command, folder)
    if "damaged input".startswith(chosen):
        (folder / "damaged input.json").write_text(json.dumps([fuzzed(one) for one in TARGETS]))
    rows = [row for file in sorted(folder.glob("*.json")) for row in rows_of(file)]
    write_table(folder, rows)
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
    inputs = DAMAGED_STRINGS if target == "scanners" else DAMAGED_INPUTS
    command = [sys.executable, "-m", "tests.fuzz.mutate", target, str(inputs)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    latest = result.stderr.rpartition("\r")[2][-500:]
    is_bad = result.returncode != 0
    print(result.stdout, latest if is_bad else "", flush=True)
    examples = [latest] if is_bad else []
    return {"what": target, "tried": inputs, "failed": int(is_bad), "examples": examples}


def rows_of(file: Path) -> list[dict[str, Any]]:
    """Return the sums of a harness, by what was done."""
    sums: dict[str, dict[str, Any]] = {}
    for row in json.loads(file.read_text(encoding="utf-8")):
        what = summarised(file.stem, row["what"])
        total = sums.setdefault(what, {"harness": file.stem, "what": what, "tried": 0, "failed": 0})
        total["tried"] += row["tried"]
        total["failed"] += row["failed"]
    return list(sums.values())


def summarised(harness: str, what: str) -> str:
    """Return what a row of a harness is summed up as: rows of commands by their kind of fault."""
    kind = what.rpartition(", ")[2]
    if harness == "system calls":
        return "kill before or after it" if kind == "kill" else "failure or half of the work"
    return kind if harness == "limits of the system" else what


def write_table(folder: Path, rows: list[dict[str, Any]]) -> None:
    """Replace the table between its two marks."""
    head, begin, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not (begin and end):
        sys.exit(f"{PAGE} lacks the marks around its table")
    lines = ["| what | with | tried | failed |", "| --- | --- | --: | --: |"]
    lines += [
        f"| {row['harness']} | {row['what']} | {row['tried']:,} | {row['failed']} |" for row in rows
    ]
    total = [sum(row[column] for row in rows) for column in ("tried", "failed")]
    lines.append(f"| **all** | | **{total[0]:,}** | **{total[1]}** |")
    table = "\n".join([*lines, "", resumed(folder)])
    PAGE.write_text(f"{head}{BEGIN}\n\n{table}\n\n{END}{tail}", encoding="utf-8")


def resumed(folder: Path) -> str:
    """Return a sentence on the trainings that were resumed after a fault."""
    path = folder / "system calls.json"
    rows = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    chosen = [row for row in rows if row["what"].startswith(RESUMED)]
    tried, failed = (sum(row[column] for row in chosen) for column in ("tried", "failed"))
    return (
        f"After {tried:,} of these faults a training with one thread was resumed; "
        f"{tried - failed:,} ended with the bytes of a training that nothing had stopped."
    )


if __name__ == "__main__":
    main()
