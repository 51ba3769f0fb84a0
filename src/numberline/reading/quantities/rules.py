"""rules.txt → one program, which match.py runs on the items of a text."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from numberline.reading.quantities.classes import bits

RULES = Path(__file__).with_name("rules.txt")

TAKE, REFUSE, BEHIND, SPLIT, JUMP, MARK, END = range(7)  # operations
ANY, JOINED, FREE = range(3)  # what a TAKE or REFUSE asks of the blank before an item
NEEDS = {"_": JOINED, ".": FREE}


class Step(NamedTuple):
    """One step of a program: the operation, and its arguments.

    TAKE, REFUSE and BEHIND: what they ask of the blank, classes; SPLIT: two steps to try, in this
    order; JUMP: the next step; MARK: 0 or 1, the start or end of the quantity.
    """

    operation: int
    first: int = 0
    second: int = 0


class Rule(NamedTuple):
    kind: str
    after: str  # kind of the quantity that must come directly before it; empty for any
    form: str
    steps: tuple[Step, ...]
    first_classes: int  # of the items at which the pattern may begin


@cache
def rules() -> tuple[Rule, ...]:
    macros: dict[str, list[str]] = {}
    compiled = []
    for line in RULES.read_text(encoding="utf-8").splitlines():
        words = line.split()
        if not words or words[0] == "#":
            continue
        if words[1] == "=":
            macros[words[0]] = list(expanded(words[2:], macros))
            continue
        compiled.append(compile_rule(words[0], words[1], list(expanded(words[2:], macros))))
    return tuple(compiled)


def expanded(words: Iterable[str], macros: dict[str, list[str]]) -> Iterable[str]:
    """Yield the words of a pattern; names in capitals are replaced by what they stand for."""
    for word in words:
        name = word.rstrip("?*")
        if len(macros.get(name, [])) > 1:
            yield from ["(", *macros[name], ")" + word[len(name) :]]
        else:
            bare = name.lstrip("!<_.")
            names = [macros.get(one, [one])[0] for one in bare.split("|")]
            yield name.removesuffix(bare) + "|".join(names) + word[len(name) :]


def compile_rule(kind: str, form: str, words: list[str]) -> Rule:
    if "[" not in words:
        words = ["[", *words, "]"]
    pattern = Pattern(words)
    steps = [*pattern.sequence(0), Step(END)]
    after = kind.removesuffix("+") if kind.endswith("+") else ""
    return Rule(kind.removesuffix("+"), after, form, tuple(steps), first_classes(steps))


class Pattern:
    """Turns the words of a pattern into steps; groups are compiled where they begin."""

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.at = 0

    def sequence(self, base: int) -> list[Step]:
        """Compile alternatives up to the closing bracket; `base` is the index of the first step."""
        steps: list[Step] = []
        while self.at < len(self.words):
            word = self.words[self.at]
            if word == "|" or word.startswith(")"):
                break
            self.at += 1
            steps += self.element(word, base + len(steps))
        if self.at < len(self.words) and self.words[self.at] == "|":
            self.at += 1
            shifted = relocated(steps, base, 1)
            other = self.sequence(base + 1 + len(shifted) + 1)
            end = base + 1 + len(shifted) + 1 + len(other)
            split = Step(SPLIT, base + 1, base + 1 + len(shifted) + 1)
            return [split, *shifted, Step(JUMP, end), *other]
        return steps

    def element(self, word: str, base: int) -> list[Step]:
        if word in {"[", "]"}:
            return [Step(MARK, int(word == "]"))]
        if word == "(":
            steps = self.sequence(base)
            suffix = self.words[self.at][1:]
            self.at += 1
        else:
            suffix = word[-1] if word[-1] in "?*" else ""
            steps = [atom(word.removesuffix(suffix))]
        if not suffix:
            return steps
        steps = relocated(steps, base, 1)
        end = base + 1 + len(steps) + (suffix == "*")
        return [Step(SPLIT, base + 1, end), *steps, *([Step(JUMP, base)] if suffix == "*" else [])]


def atom(word: str) -> Step:
    operation = {"!": REFUSE, "<": BEHIND}.get(word[0], TAKE)
    names = word.removeprefix("!").removeprefix("<")
    return Step(operation, NEEDS.get(names[0], ANY), bits(names.lstrip("_.")))


def relocated(steps: list[Step], base: int, by: int) -> list[Step]:
    """Return steps that were compiled for `base`, moved `by` steps."""
    moved = []
    for step in steps:
        if step.operation == SPLIT:
            step = Step(SPLIT, step.first + by, step.second + by)
        elif step.operation == JUMP:
            step = Step(JUMP, step.first + by)
        moved.append(step)
    return moved


def first_classes(steps: list[Step]) -> int:
    """Return the classes of the items that the first TAKE of each path takes."""
    classes, todo, seen = 0, [0], set()
    while todo:
        at = todo.pop()
        if at in seen:
            continue
        seen.add(at)
        step = steps[at]
        if step.operation == TAKE:
            classes |= step.second
        elif step.operation == SPLIT:
            todo += [step.first, step.second]
        elif step.operation == JUMP:
            todo.append(step.first)
        elif step.operation != END:
            todo.append(at + 1)
    return classes
