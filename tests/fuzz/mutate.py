"""Valid inputs with damaged bytes → a target; the small version of fuzzing, without coverage.

usage: python -m tests.fuzz.mutate TARGET INPUTS [FIRST]. The name of the input is printed before it
is tried, so that one that ends the process is known; `python -m tests.fuzz.mutate TARGET 1 N`
tries input N again.
"""

from __future__ import annotations

import random
import sys
from collections import Counter

from tests.fuzz.seeds import seeds_of
from tests.fuzz.targets import TARGETS, refused_or_read

SPECIAL = [0, 1, 0x7F, 0xFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]


def damaged(number: int, seeds: list[bytes]) -> bytes:
    """Return one of the seeds with a bit, bytes or a number changed, a part missing or repeated."""
    draw = random.Random(number)
    data = bytearray(seeds[number % len(seeds)])
    if not data:
        return b""
    at = draw.randrange(len(data))
    match draw.randrange(7):
        case 0:
            data[at] ^= 1 << draw.randrange(8)
        case 1:
            data[at] = draw.randrange(256)
        case 2:
            for _ in range(draw.randrange(2, 12)):
                data[draw.randrange(len(data))] = draw.randrange(256)
        case 3:
            del data[at:]
        case 4:
            data[at : at + 4] = draw.choice(SPECIAL).to_bytes(4, "little")
        case 5:
            del data[at : at + draw.randrange(1, 64)]
        case _:
            data[at:at] = data[at : at + draw.randrange(1, 64)] * draw.randrange(1, 9)
    return bytes(data)


def main() -> None:
    target, count = sys.argv[1], int(sys.argv[2])
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    seeds = seeds_of(target)
    outcomes: Counter[str] = Counter()
    for number in range(first, first + count):
        print(f"\r{target} {number}", end="", file=sys.stderr, flush=True)
        outcomes[refused_or_read(TARGETS[target], damaged(number, seeds))] += 1
    print(f"{target}: {outcomes['read']:,} read, {outcomes['refused']:,} refused")


if __name__ == "__main__":
    main()
