"""Templates expand to all of their alternatives, and mistakes in them are refused at once."""

import re
from random import Random

import pytest

from numberline_shop.body_quantities import BODY_QUANTITIES
from numberline_shop.grammar import Grammar
from numberline_shop.texts import phrases
from numberline_shop.trade_quantities import TRADE_QUANTITIES
from numberline_shop.voice import WORDS


class Paper:
    """Something to write on."""

    def __init__(self, random):
        self.random = random
        self.text = ""

    def say(self, text):
        self.text += text


def texts_of(rules, draws=400):
    grammar = Grammar(rules, {"{number}": lambda paper: paper.say("7")})
    random = Random(1)
    papers = [Paper(random) for _ in range(draws)]
    for paper in papers:
        grammar.write("start", paper)
    return {paper.text for paper in papers}


def test_brackets_rules_and_quantities_expand():
    rules = {"start": ["[a|b[c|d]|]<more>"], "more": ["!", " {number}"]}
    expected = {head + tail for head in ("a", "bc", "bd", "") for tail in ("!", " 7")}
    assert texts_of(rules) == expected


def test_alternatives_of_a_rule_are_equally_likely():
    grammar = Grammar({"start": ["a", "a", "[b|c]", "d"]}, {})
    paper = Paper(Random(1))
    for _ in range(8000):
        grammar.write("start", paper)
    for letter, share in (("a", 1 / 2), ("b", 1 / 8), ("c", 1 / 8), ("d", 1 / 4)):
        assert paper.text.count(letter) / 8000 == pytest.approx(share, abs=0.02)


@pytest.mark.parametrize("template", ["[a|b", "a]", "a|b", "<a", "{number"])
def test_unbalanced_templates_are_refused(template):
    with pytest.raises(ValueError, match="template"):
        Grammar({"start": [template]}, {})


@pytest.mark.parametrize("template", ["<nowhere>", "{nothing}"])
def test_unknown_names_are_refused(template):
    with pytest.raises(KeyError):
        Grammar({"start": [template]}, {})


def test_every_word_and_quantity_is_used():
    templates = "".join(template for rule in phrases().values() for template in rule)
    for name in (*BODY_QUANTITIES, *TRADE_QUANTITIES, *WORDS):
        assert name in templates


def test_digits_come_from_labelled_quantities_alone():
    templates = {template for rule in phrases().values() for template in rule}
    assert len(templates) > 400
    assert not [template for template in templates if re.search(r"\d", template)]
