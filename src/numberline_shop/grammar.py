"""Templates such as ``hi[, |! ]<i'm> {height}`` → a parsed grammar that writes into a scene.

``[a|b|]`` is one of the alternatives, ``<name>`` a rule or a word that depends on the scene,
``{name}`` a labelled quantity. Alternatives of a rule and of a bracket are equally likely.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Protocol, TypeVar

T = TypeVar("T")
Template = list["Node"]
Action = Callable[..., None]  # writes something into the scene that it is called with

_PARTS = re.compile(r"[\[\]|]|<[^<>]*>|\{[^{}]*\}|[^\[\]|<>{}]+")


class Stage(Protocol):
    """What a template is written on."""

    random: Random

    def say(self, text: str) -> None:
        """Append plain text."""


class Choice:
    """Templates of which one is chosen, anew each time."""

    def __init__(self, options: list[Template]) -> None:
        self.options = options


Node = str | Choice | Action


def pick(random: Random, options: Sequence[T]) -> T:
    """Return one of the options, all equally likely."""
    return options[int(random.random() * len(options))]


class Grammar:
    """Parsed rules. Names are resolved once, so that a misspelt one fails at once."""

    def __init__(self, rules: Mapping[str, Sequence[str]], actions: Mapping[str, Action]) -> None:
        """Take templates by rule, and what writes each ``<word>`` and each ``{quantity}``."""
        self._rules = {name: Choice([]) for name in rules}
        self._actions = actions
        for name, templates in rules.items():
            self._rules[name].options.extend(self._parse(text) for text in templates)

    def write(self, rule: str, scene: Stage) -> None:
        """Write one text of the rule into the scene."""
        _write([self._rules[rule]], scene)

    def _parse(self, text: str) -> Template:
        parts = _PARTS.findall(text)
        if "".join(parts) != text:
            raise ValueError(f"template {text!r}: unbalanced brackets")
        template, end = self._sequence(parts, 0)
        if end != len(parts):
            raise ValueError(f"template {text!r}: '{parts[end]}' outside of brackets")
        return template

    def _sequence(self, parts: list[str], start: int) -> tuple[Template, int]:
        """Parse up to the end, or to a mark that ends this alternative; return its index, too."""
        template: Template = []
        at = start
        while at < len(parts) and parts[at] not in "|]":
            if parts[at] == "[":
                choice, at = self._choice(parts, at + 1)
                template.append(choice)
            else:
                template.append(self._resolve(parts[at]))
            at += 1
        return template, at

    def _choice(self, parts: list[str], start: int) -> tuple[Choice, int]:
        """Parse the alternatives behind an opening bracket; return the index of the closing one."""
        options: list[Template] = []
        at = start
        while True:
            option, at = self._sequence(parts, at)
            options.append(option)
            if at == len(parts):
                raise ValueError(f"template {''.join(parts)!r}: '[' is never closed")
            if parts[at] == "]":
                return Choice(options), at
            at += 1

    def _resolve(self, part: str) -> Node:
        if part[0] not in "<{":
            return part
        name = part[1:-1]
        return self._rules[name] if part[0] == "<" and name in self._rules else self._actions[part]


def _write(template: Template, scene: Stage) -> None:
    for node in template:
        if isinstance(node, str):
            scene.say(node)
        elif isinstance(node, Choice):
            _write(pick(scene.random, node.options), scene)
        else:
            node(scene)
