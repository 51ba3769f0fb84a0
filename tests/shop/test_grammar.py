"""Templates expand to all of their alternatives, and mistakes in them are refused at once."""

from __future__ import annotations

import re
from random import Random

import pytest
from numberline_shop.quantities import BODY_QUANTITIES
from numberline_shop.trade import TRADE_QUANTITIES

from numberline_shop.grammar import Grammar
from numberline_shop.phrases import RULES
from numberline_shop.voice import WORDS


class Paper:
    """Something to write on."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.text = ""

    def say(self, text: str) -> None:
        self.text += text


def texts_of(rules: dict[str, tuple[str, ...]], draws: int = 400) -> set[str]:
    def number(paper: Paper) -> None:
        paper.say("7")

    grammar = Grammar(rules, words={}, quantities={"number": number})
    random = Random(1)
    papers = [Paper(random) for _ in range(draws)]
    for paper in papers:
        grammar.write("start", paper)
    return {paper.text for paper in papers}


def test_brackets_rules_and_quantities_expand() -> None:
    rules = {"start": ("[a|b[c|d]|]<more>",), "more": ("!", " {number}")}
    expected = {head + tail for head in ("a", "bc", "bd", "") for tail in ("!", " 7")}
    assert texts_of(rules) == expected


@pytest.mark.parametrize("template", ["[a|b", "a]", "a|b", "<a", "{number"])
def test_unbalanced_templates_are_refused(template: str) -> None:
    with pytest.raises(ValueError, match="template"):
        Grammar({"start": (template,)}, words={}, quantities={})


@pytest.mark.parametrize("template", ["<nowhere>", "{nothing}"])
def test_unknown_names_are_refused(template: str) -> None:
    with pytest.raises(KeyError):
        Grammar({"start": (template,)}, words={}, quantities={})


def test_every_rule_word_and_quantity_is_used() -> None:
    templates = "".join(template for rule in RULES.values() for template in rule)
    for name in (*BODY_QUANTITIES, *TRADE_QUANTITIES):
        assert f"{{{name}}}" in templates, name
    for name in WORDS:
        assert f"<{name}>" in templates, name


def test_digits_come_from_labelled_quantities_alone() -> None:
    templates = [template for rule in RULES.values() for template in rule]
    assert len(set(templates)) > 400
    assert not [template for template in templates if re.search(r"\d", template)]
