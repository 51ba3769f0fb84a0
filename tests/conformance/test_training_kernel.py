"""The native plan and kernel must equal their definitions, on every instruction set there is."""

import numpy as np
import pytest

from numberline.kernels import require_native
from numberline.numerals.rows import SparseRows, rows_of_table
from numberline.settings import Settings
from numberline.training.cpu import native_sampling, row_arrays
from numberline.training.divergence import untrained_loss
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
from numberline.training.tables import tables_of
from tests.training.small_corpora import random_corpus

native = require_native()
RATE, LOG_NEGATIVES = 0.05, np.log(4)
SHORT_RUNS = RunLimits(draws=3, numerals=4)


@pytest.fixture(params=native.instruction_sets())
def instruction_set(request):
    before = native.instruction_set()
    native.use_instruction_set(request.param)
    yield request.param
    native.use_instruction_set(before)


def sampling(corpus, window=3, negatives=4, sample=0.05, numeral_negatives=0):
    config = Settings(
        window=window, negatives=negatives, sample=sample, numeral_negatives=numeral_negatives
    )
    return sampling_of(corpus.vocabulary, len(corpus.ids), config)


def random_rows(numerals, prototypes, random):
    """Rows of 0 to `prototypes` weights, some of which are shared by several numerals."""
    table = random.dirichlet(np.ones(prototypes), numerals)
    return rows_of_table(np.where(random.random(table.shape) < 0.5, table, 0))


class Problem:
    """A corpus, its windows and tables for the native kernel and for the definition."""

    def __init__(self, corpus, dim, prototypes=5, limits=SHORT_RUNS, is_frozen=False, **settings):
        random = np.random.default_rng(dim)
        words, numerals = len(corpus.vocabulary.words), len(corpus.vocabulary.numeral_values)
        self.corpus, self.dim, self.limits = corpus, dim, limits
        self.sampling = sampling(corpus, **settings)
        self.rows = [random_rows(numerals, prototypes, random) for _ in range(2)]
        sides = [random.normal(0, 0.4, (words + prototypes, dim)) for _ in range(2)]
        word_sides, prototype_sides = zip(*((t[:words], t[words:]) for t in sides), strict=True)
        self.ours = tables_of(word_sides, prototype_sides)
        self.defined = ReferenceTables(
            words,
            *(Side(t.copy(), rows) for t, rows in zip(sides, self.rows, strict=True)),
            is_frozen,
        )
        self.before = sides

    def trainer(self):
        return native.RangeTrainer(
            sampling=native_sampling(self.sampling),
            input=self.ours.padded_input,
            output=self.ours.padded_output,
            input_rows=row_arrays(self.rows[0]),
            output_rows=row_arrays(self.rows[1]),
            is_frozen=self.defined.is_frozen,
            run_draws=self.limits.draws,
            run_numerals=self.limits.numerals,
        )

    def range(self, tokens=None, seed=1):
        first, last = tokens or (0, len(self.corpus.ids))
        return {
            "ids": self.corpus.ids,
            "sentence_offsets": self.corpus.sentence_offsets,
            "first_token": first,
            "last_token": last,
            "key": epoch_key(seed, 0),
        }

    def defined_plan(self, tokens=None, seed=1):
        at = self.range(tokens, seed)
        return plan_windows(*list(at.values())[:4], self.sampling, at["key"])

    def train_both(self, objective, rate=RATE, tokens=None):
        settings = {"learning_rate": rate, "score_offset": LOG_NEGATIVES}
        cbow = objective == "cbow"
        self.trainer().train(**self.range(tokens), **settings, cbow=cbow, loss_phase=0)
        defined = WindowSettings(objective, rate, LOG_NEGATIVES, self.limits)
        train_windows(self.defined_plan(tokens), self.defined, defined)

    def assert_equal(self, error=1e-4):
        pairs = (
            (self.ours.padded_input, self.defined.input.table),
            (self.ours.padded_output, self.defined.output.table),
        )
        for ours, defined in pairs:
            assert ours[:, : self.dim] == pytest.approx(defined, rel=1e-3, abs=error)
            assert not ours[:, self.dim :].any()


