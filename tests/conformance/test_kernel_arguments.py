"""Kernels refuse arrays that do not fit each other, before they reach beyond one."""

import numpy as np
import pytest

from numberline import _native as native


def sparse(**changed):
    parts = {
        "offsets": np.array([0, 1, 3]),
        "columns": np.array([0, 1, 2], np.int32),
        "shares": np.ones(3, np.float32),
    }
    return parts | {name: np.array(part, parts[name].dtype) for name, part in changed.items()}


def table(rows, dim=4):
    return np.zeros((rows, dim), np.float32)


BROKEN = [
    {"columns": [0, 1, 3]},
    {"columns": [0, -1, 2]},
    {"columns": [0, 1]},
    {"shares": [1, 1]},
    {"offsets": [0, 4, 3]},
    {"offsets": [0, 1, 4]},
    {"offsets": [0, 1, 2]},
    {"offsets": [1, 1, 3]},
    {"offsets": [0, 3]},
    {"offsets": []},
]


@pytest.mark.parametrize("changed", BROKEN, ids=str)
def test_sparse_weights_that_do_not_fit(changed):
    with pytest.raises(ValueError, match=r"sparse weights|offsets|column"):
        native.sparse_product(**sparse(**changed), basis=table(3), rows=table(2))
    with pytest.raises(ValueError, match=r"sparse weights|offsets|column"):
        native.sparse_adjoint(**sparse(**changed), changes=table(2), total=table(3))


@pytest.mark.parametrize("rows", [[2], [-1], [0, 5]], ids=str)
def test_rows_that_are_not_there(rows):
    with pytest.raises(ValueError, match="a row beyond"):
        native.sparse_rows(**sparse(), rows=np.array(rows, np.int32))


@pytest.mark.parametrize("changed", [{"offsets": [0, 1, 9]}, {"offsets": []}, {"shares": [1]}])
def test_rows_of_sparse_weights_that_do_not_fit(changed):
    with pytest.raises(ValueError, match="sparse weights"):
        native.sparse_rows(**sparse(**changed), rows=np.array([0, 1], np.int32))


def test_dimensions_that_differ():
    with pytest.raises(ValueError, match="dimensions differ"):
        native.sparse_product(**sparse(), basis=table(3, 4), rows=table(2, 5))
    with pytest.raises(ValueError, match="dimensions differ"):
        native.sparse_adjoint(**sparse(), changes=table(2, 5), total=table(3, 4))


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
