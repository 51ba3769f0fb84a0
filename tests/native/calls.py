"""Thousands of damaged calls of every native function, in child processes: none may crash or hang.

    python -m tests.native.calls --tries 13000 --json OUT

A child tells the number of each call before it makes it. If a signal ends the child, that call is
counted as crashed, and another child goes on after it. The same seed makes the same calls.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

from tests.faults.report import print_report

CALLS_PER_SCANNER = 25  # a scanner copies tables of all characters: one in so many calls makes one
SECONDS_PER_CALL = 60  # a call that takes longer hangs


def one_call(number: int, seed: int) -> str:
    """Make one damaged call; return whether it was refused or answered."""
    from tests.native import targets
    from tests.native.damage import damaged

    chance = random.Random(seed << 32 | number)
    rate = chance.choice((0.03, 0.1, 0.3))

    def damage(value: Any) -> Any:
        return damaged(value, chance) if chance.random() < rate else value

    target = targets.TARGETS[number % len(targets.TARGETS)]
    if number % CALLS_PER_SCANNER == 0:
        target = targets.scanner
    try:
        function, arguments = target(damage, chance)
        function(**arguments)
    except (TypeError, ValueError, RuntimeError, MemoryError, OverflowError, BufferError):
        return "refused"
    return "answered"


def run_child(first: int, last: int, seed: int) -> None:
    """Write the number of each call before it, and its outcome after it."""
    warnings.simplefilter("ignore")
    for number in range(first, last):
        print(number, end=" ", flush=True)
        signal.alarm(SECONDS_PER_CALL)
        print(one_call(number, seed), flush=True)


def run_calls(tries: int, seed: int = 1) -> dict[str, Any]:
    """Return a row: how many calls were refused, answered, crashed and hung, and which of them."""
    outcomes: Counter[str] = Counter()
    failures, first = [], 0
    while first < tries:
        command = [
            sys.executable,
            "-m",
            "tests.native.calls",
            "--child",
            str(first),
            str(tries),
            str(seed),
        ]
        child = subprocess.run(
            command, capture_output=True, text=True, check=False, errors="replace"
        )
        lines = [line.split() for line in child.stdout.splitlines()]
        outcomes.update(line[1] for line in lines if len(line) == 2)
        if child.returncode == 0:
            break
        number = int(lines[-1][0]) if lines else first
        outcomes["hung" if child.returncode == -signal.SIGALRM else "crashed"] += 1
        failures.append(f"call {number}: status {child.returncode}: {child.stderr[-2000:]}")
        first = number + 1
    return {
        "what": "damaged arguments",
        "tried": tries,
        "failed": len(failures),
        "endings": dict(outcomes),
        "examples": failures,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tries", type=int, default=13_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--child", type=int, nargs=3, metavar=("FIRST", "LAST", "SEED"))
    arguments = parser.parse_args()
    if arguments.child:
        run_child(*arguments.child)
        return
    print_report([run_calls(arguments.tries, arguments.seed)], arguments.json)


if __name__ == "__main__":
    main()
