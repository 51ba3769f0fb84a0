"""The native plan and kernel must equal their definitions, on every available instruction set."""

from dataclasses import replace

import numpy as np
import pytest

from numberline.kernels import require_native
from numberline.numerals.rows import SparseRows, rows_of_table
from numberline.settings import Settings
from numberline.training.cpu import native_corpus, native_sampling, native_side
from numberline.training.plan import (
    CENTRES_PER_GROUP,
    plan_windows,
)
from numberline.training.progress import untrained_loss
from numberline.training.random import epoch_key
from numberline.training.reference import (
    LARGEST_LOAD,
    SideTable,
    load_fractions,
    train_windows,
)
from numberline.training.sampling import sampling_of
from numberline.training.schedule import Block
from numberline.training.tables import tables_of, zero_rows
from tests.training.small_corpora import random_corpus

native = require_native()
RATE = 0.05


@pytest.fixture(params=native.instruction_sets())
def instruction_set(request):
    before = native.instruction_set()
    native.use_instruction_set(request.param)
    yield request.param
    native.use_instruction_set(before)


def random_rows(numerals, prototypes, random):
    """Return rows of 0 to `prototypes` weights; numerals share prototypes."""
    table = random.dirichlet(np.ones(prototypes), numerals)
    return rows_of_table(np.where(random.random(table.shape) < 0.5, table, 0))


class Problem:
    """A corpus, its windows and tables for the native kernel and for the definition."""

    def __init__(self, corpus, dim, prototypes=5, is_frozen=False, numerals=None, **settings):
        random = np.random.default_rng(dim)
        words = len(corpus.vocabulary.words)
        self.corpus, self.dim, self.is_frozen = corpus, dim, is_frozen
        self.settings = Settings(**{"window": 3, "negatives": 4, "sample": 0.05} | settings)
        self.sampling = sampling_of(corpus.vocabulary, len(corpus.ids), self.settings)
        if numerals is not None:
            self.sampling = replace(self.sampling, numerals_per_group=numerals)
        count = len(corpus.vocabulary.numerals)
        self.rows = [random_rows(count, prototypes, random) for _ in range(2)]
        self.before = [random.normal(0, 0.4, (words + prototypes, dim)) for _ in range(2)]
        kinds = ((table[:words], table[words:]) for table in self.before)
        self.tables = tables_of(*zip(*kinds, strict=True))
        self.defined = [
            SideTable(table.copy(), rows, is_frozen)
            for table, rows in zip(self.before, self.rows, strict=True)
        ]

    def trainer(self):
        tables = self.tables.padded_input, self.tables.padded_output
        sides = [native_side(*side) for side in zip(tables, self.rows, strict=True)]
        return native.BlockTrainer(
            corpus=native_corpus(self.corpus),
            sampling=native_sampling(self.sampling),
            input=sides[0],
            output=sides[1],
            is_frozen=self.is_frozen,
            is_cbow=self.settings.objective == "cbow",
            score_offset=self.settings.score_offset,
        )

    def block(self, tokens=None, seed=1):
        first, last = tokens or (0, len(self.corpus.ids))
        return {"first_token": first, "last_token": last, "key": epoch_key(seed, 0)}

    def defined_plan(self, tokens=None, seed=1):
        first, last = tokens or (0, len(self.corpus.ids))
        block = Block(0, 0, first, last, 0.0)
        return plan_windows(self.corpus, block, self.sampling, epoch_key(seed, 0))

    def train_both(self, rate=RATE, tokens=None):
        self.trainer().train(**self.block(tokens), learning_rate=rate, loss_phase=0)
        train_windows(self.defined_plan(tokens), self.defined, self.settings, rate)

    def assert_equal(self, error=1e-4):
        tables = self.tables.padded_input, self.tables.padded_output
        for ours, side in zip(tables, self.defined, strict=True):
            assert ours[:, : self.dim] == pytest.approx(side.rows, rel=1e-3, abs=error)
            assert not ours[:, self.dim :].any()


def assert_same_plan(problem, tokens=None, seed=1):
    arrays = problem.trainer().plan(**problem.block(tokens, seed))
    defined = problem.defined_plan(tokens, seed)
    for name, array in arrays.items():
        assert np.ravel(array).tolist() == np.ravel(getattr(defined, name)).tolist(), name


