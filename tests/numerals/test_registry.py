"""Names and headers that stand for encoders; encoders from outside the package."""

import importlib.metadata
import json
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

import numberline as nl
from numberline.errors import ConfigError
from numberline.numerals.base import Encoder
from numberline.numerals.line import Line
from numberline.numerals.notation import encoder_of
from numberline.numerals.registry import (
    BUILT_IN,
    described_encoders,
    encoder_class,
    known_names,
    register,
)
from numberline.settings import Settings, saved_settings
from tests.numerals.waves import Waves, WaveVectors
from tests.training.small_corpora import planted

SMALL = {"dim": 8, "epochs": 1, "threads": 1, "min_count": 1}

pytestmark = pytest.mark.usefixtures("registered")


def custom_encoder(named="custom"):
    @dataclass(frozen=True)
    class Custom(Line):
        steps: int = 3
        is_round: bool = False
        scale: float | None = None

        name: ClassVar[str] = named

    return Custom


@pytest.mark.parametrize(
    ("text", "encoder"),
    [
        ("gmm", nl.Gmm()),
        ("gmm:", nl.Gmm()),
        ("gmm:em=hard,prototypes=300", nl.Gmm(300, em="hard")),
        (" gmm : em = hard , prototypes = none ", nl.Gmm(em="hard")),
        ("som:beta=2,log=similarity", nl.Som(beta=2.0, log="similarity")),
        ("line:log=none", nl.Line(log="none")),
        ("token:min_count=9", nl.NumeralTokens(min_count=9)),
        ("fixed", nl.Fixed()),
        ("fourier", nl.Fourier()),
    ],
)
def test_text_stands_for_an_encoder(text, encoder):
    assert encoder_of(text) == encoder
    assert encoder_of(str(encoder)) == encoder
    assert encoder_of(encoder) is encoder


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "sum",
            r"encoder='sum', but .* one of line, som, gmm, .*, or one that has been registered",
        ),
        ("", "encoder='', but"),
        (
            "gmm:beta=2",
            r"encoder='gmm:beta=2', but .* prototypes=…, log=…, em=…, em_start=… after :",
        ),
        ("gmm:em", r"encoder='gmm:em', but"),
        ("fixed:dim=2", "fixed alone or with nothing after :"),
        ("gmm:em=medium", "em='medium', but it must be one of soft, hard"),
        ("gmm:prototypes=many", "prototypes='many', but it must be a whole number"),
        ("gmm:prototypes=2.5", r"prototypes='2\.5', but it must be a whole number"),
        ("som:beta=0", r"beta=0\.0, but it must be a number above 0"),
        (7, "encoder=7, but it must be an encoder, or the name of one"),
        (None, "encoder=None, but"),
    ],
)
def test_text_that_names_no_encoder_is_refused(text, message):
    with pytest.raises(ConfigError, match=message):
        encoder_of(text)


def test_settings_that_text_leaves_out_are_the_usual_ones():
    usual = {"gmm": nl.Gmm(30, em="hard")}
    assert encoder_of("gmm", usual) == usual["gmm"]
    assert encoder_of("gmm:prototypes=50", usual) == nl.Gmm(50, em="hard")
    assert encoder_of("som", usual) == nl.Som()
    assert encoder_of(nl.Gmm(), usual) == nl.Gmm()


@pytest.mark.parametrize("encoder", [nl.Som(beta=1.5), nl.Gmm(7), nl.Fixed(), nl.Line()], ids=str)
def test_settings_with_an_encoder_come_back_from_json(encoder):
    settings = Settings(encoder=encoder)
    header = json.loads(json.dumps(saved_settings(settings)))
    assert header["encoder"] == encoder.header()
    assert header["encoder"]["name"] == encoder.name
    assert Settings(**header) == settings
    assert settings != Settings(encoder=nl.Gmm(8))


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ({"name": "gmm", "colour": "red"}, "without colour"),
        ({"name": "custom"}, "encoder='custom', but"),
        ({}, "encoder='None', but"),
        ({"name": "gmm", "em": 7}, "em=7, but"),
    ],
)
def test_a_header_that_names_no_encoder_is_refused(header, message):
    with pytest.raises(ConfigError, match=message):
        encoder_of(header)


