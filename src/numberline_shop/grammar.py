"""Templates such as ``hi[, |! ]<i'm> {height}`` → a parsed grammar that writes into a scene.

``[a|b|]`` is one of the alternatives, ``<name>`` a rule or a word that depends on the scene,
``{name}`` a labelled quantity. Alternatives of a rule and of a bracket are equally likely.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Protocol

Template = list["Node"]


class Stage(Protocol):
    """What writing a template needs: chance, and something to write on."""

    random: Random

    def say(self, text: str) -> None:
        """Append plain text."""


class Choice:
    """One of several templates, chosen anew each time."""

    __slots__ = ("options",)

    def __init__(self, options: list[Template]) -> None:
        self.options = options


Action = Callable[..., None]  # writes something into the scene it is given
Node = str | Choice | Action

_PARTS = re.compile(r"[\[\]|]|<[^<>]*>|\{[^{}]*\}|[^\[\]|<>{}]+")


class Grammar:
    """Parsed rules; names are resolved once, so that a misspelt one fails at once."""

    def __init__(
        self,
        rules: Mapping[str, Sequence[str]],
        words: Mapping[str, Action],
        quantities: Mapping[str, Action],
    ) -> None:
        self._rules = {name: Choice([]) for name in rules}
        self._words = words
        self._quantities = quantities
        for name, templates in rules.items():
            self._rules[name].options.extend(self._parse(text) for text in templates)

    def write(self, rule: str, scene: Stage) -> None:
        """Write one text of the rule into the scene."""
        _write([self._rules[rule]], scene)

    def _parse(self, text: str) -> Template:
        parts = _PARTS.findall(text)
        if "".join(parts) != text:
            raise ValueError(f"template {text!r}: unbalanced brackets")
        template, rest = self._sequence(parts, 0)
        if rest != len(parts):
            raise ValueError(f"template {text!r}: '{parts[rest]}' outside of brackets")
        return template

    def _sequence(self, parts: list[str], position: int) -> tuple[Template, int]:
        """Parse up to the end or to a mark that closes this alternative."""
        template: Template = []
        while position < len(parts) and parts[position] not in "|]":
            part = parts[position]
            if part == "[":
                choice, position = self._choice(parts, position + 1)
                template.append(choice)
            else:
                template.append(self._resolve(part))
            position += 1
        return template, position

    def _choice(self, parts: list[str], position: int) -> tuple[Choice, int]:
        """Parse the alternatives after an opening bracket; ends on the closing one."""
        options: list[Template] = []
        while True:
            option, position = self._sequence(parts, position)
            options.append(option)
            if position == len(parts):
                raise ValueError(f"template {''.join(parts)!r}: '[' is never closed")
            if parts[position] == "]":
                return Choice(options), position
            position += 1

    def _resolve(self, part: str) -> Node:
        name = part[1:-1]
        if part[0] == "{":
            return self._quantities[name]
        if part[0] == "<":
            return self._rules[name] if name in self._rules else self._words[name]
        return part


def _write(template: Template, scene: Stage) -> None:
    for node in template:
        if isinstance(node, str):
            scene.say(node)
        elif isinstance(node, Choice):
            options = node.options
            _write(options[int(scene.random.random() * len(options))], scene)
        else:
            node(scene)
