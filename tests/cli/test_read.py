"""`numberline read` as a user meets it."""

import json

from tests.running_commands import assert_refused, run


def test_quantities_are_shown_in_columns():
    shown = run("read", "about", "3.5 km", "for $1.2M, 3–5 kg").stdout.decode()
    assert shown.splitlines() == [
        "3.5 km  measure  about 3.5 kilometer",
        "$1.2M   money    1200000 USD",
        "3–5 kg  measure  3 to 5 kilogram",
    ]


def test_quantities_as_json():
    answer = json.loads(run("read", "--json", "in 2019").stdout)
    quantity = {"text": "2019", "span": [3, 7], "kind": "year", "value": 2019.0}
    assert answer == {"text": "in 2019", "quantities": [quantity]}


def test_lines_of_standard_input_and_units_of_the_user():
    shown = run("read", "-u", "smoots=1.702 meter", stdin=b"nothing\n5 smoots\n").stdout.decode()
    assert shown == "5 smoots  measure  5 smoots\n"
    assert_refused(run("read", "-u", "smoots", "5 smoots"), "a spelling and its size")
    assert_refused(run("read", "-u", "smoots=two", "5 smoots"), "a number and a known unit")


def test_a_text_may_begin_with_a_minus():
    assert run("read", "-5 degrees").stdout.decode() == "-5 degrees  measure  -5 degree\n"
