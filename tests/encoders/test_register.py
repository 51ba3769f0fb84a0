"""Encoders from outside the package: known once registered, and only then."""

import numpy as np
import pytest

import numberline as nl
from numberline import config
from numberline.encoders.piecewise import PiecewiseEncoder
from numberline.encoders.registry import encoder_class, register
from numberline.errors import ConfigError
from tests.training.small_corpora import planted

SMALL = {"dim": 8, "epochs": 1, "threads": 1, "min_count": 1}


pytestmark = pytest.mark.usefixtures("added_encoders")


def own_encoder():
    class OwnEncoder(PiecewiseEncoder):
        name = "own"

    return OwnEncoder


def test_a_registered_encoder_is_trained_saved_and_loaded(tmp_path, added_encoders):
    own = register(own_encoder())
    model = nl.train(planted(200), tmp_path / "model", encoder="own", prototypes=9, **SMALL)
    loaded = nl.load(tmp_path / "model")
    assert type(loaded.encoder) is own
    assert (loaded["187.3"] == model["187.3"]).all()
    # It is the piecewise encoder under another name, so it must learn what that learns.
    same = nl.train(planted(200), encoder="piecewise", prototypes=9, **SMALL)
    assert np.array_equal(same.vectors(["7", "187.3"]), model.vectors(["7", "187.3"]))
    added_encoders.clear()
    with pytest.raises(ConfigError, match=r"encoder='own', but .* one that has been registered"):
        nl.load(tmp_path / "model")


def test_registering_again_replaces():
    register(own_encoder())
    again = register(own_encoder())
    assert encoder_class("own") is again


@pytest.mark.parametrize("name", ["gmm", "", None, 7])
def test_names_that_cannot_be(name):
    before = config.EncoderConfig()
    own = own_encoder()
    own.name = name
    with pytest.raises(ConfigError, match="name="):
        register(own)
    assert config.EncoderConfig() == before
