"""What CUDA kernels plan and train must equal the definitions. One warp does all in their order.

Numerals' rows are made by hand: every encoder gives such rows, short or long.
"""

import itertools
from dataclasses import replace

import numpy as np
import pytest

import numberline as nl
from numberline.numerals.rows import SparseRows, rows_of_table
from numberline.settings import Settings
from numberline.training import schedule as schedule_module
from numberline.training.cuda import text as cuda_text
from numberline.training.cuda import trainer as cuda_trainer
from numberline.training.cuda.kernels import KernelShape, cuda_kernels
from numberline.training.cuda.trainer import CudaTrainer
from numberline.training.job import TrainingJob
from numberline.training.plan import CENTRES_PER_DRAW, plan_windows
from numberline.training.random import epoch_key
from numberline.training.reference import (
    ReferenceTables,
    RunLimits,
    Side,
    WindowSettings,
    runs_of,
    train_windows,
)
from numberline.training.sampling import sampling_of
from numberline.training.schedule import Schedule
from numberline.training.tables import tables_of
from tests.training.small_corpora import random_corpus

pytestmark = pytest.mark.usefixtures("cuda_device")
EACH_DRAW = RunLimits(draws=1, numerals=10**9)  # a warp composes rows for a draw


def rows_apart(numerals):
    """Two prototypes for each numeral alone. Squares of weights add up to 1: what is given back
    moves a row that is composed anew as if it had been moved itself."""
    offsets, weights = 2 * np.arange(numerals + 1), np.tile([0.6, 0.8], numerals)
    indices = np.random.default_rng(1).permutation(2 * numerals)
    kinds = offsets.astype(np.int64), indices.astype(np.int32), weights.astype(np.float32)
    return SparseRows(*kinds, 2 * numerals)


def shared_rows(numerals, prototypes, part):
    """Each prototype is in a part of the rows, so that some rows are long and some empty."""
    random = np.random.default_rng(numerals)
    table = random.dirichlet(np.ones(prototypes), numerals)
    return rows_of_table(np.where(random.random(table.shape) < part, table, 0))


class Problem:
    """A job for the GPU, and the same for the definition, in double precision."""

    def __init__(self, corpus, rows=None, is_frozen=False, seed=1, **settings):
        defaults = {"dim": 8, "sample": 0.05, "epochs": 1, "learning_rate": 0.05}
        self.config = Settings(**defaults | {"shuffle": False} | settings)
        words, numerals = len(corpus.vocabulary.words), len(corpus.vocabulary.numeral_values)
        self.rows = [rows or rows_apart(numerals)] * 2
        random = np.random.default_rng(seed)
        shape = words + self.rows[0].size, self.config.dim
        self.before = [random.normal(0, 0.4, shape).astype(np.float32) for _ in range(2)]
        by_kind = zip(*((table[:words], table[words:]) for table in self.before), strict=True)
        sides = dict(zip(("input", "output"), self.rows, strict=True))
        self.job = TrainingJob(corpus, tables_of(*by_kind), sides, is_frozen, self.config, seed)
        self.defined = ReferenceTables(
            words,
            *(Side(t.astype(float), rows) for t, rows in zip(self.before, self.rows, strict=True)),
            is_frozen,
        )
        self.schedule = Schedule(corpus, self.config, seed)
        self.sampling = sampling_of(corpus.vocabulary, len(corpus.ids), self.config)

    def trainer(self, warps=1):
        return CudaTrainer(self.job, warps=warps)

    def launches(self):
        """Ranges that are planned and trained at once."""
        first = 0
        while first < self.schedule.ranges:
            last = self.schedule.reach(first, cuda_trainer.LAUNCH_TOKENS)
            yield range(first, last)
            first = last

    def defined_draws(self, ranges):
        """Return a plan for each draw, in the order of training."""
        return [draw for number in ranges for draw in self._draws_of(self.schedule[number])]

    def _draws_of(self, text):
        corpus, key = self.job.corpus, epoch_key(self.job.seed, text.epoch)
        offsets = corpus.sentence_offsets[text.first_sentence : text.last_sentence + 1]
        bounds = text.first_token, text.last_token
        plan = plan_windows(corpus.ids, offsets, *bounds, self.sampling, key)
        runs = runs_of(plan, self.defined.words, EACH_DRAW)
        for run, negatives in itertools.zip_longest(runs, plan.negatives):
            yield replace(plan, first_centre=run.start, last_centre=run.stop, negatives=[negatives])

    def train_defined(self):
        """Draw by draw: within a launch the learning rate falls from each to the next."""
        for ranges in self.launches():
            draws = self.defined_draws(ranges)
            first, last = (
                self.schedule.learning_rate(self.schedule.done_before(number))
                for number in (ranges.start, ranges.stop)
            )
            for number, draw in enumerate(draws):
                rate = first + (last - first) * number / len(draws)
                offset = self.config.score_offset
                settings = WindowSettings(self.config.objective, rate, offset, EACH_DRAW)
                train_windows(draw, self.defined, settings)

    def changes(self):
        """Yield what the GPU has changed, and what the definition has, side by side."""
        dim, tables = self.config.dim, self.job.tables
        found = tables.padded_input, tables.padded_output
        defined = self.defined.input.table, self.defined.output.table
        for ours, theirs, before in zip(found, defined, self.before, strict=True):
            assert not ours[:, dim:].any()
            yield ours[:, :dim] - before.astype(float), theirs - before

    def train_both(self):
        trainer = self.trainer()
        assert trainer.run()
        assert trainer.tables is self.job.tables
        self.train_defined()


