"""The self-organizing map: against minisom, and on data whose answer is known."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numberline.numerals.som_fit import (
    fit_som,
    fit_som_unsquashed,
    nearest_means,
    starting_positions,
)
from numberline.numerals.squash import LARGEST_SQUARABLE, squarable


def quantization_error(values, counts, prototypes):
    nearest = np.abs(values[:, None] - prototypes).min(axis=1)
    return float(nearest @ counts / counts.sum())


def clustered(seed):
    random = np.random.default_rng(seed)
    values = np.unique(np.round(np.concatenate([random.normal(c, 0.3, 80) for c in (0, 4, 9)]), 2))
    return values, random.integers(1, 20, len(values)).astype(float)


@pytest.mark.parametrize("prototypes", [3, 8, 25])
def test_at_most_the_quantization_error_of_minisom(prototypes):
    minisom = pytest.importorskip("minisom")
    values, counts = clustered(1)
    occurrences = np.repeat(values, counts.astype(int))[:, None]
    peer = minisom.MiniSom(1, prototypes, 1, sigma=0.6, learning_rate=1.0, random_seed=1)
    peer.random_weights_init(occurrences)
    peer.train_random(occurrences, 20_000)
    ours = quantization_error(values, counts, fit_som(values, counts, prototypes))
    assert ours <= quantization_error(values, counts, peer.get_weights().ravel())


def test_prototypes_find_the_clusters():
    values, counts = clustered(2)
    assert fit_som(values, counts, 3) == pytest.approx([0, 4, 9], abs=0.2)


def test_the_map_starts_between_occurrences_and_distinct_values():
    values, counts = np.arange(5.0), np.array([1.0, 1, 1, 1, 96])
    assert starting_positions(values, np.ones(5), 1) == pytest.approx([2])
    of_occurrences = 3 + (0.5 - 0.035) / (0.52 - 0.035)
    assert starting_positions(values, counts, 1) == pytest.approx([(2 + of_occurrences) / 2])


def test_prototypes_move_towards_frequent_values():
    values = np.array([0.0, 1.0])
    assert fit_som(values, np.array([1.0, 3.0]), 1) == pytest.approx([0.75])


def test_a_prototype_without_values_stays():
    values, counts = np.array([0.0, 1, 9]), np.array([1.0, 3, 2])
    assert nearest_means(np.array([0.0, 9, 90]), values, counts) == pytest.approx([0.75, 9, 90])


@given(
    st.lists(st.floats(-50, 700), min_size=1, max_size=60, unique=True),
    st.integers(1, 12),
    st.integers(1, 1000),
)
@settings(max_examples=60)
def test_prototypes_are_sorted_finite_and_within_the_data(values, prototypes, count):
    values = np.sort(np.array(values))
    map_prototypes = fit_som(values, np.full(len(values), float(count)), prototypes)
    assert len(map_prototypes) == prototypes
    assert np.isfinite(map_prototypes).all()
    assert (np.diff(map_prototypes) >= 0).all()
    assert map_prototypes[0] >= values[0] - 1e-9
    assert map_prototypes[-1] <= values[-1] + 1e-9


def test_huge_numerals_do_not_attract_all_prototypes():
    values = np.concatenate([np.arange(1.0, 2000.0), [1e12, 1e60, 1e300]])
    counts = np.ones(len(values))
    map_prototypes = fit_som_unsquashed(squarable(values), counts, 100)
    assert (np.diff(map_prototypes) >= 0).all()
    assert np.isfinite(map_prototypes).all()
    assert (map_prototypes < 2000).sum() > 90
    assert map_prototypes[-1] == pytest.approx(LARGEST_SQUARABLE)


def test_unsquashed_values_belong_to_their_nearest_prototype():
    values = np.array([1.0, 2.0, 10.0, 12.0, 1000.0])
    assert fit_som_unsquashed(values, np.ones(5), 3) == pytest.approx([1.5, 11, 1000])
