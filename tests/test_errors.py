"""Values in messages are short, whatever they are."""

import pytest

from numberline.errors import ConfigError, describe, first_of


class Faulty:
    def __repr__(self):
        raise RuntimeError("no name")


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (7, "7 (int)"),
        ("a", "'a' (str)"),
        ("\ud800", "'\\ud800' (str)"),
        ([1, "b"], "[1, 'b'] (list)"),
        ({"a": None}, "{'a': None} (dict)"),
        ("x" * 10**6, "'" + "x" * 39 + " (str)"),
        (list(range(10**6)), "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 1 (list)"),
        pytest.param(nested(100_000), "[" * 40 + " (list)", id="nested"),
        pytest.param(10**5000, "… (int)", id="huge"),
        (Faulty(), "… (Faulty)"),
    ],
)
def test_a_value_is_described_by_its_start_and_its_type(value, shown):
    description = describe(value)
    assert description == shown or (shown.startswith("… ") and description.endswith(shown[2:]))
    assert len(str(ConfigError("dim", value, "small"))) < 150


def test_many_names_are_cut():
    assert first_of([]) == ""
    assert first_of(["a", "b" * 99]) == "a, " + "b" * 40
    assert first_of(map(str, range(10**9))).endswith("18, 19, …")
