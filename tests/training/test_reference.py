"""The definition of training against the loss that the paper states."""

import numpy as np
import pytest

from numberline.numerals.rows import rows_of_table
from numberline.settings import Settings
from numberline.training.plan import WindowPlan
from numberline.training.progress import untrained_loss
from numberline.training.reference import SideTable, train_windows

CENTRE, CONTEXTS, NEGATIVES = 0, [1, 2], [3, 4, 5]
RATE = 1e-6  # small, so that a step is a gradient


def loss(inputs, outputs, offset):
    """Return Eq. 6: -log σ(x·o - offset) - Σ log σ(offset - x·n) for contexts x, negatives n."""
    total = 0.0
    for x in inputs[CONTEXTS]:
        total += np.log1p(np.exp(offset - x @ outputs[CENTRE]))
        total += np.log1p(np.exp(outputs[NEGATIVES] @ x - offset)).sum()
    return total


def numeric_gradient(function, table):
    gradient = np.zeros_like(table)
    for at in np.ndindex(table.shape):
        sides = []
        for step in (1e-5, -1e-5):
            moved = table.copy()
            moved[at] += step
            sides.append(function(moved))
        gradient[at] = (sides[0] - sides[1]) / 2e-5
    return gradient


@pytest.mark.parametrize(("start_from_odds", "offset"), [(False, 0.0), (True, np.log(3))])
def test_a_step_descends_the_loss_of_the_paper(start_from_odds, offset):
    random = np.random.default_rng(1)
    inputs, outputs = random.normal(0, 1, (2, 6, 4))
    plan = WindowPlan([CENTRE, *CONTEXTS], [0, 0, 0], [3, 3, 3], 0, 1, [NEGATIVES])
    settings = Settings(negatives=len(NEGATIVES), start_from_odds=start_from_odds)
    sides = [SideTable(rows.copy(), rows_of_table(np.zeros((0, 0)))) for rows in (inputs, outputs)]
    train_windows(plan, (sides[0], sides[1]), settings, RATE)
    for side, before, gradient in (
        (sides[0], inputs, numeric_gradient(lambda rows: loss(rows, outputs, offset), inputs)),
        (sides[1], outputs, numeric_gradient(lambda rows: loss(inputs, rows, offset), outputs)),
    ):
        assert (before - side.rows) / RATE == pytest.approx(gradient, abs=1e-4)
    untrained = np.zeros_like(inputs)
    assert loss(untrained, untrained, offset) == pytest.approx(2 * untrained_loss(settings))
