"""Kernels refuse arrays that do not fit each other, instead of reading out of bounds."""

import numpy as np
import pytest

from numberline import _native as native


def sparse(**changed):
    parts = {
        "offsets": np.array([0, 1, 3]),
        "indices": np.array([0, 1, 2], np.int32),
        "weights": np.ones(3, np.float32),
    }
    return parts | {name: np.array(part, parts[name].dtype) for name, part in changed.items()}


def table(rows, dim=4):
    return np.zeros((rows, dim), np.float32)


BROKEN = [
    {"indices": [0, 1, 3]},
    {"indices": [0, -1, 2]},
    {"indices": [0, 1]},
    {"weights": [1, 1]},
    {"offsets": [0, 4, 3]},
    {"offsets": [0, 1, 4]},
    {"offsets": [0, 1, 2]},
    {"offsets": [1, 1, 3]},
    {"offsets": [0, 3]},
    {"offsets": []},
]


@pytest.mark.parametrize("changed", BROKEN, ids=str)
def test_sparse_rows_that_do_not_fit(changed):
    with pytest.raises(ValueError, match=r"sparse rows|offsets|index"):
        native.sparse_product(**sparse(**changed), table=table(3), vectors=table(2))


def test_dimensions_that_differ():
    with pytest.raises(ValueError, match="dimensions differ"):
        native.sparse_product(**sparse(), table=table(3, 4), vectors=table(2, 5))


@pytest.mark.parametrize(
    ("values", "weights", "components", "message"),
    [(3, 2, (1, 1, 1), "one weight per value")]
    + [(3, 3, sizes, "one length, above zero") for sizes in ((2, 1, 1), (1, 1, 2), (0, 0, 0))],
)
def test_mixtures_that_do_not_fit(values, weights, components, message):
    names = ("constants", "means", "precisions")
    mixture = {name: np.ones(size) for name, size in zip(names, components, strict=True)}
    with pytest.raises(ValueError, match=message):
        native.mixture_expectation(
            values=np.ones(values), weights=np.ones(weights), hard=False, **mixture
        )
