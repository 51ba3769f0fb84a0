"""Loads while another process saves: each must see one version, never parts of two.

    python -m tests.faults.readers [--tries N] [--json OUT]

A child process saves two versions in turn, as fast as it can. Vectors and words of a version belong
together, so a mixture would be noticed.
"""

from __future__ import annotations

import os
import signal
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

import numberline as nl
from numberline.errors import NumberlineError
from numberline.files import whole_folder
from tests.faults.report import arguments_of, print_report

VERSIONS = (["we sold 5 cups", "we ate 7.5 cakes"] * 9, ["she saw 70 cats", "he fed 2 dogs"] * 9)
SETTINGS = {"dim": 4, "epochs": 1, "min_count": 1, "threads": 1}


def models() -> list[nl.Embeddings]:
    """Return two models with the same words and other vectors, and one with other words."""
    first, second = (nl.train(lines, **SETTINGS) for lines in VERSIONS)
    return [first, nl.train(VERSIONS[0], **SETTINGS, seed=2), second]


@contextmanager
def saved_all_the_time(folder: Path, versions: list[nl.Embeddings], swap: str) -> Iterator[None]:
    """Save the versions in turn, in a child process, until the end of the block."""
    versions[0].save(folder)
    child = os.fork()
    if child == 0:
        if swap == "two renames":
            whole_folder.exchange = no_exchange
        while True:
            for model in versions:
                model.save(folder, overwrite=True)
    try:
        yield
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def no_exchange(first: Path, second: Path) -> bool:
    return False


def ending_of_load(folder: Path, versions: list[nl.Embeddings], verify: bool) -> str:
    try:
        model = nl.load(folder, verify=verify)
    except NumberlineError as error:
        return f"refused: {error}"
    return "one version" if any(is_same(model, one) for one in versions) else "a mixture"


def is_same(first: nl.Embeddings, second: nl.Embeddings) -> bool:
    return (
        first.words == second.words
        and np.array_equal(first.word_input, second.word_input)
        and np.array_equal(first["187.3"], second["187.3"])
    )


def row(swap: str, tries: int) -> dict[str, Any]:
    versions = models()
    endings: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "model")
        with saved_all_the_time(folder, versions, swap):
            for number in range(tries):
                endings[ending_of_load(folder, versions, verify=number % 2 == 0)] += 1
        endings[ending_of_load(folder, versions, verify=True)] += 1  # its writer was killed
    failures = {what: count for what, count in endings.items() if what != "one version"}
    return {
        "what": swap,
        "tried": sum(endings.values()),
        "failed": sum(failures.values()),
        "endings": dict(endings),
        "examples": [*failures][:5],
    }


def main() -> None:
    options = arguments_of(__doc__, tries=6200)
    print_report([row(swap, options.tries) for swap in ("exchange", "two renames")], options.json)


if __name__ == "__main__":
    main()
