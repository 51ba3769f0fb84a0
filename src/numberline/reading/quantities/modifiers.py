"""The words and signs beside a quantity → what they say of its value: about, at least, up …"""

from __future__ import annotations

from numberline.reading.quantities.classes import BIT
from numberline.reading.quantities.items import Item

MODIFIERS = ("", "about", "at least", "over", "at most", "under", "up", "down", "±")


def modifier_of(items: list[Item], start: int, stop: int, free: int) -> int:
    """Return the modifier of the items from `start` to `stop`; those before `free` are taken."""
    before = start - 1
    if before > free and items[before].classes & BIT["article"]:
        before -= 1  # about a 5 km walk
    if before >= free and items[before].classes & BIT["modifier"]:
        return int(items[before].value)
    for item in items[start:stop]:
        if item.is_open_ended:
            return MODIFIERS.index("at least")  # 5+ years
    if stop < len(items) and items[stop].classes & BIT["after"]:
        is_before_next = stop + 1 < len(items) and items[stop + 1].classes & BIT["number"]
        return 0 if is_before_next else int(items[stop].value)
    return 0