@pytest.mark.parametrize("seed", range(8))
def test_native_plans_equal_the_definition(seed):
    corpus = random_corpus(seed)
    assert_same_plan(Problem(corpus, 2), seed=seed)
    assert_same_plan(Problem(corpus, 2, window=9, negatives=1, sample=0), seed=seed)
    assert_same_plan(Problem(corpus, 2), (seed, len(corpus.ids) // 2), seed)
    assert_same_plan(Problem(corpus, 2, numerals=seed % 5), seed=seed)


@pytest.mark.parametrize("window", [1, 4])
def test_windows_reach_across_the_ends_of_a_block_within_a_sentence(window):
    """Planned in two blocks, a sentence has the same windows as planned in one."""
    corpus = random_corpus(5, sentences=3)
    problem = Problem(corpus, 2, window=window)
    whole = contexts_by_centre(problem.defined_plan())
    for cut in range(1, len(corpus.ids)):
        assert_same_plan(problem, (0, cut))
        assert_same_plan(problem, (cut, len(corpus.ids)))
        left, right = (problem.defined_plan(block) for block in ((0, cut), (cut, len(corpus.ids))))
        assert contexts_by_centre(left) + contexts_by_centre(right) == whole


def contexts_by_centre(plan):
    return [
        (plan.ids[centre], plan.ids[plan.first_context[centre] : plan.last_context[centre]])
        for centre in range(plan.first_centre, plan.last_centre)
    ]


def test_groups_with_a_numeral_draw_some_negatives_among_numerals():
    corpus = random_corpus(2)
    problem, plain = (Problem(corpus, 2, numerals=count) for count in (3, 0))
    assert_same_plan(problem)
    words, with_numeral = len(corpus.vocabulary.words), 0
    plan, plain_plan = problem.defined_plan(), plain.defined_plan()
    for group, ids in enumerate(plan.negatives):
        centres = plan.ids[group * CENTRES_PER_GROUP : (group + 1) * CENTRES_PER_GROUP]
        if max(centres) >= words:
            with_numeral += 1
            assert min(ids[:3]) >= words
        else:
            assert ids == plain_plan.negatives[group]
    assert 0 < with_numeral < len(plan.negatives)


def test_plans_of_one_trainer_do_not_disturb_each_other():
    problem = Problem(random_corpus(3), 2)
    trainer = problem.trainer()
    expected = trainer.plan(**problem.block(seed=5))
    trainer.plan(**problem.block((3, 40)))
    again = trainer.plan(**problem.block(seed=5))
    assert all(np.array_equal(expected[name], again[name]) for name in expected)


def test_random_plans_cover_all_cases_of_the_kernels():
    """Numerals as centres and negatives; windows cut at sentence ends; centres as negatives."""
    problem = Problem(random_corpus(1), 2)
    plan, words = problem.defined_plan(), len(problem.corpus.vocabulary.words)
    assert max(plan.ids) >= words
    assert max(id for ids in plan.negatives for id in ids) >= words
    assert any(
        id in plan.negatives[centre // CENTRES_PER_GROUP] for centre, id in enumerate(plan.ids)
    )
    widths = np.subtract(plan.last_context, plan.first_context)
    assert widths.max() == 7
    assert widths.min() < 4


@pytest.mark.parametrize("objective", ["skipgram", "cbow"])
@pytest.mark.parametrize("dim", [1, 5, 16, 37, 100])
@pytest.mark.parametrize("negatives", [1, 5, 9])
def test_native_training_equals_the_definition(instruction_set, objective, dim, negatives):
    corpus = random_corpus(dim + negatives)
    problem = Problem(corpus, dim, negatives=negatives, objective=objective)
    problem.train_both()
    problem.assert_equal()


@pytest.mark.parametrize("objective", ["skipgram", "cbow"])
def test_scores_need_not_start_from_the_odds(instruction_set, objective):
    problem = Problem(random_corpus(7), 20, objective=objective, start_from_odds=False)
    problem.train_both()
    problem.assert_equal()


@pytest.mark.parametrize("objective", ["skipgram", "cbow"])
def test_a_block_may_begin_and_end_within_a_sentence(instruction_set, objective):
    corpus = random_corpus(4, sentences=4)
    for cut in (3, 20, len(corpus.ids) - 5):
        problem = Problem(corpus, 7, window=6, objective=objective)
        problem.train_both(tokens=(cut, len(corpus.ids) - 2))
        problem.assert_equal()


@pytest.mark.filterwarnings("ignore:the corpus holds no numerals")
@pytest.mark.parametrize("numerals", [0, 1, 40])
def test_groups_of_few_and_many_numerals(instruction_set, numerals):
    """No numerals; one that recurs; and more weights than prototypes."""
    corpus = random_corpus(2, numerals=numerals, sentences=60)
    problem = Problem(corpus, 20, prototypes=3)
    problem.train_both()
    problem.assert_equal()


def scaled(rows, factor, size):
    weights = np.float32(factor) * rows.weights
    return SparseRows(rows.offsets, rows.indices + np.int32(size - rows.size), weights, size)


@pytest.mark.parametrize("objective", ["skipgram", "cbow"])
@pytest.mark.parametrize("prototypes", [2, 200])
def test_groups_whose_numerals_load_their_prototypes_too_much(
    instruction_set, objective, prototypes
):
    """Two prototypes, alone or among many: with fewer weights, changes are not summed first."""
    corpus = random_corpus(2, words=1, numerals=60, sentences=60)
    problem = Problem(corpus, 20, prototypes=prototypes, window=6, sample=0, objective=objective)
    random, count = np.random.default_rng(1), len(corpus.vocabulary.numerals)
    problem.rows = [scaled(random_rows(count, 2, random), -3, prototypes) for _ in range(2)]
    problem.defined = [
        replace(side, numerals=rows)
        for side, rows in zip(problem.defined, problem.rows, strict=True)
    ]
    assert load_fractions(problem.rows[0][np.arange(12)]).min() < 0.5
    problem.train_both(rate=0.02, tokens=(0, 100))
    problem.assert_equal()


def test_the_largest_eigenvalue_of_a_group_is_limited():
    random = np.random.default_rng(1)
    for size in (3, 6, 14, 24):
        rows = random_rows(size, 5, random)
        fractions = load_fractions(rows)
        assert (fractions <= 1).all()
        weights = np.sqrt(fractions)[:, None] * rows.dense()
        assert np.linalg.eigvalsh(weights @ weights.T).max() <= LARGEST_LOAD
    assert (load_fractions(random_rows(4, 5, random)) == 1).all()


@pytest.mark.parametrize("objective", ["skipgram", "cbow"])
def test_rows_that_occur_twice_in_a_window(instruction_set, objective):
    """With only three words, contexts and negatives repeat all the time."""
    corpus = random_corpus(6, words=3, numerals=2)
    problem = Problem(corpus, 10, window=5, sample=0, objective=objective)
    problem.train_both(rate=0.02)
    problem.assert_equal(2e-4)


def test_frozen_prototypes_stay_while_words_learn_from_them(instruction_set):
    problem = Problem(random_corpus(3), 9, is_frozen=True)
    problem.train_both()
    problem.assert_equal()
    words = len(problem.corpus.vocabulary.words)
    for ours, before in zip(
        (problem.tables.padded_input, problem.tables.padded_output), problem.before, strict=True
    ):
        assert np.array_equal(ours[words:, :9], before[words:].astype(np.float32))
        assert (ours[:words, :9] != before[:words].astype(np.float32)).any()


@pytest.mark.parametrize("start_from_odds", [True, False])
def test_the_loss_is_the_sum_over_counted_pairs(start_from_odds):
    problem = Problem(random_corpus(8), 8, start_from_odds=start_from_odds)
    problem.tables.padded_input[:] = problem.tables.padded_output[:] = 0
    total, pairs = problem.trainer().train(**problem.block(), learning_rate=RATE, loss_phase=0)
    expected = untrained_loss(problem.settings)
    untrained_negative = np.log1p(1 / 4) if start_from_odds else np.log(2)
    assert pairs > 0
    assert (
        expected - untrained_negative < total / pairs <= expected + 1e-6
    )  # one negative less, at most


@pytest.mark.parametrize("shift", [999, -999])
def test_ids_beyond_the_vocabulary_are_refused(shift):
    problem = Problem(random_corpus(1), 4)
    problem.corpus = replace(problem.corpus, ids=problem.corpus.ids + np.int32(shift))
    with pytest.raises(ValueError, match="beyond the vocabulary"):
        problem.trainer().train(**problem.block(), learning_rate=0.1, loss_phase=0)


@pytest.mark.parametrize("tokens", [(0, 10**9), (-1, 5), (5, 4)])
def test_tokens_beyond_the_corpus_are_refused(tokens):
    problem = Problem(random_corpus(1), 4)
    with pytest.raises(ValueError, match="tokens beyond the corpus"):
        problem.trainer().plan(**problem.block(tokens))


@pytest.mark.parametrize("offsets", [[], [0, 9, 5], [0, 10**9], [-1, 5]])
def test_sentences_beyond_the_corpus_are_refused(offsets):
    ids = random_corpus(1).ids
    with pytest.raises(ValueError, match="sentences beyond the corpus"):
        native.Corpus(ids=ids, sentence_offsets=np.array(offsets, np.int64))


@pytest.mark.parametrize(
    ("damaged", "message"),
    [
        (lambda rows: rows[np.arange(2)], "do not fit"),
        (lambda rows: replace(rows, indices=rows.indices + 1), "beyond the table"),
    ],
)
def test_rows_of_weights_that_do_not_fit_are_refused(damaged, message):
    problem = Problem(random_corpus(1), 4)
    problem.rows[1] = damaged(problem.rows[1])
    with pytest.raises(ValueError, match=message):
        problem.trainer()


def test_tables_that_do_not_fit_are_refused():
    problem = Problem(random_corpus(1), 4)
    rows, width = problem.tables.padded_input.shape
    misaligned = zero_rows(rows + 1, width).ravel()[1 : 1 + rows * width].reshape(rows, width)
    for table, message in (
        (problem.tables.padded_input[:-1], "different shape"),
        (misaligned, "not aligned"),
    ):
        problem.tables = replace(problem.tables, padded_input=table)
        with pytest.raises(ValueError, match=message):
            problem.trainer()
