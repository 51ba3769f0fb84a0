"""Damaged and crafted files of every kind → how many were refused, answered, wrong, or crashed.

    python -m tests.faults.tampering [--tries N] [--seed N] [--json OUT]

*Damage* changes the bytes of one file: bits, bytes, ranges, truncation, additions. Nothing of that
may be read. *Crafted* files have hostile contents and right checksums. They may be refused, or read
if they make sense, but nothing may crash, hang, or end in a traceback.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

import numberline as nl
from numberline.errors import NumberlineError
from numberline.gap_model import train as gap_model_training
from tests.faults.report import arguments_of, print_report, save_rows
from tests.files import crafted

LINES = ["we sold 5 cups of tea", "the cat ate 7.5 litres in 2019", "5 cats and 70 cups"] * 15
SECONDS = 60  # for reading one file and asking it a few questions
BATCH = 50  # copies that one child process reads

Reader = Callable[[Path], None]


def make_model(folder: Path, encoder: str = "line") -> Path:
    nl.train(LINES, folder, dim=4, epochs=1, min_count=1, threads=1, encoder=encoder)
    return folder


def make_gap_model(folder: Path) -> Path:
    with patch.object(gap_model_training, "FEWEST_NUMERALS", 20):
        model = nl.train(LINES, folder, dim=4, epochs=1, min_count=1, threads=1)
    assert model.gap_model is not None
    return folder


def make_sense_model(folder: Path) -> Path:
    lines = ["born in 1990", "the king saw 1990 and ruled", "he sold 1,990 apples"] * 1000
    model = nl.train(lines, dim=4, epochs=1, min_count=1, threads=1, gap_model=False)
    assert model.sense_mixture is not None
    model.save(folder, compact=True)
    return folder


def make_pairs(folder: Path) -> Path:
    nl.train(LINES, dim=4, min_count=1, threads=1, objective="ppmi", pairs=folder)
    return folder


def make_compact_model(folder: Path) -> Path:
    nl.train(LINES, dim=4, epochs=1, min_count=1, threads=1).save(folder, compact=True)
    return folder


def make_encoded(folder: Path) -> Path:
    nl.encode(LINES, folder, min_count=1)
    return folder


def make_checkpoint(folder: Path) -> Path:
    """Stop a training after its first progress report, which leaves a checkpoint."""

    def stop(_: object) -> None:
        raise KeyboardInterrupt

    model = folder.with_name("training")
    try:
        nl.train(LINES, model, progress=stop, **CONTINUED)
    except KeyboardInterrupt:
        os.replace(folder.with_name("training.checkpoint"), folder)
    return folder


CONTINUED = {"dim": 4, "epochs": 3, "min_count": 1, "threads": 1, "device": "cpu"}


def make_tagger(folder: Path) -> Path:
    from numberline.tagging import TaggerSettings, fit_tagger

    model = nl.train(LINES, dim=4, epochs=1, min_count=1, threads=1)
    sentences = [[("5", "B-few"), ("cups", "O")], [("70", "B-many"), ("cats", "O")]] * 3
    settings = TaggerSettings(hidden=4, epochs=1)
    fit_tagger(model, sentences, (), settings).save(folder)
    return folder


def ask_model(folder: Path) -> None:
    model = nl.load(folder)
    model["187.3"], model.similar("5"), model.check("we sold 70 cups of tea")
    model.predict("we sold ___ cups"), model.similar("cups", kind="numerals")


def ask_gap_model(folder: Path) -> None:
    model = nl.load(folder)
    verdicts = model.check("we sold 70 cups of tea, the cat ate 7.5 litres in 5,000,000")
    # nan, where scores overflow, is an answer; a probability of 2 is not.
    assert not any(one.probability_wrong < 0 or one.probability_wrong > 1 for one in verdicts)
    distribution = model.predict("we sold ___ cups")
    assert not distribution.interval()[0] > distribution.interval()[1]
    assert not (model.score_gaps(["___ cats", "ate ___ litres"], ["5", "1e300"]) < 0).any()


def ask_sense_model(folder: Path) -> None:
    model = nl.load(folder)
    for number in model.senses("the king saw 1990 and 5,000 apples"):
        assert all(0 <= sense.probability <= 1 for sense in number.senses)
    model.similar("1990", sense="year"), model["7", "count"]


def ask_pairs(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        pairs = Path(shutil.copytree(folder, Path(scratch, "pairs")))
        nl.train(LINES, dim=4, min_count=1, threads=1, objective="ppmi", pairs=pairs)


def ask_encoded(folder: Path) -> None:
    encoded = nl.load_encoded(folder)
    list(encoded)
    nl.train(encoded, dim=4, epochs=1, threads=1)


def ask_checkpoint(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        shutil.copytree(folder, Path(scratch, "model.checkpoint"))
        nl.train(LINES, Path(scratch, "model"), resume=True, **CONTINUED)


def ask_tagger(folder: Path) -> None:
    from numberline.tagging import load_tagger

    load_tagger(folder).tag([["5", "cups"], ["1,000", "dogs"]])


KINDS: dict[str, Callable[[Path], Path]] = {
    "model": make_model,
    "model of gmm": lambda folder: make_model(folder, "gmm"),
    "model with a gap model": make_gap_model,
    "compact model": make_compact_model,
    "compact model with senses": make_sense_model,
    "counted pairs": make_pairs,
    "encoded corpus": make_encoded,
    "checkpoint": make_checkpoint,
    "tagger": make_tagger,
}
READERS: dict[str, Reader] = {
    "model": ask_model,
    "model of gmm": ask_model,
    "model with a gap model": ask_gap_model,
    "compact model": ask_model,
    "compact model with senses": ask_sense_model,
    "counted pairs": ask_pairs,
    "encoded corpus": ask_encoded,
    "checkpoint": ask_checkpoint,
    "tagger": ask_tagger,
}


def tampered_copies(
    original: Path, copy: Path, numbers: Iterable[int], seed: int, is_crafted: bool = False
) -> Iterator[tuple[str, Path]]:
    """Yield what was done to a copy of a folder, and the copy; the next one takes its place."""
    for number in numbers:
        rng = random.Random(seed << 32 | number)
        shutil.copytree(original, copy)
        try:
            what = craft(copy, rng) if is_crafted else damage(copy, rng)
            if what:
                yield what, copy
        finally:
            shutil.rmtree(copy)


def damage(folder: Path, rng: random.Random) -> str:
    """Change the bytes of one file and return how."""
    path = rng.choice(sorted(path for path in folder.rglob("*") if path.is_file()))
    before = path.read_bytes()
    # Half of the places are at the beginning, where headers are.
    at = rng.randrange(min(len(before), 200) if rng.random() < 0.5 else len(before))
    data = bytearray(before)
    kind = rng.choice(["bit", "bit", "bit", "byte", "zeros", "swap", "cut", "end", "insert"])
    if kind == "bit":
        data[at] ^= 1 << rng.randrange(8)
    elif kind == "byte":
        data[at] = rng.randrange(256)
    elif kind == "zeros":
        data[at : at + 16] = bytes(len(data[at : at + 16]))
    elif kind == "swap":
        other = rng.randrange(len(data))
        data[at], data[other] = data[other], data[at]
    elif kind == "cut":
        del data[at:]
    elif kind == "end":
        data += rng.randbytes(rng.randint(1, 64))
    else:
        data[at:at] = rng.randbytes(rng.randint(1, 4))
    if data == before:
        return ""
    path.write_bytes(data)
    return f"{path.name}: {kind} at {at}"


HOSTILE = [
    *(None, True, -1, 0, 1, 1.5, 1e308, 1 << 62, 1 << 70, "", "x", "\x1b[31m", "../../etc/passwd"),
    *([], {}, [[]], ["a", "a"], {"a": 1}, "y" * 5000, [0] * 5000, "line", "gmm:em=hard"),
]


def craft(folder: Path, rng: random.Random) -> str:
    """Put a hostile value into the header or an array, with right checksums, and return which."""
    if rng.random() < 0.5:
        header = {
            name: value
            for name, value in crafted.header_of(folder).items()
            if name not in ("checksum", "tensors")
        }
        where = change_somewhere(header, rng)
        crafted.edit_header(folder, **header)
        return f"header: {where}"
    arrays = crafted.arrays_of(folder)
    name = rng.choice(sorted(arrays))
    changed, how = changed_array(arrays[name], rng)
    crafted.replace_arrays(folder, **{name: changed})
    return f"{name}: {how}"


def change_somewhere(value: Any, rng: random.Random) -> str:
    """Replace one entry, at any depth, by a hostile value."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = rng.choice(keys)
    if isinstance(value[key], dict | list) and value[key] and rng.random() < 0.8:
        return f"{key} → {change_somewhere(value[key], rng)}"
    value[key] = rng.choice(HOSTILE)
    return f"{key} = {value[key]!r:.40}"


