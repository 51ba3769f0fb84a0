"""CUDA kernels must plan and train as defined; a single warp follows the order of the definition.

The rows of numerals are made by hand: encoders return such rows, short or long.
"""

from dataclasses import replace

import numpy as np
import pytest

import numberline as nl
from numberline.numerals.rows import SparseRows, rows_of_table
from numberline.settings import Settings
from numberline.training import gpu, schedule
from numberline.training.cuda import text as cuda_text
from numberline.training.cuda.kernels import KernelShape, cuda_kernels
from numberline.training.gpu import GpuTrainer
from numberline.training.plan import CENTRES_PER_GROUP, plan_windows
from numberline.training.progress import untrained_loss
from numberline.training.random import epoch_key
from numberline.training.reference import SideTable, train_windows
from numberline.training.sampling import sampling_of
from numberline.training.schedule import Schedule
from numberline.training.state import TrainingState
from numberline.training.tables import tables_of
from tests.training.small_corpora import FixedRows, random_corpus

pytestmark = pytest.mark.usefixtures("cuda_device")


def rows_apart(numerals):
    """Return two prototypes per numeral, not shared. Their squared weights sum to 1, so that a row
    composed of moved prototypes equals a row that moved itself."""
    offsets, weights = 2 * np.arange(numerals + 1), np.tile([0.6, 0.8], numerals)
    indices = np.random.default_rng(1).permutation(2 * numerals)
    kinds = offsets.astype(np.int64), indices.astype(np.int32), weights.astype(np.float32)
    return SparseRows(*kinds, 2 * numerals)


def shared_rows(numerals, prototypes, fraction):
    """Give each prototype a weight in a fraction of the rows: some rows are long, some empty."""
    random = np.random.default_rng(numerals)
    table = random.dirichlet(np.ones(prototypes), numerals)
    return rows_of_table(np.where(random.random(table.shape) < fraction, table, 0))


class Problem:
    """Tables to train on the GPU, and the same for the definition, in double precision."""

    def __init__(self, corpus, rows=None, is_frozen=False, **settings):
        defaults = {"dim": 8, "sample": 0.05, "epochs": 1, "learning_rate": 0.05}
        self.corpus, self.settings = corpus, Settings(**defaults | settings)
        words, numerals = len(corpus.vocabulary.words), len(corpus.vocabulary.numerals)
        rows = rows or rows_apart(numerals)
        random = np.random.default_rng(self.settings.seed)
        shape = words + rows.size, self.settings.dim
        self.before = [random.normal(0, 0.4, shape).astype(np.float32) for _ in range(2)]
        by_kind = zip(*((table[:words], table[words:]) for table in self.before), strict=True)
        self.state = TrainingState(tables_of(*by_kind), FixedRows(rows, is_frozen))
        self.defined = [SideTable(t.astype(float), rows, is_frozen) for t in self.before]
        self.schedule = Schedule(corpus, self.settings)
        self.sampling = sampling_of(corpus.vocabulary, len(corpus.ids), self.settings)

    def trainer(self, warps=1):
        return GpuTrainer(self.corpus, self.state, self.settings, warps)

    def launches(self):
        """Yield the blocks that are planned and trained at once."""
        first = 0
        while first < self.schedule.block_count:
            last = self.schedule.end_of_launch(first, gpu.LAUNCH_TOKENS)
            yield range(first, last)
            first = last

    def defined_groups(self, blocks):
        """Return a plan for each group, in the order of training."""
        return [group for number in blocks for group in self._groups_of(self.schedule[number])]

    def _groups_of(self, block):
        key = epoch_key(self.settings.seed, block.epoch)
        plan = plan_windows(self.corpus, block, self.sampling, key)
        firsts = range(plan.first_centre, plan.last_centre, CENTRES_PER_GROUP)
        for first, negatives in zip(firsts, plan.negatives, strict=True):
            last = min(first + CENTRES_PER_GROUP, plan.last_centre)
            yield replace(plan, first_centre=first, last_centre=last, negatives=[negatives])

    def train_defined(self):
        """Train group by group: within a launch the learning rate falls from each to the next."""
        for blocks in self.launches():
            groups = self.defined_groups(blocks)
            first, last = (
                self.schedule.learning_rate(self.schedule.done_before(number))
                for number in (blocks.start, blocks.stop)
            )
            for number, group in enumerate(groups):
                rate = first + (last - first) * number / len(groups)
                train_windows(group, self.defined, self.settings, rate)

    def changes(self):
        """Yield the changes by the GPU and by the definition, for each side."""
        dim, tables = self.settings.dim, self.state.tables
        trained = tables.padded_input, tables.padded_output
        for ours, side, before in zip(trained, self.defined, self.before, strict=True):
            assert not ours[:, dim:].any()
            yield ours[:, :dim] - before.astype(float), side.rows - before

    def train_both(self):
        trainer = self.trainer()
        assert trainer.run()
        assert trainer.tables is self.state.tables
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


