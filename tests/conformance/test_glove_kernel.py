"""The native kernel of GloVe must equal its definition; its steps follow the gradient of torch."""

import numpy as np
import pytest

from numberline.cooccurrence.counting import counted
from numberline.cooccurrence.definition import units_by_distance
from numberline.kernels import require_native
from numberline.objectives import Glove
from numberline.training import glove_reference
from numberline.training.cpu import native_side
from numberline.training.glove_reference import GloveSide, starting_biases, train_rows, weight_of
from numberline.training.tables import tables_of
from tests.conformance.test_training_kernel import random_rows
from tests.training.small_corpora import random_corpus

native = require_native()
SETTINGS = Glove(x_max=3, learning_rate=0.1)


@pytest.fixture(params=native.instruction_sets())
def instruction_set(request):
    before = native.instruction_set()
    native.use_instruction_set(request.param)
    yield request.param
    native.use_instruction_set(before)


class Problem:
    """Counts, and the same parameters for the native kernel and for the definition."""

    def __init__(self, seed, dim=10, prototypes=5, is_frozen=False, settings=SETTINGS, **corpus):
        random, corpus = np.random.default_rng(seed), random_corpus(seed, **corpus)
        self.settings, self.dim, self.is_frozen = settings, dim, is_frozen
        self.words = len(corpus.vocabulary.words)
        numerals = len(corpus.vocabulary.numeral_values)
        self.pairs = counted(corpus, units_by_distance("inverse", 5), 1)
        rows = self.words + prototypes
        self.numerals = [random_rows(numerals, prototypes, random) for _ in range(2)]
        before = [random.normal(0, 0.4, (rows, dim)) for _ in range(2)]
        kinds = ((table[: self.words], table[self.words :]) for table in before)
        self.tables = tables_of(*zip(*kinds, strict=True))
        self.sides = tuple(
            GloveSide(
                table,
                1 + random.random(rows),
                starting_biases(self.pairs, settings, 1) + random.normal(0, 0.1, len(self.pairs)),
                1 + random.random(len(self.pairs)),
                weights,
                is_frozen,
            )
            for table, weights in zip(before, self.numerals, strict=True)
        )
        self.states = [
            {
                name: getattr(side, name).astype(np.float32)
                for name in ("row_squares", "biases", "bias_squares")
            }
            for side in self.sides
        ]

    def trainer(self):
        tables = self.tables.padded_input, self.tables.padded_output
        sides = [native_side(*side) for side in zip(tables, self.numerals, strict=True)]
        states = [native.GloveSide(**state) for state in self.states]
        return native.GloveTrainer(
            offsets=self.pairs.offsets,
            cells=self.pairs.cells.view(np.int32),
            input=sides[0],
            output=sides[1],
            input_state=states[0],
            output_state=states[1],
            words=self.words,
            is_frozen=self.is_frozen,
            dim=self.dim,
            learning_rate=self.settings.learning_rate,
            x_max=self.settings.x_max,
            power=self.settings.power,
        )

    def assert_trained_alike(self, first=0, last=None):
        last = len(self.pairs) if last is None else last
        loss = self.trainer().train(first_row=first, last_row=last)
        defined = train_rows(self.pairs, self.sides, self.settings, range(first, last))
        assert loss == pytest.approx(defined, rel=1e-3)
        tables = self.tables.padded_input, self.tables.padded_output
        for table, state, side in zip(tables, self.states, self.sides, strict=True):
            assert table[:, : self.dim] == pytest.approx(side.rows, rel=1e-3, abs=1e-4)
            assert not table[:, self.dim :].any()
            for name, array in state.items():
                assert array == pytest.approx(getattr(side, name), rel=1e-3, abs=1e-4), name


@pytest.mark.parametrize("dim", [1, 10, 16, 37])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.usefixtures("instruction_set")
def test_native_training_equals_the_definition(dim, seed):
    Problem(seed, dim).assert_trained_alike()


@pytest.mark.parametrize("is_frozen", [True, False])
@pytest.mark.usefixtures("instruction_set")
def test_numerals_beside_numerals_are_trained_alike(is_frozen):
    problem = Problem(2, words=3, numerals=40, prototypes=2, is_frozen=is_frozen)
    before = problem.tables.prototype_input.copy()
    problem.assert_trained_alike()
    assert np.array_equal(problem.tables.prototype_input, before) == is_frozen


@pytest.mark.usefixtures("instruction_set")
def test_a_long_row_is_composed_anew(monkeypatch):
    """The row of a numeral that meets more words than a visit has cells."""
    problem = Problem(4, words=600, numerals=1, sentences=400, dim=4)
    row = len(problem.pairs) - 1
    assert problem.pairs.offsets[-1] - problem.pairs.offsets[-2] > glove_reference.CELLS_PER_VISIT
    problem.assert_trained_alike(row, row + 1)


def test_some_rows_alone():
    Problem(5).assert_trained_alike(7, 31)


def test_one_pair_moves_against_the_gradient_of_torch():
    """Where sums of squares hardly grow, a small step is -rate/2 times the gradient of the loss."""
    torch = pytest.importorskip("torch")
    squares, rate = 1e6, 1e-5
    settings = Glove(x_max=3, learning_rate=rate * np.sqrt(squares))
    for seed in range(4):
        problem = Problem(seed, settings=settings)
        for side in problem.sides:
            side.row_squares[:] = side.bias_squares[:] = squares
        row = len(problem.pairs) - 1 - seed  # a numeral
        parameters = [
            torch.tensor(getattr(side, name), requires_grad=True)
            for side in problem.sides
            for name in ("rows", "biases")
        ]
        torch_loss(torch, problem, row, *parameters).backward()
        before = [parameter.detach().numpy().copy() for parameter in parameters]
        train_rows(problem.pairs, problem.sides, settings, range(row, row + 1))
        after = [getattr(side, name) for side in problem.sides for name in ("rows", "biases")]
        for old, new, parameter in zip(before, after, parameters, strict=True):
            gradient = parameter.grad.numpy()
            assert (new - old) / rate == pytest.approx(-gradient / 2, rel=0.02, abs=2e-3)
            assert np.abs(gradient).max() > 0.01


def torch_loss(torch, problem, row, inputs, input_biases, outputs, output_biases):
    """Return the loss of the pairs of a row with smaller ids, in both directions."""

    def composed(table, rows):
        dense = torch.tensor(rows.dense(), dtype=torch.float64)
        return torch.cat([table[: problem.words], dense @ table[problem.words :]])

    x, o = (
        composed(table, rows)
        for table, rows in zip((inputs, outputs), problem.numerals, strict=True)
    )
    cells = problem.pairs.cells[problem.pairs.offsets[row] : problem.pairs.offsets[row + 1]]
    total = 0
    for column, count in cells[cells["column"] < row].tolist():
        for centre, context in ((row, column), (column, row)):
            biases = input_biases[centre] + output_biases[context]
            error = x[centre] @ o[context] + biases - np.log(count)
            total = total + weight_of(count, problem.settings) * error**2
    return total


def test_rare_pairs_matter_less():
    settings = Glove(x_max=100, power=0.75)
    assert weight_of(100, settings) == weight_of(1e6, settings) == 1
    assert weight_of(1, settings) == pytest.approx(100**-0.75)
