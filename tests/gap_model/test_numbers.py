"""How numbers are written, of planted ones; the features of numbers never seen."""

import numpy as np
import pytest

from numberline.gap_model.numbers import (
    FORM,
    fit_number_features,
    forms,
    number_feature_size,
    traits_of,
)
from tests.small_models import small_model


@pytest.mark.parametrize(
    ("value", "traits"),
    [
        # decimals, digits before the point, zeros at their end, last of them, may be a year
        (12.50, (1, 2, 0, 2, False)),
        (1900.0, (0, 4, 2, 0, True)),
        (2100.0, (0, 4, 2, 0, True)),
        (2101.0, (0, 4, 0, 1, False)),
        (1999.5, (1, 4, 0, 9, False)),
        (-3.0, (0, 1, 0, 3, False)),
        (-1900.0, (0, 4, 2, 0, True)),
        (0.25, (2, 1, 0, 0, False)),
        (0.0, (0, 1, 0, 0, False)),
        (1 / 3, (4, 1, 0, 0, False)),
        (1e6, (0, 7, 6, 0, False)),
        (1e9, (0, 10, 6, 0, False)),
        (1e300, (0, 10, 6, 0, False)),
        (1e-300, (0, 10, 6, 0, False)),
    ],
)
def test_traits_of_planted_numbers(value, traits):
    assert traits_of(value) == traits


def test_each_trait_has_one_column():
    values = np.array([12.5, 1900, 1e300, -3, 0.25])
    rows = forms(values)
    assert rows.shape == (5, FORM)
    assert rows[:, :-1].sum(axis=1).tolist() == [4] * 5
    assert rows[:, -1].tolist() == [0, 1, 0, 0, 0]
    assert len(np.unique(rows, axis=0)) == 5
    assert (forms(np.array([12.5]))[0] == rows[0]).all()
    assert forms(np.zeros(0)).shape == (0, FORM)


def test_features_are_those_of_a_number_alone():
    model = small_model()
    values, counts = model.vocabulary.numeral_values, model.vocabulary.numeral_counts
    features = fit_number_features(model.numerals, values, counts.astype(float))
    asked = np.array([7.0, 4321.5, -1e300, 0.25])
    rows = features(asked)
    assert rows.shape == (4, number_feature_size(features.projection.matrix.shape[1]))
    assert np.isfinite(rows).all()
    for value, row in zip(asked, rows, strict=True):
        assert features(np.array([value]))[0] == pytest.approx(row, abs=1e-5)
    assert features(np.zeros(0)).shape == (0, rows.shape[1])
