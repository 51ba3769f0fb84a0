"""Networks and corpora for tests of the D-LSTM."""

import numpy as np
import pytest

pytest.importorskip("torch")
from numberline_paper.lstm.vectors import starting_vectors
from tests.training.small_corpora import planted

NUMBERS = [0.0, -0.0, 7, 187.3, 1872, -40, 6.02e23, 5e-324, -1e300, 1e15, 123456.789, 0.001]
NEVER_SEEN = "13"


def networks(dim=5, seed=2):
    return starting_vectors(dim, np.random.default_rng(seed)).in_double()


def planted_without(number=NEVER_SEEN, sentences=2000):
    return [line for line in planted(sentences) if number not in line.split()]
