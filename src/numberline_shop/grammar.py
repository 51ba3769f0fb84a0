"""Templates such as ``hi[, |! ]<i'm> {height}`` → a parsed grammar that writes into a scene.

``[a|b|]`` is one of the alternatives, ``<name>`` a rule or a word that depends on the scene,
``{name}`` a labelled quantity. Alternatives of a rule and of a bracket are equally likely.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Protocol, TypeVar

T = TypeVar("T")
Action = Callable[..., None]  # writes a word or quantity into a scene
Choice = list["Template"]  # alternatives
Template = list["str | Action | Choice"]

_PARTS = re.compile(r"[\[\]|]|<[^<>]*>|\{[^{}]*\}|[^\[\]|<>{}]+")


class Stage(Protocol):
    """Anything that templates can write text to."""

    random: Random

    def say(self, text: str) -> None:
        """Append plain text."""


class Grammar:
    """Parsed rules. Names are resolved once, so that a misspelt one fails at once."""

    def __init__(self, rules: Mapping[str, Sequence[str]], actions: Mapping[str, Action]) -> None:
        """Take templates by rule, and the function that writes each <word> and {quantity}."""
        self._rules: dict[str, Choice] = {name: [] for name in rules}
        self._actions = actions
        for name, templates in rules.items():
            for template in templates:
                self._rules[name] += self._parsed(template)

    def write(self, rule: str, scene: Stage) -> None:
        """Write one text of the rule into the scene."""
        _write(self._rules[rule], scene)

    def _parsed(self, template: str) -> Choice:
        parts = _PARTS.findall(template)
        try:
            if "".join(parts) != template:
                raise ValueError("unbalanced brackets")
            return self._alternatives(iter(parts), is_bracket=False)
        except ValueError as error:
            raise ValueError(f"template {template!r}: {error}") from None

    def _alternatives(self, parts: Iterator[str], is_bracket: bool) -> Choice:
        """Parse up to the closing bracket, or to the end."""
        choice: Choice = [[]]
        for part in parts:
            if part == "[":
                choice[-1].append(self._alternatives(parts, is_bracket=True))
            elif part not in "|]":
                choice[-1].append(self._resolved(part))
            elif not is_bracket:
                raise ValueError(f"{part!r} outside of brackets")
            elif part == "]":
                return choice
            else:
                choice.append([])
        if is_bracket:
            raise ValueError("'[' is never closed")
        return choice

    def _resolved(self, part: str) -> str | Action | Choice:
        if part[0] not in "<{":
            return part
        name = part[1:-1]
        return self._rules[name] if part[0] == "<" and name in self._rules else self._actions[part]


def _write(choice: Choice, scene: Stage) -> None:
    for node in pick(scene.random, choice):
        if isinstance(node, str):
            scene.say(node)
        elif isinstance(node, list):
            _write(node, scene)
        else:
            node(scene)


def pick(random: Random, options: Sequence[T]) -> T:
    """Return one of the options, all equally likely."""
    return options[int(random.random() * len(options))]
