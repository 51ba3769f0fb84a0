"""The native kernel of GloVe must equal its definition; its steps follow the gradient of torch."""

import numpy as np
import pytest

from numberline.cooccurrence.counting import counted
from numberline.cooccurrence.definition import units_by_distance
from numberline.kernels import require_native
from numberline.objectives import Glove
from numberline.training.glove_reference import GloveSide, starting_biases, train_rows, weights_of
from numberline.training.tables import zero_rows
from tests.training.small_corpora import random_corpus

native = require_native()
SETTINGS = Glove(x_max=3, learning_rate=0.1)
PARAMETERS = ("rows", "biases")


@pytest.fixture(params=native.instruction_sets())
def instruction_set(request):
    before = native.instruction_set()
    native.use_instruction_set(request.param)
    yield request.param
    native.use_instruction_set(before)


class Problem:
    """Counts, and the same parameters for the native kernel and for the definition."""

    def __init__(self, seed, dim=10, settings=SETTINGS):
        random = np.random.default_rng(seed)
        self.settings, self.dim = settings, dim
        self.pairs = counted(random_corpus(seed), units_by_distance("inverse", 5), 1)
        ids = len(self.pairs)
        biases = starting_biases(self.pairs, settings, 1)
        self.sides = tuple(
            GloveSide(
                random.normal(0, 0.4, (ids, dim)),
                1 + random.random(ids),
                biases + random.normal(0, 0.1, ids),
                1 + random.random(ids),
            )
            for _ in range(2)
        )
        self.arrays = [self.in_single(side) for side in self.sides]

    def in_single(self, side):
        arrays = {name: array.astype(np.float32) for name, array in vars(side).items()}
        rows = zero_rows(len(self.pairs), self.dim)
        rows[:, : self.dim] = side.rows
        return arrays | {"rows": rows}

    def trainer(self):
        sides = [native.GloveSide(**arrays) for arrays in self.arrays]
        return native.GloveTrainer(
            offsets=self.pairs.offsets,
            cells=self.pairs.cells.view(np.int32),
            input=sides[0],
            output=sides[1],
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
        for arrays, side in zip(self.arrays, self.sides, strict=True):
            assert not arrays["rows"][:, self.dim :].any()
            for name, array in vars(side).items():
                single = arrays[name][:, : self.dim] if name == "rows" else arrays[name]
                assert single == pytest.approx(array, rel=1e-3, abs=1e-4), name


@pytest.mark.parametrize("dim", [1, 10, 16, 37])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.usefixtures("instruction_set")
def test_native_training_equals_the_definition(dim, seed):
    Problem(seed, dim).assert_trained_alike()


def test_some_rows_alone():
    Problem(5).assert_trained_alike(7, 31)


def test_a_row_moves_against_the_gradient_of_torch():
    """Where sums of squares hardly grow, a small step is -rate/2 times the gradient of the loss."""
    torch = pytest.importorskip("torch")
    squares, rate = 1e6, 1e-5
    settings = Glove(x_max=3, learning_rate=rate * np.sqrt(squares))
    for seed in range(4):
        problem = Problem(seed, settings=settings)
        for side in problem.sides:
            side.row_squares[:] = side.bias_squares[:] = squares
        row = len(problem.pairs) - 1 - seed
        parameters = [
            torch.tensor(getattr(side, name), requires_grad=True)
            for side in problem.sides
            for name in PARAMETERS
        ]
        torch_loss(torch, problem, row, *parameters).backward()
        train_rows(problem.pairs, problem.sides, settings, range(row, row + 1))
        after = [getattr(side, name) for side in problem.sides for name in PARAMETERS]
        for new, parameter in zip(after, parameters, strict=True):
            gradient, before = parameter.grad.numpy(), parameter.detach().numpy()
            assert (new - before) / rate == pytest.approx(-gradient / 2, rel=0.02, abs=2e-3)
            assert np.abs(gradient).max() > 0.01


def torch_loss(torch, problem, row, x, x_biases, o, o_biases):
    """Return the loss of the pairs of a row with smaller ids, in both directions."""
    cells = problem.pairs.cells[problem.pairs.offsets[row] : problem.pairs.offsets[row + 1]]
    cells = cells[cells["column"] < row]
    weights = torch.tensor(weights_of(cells["count"], problem.settings))
    columns = torch.tensor(cells["column"].astype(np.int64))
    targets = torch.log(torch.tensor(cells["count"].copy()))
    forwards = o[columns] @ x[row] + x_biases[row] + o_biases[columns] - targets
    backwards = x[columns] @ o[row] + x_biases[columns] + o_biases[row] - targets
    return (weights * (forwards**2 + backwards**2)).sum()


def test_rare_pairs_matter_less():
    weights = weights_of(np.array([100, 1e6, 1]), Glove(x_max=100, power=0.75))
    assert weights == pytest.approx([1, 1, 100**-0.75])