def test_a_registered_encoder_is_known_with_its_settings():
    custom = register(custom_encoder())
    assert encoder_class("custom") is custom
    assert encoder_of("custom:steps=5,is_round=true,scale=0.5") == custom(
        steps=5, is_round=True, scale=0.5
    )
    assert encoder_of("custom:is_round=false,scale=none") == custom()
    assert str(custom(steps=5)) == "custom:steps=5"
    assert known_names()[: len(BUILT_IN) + 1] == [*BUILT_IN, "custom"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("custom:steps=2.5", r"steps='2\.5', but it must be int"),
        ("custom:steps=none", "steps='none', but"),
        ("custom:is_round=yes", "is_round='yes', but it must be bool"),
        ("custom:scale=x", "scale='x', but it must be float"),
    ],
)
def test_values_of_plain_fields_are_read_by_their_type(text, message):
    register(custom_encoder())
    with pytest.raises(ConfigError, match=message):
        encoder_of(text)


def test_an_encoder_with_the_name_of_a_built_in_one_is_refused():
    custom = custom_encoder("line")
    with pytest.raises(
        ConfigError, match="name='line', but it must be a name for Custom other than line"
    ):
        nl.train(planted(20), encoder=custom(), **SMALL)


def test_registering_again_replaces():
    register(custom_encoder())
    again = register(custom_encoder())
    assert encoder_class("custom") is again


@pytest.mark.parametrize("name", ["gmm", "", None, 7, "a:b"])
def test_names_that_cannot_be_registered(name, registered):
    with pytest.raises(ConfigError, match="name="):
        register(custom_encoder(name))
    assert not registered


def test_a_registered_encoder_is_trained_saved_and_loaded(tmp_path, registered):
    custom = register(custom_encoder())
    model = nl.train(planted(200), tmp_path / "model", encoder=custom(9, steps=4), **SMALL)
    loaded = nl.load(tmp_path / "model")
    assert loaded.settings.encoder == loaded.numerals.encoder == custom(9, steps=4)
    assert (loaded["187.3"] == model["187.3"]).all()
    # It is the line under another name, so it must learn what that learns.
    same = nl.train(planted(200), encoder=nl.Line(9), **SMALL)
    assert np.array_equal(same.vectors(["7", "187.3"]), model.vectors(["7", "187.3"]))
    registered.clear()
    with pytest.raises(ConfigError, match=r"encoder='custom', but .* one that has been registered"):
        nl.load(tmp_path / "model")


class FakeEntryPoint:
    value = "somewhere:Something"

    def __init__(self, name, loaded=None):
        self.name, self.loaded = name, loaded

    def load(self):
        assert self.loaded is not None, "it is imported although nobody asked for it"
        return self.loaded


@pytest.fixture
def installed(monkeypatch):
    """Entry points of packages, as importlib.metadata finds them."""
    installed_entry_points = []

    def entry_points(group):
        assert group == "numberline.encoders"
        return installed_entry_points

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
    return installed_entry_points


def test_an_installed_encoder_is_known_by_its_entry_point(installed):
    custom = custom_encoder()
    installed += [
        FakeEntryPoint("another"),
        FakeEntryPoint("gmm"),
        FakeEntryPoint("custom", custom),
    ]
    assert encoder_of("custom:steps=2") == custom(steps=2)
    assert encoder_of(custom(steps=2).header()) == custom(steps=2)
    assert encoder_of("gmm") == nl.Gmm()
    assert known_names() == [*BUILT_IN, "another", "custom"]
    assert described_encoders().endswith("fixed, another, custom")
    assert "gmm (prototypes, log, em, em_start)" in described_encoders()


class WithoutName(Encoder):
    pass


@pytest.mark.parametrize("loaded", [custom_encoder("other"), WithoutName, dict, 7])
def test_an_entry_point_that_is_no_such_encoder_is_refused(loaded, installed):
    installed.append(FakeEntryPoint("custom", loaded))
    with pytest.raises(ConfigError, match="of Encoder, which somewhere:Something is not"):
        encoder_of("custom")


def test_a_model_takes_any_function_from_numbers_to_vectors(planted_model, tmp_path):
    register(Waves)
    waves = WaveVectors(Waves(2.0), np.arange(planted_model.dim, dtype=np.float32))
    settings = replace(planted_model.settings, encoder=waves.encoder)
    model = replace(planted_model, numerals=waves, settings=settings)
    model.save(tmp_path / "model")
    loaded = nl.load(tmp_path / "model")
    assert isinstance(loaded.numerals, WaveVectors)
    assert loaded.numerals.encoder == Waves(2.0)
    assert (loaded["187.3"] == model["187.3"]).all()
    assert [near.token for near in loaded.similar("7", kind="numerals")]
    assert loaded.numerals.labels is None
    assert np.isfinite(loaded.predict(f"___ {loaded.words[0]}").median)
