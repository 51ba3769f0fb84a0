"""The mixture: against scikit-learn on repeated data, and laws of EM."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberline.numerals.gmm import Gmm
from numberline.numerals.gmm_fit import expectation, fast_expectation, fit_gmm, maximization
from numberline.numerals.gmm_start import (
    even_floor,
    start_at,
    starting_mixture,
    variance_floor,
)
from numberline.numerals.mixture import (
    Mixture,
    defined_sparse_posterior,
    log_joint,
    log_sum,
    posterior,
    sparse_posterior,
)
from numberline.numerals.som_fit import fit_som, k_means


def sample(seed=1):
    random = np.random.default_rng(seed)
    drawn = np.concatenate([random.normal(centre, 1, 1000) for centre in (0, 4, 9)])
    values, counts = np.unique(np.round(drawn, 1), return_counts=True)
    return values, counts.astype(float)


def started_at(means, values, counts):
    return start_at(means, values, counts, even_floor(values, counts))


def fitted(values, counts, start, em="soft", **limits):
    return fit_gmm(values, counts, start, em, even_floor(values, counts), **limits)


def started(kind, values, counts, components, seed):
    random, floor = np.random.default_rng(seed), even_floor(values, counts)
    return starting_mixture(kind, values, counts, components, random, fit_som, floor)


def likelihood(values, counts, mixture):
    return float(log_sum(log_joint(values, mixture)) @ counts / counts.sum())


@pytest.mark.parametrize("components", [2, 3, 7])
def test_likelihood_of_scikit_learn_on_repeated_data(components):
    mixture_module = pytest.importorskip("sklearn.mixture")
    values, counts = sample()
    random = np.random.default_rng(components)
    start = started_at(random.choice(values, components, replace=False), values, counts)
    peer = mixture_module.GaussianMixture(
        components,
        tol=0,
        max_iter=50,
        reg_covar=0,
        weights_init=start.priors,
        means_init=start.means[:, None],
        precisions_init=start.deviations[:, None, None] ** -2,
    )
    occurrences = np.repeat(values, counts.astype(int))[:, None]
    with pytest.warns(UserWarning, match="did not converge"):
        peer.fit(occurrences)
    ours = fitted(values, counts, start, steps=50, tolerance=0)
    assert likelihood(values, counts, ours) == pytest.approx(peer.score(occurrences), rel=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_likelihood_never_falls(seed):
    values, counts = sample(seed)
    random = np.random.default_rng(seed)
    mixture = started_at(random.choice(values, 12, replace=False), values, counts)
    floor = even_floor(values, counts)
    seen = []
    for _ in range(30):
        sums = expectation(values, counts, mixture, "soft")
        seen.append(sums.log_likelihood)
        mixture = maximization(sums, mixture, floor)
    assert (np.diff(seen) >= -1e-10).all()
    assert seen[-1] > seen[0]


@pytest.mark.parametrize("kind", ["soft", "hard"])
@pytest.mark.parametrize("components", [1, 2, 7, 50])
def test_the_native_expectation_equals_its_definition(kind, components):
    values, counts = sample(components)
    values = values * 10.0 ** np.random.default_rng(components).integers(-3, 4)
    mixture = started_at(np.linspace(values[0], values[-1], components), values, counts)
    ours, defined = (
        step(values, counts, mixture, kind) for step in (fast_expectation, expectation)
    )
    scale = np.abs(values).max()
    assert ours.mass == pytest.approx(defined.mass, rel=1e-10, abs=1e-10)
    assert ours.moment == pytest.approx(defined.moment, rel=1e-10, abs=1e-8 * scale)
    assert ours.square == pytest.approx(defined.square, rel=1e-10, abs=1e-8 * scale**2)
    assert ours.log_likelihood == pytest.approx(defined.log_likelihood, rel=1e-12)


@pytest.mark.parametrize("kind", ["soft", "hard"])
def test_em_finds_clusters(kind):
    values, counts = sample()
    mixture = fitted(values, counts, started_at(np.array([1.0, 5.0, 8.0]), values, counts), kind)
    assert mixture.means == pytest.approx([0, 4, 9], abs=0.3)
    assert mixture.deviations == pytest.approx([1, 1, 1], abs=0.3)
    assert mixture.priors.sum() == pytest.approx(1)


@pytest.mark.parametrize("kind", ["soft", "hard"])
def test_components_may_begin_in_any_order(kind):
    values, counts = sample()
    start = Mixture(np.array([0.2, 0.7, 0.1]), np.array([1.0, 5, 8]), np.array([1.0, 2, 0.5]))
    expected = fitted(values, counts, start, kind, steps=3)
    shuffled = Mixture(*(part[[2, 0, 1]] for part in start))
    for part, wanted in zip(fitted(values, counts, shuffled, kind, steps=3), expected, strict=True):
        assert part == pytest.approx(wanted)


def test_hard_em_gives_each_value_to_one_component():
    values, counts = np.array([0.0, 1.0, 10.0]), np.array([1.0, 3.0, 2.0])
    start = Mixture(np.array([0.5, 0.5]), np.array([0.0, 10.0]), np.array([1.0, 1.0]))
    sums = expectation(values, counts, start, "hard")
    assert sums.mass.tolist() == [4, 2]
    assert sums.moment.tolist() == [3, 0]


def test_empty_components_stay_where_they_are():
    values, counts = np.array([0.0, 1.0, 2.0]), np.ones(3)
    start = Mixture(np.array([0.5, 0.5]), np.array([1.0, 500.0]), np.array([1.0, 1.0]))
    mixture = fitted(values, counts, start, "hard")
    assert mixture.means.tolist() == [1, 500]
    assert np.isfinite(posterior(values, mixture)).all()


def test_a_mean_near_a_single_value_keeps_it():
    values, counts = np.array([0.0, 1.0, 2.0, 50.0]), np.array([9.0, 9.0, 9.0, 1.0])
    mixture = fitted(values, counts, started_at(np.array([1.0, 50.5]), values, counts))
    assert mixture.means == pytest.approx([1, 50])
    assert mixture.priors == pytest.approx([27 / 28, 1 / 28])


def test_a_single_distinct_value_is_one_component():
    values, counts = np.array([7.0]), np.array([3.0])
    mixture = fitted(values, counts, started_at(values, values, counts))
    assert mixture.means.tolist() == [7]
    assert mixture.deviations[0] > 0


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_posteriors_sum_to_one_however_far_away(value):
    values, counts = sample()
    mixture = started_at(values[::40], values, counts)
    weights = posterior(np.array([value]), mixture)
    assert (weights >= 0).all()
    assert weights.sum() == pytest.approx(1)


def test_a_value_far_from_the_narrowest_component_is_weighed_by_the_others():
    mixture = Mixture(np.full(3, 1 / 3), np.zeros(3), np.array([1e-6, 1e3, 2e3]))
    density = np.exp(-0.5 * (3000 / mixture.deviations) ** 2) / mixture.deviations
    expected = density / density.sum()
    assert posterior(np.array([3000.0]), mixture)[0] == pytest.approx(expected)
    assert sparse_posterior(np.array([3000.0]), mixture).dense()[0] == pytest.approx(expected)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=30))
def test_native_posterior_equals_its_definition(numbers):
    values, counts = sample()
    mixture = started_at(values[::25], values, counts)
    ours = sparse_posterior(np.array(numbers), mixture)
    defined = defined_sparse_posterior(np.array(numbers), mixture)
    assert ours.dense() == pytest.approx(defined.dense(), abs=1e-6)
    assert ours.dense() == pytest.approx(posterior(np.array(numbers), mixture), abs=1e-6)
    assert len(ours.weights) < mixture.means.size * len(numbers)


def test_no_variance_falls_below_a_millionth_of_that_of_all_occurrences():
    values, counts = np.array([0.0, 1, 2, 500]), np.array([5.0, 3, 2, 1])
    floor = 1e-6 * np.var(np.repeat(values, counts.astype(int)))
    start = started_at(values, values, counts)
    assert start.deviations**2 == pytest.approx(floor)
    assert fitted(values, counts, start).deviations ** 2 == pytest.approx(floor)


def test_a_random_start_draws_occurrences():
    values, counts = np.arange(5.0), np.array([1.0, 1, 1, 1e9, 1])
    for seed in range(9):
        start = started("random", values, counts, 2, seed)
        assert 3 in start.means


@pytest.mark.parametrize("kind", ["random", "som", "kmeans"])
def test_starts_have_the_deviations_and_priors_of_their_nearest_values(kind):
    values, counts = sample()
    values = values + np.random.default_rng(9).uniform(0, 0.01, len(values))  # none half-way
    start = started(kind, values, counts, 8, seed=1)
    assert len(set(start.means)) == 8
    assert (np.diff(start.means) > 0).all()
    assert (kind == "random") == set(start.means).issubset(values)
    nearest = np.abs(values[:, None] - start.means).argmin(axis=1)
    for k in range(8):
        near, weight = values[nearest == k], counts[nearest == k]
        spread = np.sqrt(np.average((near - start.means[k]) ** 2, weights=weight))
        assert start.deviations[k] == pytest.approx(
            max(spread, variance_floor(values, counts) ** 0.5)
        )
        assert start.priors[k] == pytest.approx(weight.sum() / counts.sum())


def test_k_means_of_scikit_learn():
    cluster = pytest.importorskip("sklearn.cluster")
    values, counts = sample()
    start = np.random.default_rng(2).choice(values, 6, replace=False)
    peer = cluster.KMeans(6, init=start[:, None], n_init=1, max_iter=1000, tol=0)
    peer.fit(values[:, None], sample_weight=counts)
    means = k_means(start, values, counts)
    assert means == pytest.approx(np.sort(peer.cluster_centers_.ravel()), abs=0.02)


@pytest.mark.parametrize("em", ["soft", "hard"])
@pytest.mark.parametrize("em_start", ["random", "som", "kmeans"])
def test_without_log_ordinary_numerals_stay_apart_beside_huge_ones(em, em_start):
    values = np.concatenate([np.arange(1.0, 2100.0), [1e9, 1e30, 1e200]])
    counts = np.where(values < 20, 50.0, 1.0)
    encoder = Gmm(60, log="none", em=em, em_start=em_start)
    fitted = encoder.fit(values, counts, np.random.default_rng(1))
    likeliest = np.argmax(fitted.weights([2.0, 12.0, 300.0, 1990.0, 1e9]).dense(), axis=1)
    assert len(set(likeliest.tolist())) == 5
    assert np.isfinite(fitted.labels).all()
