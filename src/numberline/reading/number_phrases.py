"""Tokens → tokens in which number words are numerals: twenty-five, two million and five.

Used if TextSettings.number_words is set. One space or hyphen joins words into one number.
"""

from __future__ import annotations

from typing import NamedTuple

from numberline.reading.numerals import Line
from numberline.reading.shapes import fold
from numberline.reading.tokens import Token

ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
).split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
SMALL_VALUES = {word: value for value, word in enumerate(ONES)}
TENS_VALUES = {word: 10 * value for value, word in enumerate(TENS, start=2)}
SCALE_VALUES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
LONGEST_PHRASE = 40  # in words; five groups such as "and nine hundred and ninety nine trillion"
COUNTING_WORDS = {*SMALL_VALUES, *TENS_VALUES, *SCALE_VALUES, "hundred", "and", "a"}


class Counted(NamedTuple):
    """The value of number words, and the index of the word after them."""

    end: int
    value: int


def join_number_words(tokens: list[Token], line: Line) -> list[Token]:
    """Return the tokens with each number in words as one numeral."""
    joined = []
    first = 0
    while first < len(tokens):
        counted = None
        if fold(tokens[first].text, lowercase=True) in COUNTING_WORDS:
            counted = read_number(phrase_at(tokens, first, line))
        if counted is None:
            joined.append(tokens[first])
            first += 1
            continue
        start, end = tokens[first].start, tokens[first + counted.end - 1].end
        joined.append(Token(line.text[start:end], float(counted.value), start, end))
        first += counted.end
    return joined


def phrase_at(tokens: list[Token], first: int, line: Line) -> list[str]:
    """Return the unbroken run of counting words from `first` on, and two empty words."""
    words = [fold(tokens[first].text, lowercase=True)]
    for index in range(first + 1, min(first + LONGEST_PHRASE, len(tokens))):
        token = tokens[index]
        word = fold(token.text, lowercase=True)
        is_joined = line.shape[tokens[index - 1].end : token.start] in {" ", "s", "-"}
        if not is_joined or token.value is not None or word not in COUNTING_WORDS:
            break
        words.append(word)
    return [*words, "", ""]


def read_number(words: list[str]) -> Counted | None:
    """Read groups below a thousand, each with a smaller scale than the one before."""
    total, end, limit = 0, 0, 10**15
    while True:
        group = read_below_thousand(words, end + (end > 0 and words[end] == "and"))
        if group is None:
            break
        scale = SCALE_VALUES.get(words[group.end], 1)
        if group.value * scale >= limit or (group.value == 0 and end > 0):
            break
        if scale == 1 or group.value == 0:
            return Counted(group.end, total + group.value)
        total, end, limit = total + group.value * scale, group.end + 1, scale
    return Counted(end, total) if end else None


def read_below_thousand(words: list[str], start: int) -> Counted | None:
    """Read seven, forty-two, a hundred, three hundred and seven, or nineteen hundred."""
    if words[start] == "a":
        is_one = words[start + 1] == "hundred" or words[start + 1] in SCALE_VALUES
        first = Counted(start + 1, 1) if is_one else None
    else:
        first = read_below_hundred(words, start)
    if first is None or first.value == 0 or words[first.end] != "hundred":
        return first
    hundreds = Counted(first.end + 1, 100 * first.value)
    rest = read_below_hundred(words, hundreds.end + (words[hundreds.end] == "and"))
    return Counted(rest.end, hundreds.value + rest.value) if rest and rest.value else hundreds


def read_below_hundred(words: list[str], start: int) -> Counted | None:
    """Read seven, nineteen, forty or forty-two."""
    if words[start] in TENS_VALUES:
        tens = TENS_VALUES[words[start]]
        ones = SMALL_VALUES.get(words[start + 1], 0)
        return Counted(start + 2, tens + ones) if 0 < ones < 10 else Counted(start + 1, tens)
    if words[start] in SMALL_VALUES:
        return Counted(start + 1, SMALL_VALUES[words[start]])
    return None
