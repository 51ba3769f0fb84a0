"""`numberline train` and `prototypes` as a user meets them."""

from pathlib import Path

import numpy as np
import pytest

from numberline.cli.train import draw, prototype_facts, prototype_table, require_plotting
from numberline.errors import OutputError
from numberline.numerals.explained import ExplainedPrototypes

EXPLAINED = ExplainedPrototypes(
    np.array([-2.0, 7, 1987.3]),
    np.array([0.25, 0.5, 0.25]),
    np.array([-2.0, 7, 1987, 1988]),
    np.array([2.0, 4, 1, 1]),
)


def test_prototypes_as_json():
    assert prototype_facts(EXPLAINED) == {
        "distinct_numerals": 4,
        "numeral_tokens": 8,
        "prototypes": [
            {"value": -2, "fraction": 0.25},
            {"value": 7, "fraction": 0.5},
            {"value": 1987.3, "fraction": 0.25},
        ],
    }


def test_the_longest_bar_is_that_of_the_largest_share():
    values, shares, bars = (list(column.cells) for column in prototype_table(EXPLAINED).columns)
    assert values == ["-2", "7", "1987.3"]
    assert shares == ["25.000%", "50.000%", "25.000%"]
    assert [len(bar) for bar in bars] == [20, 40, 20]


def test_a_picture_has_its_title(tmp_path):
    pytest.importorskip("matplotlib")
    draw(EXPLAINED, "encoder gmm", tmp_path / "out.svg")
    assert "encoder gmm" in (tmp_path / "out.svg").read_text(encoding="utf-8")


def test_a_picture_that_cannot_be_written_is_refused(tmp_path):
    pytest.importorskip("matplotlib")
    require_plotting(tmp_path / "out.PNG")
    (tmp_path / "folder.png").mkdir()
    for name, message in (
        ("folder.png", "it is a folder"),
        ("nowhere/out.png", "nowhere is no folder"),
        ("out.xyz", "end its name in one of"),
        ("out.pgf", "end its name in one of"),
    ):
        with pytest.raises(OutputError, match=message):
            require_plotting(tmp_path / name)
    with pytest.raises(OutputError, match="cannot write"):
        draw(EXPLAINED, "title", Path("/dev/full/out.png"))