def changed_array(array: Any, rng: random.Random) -> tuple[Any, str]:
    choice = rng.choice(
        ["gone", "empty", "shorter", "longer", "type", "shape", "fill", *["value"] * 6]
    )
    if choice == "gone":
        return None, choice
    if choice == "empty":
        return array[:0], choice
    if choice == "shorter":
        return array[:-1], choice
    if choice == "longer":
        return np.concatenate([array, array[-1:]]), choice
    if choice == "type":
        dtype = rng.choice([np.float64, np.float32, np.int32, np.int64, np.uint8])
        with np.errstate(all="ignore"):
            return array.astype(dtype), f"type {np.dtype(dtype)}"
    if choice == "shape":
        return array[None] if array.ndim == 1 else array.reshape(-1), choice
    values = [np.nan, np.inf, -np.inf, -1, 1e30, 0] if array.dtype.kind == "f" else [-1, 0, 255]
    if array.dtype.itemsize >= 4 and array.dtype.kind == "i":
        values += [1 << 30, -(1 << 31)]
    value = np.array(rng.choice(values)).astype(array.dtype)
    changed = array.copy()
    if choice == "fill":
        changed[...] = value
    elif changed.size:
        changed.reshape(-1)[rng.randrange(changed.size)] = value
    return changed, f"{choice} {value}"


