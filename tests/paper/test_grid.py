"""Names of models: readable, shared where settings are, and others where anything else is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberline.evaluation.settings import ReproductionSettings
from numberline.numerals.fourier import Fourier
from numberline.settings import Settings, made_of
from numberline_paper.grid import EXPERIMENTS, ROWS, training_of
from numberline_paper.presets import PRESETS


def training(row, preset="similarity", text="wikipedia", **settings):
    return training_of(row, preset, text, made_of(ReproductionSettings, settings))


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        (training("som"), "som-200"),
        (training("som", "numeration"), "som-300-similarity"),
        (training("gmm", "magnitude"), "gmm-300-soft"),
        (training("gmm", "prediction"), "gmm-300-none-hard"),
        (training("gmm", "tagging-30", "tagging-30"), "tagging-30-gmm-15-none-soft-kmeans"),
        (training("token", budget=30_000_000, dim=64), "token-dim64-30M"),
        (training("line", budget=2000, seed=3), "line-seed3-2k"),
        (training("default"), "default"),
        (training("default", epochs=1), "default-epochs1"),
        (training("default", epochs=1, shuffle=False), "default-epochs1-no-shuffle"),
        (training("som", shuffle=False, seed=2), "som-200-seed2-no-shuffle"),
    ],
)
def test_names(asked, name):
    assert asked.name == name


@pytest.mark.parametrize("row", ["default", "som"])
def test_all_rows_are_trained_in_one_order(row):
    assert training(row).settings["shuffle"] is Settings().shuffle
    assert training(row, shuffle=False).settings["shuffle"] is False


def test_experiments_share_models():
    assert training("som", "magnitude").name == training("som", "similarity").name
    names = {training(row, e.preset, e.text).name for row in ROWS for e in EXPERIMENTS}
    assert len(names) == 2 * len(ROWS) + 4  # on Wikipedia, where gmm has 4 and som 2, and headlines


SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "dim": st.sampled_from([3, 50, 300]),
        "epochs": st.sampled_from([1, 5, 10]),
        "seed": st.sampled_from([1, 2]),
        "shuffle": st.booleans(),
        "budget": st.sampled_from([1, 1000, 1_000_000, 1_000_001]),
    },
)
TRAININGS = st.builds(
    lambda row, experiment, settings: training(row, experiment.preset, experiment.text, **settings),
    st.sampled_from(ROWS),
    st.sampled_from(EXPERIMENTS),
    SETTINGS,
)


@given(TRAININGS, TRAININGS)
def test_equal_names_mean_equal_trainings(first, second):
    assert (first.name == second.name) == (first == second)


def test_presets_are_those_of_the_paper():
    assert all(experiment.preset in PRESETS for experiment in EXPERIMENTS)
    assert training("gmm", "prediction").settings["encoder"].em == "hard"
    assert training("default").settings == {"dim": 300, "seed": 1, "shuffle": True}
    assert training("fourier").settings["encoder"] == Fourier()
