"""Items and a rule → the items that the rule takes; the definition of what its steps do."""

from __future__ import annotations

from typing import NamedTuple

from numberline.reading.quantities.items import Item
from numberline.reading.quantities.rules import (
    ANY,
    BEHIND,
    END,
    JOINED,
    JUMP,
    MARK,
    SPLIT,
    TAKE,
    Rule,
    Step,
)

MOST_ITEMS = 40  # that one rule takes


class Match(NamedTuple):
    """Indices of items: the first of the quantity, and those after its last and the rule's."""

    start: int
    stop: int
    end: int


def match(rule: Rule, items: list[Item], first: int) -> Match | None:
    """Return what a rule takes from an item on, the first way in the order of its alternatives."""
    if not items[first].classes & rule.first_classes:
        return None
    marks = [first, first]
    end = run(rule.steps, 0, items, first, marks, first + MOST_ITEMS)
    return None if end is None else Match(marks[0], marks[1], end)


def run(
    steps: tuple[Step, ...], at: int, items: list[Item], index: int, marks: list[int], limit: int
) -> int | None:
    """Run the steps from `at` on; return the index after the last item taken, or None."""
    while steps[at].operation != END:
        operation, first, second = steps[at]
        if operation == MARK:  # each way through a rule sets both
            marks[first] = index
            at += 1
            continue
        if operation == SPLIT:
            end = run(steps, first, items, index, marks, limit)
            if end is not None:
                return end
            at = second
        elif operation == JUMP:
            at = first
        else:
            if operation == BEHIND:
                if index == 0 or not is_taken(items[index - 1], first, second):
                    return None
                at += 1
                continue
            fits = index < min(len(items), limit) and is_taken(items[index], first, second)
            if fits != (operation == TAKE):
                return None
            index += operation == TAKE
            at += 1
    return index


def is_taken(item: Item, blank: int, classes: int) -> bool:
    if not item.classes & classes:
        return False
    return blank == ANY or item.is_joined == (blank == JOINED)