def try_to_read(kind: str, folder: Path) -> str:
    """Read a folder and ask a few questions; return how that ended."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            READERS[kind](folder)
    except NumberlineError as error:
        text = str(error)
        return "refused" if text and "\n" not in text and len(text) < 1000 else "long message"
    except Exception as error:
        return f"traceback: {type(error).__name__}: {error}"[:200]
    return "answered"


def endings_in_child(task: Callable[[], list[list[str]]]) -> list[list[str]] | str:
    """Return what a task returns in a child process, or how the child ended."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            with os.fdopen(writer, "w") as pipe:
                json.dump(task(), pipe)
            code = 0
        finally:
            os._exit(code)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        answer = pipe.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status:
        return "hang" if status == -signal.SIGALRM else f"crash: {status}"
    endings: list[list[str]] = json.loads(answer)
    return endings


def run(tries: int, seed: int, path: Path | None) -> list[dict[str, Any]]:
    """Tamper with every kind of folder; return a row of counts for each."""
    rows: list[dict[str, Any]] = []
    for kind in KINDS:
        for way in ("damaged", "crafted"):
            rows.append(row(kind, way, tries, seed))
            save_rows(rows, path)
    return rows


def row(kind: str, way: str, tries: int, seed: int) -> dict[str, Any]:
    """Return the counts for one kind of folder that is damaged or crafted."""
    allowed = {"refused"} if way == "damaged" else {"refused", "answered"}
    endings: Counter[str] = Counter()
    examples: list[str] = []
    with tempfile.TemporaryDirectory() as scratch:
        original, copy = KINDS[kind](Path(scratch, "original")), Path(scratch, "copy")
        assert try_to_read(kind, original) == "answered"

        def ask(numbers: Iterable[int]) -> list[list[str]]:
            """Return what was done to each copy, and how reading it ended."""
            results = []
            for what, folder in tampered_copies(original, copy, numbers, seed, way == "crafted"):
                signal.alarm(SECONDS)
                results.append([what, try_to_read(kind, folder)])
            return results

        for first in range(0, tries, BATCH):
            for what, ending in asked_in_children(ask, range(first, min(first + BATCH, tries))):
                endings[ending.partition(":")[0]] += 1
                if ending not in allowed:
                    examples.append(f"{what}: {ending}")
            shutil.rmtree(copy, ignore_errors=True)
    return {
        "what": f"{kind}, {way}",
        "tried": sum(endings.values()),
        "failed": len(examples),
        "endings": dict(endings),
        "examples": examples[:20],
    }


def asked_in_children(
    ask: Callable[[Iterable[int]], list[list[str]]], numbers: range
) -> list[list[str]]:
    """Ask about many copies in one child; if it crashes, about each in a child of its own."""
    answers = endings_in_child(partial(ask, numbers))
    if isinstance(answers, str) and len(numbers) > 1:
        return [
            one for number in numbers for one in asked_in_children(ask, range(number, number + 1))
        ]
    return [[f"number {numbers[0]}", answers]] if isinstance(answers, str) else answers


def main() -> None:
    options = arguments_of(__doc__, tries=1300)
    print_report(run(options.tries, options.seed, options.json), options.json)


if __name__ == "__main__":
    main()
