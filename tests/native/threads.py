"""Two threads call one native object at once: each call must give its whole answer or be refused.

    python -m tests.native.threads --tries 2000 --json OUT

It runs in a child process, so that a crash is counted.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from numberline import _native as native
from tests.faults.report import print_report
from tests.native import targets

Calls = list[Callable[[], Any]]
LINES = 300  # a text so long that two calls overlap
LONG_TEXT = b"".join(b"word%d has %d numbers\n" % (n % 97, n) for n in range(LINES))


def unchanged(value: Any) -> Any:
    return value


def together(calls: Calls) -> list[Any]:
    """Start all calls at once; return their answers, None for each that was refused."""
    start, answers = threading.Barrier(len(calls)), [None] * len(calls)
    errors = []

    def run(index: int) -> None:
        start.wait()
        try:
            answers[index] = calls[index]()
        except RuntimeError as error:
            if "another thread" not in str(error):
                errors.append(error)

    threads = [threading.Thread(target=run, args=(index,)) for index in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors, errors
    return answers


def counting(_: int) -> list[Any]:
    """Count a text twice in one counter, and merge it meanwhile: no token is lost."""
    counter = native.Counter(targets.plain_scanner())
    count = [lambda: counter.add_text(LONG_TEXT, True)] * 2
    answers = together([*count, lambda: native.merge([counter], 1, 10**6)])
    counted = sum(answer is not None for answer in answers[:2])
    words = native.merge([counter], 1, 10**6)[4]
    assert words == 3 * LINES * counted, (words, counted)
    return answers


def training(number: int) -> list[Any]:
    """Plan with one trainer in two threads: a plan that is answered is that of one thread."""
    chance = random.Random(number)
    trainer, _ = targets.trainer(unchanged, chance)
    block = targets.block(unchanged)
    expected = trainer.plan(**block)
    train = {"learning_rate": 0.01, "loss_phase": 0}
    answers = together(
        [
            lambda: trainer.plan(**block),
            lambda: trainer.plan(**block),
            *[lambda: trainer.train(**block, **train)] * 2,
        ]
    )
    for plan in answers[:2]:
        assert plan is None or all(np.array_equal(plan[name], expected[name]) for name in plan)
    return answers


def renumbering(_: int) -> list[Any]:
    """Renumber copies of the same ids by one renumbering, which no call changes."""
    counter = native.Counter(targets.plain_scanner())
    ids, lengths, _ = counter.add_text(LONG_TEXT, True)
    one = native.merge([counter], 1, 10**6)[-1][0]
    copies = [(ids.copy(), lengths.copy()) for _ in range(2)]
    answers = together([lambda arrays=arrays: one.apply(*arrays) for arrays in copies])
    assert answers == [len(ids)] * 2
    assert np.array_equal(copies[0][0], copies[1][0])
    return answers


def reading(_: int) -> list[Any]:
    """Read with one scanner, which no call changes."""
    scanner = targets.plain_scanner()
    expected = scanner.tokenize(targets.TEXT)
    answers = together([lambda: scanner.tokenize(targets.TEXT)] * 2)
    assert answers == [expected] * 2
    return answers


KINDS = (counting, training, renumbering, reading)


def run_child(tries: int) -> None:
    outcomes: Counter[str] = Counter(refused=0, answered=0)
    for number in range(tries):
        for answer in KINDS[number % len(KINDS)](number):
            outcomes["refused" if answer is None else "answered"] += 1
    print(json.dumps(outcomes))


def run_threads(tries: int) -> dict[str, Any]:
    """Return a row: how many calls were refused and answered, and how a child ended that failed."""
    command = [sys.executable, "-m", "tests.native.threads", "--child", str(tries)]
    child = subprocess.run(command, capture_output=True, text=True, check=False)
    failures = []
    if child.returncode:
        failures = [f"status {child.returncode}: {child.stderr[-2000:]}"]
    return {
        "what": "one object in several threads",
        "tried": tries,
        "failed": len(failures),
        "endings": json.loads(child.stdout) if child.stdout else {},
        "examples": failures,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tries", type=int, default=2000)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--child", type=int)
    arguments = parser.parse_args()
    if arguments.child is not None:
        run_child(arguments.child)
        return
    print_report([run_threads(arguments.tries)], arguments.json)


if __name__ == "__main__":
    main()
