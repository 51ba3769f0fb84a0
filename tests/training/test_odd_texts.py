"""Texts that are no prose train at the default rate; what does diverge is refused."""

import json
import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import numberline as nl
from numberline.errors import TrainingError
from numberline.explore.answers import Answers
from numberline.numerals.registry import BUILT_IN
from numberline.settings import Settings
from numberline.training.checkpoint import NO_CHECKPOINTS
from numberline.training.fit import first_state, new_trainer
from numberline.training.progress import TrainingProgress, untrained_loss
from numberline.training.schedule import Schedule
from numberline.training.state import TrainingState
from tests.training.small_corpora import FixedRows, random_corpus

pytestmark = pytest.mark.filterwarnings("ignore::numberline.errors.NumberlineWarning")


def words(count, seed=1):
    letters = np.random.default_rng(seed).integers(0, 17, (count, 2)) + ord("a")
    return [f"w{chr(a)}{chr(b)}" for a, b in letters.tolist()]


def in_lines(tokens, length=20):
    return [" ".join(tokens[at : at + length]) for at in range(0, len(tokens), length)]


def numbers(count):
    return [str(number) for number in range(count)]


def ascending_between_words(size):
    pairs = zip(words(size), numbers(size), strict=True)
    return in_lines([token for pair in pairs for token in pair])


def half_of_it_ascending(size):
    return in_lines(words(size)) + in_lines(numbers(size))


def half_of_it_one_line_ascending(size):
    return [*in_lines(words(size)), " ".join(numbers(size))]


def only_ascending(size):
    return in_lines(numbers(size))


def sorted_by_value(size):
    values = np.sort(np.random.default_rng(1).integers(0, 1000, size)).tolist()
    return [f"{word} {value}" for word, value in zip(words(size), values, strict=True)]


TEXTS = {
    "ascending between words": ascending_between_words,
    "half of it ascending": half_of_it_ascending,
    "half of it one line": half_of_it_one_line_ascending,
    "only ascending": only_ascending,
    "sorted by value": sorted_by_value,
    "constant": lambda size: ["three 3 cups 4"] * (size // 4),
    "one word": lambda size: in_lines(["word"] * size),
    "one numeral": lambda size: in_lines(["7"] * size),
    "alternating": lambda size: in_lines(["word", "7"] * (size // 2)),
    "two numerals": lambda size: in_lines(["7", "8"] * (size // 2)),
}


def longest_row(model):
    tables = [model.word_input, model.word_output]
    if model.numerals is not None:
        tables += [model.numerals.table(side) for side in ("input", "output")]
    return max(np.linalg.norm(table, axis=1).max(initial=0) for table in tables)


TRAINED = [name for name in BUILT_IN if name != "fixed"]
# The row of the only numeral is a constant and short: its word grows too long, and does diverge.
DIVERGES = ("alternating", "fourier")


@pytest.mark.parametrize(
    ("name", "encoder"), [pair for pair in product(TEXTS, TRAINED) if pair != DIVERGES]
)
@pytest.mark.parametrize("threads", [1, 2])
def test_odd_texts_train_at_the_default_rate(name, encoder, threads):
    model = nl.train(
        TEXTS[name](20_000), encoder=encoder, threads=threads, min_count=1, dim=20, epochs=5
    )
    assert longest_row(model) < 50
    assert model.training["loss"] < 1.1 * untrained_loss(Settings())


@pytest.mark.parametrize("factor", [3, -10, 30])
@pytest.mark.parametrize("encoder", ["line", "fourier"])
@pytest.mark.parametrize("name", ["ascending between words", "half of it ascending"])
def test_large_weights_of_a_users_encoder_train(name, encoder, factor):
    corpus = nl.encode(TEXTS[name](20_000), min_count=1)
    settings = Settings(dim=20, epochs=5, threads=1, encoder=encoder, kinds=False)
    start = first_state(corpus, settings, NO_CHECKPOINTS)
    rows = start.fitted.weights(corpus.vocabulary.numerals.values)
    scaled = FixedRows(replace(rows, weights=np.float32(factor) * rows.weights))
    trainer = new_trainer(corpus, TrainingState(start.tables, scaled), settings)
    assert trainer.run()
    assert trainer.progress.loss < 1.1 * untrained_loss(settings)
    assert np.linalg.norm(trainer.tables.padded_input, axis=1).max() < 50


@pytest.mark.parametrize("name", ["alternating", "half of it ascending", "only ascending"])
@pytest.mark.parametrize("encoder", ["line", "token"])
def test_a_rate_that_is_too_high_is_refused(name, encoder):
    with pytest.raises(TrainingError, match=r"diverges.*lower learning_rate=1.0"):
        nl.train(TEXTS[name](4000), encoder=encoder, min_count=1, dim=20, learning_rate=1.0)


@pytest.mark.parametrize("tokens", range(1, 21))
def test_tiny_texts_are_trained(tokens):
    for make in (words, numbers):
        model = nl.train([" ".join(make(tokens))], min_count=1, dim=8, threads=1)
        loss = model.training["loss"]
        assert loss is None or math.isfinite(loss)


@pytest.fixture(scope="module")
def without_loss(tmp_path_factory):
    """Return a model, and its folder, whose text has no window."""
    folder = tmp_path_factory.mktemp("tiny") / "model"
    model = nl.train(["cups", "3", "litres", "4"], folder, min_count=1, dim=8, threads=1)
    return model, folder


def test_a_loss_that_was_never_measured_is_none(without_loss):
    model, folder = without_loss
    assert model.training["loss"] is None
    assert nl.load(folder).training["loss"] is None


def test_what_the_explorer_says_about_it_is_strict_json(without_loss):
    about = Answers(without_loss[0], "tiny").about()
    text = json.dumps(about, allow_nan=False)
    assert json.loads(text)["training"]["loss"] is None


def progress_of(**settings):
    chosen = Settings(**settings)
    return TrainingProgress(Schedule(random_corpus(1), chosen)), untrained_loss(chosen)


def test_a_few_pairs_of_a_high_loss_are_no_divergence():
    progress, untrained = progress_of()
    for _ in range(10):
        progress.add(100, 0.01, 2 * 6 * untrained, 2)
    assert progress.loss == pytest.approx(6 * untrained)


def test_many_pairs_of_a_high_loss_are_divergence():
    progress, untrained = progress_of()
    for _ in range(3):
        progress.add(1000, 0.01, 20 * 6 * untrained, 20)
    with pytest.raises(TrainingError, match="diverges"):
        progress.add(1000, 0.01, 20 * 6 * untrained, 20)


@pytest.mark.parametrize("loss", [1e4, math.inf, math.nan])
def test_a_huge_loss_is_divergence_at_once(loss):
    progress, _ = progress_of()
    progress.add(100, 0.01, 3.0, 1)
    with pytest.raises(TrainingError, match="diverges"):
        progress.add(100, 0.01, loss, 1)


@pytest.mark.parametrize("block", [-1, 10**6, 3.0, "3", None, True])
def test_no_training_continues_with_a_block_that_there_is_not(block):
    schedule = Schedule(random_corpus(1), Settings())
    for possible in (0, schedule.block_count):
        schedule.require_next(possible)
    with pytest.raises(ValueError, match="next_block is"):
        schedule.require_next(block)