def planned(trainer, blocks, key):
    """Return each group as centres with their contexts, and negatives."""
    text = trainer._text.of_launch(trainer.schedule.bounds_of(blocks.start, blocks.stop), key)
    plan = trainer._planner.plan(text)
    count = int(plan.groups_before.get()[-1])
    names = ("ids", "first_context", "last_context", "groups", "negatives")
    ids, first, last, groups, negatives = (getattr(plan, name).get() for name in names)
    return [
        ([windows_around(ids, first, last, centre) for centre in range(*centres)], drawn.tolist())
        for centres, drawn in zip(groups[:count], negatives[:count], strict=True)
    ]


def windows_around(ids, first, last, centre):
    return ids[centre], list(ids[first[centre] : centre]), list(ids[centre + 1 : last[centre]])


def defined_as_planned(problem, blocks):
    return [
        (
            [
                windows_around(group.ids, group.first_context, group.last_context, centre)
                for centre in range(group.first_centre, group.last_centre)
            ],
            group.negatives[0],
        )
        for group in problem.defined_groups(blocks)
    ]


def small_blocks(monkeypatch, tokens):
    monkeypatch.setattr(schedule, "MIN_BLOCK_TOKENS", tokens)
    monkeypatch.setattr(schedule, "MAX_BLOCK_TOKENS", tokens)


def assert_same_plans(problem):
    trainer = problem.trainer()
    for blocks in problem.launches():
        key = epoch_key(problem.settings.seed, problem.schedule[blocks.start].epoch)
        assert planned(trainer, blocks, key) == defined_as_planned(problem, blocks)


@pytest.mark.parametrize("is_resident", [True, False])
@pytest.mark.parametrize("block_tokens", [512, 40, 7])
def test_plans_equal_the_definition(monkeypatch, block_tokens, is_resident):
    """Blocks of 7 tokens cut most sentences, some of them several times."""
    small_blocks(monkeypatch, block_tokens)
    monkeypatch.setattr(gpu, "LAUNCH_TOKENS", 200)
    if not is_resident:
        monkeypatch.setattr(cuda_text, "RESIDENT_FRACTION", 0)
    for seed, settings in enumerate(({}, {"negatives": 2, "window": 9}, {"sample": 1e-3})):
        problem = Problem(random_corpus(seed), seed=seed, epochs=2, **settings)
        assert problem.trainer()._text.is_resident == is_resident
        assert_same_plans(problem)


def test_plans_of_one_long_sentence_equal_the_definition(monkeypatch):
    """Frequent words are rarely kept: windows reach far beyond the ends of a block."""
    small_blocks(monkeypatch, 20)
    random = np.random.default_rng(2)
    tokens = ["the"] * 600 + [f"word{chr(97 + at % 26)}" for at in range(30)] + ["7"] * 9
    random.shuffle(tokens)
    corpus = nl.encode([" ".join(tokens)], min_count=1)
    problem = Problem(corpus, sample=1e-3)
    blocks = problem.schedule.bounds_of(0, problem.schedule.block_count)
    text = problem.trainer()._text.of_launch(blocks, epoch_key(1, 0))
    assert int(text.tokens) > 2 * len(corpus.ids)
    assert_same_plans(problem)


@pytest.mark.parametrize(
    ("objective", "dim"),
    [*(("skipgram", dim) for dim in (1, 37, 100, 130)), ("cbow", 1), ("cbow", 100)],
)
def test_vectors_of_any_length_are_trained_as_defined(objective, dim):
    assert_trained_as_defined(Problem(random_corpus(dim), objective=objective, dim=dim))


@pytest.mark.parametrize(("window", "negatives"), [(1, 1), (2, 9), (9, 3), (14, 30)])
def test_windows_and_negatives_of_any_size_are_trained_as_defined(window, negatives):
    problem = Problem(random_corpus(41), dim=24, window=window, negatives=negatives)
    assert_trained_as_defined(problem)


