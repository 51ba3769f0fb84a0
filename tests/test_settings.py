"""Every setting explains itself, has a range, and refuses what is outside of it in one sentence."""

import re
from dataclasses import fields

import numpy as np
import pytest

import numberline as nl
from numberline.errors import ConfigError
from numberline.evaluation.task import all_tasks, settings_classes
from numberline.explore.settings import ExploreSettings, PlotSettings
from numberline.numerals.registry import BUILT_IN
from numberline.settings import NumeralSettings, ReadingSettings, Settings, TextSettings
from numberline.tagging.settings import TaggerSettings

KINDS = [
    *[Settings, TaggerSettings, ExploreSettings, PlotSettings],
    *settings_classes(all_tasks()),
    *BUILT_IN.values(),
]
EACH_SETTING = [(kind, field) for kind in KINDS for field in fields(kind)]
SWITCHES = [(kind, field.name) for kind, field in EACH_SETTING if field.type in ("bool", bool)]


def test_training_has_few_settings_of_which_ten_come_first():
    assert len(fields(Settings)) <= 21
    assert sum(not field.metadata["rare"] for field in fields(Settings)) == 10


@pytest.mark.parametrize(("kind", "field"), EACH_SETTING)
def test_every_setting_has_a_help_text(kind, field):
    assert re.fullmatch(r"\S.+\.", field.metadata["help"])


@pytest.mark.parametrize(
    ("kind", "name", "smallest", "largest"),
    [
        (ReadingSettings, "min_count", 1, 2**63 - 1),
        (ReadingSettings, "max_vocabulary", 1, 2**31 - 1),
        (ReadingSettings, "threads", 1, 1024),
        (nl.NumeralTokens, "min_count", 1, 2**63 - 1),
        (NumeralSettings, "seed", 0, 2**32 - 1),
        (Settings, "dim", 1, 10_000),
        (Settings, "window", 1, 1000),
        (Settings, "negatives", 1, 1000),
        (Settings, "epochs", 1, 1_000_000),
        (ExploreSettings, "port", 0, 65_535),
    ],
)
def test_whole_numbers_have_a_range(kind, name, smallest, largest):
    for value in (smallest, largest, np.int64(7), np.uint64(smallest)):
        kept = getattr(kind(**{name: value}), name)
        assert kept == value
        assert type(kept) is int
    for value in (smallest - 1, largest + 1, 10**20, 2.5, 2.0, "5", True, np.bool_(True), None):
        needed = f"{name}={value!r}, but it must be a whole number from {smallest} to {largest:,}"
        with pytest.raises(ConfigError, match=re.escape(needed)):
            kind(**{name: value})


def test_there_are_switches():
    assert (Settings, "lowercase") in SWITCHES
    assert (Settings, "gap_model") in SWITCHES
    assert (TaggerSettings, "fine_tune") in SWITCHES


@pytest.mark.parametrize(("kind", "name"), SWITCHES)
def test_switches_are_true_or_false(kind, name):
    for value in (True, False, np.bool_(False), 1, 0):
        kept = getattr(kind(**{name: value}), name)
        assert kept == value
        assert type(kept) is bool
    for value in ("no", "False", "", 2, None, [], np.nan):
        needed = f"{name}={value!r}, but it must be True or False"
        with pytest.raises(ConfigError, match=re.escape(needed)):
            kind(**{name: value})


def test_settings_of_a_step_include_those_of_the_steps_before():
    for earlier, later in [
        (TextSettings, ReadingSettings),
        (ReadingSettings, NumeralSettings),
        (NumeralSettings, Settings),
    ]:
        assert fields(later)[: len(fields(earlier))] == fields(earlier)


def test_largest_counts_reach_the_native_code():
    vocabulary = nl.count(["1 word"], min_count=2**63 - 1, max_vocabulary=2**31 - 1)
    assert vocabulary.words == []