def assert_trained_as_defined(problem, error=2e-4):
    problem.train_both()
    for found, expected in problem.changes():
        assert np.abs(expected).max() > 100 * error
        assert found == pytest.approx(expected, rel=2e-3, abs=error)


def assert_changes_are_near(problem, error):
    """Compare lengths of changes and of their differences."""
    problem.train_both()
    for found, expected in problem.changes():
        assert np.linalg.norm(found - expected) < error * np.linalg.norm(expected)


def planned(trainer, ranges, key):
    """Return each draw as centres with their contexts, and negatives."""
    text = trainer._text.listed(trainer.schedule.token_ranges(ranges.start, ranges.stop), key)
    plan = trainer._planner.plan(text)
    count = int(plan.draws_before.get()[-1])
    names = ("ids", "first_context", "last_context", "draws", "negatives")
    ids, first, last, draws, negatives = (getattr(plan, name).get() for name in names)
    return [
        ([windows_around(ids, first, last, centre) for centre in range(*centres)], drawn.tolist())
        for centres, drawn in zip(draws[:count], negatives[:count], strict=True)
    ]


def windows_around(ids, first, last, centre):
    return ids[centre], list(ids[first[centre] : centre]), list(ids[centre + 1 : last[centre]])


def defined_as_planned(problem, ranges):
    return [
        (
            [
                windows_around(draw.ids, draw.first_context, draw.last_context, centre)
                for centre in range(draw.first_centre, draw.last_centre)
            ],
            draw.negatives[0],
        )
        for draw in problem.defined_draws(ranges)
    ]


def small_ranges(monkeypatch, tokens):
    monkeypatch.setattr(schedule_module, "LEAST_RANGE_TOKENS", tokens)
    monkeypatch.setattr(schedule_module, "MOST_RANGE_TOKENS", tokens)


def assert_same_plans(problem):
    trainer = problem.trainer()
    for ranges in problem.launches():
        key = epoch_key(problem.job.seed, problem.schedule[ranges.start].epoch)
        assert planned(trainer, ranges, key) == defined_as_planned(problem, ranges)


@pytest.mark.parametrize("is_resident", [True, False])
@pytest.mark.parametrize("shuffle", [True, False])
@pytest.mark.parametrize("range_tokens", [512, 40, 7])
def test_plans(monkeypatch, range_tokens, shuffle, is_resident):
    """Ranges of 7 tokens cut most sentences, some of them several times."""
    small_ranges(monkeypatch, range_tokens)
    monkeypatch.setattr(cuda_trainer, "LAUNCH_TOKENS", 200)
    if not is_resident:
        monkeypatch.setattr(cuda_text, "RESIDENT_FRACTION", 0)
    for seed, settings in enumerate(({}, {"numeral_negatives": 0, "window": 9}, {"sample": 1e-3})):
        problem = Problem(random_corpus(seed), seed=seed, epochs=2, shuffle=shuffle, **settings)
        assert problem.trainer()._text.is_resident == is_resident
        assert_same_plans(problem)


def test_plans_of_one_long_sentence(monkeypatch):
    """Frequent words are rarely kept: windows reach far beyond the ends of a range."""
    small_ranges(monkeypatch, 20)
    random = np.random.default_rng(2)
    tokens = ["the"] * 600 + [f"word{chr(97 + at % 26)}" for at in range(30)] + ["7"] * 9
    random.shuffle(tokens)
    corpus = nl.encode([" ".join(tokens)], min_count=1)
    problem = Problem(corpus, sample=1e-3, shuffle=True)
    ranges = problem.schedule.token_ranges(0, problem.schedule.ranges)
    text = problem.trainer()._text.listed(ranges, epoch_key(1, 0))
    assert int(text.tokens) > 2 * len(corpus.ids)
    assert_same_plans(problem)


@pytest.mark.parametrize("objective", ["skipgram", "cbow"])
@pytest.mark.parametrize("dim", [1, 6, 37, 130])
def test_dimensions(objective, dim):
    assert_trained_as_defined(Problem(random_corpus(dim), objective=objective, dim=dim))