def assert_same_plan(problem, tokens=None, seed=1):
    arrays = problem.trainer().plan(**problem.range(tokens, seed))
    defined = problem.defined_plan(tokens, seed)
    for name, array in arrays.items():
        assert np.ravel(array).tolist() == np.ravel(getattr(defined, name)).tolist(), name


@pytest.mark.parametrize("seed", range(8))
def test_plans(seed):
    corpus = random_corpus(seed)
    assert_same_plan(Problem(corpus, 2), seed=seed)
    assert_same_plan(Problem(corpus, 2, window=9, negatives=1, sample=0), seed=seed)
    assert_same_plan(Problem(corpus, 2), (seed, len(corpus.ids) // 2), seed)
    assert_same_plan(Problem(corpus, 2, numeral_negatives=1 + seed % 4), seed=seed)


@pytest.mark.parametrize("window", [1, 4])
def test_windows_reach_across_the_ends_of_a_range_within_a_sentence(window):
    """Planned in pieces, a sentence has the same windows as planned at once."""
    corpus = random_corpus(5, sentences=3)
    problem = Problem(corpus, 2, window=window)
    whole = contexts_by_centre(problem.defined_plan())
    for cut in range(1, len(corpus.ids)):
        assert_same_plan(problem, (0, cut))
        assert_same_plan(problem, (cut, len(corpus.ids)))
        left, right = (problem.defined_plan(part) for part in ((0, cut), (cut, len(corpus.ids))))
        assert contexts_by_centre(left) + contexts_by_centre(right) == whole


def contexts_by_centre(plan):
    return [
        (plan.ids[centre], plan.ids[plan.first_context[centre] : plan.last_context[centre]])
        for centre in range(plan.first_centre, plan.last_centre)
    ]


def test_numerals_among_the_negatives_of_numerals():
    corpus = random_corpus(2)
    problem, plain = (Problem(corpus, 2, numeral_negatives=k) for k in (3, 0))
    assert_same_plan(problem)
    words, with_numeral = len(corpus.vocabulary.words), 0
    plan = problem.defined_plan()
    for draw, ids in enumerate(plan.negatives):
        centres = plan.ids[draw * CENTRES_PER_DRAW : (draw + 1) * CENTRES_PER_DRAW]
        if max(centres) >= words:
            with_numeral += 1
            assert min(ids[:3]) >= words
        else:
            assert ids == plain.defined_plan().negatives[draw]
    assert 0 < with_numeral < len(plan.negatives)


def test_plans_of_one_trainer_do_not_disturb_each_other():
    problem = Problem(random_corpus(3), 2)
    trainer = problem.trainer()
    expected = trainer.plan(**problem.range(seed=5))
    trainer.plan(**problem.range((3, 40)))
    again = trainer.plan(**problem.range(seed=5))
    assert all(np.array_equal(expected[name], again[name]) for name in expected)


def test_a_plan_holds_what_it_should():
    """Numerals as centre and negative; windows cut at sentence ends; centres as negatives."""
    problem = Problem(random_corpus(1), 2)
    plan, words = problem.defined_plan(), len(problem.corpus.vocabulary.words)
    assert max(plan.ids) >= words
    assert max(id for ids in plan.negatives for id in ids) >= words
    assert any(
        id in plan.negatives[centre // CENTRES_PER_DRAW] for centre, id in enumerate(plan.ids)
    )
    widths = np.subtract(plan.last_context, plan.first_context)
    assert widths.max() == 7
    assert widths.min() < 4


def test_runs_end_at_their_limits():
    problem = Problem(random_corpus(4), 2)
    plan, words = problem.defined_plan(), len(problem.corpus.vocabulary.words)
    runs = list(runs_of(plan, words, SHORT_RUNS))
    assert [centre for run in runs for centre in run] == list(range(len(plan.ids)))
    for run in runs[:-1]:
        numerals = [plan.ids[centre] >= words for centre in run]
        assert len(run) % CENTRES_PER_DRAW == 0
        assert len(run) == 12 or sum(numerals) >= 4
        assert sum(numerals[:-CENTRES_PER_DRAW]) < 4
    assert {len(run) for run in runs} >= {8, 12}


@pytest.mark.parametrize("objective", ["skipgram", "cbow"])
@pytest.mark.parametrize("dim", [1, 5, 16, 37, 100])
@pytest.mark.parametrize("negatives", [1, 5, 9])
def test_kernel(instruction_set, objective, dim, negatives):
    problem = Problem(random_corpus(dim + negatives), dim, negatives=negatives)
    problem.train_both(objective)
    problem.assert_equal()


@pytest.mark.parametrize("objective", ["skipgram", "cbow"])
def test_part_of_a_sentence(instruction_set, objective):
    corpus = random_corpus(4, sentences=4)
    for cut in (3, 20, len(corpus.ids) - 5):
        problem = Problem(corpus, 7, window=6)
        problem.train_both(objective, tokens=(cut, len(corpus.ids) - 2))
        problem.assert_equal()


@pytest.mark.parametrize("limits", [(1, 1), (2, 100), (100, 100)])
def test_runs_of_any_length(instruction_set, limits):
    problem = Problem(random_corpus(2), 20, limits=RunLimits(*limits), numeral_negatives=2)
    problem.train_both("skipgram")
    problem.assert_equal()


@pytest.mark.parametrize("objective", ["skipgram", "cbow"])
def test_rows_met_twice_in_a_window(instruction_set, objective):
    """Three words only: contexts and negatives repeat all the time."""
    problem = Problem(random_corpus(6, words=3, numerals=2), 10, window=5, sample=0)
    problem.train_both(objective, rate=0.02)
    problem.assert_equal(2e-4)


def test_frozen_prototypes_stay_while_words_learn_from_them(instruction_set):
    problem = Problem(random_corpus(3), 9, is_frozen=True)
    problem.train_both("skipgram")
    problem.assert_equal()
    words = len(problem.corpus.vocabulary.words)
    for ours, before in zip(
        (problem.ours.padded_input, problem.ours.padded_output), problem.before, strict=True
    ):
        assert np.array_equal(ours[words:, :9], before[words:].astype(np.float32))
        assert (ours[:words, :9] != before[:words].astype(np.float32)).any()


def test_loss_is_the_mean_over_pairs():
    problem = Problem(random_corpus(8), 8)
    problem.ours.padded_input[:] = problem.ours.padded_output[:] = 0
    total, pairs = problem.trainer().train(
        **problem.range(), learning_rate=RATE, score_offset=LOG_NEGATIVES, cbow=False, loss_phase=0
    )
    expected = untrained_loss(Settings(negatives=4))
    assert pairs > 0
    assert expected - np.log1p(1 / 4) < total / pairs <= expected + 1e-6  # a negative less


def test_what_would_reach_beyond_an_array_is_refused():
    problem = Problem(random_corpus(1), 4)
    trainer, settings = problem.trainer(), {"learning_rate": 0.1, "score_offset": 0.0}
    settings |= {"cbow": False, "loss_phase": 0}
    at = problem.range()
    with pytest.raises(ValueError, match="beyond the vocabulary"):
        trainer.train(**at | {"ids": at["ids"] + 999}, **settings)
    with pytest.raises(ValueError, match="beyond the vocabulary"):
        trainer.train(**at | {"ids": at["ids"] - 999}, **settings)
    with pytest.raises(ValueError, match="tokens beyond the corpus"):
        trainer.train(**at | {"last_token": 10**9}, **settings)
    with pytest.raises(ValueError, match="sentences beyond the corpus"):
        trainer.train(**at | {"sentence_offsets": at["sentence_offsets"][::-1].copy()}, **settings)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda p: p.rows.__setitem__(0, p.rows[0][np.arange(2)]), "do not fit"),
        (lambda p: p.rows.__setitem__(1, shifted(p.rows[1])), "beyond the table"),
    ],
)
def test_rows_of_weights_that_do_not_fit_are_refused(damage, message):
    problem = Problem(random_corpus(1), 4)
    damage(problem)
    with pytest.raises(ValueError, match=message):
        problem.trainer()


def shifted(rows):
    return SparseRows(rows.offsets, rows.indices + 1, rows.weights, rows.size)
