"""A nearby quantity keeps its form, differs a little and stays plausible."""

import re
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberline.tagging import Span
from numberline_shop import Message
from numberline_shop.conversation import short_chat
from numberline_shop.nearby import LARGEST_CHANGE, RANGES, nearby_quantities, with_nearby_numbers


@pytest.mark.parametrize(
    ("label", "text", "expected"),
    [
        ("height", "173", ["171", "172", "174", "175"]),
        ("height", "1.7", ["1.6", "1.8"]),
        ("height", "5'11", ["5'10"]),
        ("height", "5 ft 0", ["5 ft 1"]),
        ("weight", "12 stone 13", ["12 stone 12"]),
        ("time", "12", ["11"]),
        ("time", "14:59", ["14:57", "14:58"]),
        ("time", "9:00", ["9:01"]),
        ("date", "2024-05-09", ["2024-05-08", "2024-05-10"]),
        ("price", "1,000", ["1,001", "1,002"]),
        ("price", "9.99", ["9.97", "9.98", "10.00", "10.01"]),
        ("phone", "0098", ["0096", "0097", "0099", "0100"]),
        ("shoe_size", "42.5", ["40.5", "41.5", "43.5", "44.5"]),
        ("clothing_size", "38", ["36", "40"]),
        ("child_size", "128", ["116", "122", "134", "140"]),
        ("quantity", "1", ["2"]),
        ("rating", "5", ["4"]),
        ("letter_size", "XL", []),
    ],
)
def test_nearby_quantities(label, text, expected):
    assert nearby_quantities(label, text) == expected


@given(
    label=st.sampled_from(sorted(RANGES)),
    whole=st.integers(0, 10**9),
    decimals=st.integers(0, 2),
    comma=st.booleans(),
)
def test_form_is_kept_and_change_is_small(label, whole, decimals, comma):
    text = format(whole / 10**decimals, f"{',' if comma else ''}.{decimals}f")
    value = float(text.replace(",", ""))
    for new in nearby_quantities(label, text):
        new_value = float(new.replace(",", ""))
        assert len(new.partition(".")[2]) == decimals
        assert ("," in new) == ("," in text)
        around = next(r for r in RANGES[label] if r.low <= value <= r.high)
        assert around.low <= new_value <= around.high
        step = around.step or 10**-decimals
        assert 0 < abs(new_value - value) <= max(step, LARGEST_CHANGE * value) + step / 50


def test_only_the_quantities_of_a_message_change():
    random = Random(1)
    for message in islice(short_chat(1), 1500):
        new_messages = with_nearby_numbers(message, random, count=5)
        assert len({new.text for new in new_messages}) == len(new_messages) <= 5
        for new in new_messages:
            assert blanked(new) == blanked(message)
            pairs = zip(message.quantities(), new.quantities(), strict=True)
            for (label, old_text), (new_label, new_text) in pairs:
                assert new_label == label
                assert new_text in (nearby_quantities(label, old_text) or [old_text])
                assert re.sub(r"\d+", "0", new_text) == re.sub(r"\d+", "0", old_text)


def blanked(message):
    """Return the text around the spans."""
    text = message.text
    for _, start, end in reversed(message.spans):
        text = f"{text[:start]}_{text[end:]}"
    return text


def test_a_message_that_cannot_change_gives_nothing_new():
    message = Message("is XL ok?", (Span("letter_size", 3, 5),))
    assert with_nearby_numbers(message, Random(1), count=5) == []


def test_lengths_may_change_and_spans_follow():
    message = Message("i'm 99 and 100", (Span("weight", 4, 6), Span("height", 11, 14)))
    for new in with_nearby_numbers(message, Random(1), count=5):
        assert [label for label, _ in new.quantities()] == ["weight", "height"]
        assert all(text.isdigit() for _, text in new.quantities())