@pytest.mark.parametrize(("window", "negatives"), [(1, 1), (2, 9), (9, 3), (14, 30)])
def test_windows_and_negatives(window, negatives):
    problem = Problem(random_corpus(41), dim=24, window=window, negatives=negatives)
    assert_trained_as_defined(problem)


@pytest.mark.parametrize("settings", [{"numeral_negatives": 4}, {"start_from_odds": False}])
def test_other_settings(settings):
    assert_trained_as_defined(Problem(random_corpus(42), negatives=4, **settings))


@pytest.mark.parametrize("objective", ["skipgram", "cbow"])
@pytest.mark.parametrize("words", [1, 3])
def test_rows_met_again_and_again(objective, words):
    corpus = random_corpus(6, words=words, numerals=2)
    assert_trained_as_defined(Problem(corpus, objective=objective, dim=20))


@pytest.mark.parametrize("shuffle", [False, True])
def test_small_launches_and_several_epochs(monkeypatch, shuffle):
    """The rate falls from draw to draw and from launch to launch; sentences are cut."""
    small_ranges(monkeypatch, 19)
    monkeypatch.setattr(cuda_trainer, "LAUNCH_TOKENS", 130)
    problem = Problem(random_corpus(8), epochs=3, shuffle=shuffle, learning_rate=0.1)
    assert_trained_as_defined(problem)


@pytest.mark.parametrize("objective", ["skipgram", "cbow"])
@pytest.mark.parametrize(("prototypes", "part"), [(5, 0.5), (3, 0.2), (77, 2.0)])
def test_numerals_that_share_prototypes(objective, prototypes, part):
    """Rows of no, few and many weights: more than a warp fetches at once, and no multiple of it.

    The definition gives all changes of a draw back at its end; the kernel those of a centre before
    the next step. Where that one shares prototypes, its row has moved by a learning rate times the
    change: a small part of what is small itself.
    """
    corpus = random_corpus(9)
    rows = shared_rows(len(corpus.vocabulary.numeral_values), prototypes, part)
    problem = Problem(corpus, rows, objective=objective, dim=12, learning_rate=0.003)
    assert_changes_are_near(problem, error=3e-3)


@pytest.mark.parametrize("objective", ["skipgram", "cbow"])
def test_frozen_prototypes_stay_while_words_learn_from_them(objective):
    corpus = random_corpus(7)
    rows = shared_rows(len(corpus.vocabulary.numeral_values), 9, part=0.5)
    problem = Problem(corpus, rows, True, objective=objective, learning_rate=0.003)
    assert_changes_are_near(problem, error=3e-3)
    for found, _ in problem.changes():
        assert not found[problem.defined.words :].any()


@pytest.mark.parametrize("warps", [2, 5])
def test_warps_share_out_all_draws(warps):
    """With small steps, what draws change adds up: none is left out or done twice.

    The rate must not fall within a warp's piece, or the order of draws would matter.
    """
    moved = []
    for count in (1, warps):
        corpus = random_corpus(9, sentences=90)
        rows = shared_rows(len(corpus.vocabulary.numeral_values), 5, part=0.5)
        problem = Problem(corpus, rows, learning_rate=1e-4, epochs=1)
        trainer = problem.trainer(warps=count)
        trainer.schedule.learning_rate = lambda done: 1e-4
        assert trainer.run()
        draws = problem.defined_draws(range(problem.schedule.ranges))
        centres = sum(draw.last_centre - draw.first_centre for draw in draws)
        assert trainer.work.trained_words == centres
        tables = trainer.tables
        both = zip((tables.padded_input, tables.padded_output), problem.before, strict=True)
        moved.append([table[:, :8] - before for table, before in both])
    for alone, together in zip(*moved, strict=True):
        assert np.linalg.norm(alone - together) < 3e-3 * np.linalg.norm(alone)


@pytest.mark.parametrize(("asked", "blocks", "warps"), [(0, 1, 1), (3, 1, 3), (9, 2, 8)])
def test_a_grid_has_no_more_warps_than_asked_for(asked, blocks, warps):
    grid = cuda_kernels(KernelShape(8, window=2, negatives=2, is_cbow=False)).grid_of(asked)
    assert (grid.blocks, grid.warps) == (blocks, warps)


def test_the_loss_is_that_of_the_definition():
    """Of vectors that know nothing, in draws that were looked at."""
    problem = Problem(random_corpus(8, sentences=300), numeral_negatives=0)
    for table in (problem.job.tables.padded_input, problem.job.tables.padded_output):
        table[:] = 0
    trainer = problem.trainer()
    trainer.schedule.learning_rate = lambda done: 0.0
    assert trainer.run()
    odds, negatives = problem.config.negatives, problem.config.negatives
    most = np.log1p(odds) + negatives * np.log1p(1 / odds)
    assert most - CENTRES_PER_DRAW * np.log1p(1 / odds) < trainer.progress.loss <= most + 1e-6