@pytest.mark.parametrize("objective", ["skipgram", "cbow"])
def test_scores_that_do_not_start_from_the_odds_are_trained_as_defined(objective):
    problem = Problem(random_corpus(5), objective=objective, start_from_odds=False)
    assert_trained_as_defined(problem)


@pytest.mark.parametrize("objective", ["skipgram", "cbow"])
@pytest.mark.parametrize("words", [1, 3])
def test_rows_that_recur_are_trained_as_defined(objective, words):
    corpus = random_corpus(6, words=words, numerals=2)
    assert_trained_as_defined(Problem(corpus, objective=objective))


def test_small_launches_and_several_epochs_are_trained_as_defined(monkeypatch):
    """The rate falls from group to group and from launch to launch; sentences are cut."""
    small_blocks(monkeypatch, 19)
    monkeypatch.setattr(gpu, "LAUNCH_TOKENS", 130)
    problem = Problem(random_corpus(8), epochs=3, learning_rate=0.1)
    assert_trained_as_defined(problem)


@pytest.mark.parametrize("objective", ["skipgram", "cbow"])
@pytest.mark.parametrize(("prototypes", "fraction"), [(5, 0.5), (3, 0.2), (77, 2.0)])
def test_numerals_that_share_prototypes_are_trained_nearly_as_defined(
    objective, prototypes, fraction
):
    """Rows have no, few or many weights: more than a warp fetches at once, and no multiple of it.

    The definition moves prototypes when a group ends; the kernel moves those of a centre before the
    next step. If that one shares prototypes, its row has moved by a learning rate times the change,
    a small fraction of a small change.
    """
    corpus = random_corpus(9)
    rows = shared_rows(len(corpus.vocabulary.numerals), prototypes, fraction)
    problem = Problem(corpus, rows, objective=objective, learning_rate=0.003)
    assert_changes_are_near(problem, error=3e-3)


@pytest.mark.parametrize("objective", ["skipgram", "cbow"])
def test_frozen_prototypes_stay_while_words_learn_from_them(objective):
    corpus = random_corpus(7)
    rows = shared_rows(len(corpus.vocabulary.numerals), 9, fraction=0.5)
    problem = Problem(corpus, rows, is_frozen=True, objective=objective, learning_rate=0.003)
    assert_changes_are_near(problem, error=3e-3)
    for ours, _ in problem.changes():
        assert not ours[problem.sampling.words :].any()


@pytest.mark.parametrize("warps", [2, 5])
def test_warps_train_every_group_once(warps):
    """With small steps the changes of groups add up: none is left out or done twice.

    The rate must not fall, or the order of groups would matter.
    """
    moved = []
    for count in (1, warps):
        corpus = random_corpus(9, sentences=90)
        rows = shared_rows(len(corpus.vocabulary.numerals), 5, fraction=0.5)
        problem = Problem(corpus, rows, learning_rate=1e-4, epochs=1)
        trainer = problem.trainer(warps=count)
        trainer.schedule.learning_rate = lambda done: 1e-4
        assert trainer.run()
        groups = problem.defined_groups(range(problem.schedule.block_count))
        centres = sum(group.last_centre - group.first_centre for group in groups)
        assert trainer.work.trained_words == centres
        tables = trainer.tables
        both = zip((tables.padded_input, tables.padded_output), problem.before, strict=True)
        moved.append([table[:, :8] - before for table, before in both])
    for alone, together in zip(*moved, strict=True):
        assert np.linalg.norm(alone - together) < 3e-3 * np.linalg.norm(alone)


@pytest.mark.parametrize(("most", "thread_blocks", "warps"), [(0, 1, 1), (3, 1, 3), (9, 2, 8)])
def test_a_grid_has_at_most_the_given_warps(most, thread_blocks, warps):
    grid = cuda_kernels(KernelShape.of(Settings(dim=8))).grid_of(most)
    assert (grid.thread_blocks, grid.warps) == (thread_blocks, warps)


def test_the_loss_of_untrained_vectors_is_as_derived():
    problem = Problem(random_corpus(8, sentences=300))
    for table in (problem.state.tables.padded_input, problem.state.tables.padded_output):
        table[:] = 0
    trainer = problem.trainer()
    trainer.schedule.learning_rate = lambda done: 0.0
    assert trainer.run()
    most, negatives = untrained_loss(problem.settings), problem.settings.negatives
    double_negatives = CENTRES_PER_GROUP * np.log1p(1 / negatives)
    assert most - double_negatives < trainer.progress.loss <= most + 1e-6
