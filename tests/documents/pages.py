"""A document → its blocks of code, each with its language and its line."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("benchmarks/*.md")])
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)


class Block(NamedTuple):
    language: str
    code: str
    line: int  # of its first line of code
    follows: bool  # nothing but blank lines stands between it and the block before


class Command(NamedTuple):
    line: str
    output: list[str]  # what the document shows below it


def name_of(document):
    return document.relative_to(ROOT).as_posix()


def blocks_of(text):
    blocks, end = [], 0
    for found in FENCE.finditer(text):
        line = text.count("\n", 0, found.start()) + 2
        between = text[end : found.start()]
        blocks.append(Block(found[1], found[2], line, bool(blocks) and not between.strip()))
        end = found.end()
    return blocks


def commands_of(block):
    """Return the lines that begin with $, joined at backslashes, and the output below each."""
    commands = []
    for line in block.code.replace("\\\n", " ").splitlines():
        if line.startswith("$ "):
            commands.append(Command(line[2:], []))
        else:
            assert commands, f"output without a command: {line!r}"
            commands[-1].output.append(line)
    return commands
