"""Every native function and method, with valid arguments.

Each target returns a function and its arguments by name. Arguments that a constructor takes are
damaged when the object is made, before a method is called.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from numberline import _native as native
from numberline.reading.quantities.native import tables_for
from numberline.reading.shapes import digit_zeros, folded_codes, shape_codes, vulgar_fractions
from numberline.training.tables import zero_rows

Damage = Callable[[Any], Any]
Call = tuple[Callable[..., Any], dict[str, Any]]

TEXT = "The hall has 1,250 seats; 3 1/2 m, ½ price.\nIn 1999 ten came.\n".encode()
TOKENS = b"the\0hall\0" + b"7\0" + b"\0seats\0"
WORDS, NUMERALS, PROTOTYPES, STRIDE, LENGTH = 6, 4, 3, 16, 40


def made(function: Callable[..., Any], damage: Damage, **arguments: Any) -> Any:
    return function(**{name: damage(value) for name, value in arguments.items()})


@cache
def tables() -> dict[str, Any]:
    return {
        "shape": shape_codes(),
        "folded": folded_codes(lowercase=True),
        "zeros": digit_zeros(),
        "vulgar": [(ord(sign), value) for sign, value in vulgar_fractions().items()],
    }


def options(chance: random.Random) -> dict[str, bool]:
    names = ("lowercase", "magnitudes", "number_words", "decimal_comma")
    return {name: chance.random() < 0.5 for name in names}


@cache
def plain_scanner() -> Any:
    return native.Scanner(**tables(), **options(random.Random(1)))


def scanner(damage: Damage, chance: random.Random) -> Call:
    """Make a scanner of damaged tables, and let it read all kinds of characters."""
    made_scanner = made(native.Scanner, damage, **tables(), **options(chance))
    points = [chance.randrange(0x110000) for _ in range(2000)] + list(range(0x250))
    text = "".join(chr(point) for point in points if not 0xD800 <= point < 0xE000).encode()
    return made_scanner.tokenize, {"text": text + b"\xff" + TEXT}


def tokenize(damage: Damage, chance: random.Random) -> Call:
    return plain_scanner().tokenize, {"text": damage(TEXT)}


def quantity_reader() -> Any:
    return native.QuantityReader(plain_scanner(), tables_for(()))


def read_quantities(damage: Damage, chance: random.Random) -> Call:
    return quantity_reader().read, {"text": damage(TEXT)}


def kinds_of(damage: Damage, chance: random.Random) -> Call:
    return quantity_reader().kinds_of, {"text": damage(TEXT)}


def tokens_with_kinds(damage: Damage, chance: random.Random) -> Call:
    return quantity_reader().tokenize, {"text": damage(TEXT)}


def words_and_numerals(damage: Damage, chance: random.Random) -> Call:
    return quantity_reader().words_and_numerals, {"text": damage(TEXT)}


def counter(damage: Damage) -> Any:
    return made(native.Counter, damage, scanner=plain_scanner(), tables=tables_for(()))


def add_text(damage: Damage, chance: random.Random) -> Call:
    return counter(damage).add_text, {"text": damage(TEXT), "keep_ids": damage(True)}


def add_tokens(damage: Damage, chance: random.Random) -> Call:
    return counter(damage).add_tokens, {"tokens": damage(TOKENS), "keep_ids": damage(True)}


def counted() -> tuple[Any, np.ndarray, np.ndarray]:
    one = native.Counter(plain_scanner())
    ids, lengths, _ = one.add_text(TEXT, True)
    return one, ids, lengths


def merge(damage: Damage, chance: random.Random) -> Call:
    counters = [counted()[0] for _ in range(2)]
    return native.merge, {
        "counters": damage(counters),
        "min_count": damage(1),
        "max_vocabulary": damage(100),
    }


def renumber(damage: Damage, chance: random.Random) -> Call:
    """Renumber damaged ids, now and then twice."""
    one, ids, lengths = counted()
    renumbering = native.merge([one], 1, 100)[-1][0]
    if chance.random() < 0.2:
        renumbering.apply(ids, lengths)
    return renumbering.apply, {"ids": damage(ids), "line_lengths": damage(lengths)}


def mixture() -> dict[str, np.ndarray]:
    random_numbers = np.random.default_rng(1)
    parts = {name: random_numbers.random(11) for name in ("constants", "means", "precisions")}
    return parts | {"values": random_numbers.random(9)}


def mixture_expectation(damage: Damage, chance: random.Random) -> Call:
    arguments = mixture() | {"weights": np.ones(9), "hard": chance.random() < 0.5}
    return native.mixture_expectation, {k: damage(v) for k, v in arguments.items()}


def mixture_posterior(damage: Damage, chance: random.Random) -> Call:
    arguments = mixture() | {"smallest_ratio": 1e-4}
    return native.mixture_posterior, {k: damage(v) for k, v in arguments.items()}


def sparse() -> dict[str, np.ndarray]:
    return {
        "offsets": np.array([0, 2, 2, 5, 6]),
        "indices": np.array([0, 1, 0, 1, 2, 2], np.int32),
        "weights": np.full(6, 0.5, np.float32),
    }


def sparse_product(damage: Damage, chance: random.Random) -> Call:
    arguments = sparse() | {
        "table": np.ones((PROTOTYPES, 5), np.float32),
        "vectors": np.zeros((NUMERALS, 5), np.float32),
    }
    return native.sparse_product, {name: damage(value) for name, value in arguments.items()}


def support_sums(damage: Damage, chance: random.Random) -> Call:
    random_numbers = np.random.default_rng(3)
    arguments = {
        "scores": random_numbers.normal(size=(3, 70)).astype(np.float32),
        "fractions": np.full(70, 1 / 70, np.float32),
        "limits": np.zeros(3, np.float32),
        "ends": random_numbers.integers(0, 71, (3, 4)),
        "bounds": np.array([0.05, 0.95]),
    }
    return native.support_sums, {name: damage(value) for name, value in arguments.items()}


def use_instruction_set(damage: Damage, chance: random.Random) -> Call:
    return native.use_instruction_set, {"name": damage(native.instruction_set())}


def sampling() -> dict[str, Any]:
    ids = WORDS + NUMERALS
    return {
        "keep_probability": np.full(WORDS, 0.9, np.float32),
        "thresholds": np.full(ids, 2**31, np.uint32),
        "others": np.arange(ids, dtype=np.int32)[::-1].copy(),
        "numeral_thresholds": np.full(NUMERALS, 2**31, np.uint32),
        "numeral_others": np.arange(NUMERALS, dtype=np.int32),
        "window": 3,
        "negatives_per_group": 5,
        "numerals_per_group": 2,
    }


def corpus(chance: random.Random) -> dict[str, np.ndarray]:
    ids = [chance.randrange(WORDS + NUMERALS) for _ in range(LENGTH)]
    cuts = sorted(chance.randrange(LENGTH) for _ in range(5))
    return {"ids": np.array(ids, np.int32), "sentence_offsets": np.array([0, *cuts, LENGTH])}


def side() -> dict[str, np.ndarray]:
    rows = zero_rows(WORDS + PROTOTYPES, STRIDE)
    rows[...] = np.random.default_rng(2).random(rows.shape)
    return {"rows": rows, **sparse()}


def trainer(damage: Damage, chance: random.Random) -> tuple[Any, list[np.ndarray]]:
    """Return a trainer made of damaged parts, and arrays that it holds."""
    text, sides = corpus(chance), (side(), side())
    parts = {
        "corpus": made(native.Corpus, damage, **text),
        "sampling": made(native.Sampling, damage, **sampling()),
        "input": made(native.SideTable, damage, **sides[0]),
        "output": made(native.SideTable, damage, **sides[1]),
        "is_frozen": chance.random() < 0.2,
        "is_cbow": chance.random() < 0.5,
        "score_offset": damage(1.5),
    }
    held = [*text.values(), *(one for rows in sides for one in list(rows.values())[1:])]
    return made(native.BlockTrainer, damage, **parts), held


def block(damage: Damage) -> dict[str, Any]:
    arguments = {"first_token": 0, "last_token": LENGTH, "key": 2**63 + 5}
    return {name: damage(value) for name, value in arguments.items()}


def change_what_is_held(arrays: list[np.ndarray], chance: random.Random) -> None:
    """Write extreme values into arrays after their checks, as other code may."""
    array = chance.choice(arrays)
    value = chance.choice((-1, 2, 9, 10**9, -(10**9), 2**31 - 1))
    array[chance.randrange(len(array))] = value


def plan(damage: Damage, chance: random.Random) -> Call:
    one, held = trainer(damage, chance)
    if damage(True) is not True:
        change_what_is_held(held, chance)
    return one.plan, block(damage)


def train(damage: Damage, chance: random.Random) -> Call:
    one, held = trainer(damage, chance)
    if damage(True) is not True:
        change_what_is_held(held, chance)
    arguments = block(damage) | {"learning_rate": damage(0.05), "loss_phase": damage(3)}

    def train_and_again(**arguments: Any) -> Any:
        try:
            return one.train(**arguments)
        finally:  # an error must leave nothing behind that the next call trips over
            one.train(first_token=0, last_token=9, key=1, learning_rate=0.1, loss_phase=0)

    return train_and_again, arguments


TARGETS: tuple[Callable[[Damage, random.Random], Call], ...] = (
    tokenize,
    read_quantities,
    kinds_of,
    tokens_with_kinds,
    words_and_numerals,
    add_text,
    add_tokens,
    merge,
    renumber,
    mixture_expectation,
    mixture_posterior,
    sparse_product,
    support_sums,
    use_instruction_set,
    plan,
    train,
    train,
)
