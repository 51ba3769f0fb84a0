"""Presets: what the paper reports, and what wins beside it."""

import pytest

import numberline as nl
from numberline.errors import ConfigError
from numberline.settings import Settings, made_of
from numberline_paper.presets import PRESETS, with_preset


@pytest.mark.parametrize(
    ("asked", "encoder"),
    [
        ({}, nl.Gmm(200, em="hard", em_start="random")),
        ({"encoder": "gmm"}, nl.Gmm(200, em="hard", em_start="random")),
        ({"encoder": "gmm:prototypes=50"}, nl.Gmm(50, em="hard", em_start="random")),
        ({"encoder": "gmm:em=soft,log=none"}, nl.Gmm(200, log="none", em_start="random")),
        ({"encoder": nl.Gmm(50)}, nl.Gmm(50)),
        ({"encoder": "som"}, nl.Som(200, nearest=None)),
        ({"encoder": "line"}, nl.Line()),
        ({"encoder": "token:min_count=2"}, nl.NumeralTokens(min_count=2)),
    ],
)
def test_the_encoder_of_a_preset(asked, encoder):
    assert with_preset("similarity", asked)["encoder"] == encoder


def test_what_is_given_beside_a_preset_wins():
    settings = with_preset("tagging", {"dim": 7, "seed": 3})
    assert (settings["dim"], settings["window"], settings["seed"]) == (7, 2, 3)
    assert with_preset(None, {"dim": 7}) == {"dim": 7}


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_a_config(name):
    config = made_of(Settings, with_preset(name, {}))
    assert config.model.encoder == PRESETS[name].gmm


def test_a_preset_that_is_none_is_refused():
    with pytest.raises(ConfigError, match="preset='sum', but it must be one of similarity"):
        with_preset("sum", {})
