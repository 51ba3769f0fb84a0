"""A step of the D-LSTM: words change as defined, networks along the gradient of the loss."""

import numpy as np
import pytest

import numberline as nl
from numberline.numerals.rows import SparseRows
from numberline.settings import Settings
from numberline.training import Block, BlockPlanner
from numberline.training.plan import plan_windows
from numberline.training.random import epoch_key
from numberline.training.reference import SideTable, train_windows
from numberline.training.sampling import sampling_of
from numberline_paper.lstm.batches import batches
from numberline_paper.lstm.digits import digits_of
from tests.paper.networks import networks
from tests.training.small_corpora import random_corpus

torch = pytest.importorskip("torch")

from numberline_paper.lstm.step import TrainedSide, train_batch  # noqa: E402
from numberline_paper.lstm.vectors import read  # noqa: E402

RATE, OFFSET, DIM, NEGATIVES = 0.05, np.log(4), 5, 4
OBJECTIVES = ["skipgram", "cbow"]


class Problem:
    """A corpus, some of its windows, and tables of both sides."""

    def __init__(self, objective, tokens, corpus=None, seed=1):
        self.objective = objective
        self.corpus = random_corpus(seed) if corpus is None else corpus
        self.settings = Settings(
            window=3, negatives=NEGATIVES, sample=0, objective=objective, seed=seed
        )
        sampling = sampling_of(self.corpus.vocabulary, len(self.corpus.ids), self.settings)
        block = Block(0, 0, *tokens, done=0.0)
        self.plan = plan_windows(self.corpus, block, sampling, epoch_key(seed, 0))
        self.planned = BlockPlanner(self.corpus, self.settings).plan(block)
        random = np.random.default_rng(seed)
        self.count = len(self.corpus.vocabulary.words)
        self.words = [random.normal(0, 0.4, (self.count, DIM)) for _ in range(2)]
        self.digits = digits_of(self.corpus.vocabulary.numerals.values)

    def train(self, vectors, groups=1000):
        """Return tables of words after a pass, and its loss."""
        tables = [torch.tensor(words) for words in self.words]
        sides = [
            TrainedSide(words, network)
            for words, network in zip(tables, (vectors.input, vectors.output), strict=True)
        ]
        losses = [
            train_batch(batch, tuple(sides), self.digits, RATE, OFFSET)
            for batch in batches(self.planned, self.objective, groups)
        ]
        return [table.numpy() for table in tables], float(sum(losses))

    def defined_loss(self, inputs, outputs):
        """Compute the loss literally, in loops over centres, contexts and negatives."""
        plan, loss = self.plan, 0.0
        for number, at in enumerate(range(plan.first_centre, plan.last_centre)):
            contexts = [
                inputs[plan.ids[other]]
                for other in range(plan.first_context[at], plan.last_context[at])
                if other != at
            ]
            if self.objective == "cbow":
                contexts = [sum(contexts) / len(contexts)]
            others = [id for id in plan.negatives[number // 4] if id != plan.ids[at]]
            for x in contexts:
                loss = loss + softplus(OFFSET - x @ outputs[plan.ids[at]])
                loss = loss + sum(softplus(x @ outputs[id] - OFFSET) for id in others)
        return loss


def softplus(score):
    return torch.nn.functional.softplus(score)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("seed", range(4))
def test_all_parameters_change_against_the_gradient_of_the_loss(objective, seed):
    problem = Problem(objective, (2, 60), seed=seed)
    vectors, before = networks(DIM), networks(DIM)
    words, loss = problem.train(vectors)
    tables = [torch.tensor(table, requires_grad=True) for table in problem.words]
    nets = before.input, before.output
    rows = [
        torch.cat([table, read(net, problem.digits)])
        for table, net in zip(tables, nets, strict=True)
    ]
    defined = problem.defined_loss(*rows)
    assert loss == pytest.approx(defined.item(), rel=1e-9)
    defined.backward()
    for ours, table in zip(words, tables, strict=True):
        assert ours == pytest.approx((table - RATE * table.grad).detach().numpy(), abs=1e-10)
    for network, net in zip((vectors.input, vectors.output), nets, strict=True):
        for ours, parameter in zip(network.parameters(), net.parameters(), strict=True):
            assert torch.allclose(ours, parameter - RATE * parameter.grad, atol=1e-10)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("centres", [1, 2])
def test_one_step_equals_the_definition(objective, centres):
    """No word is twice in a window, since the definition would change it between its uses."""
    problem = Problem(objective, (20, 20 + centres), words_once_a_sentence())
    drawn = [*problem.plan.ids, *problem.plan.negatives[0]]
    assert len(problem.plan.ids) > 3
    assert max(drawn) < problem.count
    words, _ = problem.train(networks(DIM))
    nothing = SparseRows(np.array([0, 0]), np.zeros(0, np.int32), np.zeros(0, np.float32), 0)
    sides = [SideTable(table.copy(), nothing) for table in problem.words]
    train_windows(problem.plan, sides, problem.settings, RATE)
    for ours, side in zip(words, sides, strict=True):
        assert ours == pytest.approx(side.rows, abs=1e-12)


def words_once_a_sentence():
    random = np.random.default_rng(3)
    lines = [" ".join(random.permutation(list("abcdefghijklm"))) for _ in range(30)]
    return nl.encode([*lines, "a 7"], min_count=1)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_smaller_batches_give_nearly_the_same_result(objective):
    """Windows trained on outdated rows lose little, and none is left out or trained twice."""
    problem = Problem(objective, (0, 200))
    (inputs, outputs), loss = problem.train(networks(DIM))
    (other_inputs, other_outputs), other_loss = problem.train(networks(DIM), groups=3)
    for moved, other, before in zip(
        (inputs, outputs), (other_inputs, other_outputs), problem.words, strict=True
    ):
        assert np.linalg.norm(moved - other) < 0.35 * np.linalg.norm(moved - before)
    assert other_loss == pytest.approx(loss, rel=0.2)
