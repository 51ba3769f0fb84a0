"""The CRF: compared with all label sequences one by one, with another implementation, and laws."""

from itertools import pairwise, product

import pytest

torch = pytest.importorskip("torch")

from numberline.tagging.crf import LinearChainCrf  # noqa: E402


def random_crf(labels, seed, size=3.0):
    torch.manual_seed(seed)
    crf = LinearChainCrf(labels).double()
    for parameter in crf.parameters():
        torch.nn.init.normal_(parameter, std=size)
    return crf


def mask_of(lengths):
    return torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]


@torch.no_grad()
def score_of(crf, scores, path):
    total = crf.first[path[0]] + crf.last[path[-1]]
    total = total + sum(scores[token, label] for token, label in enumerate(path))
    return float(total + sum(crf.transitions[a, b] for a, b in pairwise(path)))


def all_paths(crf, scores, length):
    """Return every sequence of labels with its score."""
    labels = range(len(crf.first))
    return {path: score_of(crf, scores, path) for path in product(labels, repeat=length)}


@pytest.mark.parametrize("seed", range(5))
def test_equals_the_sum_and_the_best_of_all_sequences(seed):
    crf, lengths = random_crf(3, seed), [4, 1, 3, 2]
    scores, mask = 3 * torch.randn(4, 4, 3, dtype=torch.double), mask_of(lengths)
    labels = torch.randint(3, (4, 4))
    likelihood = crf.log_likelihood(scores, labels, mask)
    best = crf.best(scores, mask)
    for row, length in enumerate(lengths):
        paths = all_paths(crf, scores[row], length)
        log_sum = torch.logsumexp(torch.tensor(list(paths.values())).double(), 0)
        score = paths[tuple(labels[row, :length].tolist())]
        assert likelihood[row].item() == pytest.approx(score - float(log_sum))
        assert tuple(best[row]) == max(paths, key=paths.get)


@pytest.mark.parametrize("seed", range(3))
def test_equals_another_implementation(seed):
    torchcrf = pytest.importorskip("torchcrf")
    crf, other = random_crf(7, seed), torchcrf.CRF(7, batch_first=True).double()
    other.start_transitions.data = crf.first.data.clone()
    other.end_transitions.data = crf.last.data.clone()
    other.transitions.data = crf.transitions.data.clone()
    scores = torch.randn(6, 9, 7, dtype=torch.double, requires_grad=True)
    mask, labels = mask_of([9, 1, 5, 7, 2, 9]), torch.randint(7, (6, 9))
    ours = crf.log_likelihood(scores, labels, mask)
    theirs = other(scores, labels, mask, reduction="none")
    torch.testing.assert_close(ours, theirs)
    assert crf.best(scores, mask) == other.decode(scores, mask)
    gradients = [torch.autograd.grad(one.sum(), scores)[0] for one in (ours, theirs)]
    torch.testing.assert_close(*gradients)


def test_likelihoods_of_all_sequences_sum_to_one():
    crf, scores = random_crf(3, seed=9), torch.randn(1, 4, 3, dtype=torch.double)
    paths = torch.tensor(list(product(range(3), repeat=4)))
    many = scores.expand(len(paths), -1, -1)
    likelihood = crf.log_likelihood(many, paths, torch.ones_like(paths, dtype=torch.bool))
    assert likelihood.exp().sum().item() == pytest.approx(1)


def test_padding_changes_nothing():
    crf, scores = random_crf(4, seed=2), torch.randn(2, 6, 4, dtype=torch.double)
    labels, mask = torch.randint(4, (2, 6)), mask_of([6, 3])
    short = crf.log_likelihood(scores[1:, :3], labels[1:, :3], mask[1:, :3])
    torch.testing.assert_close(crf.log_likelihood(scores, labels, mask)[1:], short)
    assert crf.best(scores, mask)[1] == crf.best(scores[1:, :3], mask[1:, :3])[0]


def test_scores_of_any_size_give_finite_gradients():
    crf = random_crf(4, seed=3, size=300).float()
    scores = (500 * torch.randn(3, 5, 4)).requires_grad_()
    labels = torch.zeros(3, 5, dtype=torch.long)
    likelihood = crf.log_likelihood(scores, labels, mask_of([5, 2, 4]))
    likelihood.sum().backward()
    assert likelihood.isfinite().all()
    assert scores.grad.isfinite().all()
