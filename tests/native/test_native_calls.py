"""No input from Python crashes the native module: small runs of calls.py and threads.py."""

import numpy as np
import pytest

from numberline import _native as native
from tests.native import calls, targets, threads
from tests.native.damage import LAYOUTS, misaligned


def test_damaged_calls_are_refused_or_answered():
    row = calls.run_calls(4000)
    assert row["examples"] == []
    assert sum(row["endings"].values()) == 4000
    assert min(row["endings"]["refused"], row["endings"]["answered"]) > 1000


def test_threads_that_share_an_object_are_refused_or_answered():
    row = threads.run_threads(400)
    assert row["examples"] == []
    assert row["endings"]["refused"] > 0


def test_every_target_answers_undamaged_arguments():
    chance = calls.random.Random(1)
    for target in (*targets.TARGETS, targets.scanner):
        function, arguments = target(lambda value: value, chance)
        function(**arguments)


def test_every_public_native_name_is_a_target():
    called = {"instruction_set", "instruction_sets"}  # take no arguments
    called |= {"Corpus", "Sampling", "SideTable", "BlockTrainer", "Scanner", "Counter"}
    called |= {"Renumbering"}  # made by merge
    called |= {"QuantityTables", "QuantityReader"}  # made of the package's tables
    names = {target.__name__ for target in targets.TARGETS}
    public = {name for name in vars(native) if not name.startswith("_")}
    assert public - called <= names


@pytest.mark.parametrize("shape", [200, 128])
def test_shapes_that_are_no_ascii_characters_are_refused(shape):
    tables = targets.tables() | {"shape": np.full(0x110000, shape, np.uint8)}
    with pytest.raises(ValueError, match="beyond ASCII"):
        native.Scanner(**tables, **targets.options(calls.random.Random(1)))


@pytest.mark.parametrize(
    ("name", "point", "value", "message"),
    [
        ("folded", 0xE9, 0x110000, "beyond Unicode"),
        ("shape", ord("x"), ord("0"), "follow its zero"),
        ("shape", 0x80, ord("0"), "follow its zero"),
        ("zeros", 1, 0, "ascend"),
    ],
)
def test_character_tables_that_cannot_be_read_are_refused(name, point, value, message):
    tables = targets.tables()
    table = tables[name].copy()
    table[point] = value
    with pytest.raises(ValueError, match=message):
        native.Scanner(**tables | {name: table}, **targets.options(calls.random.Random(1)))


def renumbered():
    counter, ids, lengths = targets.counted()
    return native.merge([counter], 1, 100)[-1][0], ids, lengths


@pytest.mark.parametrize("id", [-1, 999, 2**30 + 999, -(2**31), 2**31 - 1])
def test_ids_that_no_counter_has_given_are_refused(id):
    renumbering, ids, lengths = renumbered()
    ids[3] = id
    with pytest.raises(ValueError, match="has not given"):
        renumbering.apply(ids, lengths)


@pytest.mark.parametrize("change", [-1, 1, 2**62])
def test_line_lengths_that_do_not_add_up_are_refused(change):
    renumbering, ids, lengths = renumbered()
    lengths[0] += change
    with pytest.raises(ValueError, match="add up"):
        renumbering.apply(ids, lengths)
    lengths[0], lengths[1] = -5, lengths.sum() + 5 - lengths[0]
    with pytest.raises(ValueError, match="add up"):
        renumbering.apply(ids, lengths)


def test_arrays_that_would_be_copied_are_not_renumbered():
    """The caller would not see the result."""
    renumbering, ids, lengths = renumbered()
    with pytest.raises(TypeError):
        renumbering.apply(ids.astype(np.int64), lengths)


@pytest.mark.parametrize("counters", [[], [None], [targets.counted()[0]] * 2, 5])
def test_counters_that_cannot_be_merged_are_refused(counters):
    with pytest.raises((TypeError, ValueError, RuntimeError)):
        native.merge(counters, 1, 100)


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("name", ["values", "weights", "means", "precisions", "constants"])
def test_mixtures_of_numbers_that_are_not_finite_are_refused(name, value):
    arguments = targets.mixture() | {"weights": np.ones(9), "hard": True}
    arguments[name] = arguments[name].copy()
    arguments[name][-1] = value
    with pytest.raises(ValueError, match=name):
        native.mixture_expectation(**arguments)


def test_a_value_without_any_density_keeps_to_the_components():
    parts = targets.mixture() | {"constants": np.full(11, -np.inf)}
    _, indices, _ = native.mixture_posterior(**parts, smallest_ratio=1e-4)
    assert indices.max() < 11


@pytest.mark.parametrize("ratio", [0.0, -1.0, 2.0, np.nan])
def test_ratios_beyond_one_are_refused(ratio):
    with pytest.raises(ValueError, match="smallest_ratio"):
        native.mixture_posterior(**targets.mixture(), smallest_ratio=ratio)


@pytest.mark.parametrize(("name", "value"), [("window", 0), ("window", 2**31 + 5)])
def test_windows_that_no_plan_holds_are_refused(name, value):
    with pytest.raises(ValueError, match=name):
        native.Sampling(**targets.sampling() | {name: value})


def test_misaligned_arrays_are_refused():
    arguments = targets.sparse() | {"table": np.ones((3, 5), np.float32)}
    for name in arguments:
        moved = arguments | {name: misaligned(arguments[name])}
        with pytest.raises(ValueError, match=f"{name} is not aligned"):
            native.sparse_product(**moved, vectors=np.zeros((4, 5), np.float32))
    assert misaligned in LAYOUTS


@pytest.mark.parametrize("side", ["input", "output"])
@pytest.mark.parametrize(("name", "value"), [("indices", 99), ("indices", -1), ("offsets", 10**9)])
def test_weights_that_change_after_their_check_are_refused(side, name, value):
    """And the trainer can be used again when they are mended."""
    chance = calls.random.Random(3)
    sides = {"input": targets.side(), "output": targets.side()}
    trainer = native.BlockTrainer(
        corpus=native.Corpus(**targets.corpus(chance)),
        sampling=native.Sampling(**targets.sampling()),
        **{which: native.SideTable(**arrays) for which, arrays in sides.items()},
        is_frozen=False,
        is_cbow=False,
        score_offset=0.0,
    )
    block = targets.block(lambda value: value) | {"learning_rate": 0.01, "loss_phase": 0}
    array = sides[side][name]
    before, array[1:4] = array.copy(), value
    with pytest.raises(ValueError, match="have changed during training"):
        trainer.train(**block)
    array[:] = before
    trainer.train(**block)


def test_a_learning_rate_that_is_no_number_is_refused():
    trainer, _ = targets.trainer(lambda value: value, calls.random.Random(3))
    block = targets.block(lambda value: value)
    with pytest.raises(ValueError, match="learning_rate"):
        trainer.train(**block, learning_rate=float("nan"), loss_phase=0)
