"""Presets: the settings of the paper, overridden by settings beside them."""

import pytest

import numberline as nl
from numberline.errors import ConfigError
from numberline.fields import made_of
from numberline.settings import Settings
from numberline.settings import with_preset as with_any_preset
from numberline_paper.presets import PRESETS, with_preset


@pytest.mark.parametrize(
    ("settings", "encoder"),
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
def test_the_encoder_of_a_preset(settings, encoder):
    assert with_preset("similarity", settings)["encoder"] == encoder


def test_settings_beside_a_preset_win():
    settings = with_preset("tagging", {"dim": 7, "seed": 3})
    assert (settings["dim"], settings["window"], settings["seed"]) == (7, 2, 3)
    assert with_any_preset(None, {"dim": 7}) == {"dim": 7}


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_found_and_has_valid_settings(name):
    assert made_of(Settings, with_any_preset(name, {})).encoder == PRESETS[name].gmm


def test_an_unknown_preset_is_refused():
    with pytest.raises(ConfigError, match=r"preset='sum', but it must be one of .*similarity"):
        with_any_preset("sum", {})
