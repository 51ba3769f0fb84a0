"""A line and its tokens → items: words, numerals and the signs between them, with their classes.

Words that mean something together, such as "square miles" or "at least", become one item.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from numberline.reading.numerals import Line
from numberline.reading.quantities.classes import BIT, bits
from numberline.reading.quantities.lexicon import NO_UNIT, Entry, Lexicon
from numberline.reading.shapes import fold
from numberline.reading.tokens import Token

BLANKS = " swm\n"
SEVERAL = "…"  # stands for the spelling of an item of several words
QUOTES_BEFORE = 200  # characters that are searched for an opening quote
NO_NOUN = bits(
    "function counting scale hundred dozen half month weekday meridiem era unit money percent "
    "modifier ordinal suffix article and or to of in per the times zone superscript old"
)
NO_PLURAL = ("ss", "us", "is", "'s")
SENTENCE_ENDS = '.!?:"\u201c\u201d\u2022'
BLANKS_BEFORE = 3  # between a sentence and the next; more begin one, too
LARGEST_UNIT_POWER = 6
FIRST_YEAR, LAST_YEAR = 1000, 2100
FIRST_LIKELY_YEAR, LAST_LIKELY_YEAR = 1800, 2035
ROUND_YEAR = 2000  # as often a count


@dataclass(slots=True)
class Item:
    """A word, numeral or sign of a line, or several of them that belong together."""

    start: int
    end: int
    exact: str  # as written, with plain quotes and hyphens
    folded: str  # in lower case
    classes: int = 0
    value: float = 0.0
    unit: int = NO_UNIT
    power: int = 1  # of the unit
    scale: int = 0  # power of ten that a word or suffix multiplied the value by
    is_joined: bool = False  # no blank before it
    is_numeral: bool = False
    is_open_ended: bool = False  # a plus sign follows, as in 5+


def items_of(
    line: Line, tokens: list[Token], first: int, last: int, lexicon: Lexicon
) -> list[Item]:
    """Return the items of the tokens from `first` to `last` and of the signs around them."""
    return joined_phrases(list(raw_items(line, tokens, first, last)), line, lexicon)


def raw_items(line: Line, tokens: list[Token], first: int, last: int) -> Iterator[Item]:
    start = tokens[first - 1].end if first else 0
    for token in tokens[first:last]:
        yield from signs(line, start, token.start)
        yield item(line, token.start, token.end, token.value)
        start = token.end
    yield from signs(line, start, tokens[last].start if last < len(tokens) else len(line.text))


def signs(line: Line, start: int, end: int) -> Iterator[Item]:
    for index in range(start, end):
        if line.shape[index] not in BLANKS:
            yield item(line, index, index + 1, None)
        elif line.shape[index] == "\n":
            yield Item(index, index + 1, "\n", "\n", BIT["other"])


def item(line: Line, start: int, end: int, value: float | None) -> Item:
    text = line.text[start:end]
    made = Item(start, end, fold(text, lowercase=False), fold(text, lowercase=True))
    made.is_joined = start > 0 and line.shape[start - 1] not in BLANKS
    if value is not None:
        made.is_numeral, made.value = True, value
    return made


def joined_phrases(raw: list[Item], line: Line, lexicon: Lexicon) -> list[Item]:
    """Return the items with classes; the longest spellings of the lexicon become one item each."""
    items = []
    index = 0
    while index < len(raw):
        one = raw[index]
        length = 1
        if one.is_numeral:
            one.classes = numeral_classes(line, one)
        elif not one.classes:
            length = classify(raw, index, line, lexicon)
        items.append(one)
        index += length
    return items


def classify(raw: list[Item], index: int, line: Line, lexicon: Lexicon) -> int:
    """Set what an item means, alone or with those after it; return how many they are."""
    one = raw[index]
    length, entry = longest_entry(raw, index, lexicon)
    if length > 1:
        one.end = raw[index + length - 1].end
        one.folded = one.exact = SEVERAL
    elif entry is None and line.shape[one.start] in "ae":
        entry = powered_unit(one, lexicon)
    if entry is not None:
        one.classes, one.value, one.unit = entry.classes, entry.value, entry.unit
    if line.shape[one.start] in "aez0":
        if length == 1:
            one.classes |= word_classes(line, one)
    elif line.shape[one.start] in "'\"":
        one.classes = quote_class(line, one)
    elif entry is None:
        one.classes = BIT["other"]
    return length


def longest_entry(raw: list[Item], index: int, lexicon: Lexicon) -> tuple[int, Entry | None]:
    """Return the length and meaning of the longest spelling that begins at an item."""
    one = raw[index]
    longest = max(lexicon.longest.get(one.exact, 1), lexicon.longest.get(one.folded, 1))
    best: tuple[int, Entry | None] = (1, lexicon.find(one.exact, one.folded))
    exact, folded, words = one.exact, one.folded, 1
    for length in range(2, 2 * longest):
        if words == longest or index + length > len(raw) or raw[index + length - 1].is_numeral:
            break
        following = raw[index + length - 1]
        if following.exact == "-" and following.is_joined:
            continue  # square-mile
        exact, folded, words = (
            f"{exact} {following.exact}",
            f"{folded} {following.folded}",
            words + 1,
        )
        entry = lexicon.find(exact, folded)
        if entry is not None:
            best = length, entry
    return best


def powered_unit(one: Item, lexicon: Lexicon) -> Entry | None:
    """Return the unit of a word such as m2, s-1 or cm³, and set its power."""
    if inches := inches_after_foot(one.folded):
        return Entry(BIT["footinch"], inches, NO_UNIT)
    last = one.exact[-1]
    power = "0123456".find(last) if last.isascii() else "  ²³".find(last)
    if power < 1 or len(one.exact) < 2:
        return None
    end = len(one.exact) - 1
    if one.exact[end - 1] == "-":
        end, power = end - 1, -power
    entry = lexicon.find(one.exact[:end], one.folded[:end])
    if entry is None or not entry.classes & BIT["unit"]:
        return None
    one.power = power
    return Entry(BIT["unit"] | entry.classes & BIT["weak"], 0.0, entry.unit)


def inches_after_foot(word: str) -> float:
    """Return the inches of foot-4 in 6-foot-4, or 0."""
    unit, _, digits = word.partition("-")
    is_number = digits.isascii() and digits.isdigit() and len(digits) <= 2
    return float(digits) if unit in {"foot", "feet", "ft"} and is_number else 0.0


def word_classes(line: Line, one: Item) -> int:
    """Return whether a word is a name, a noun, or a plural; all are guesses."""
    if one.folded[:2] == "fy" and (year := fiscal_year(one.folded)):
        one.value = year
        return BIT["fiscal"]
    if is_dotted(one.folded):
        return BIT["dotted"]
    if one.classes & NO_NOUN:
        return 0
    if "'" in one.folded and not one.folded.endswith("'s"):
        return 0  # I'm, don't
    is_plural = len(one.folded) > 3 and one.folded[-1] == "s"
    plural = BIT["plural"] if is_plural and not one.folded.endswith(NO_PLURAL) else 0
    if one.exact[0] == one.folded[0]:
        return BIT["word"] | plural
    return BIT["name"] | plural | (BIT["initial"] if is_initial(line, one.start) else 0)


def is_initial(line: Line, start: int) -> bool:
    """Return whether a sentence begins at a word, which then may have a capital without a name."""
    at = start
    while at > max(start - BLANKS_BEFORE, 0) and line.shape[at - 1] in BLANKS:
        at -= 1
    return at == 0 or line.shape[at - 1] in BLANKS or line.text[at - 1] in SENTENCE_ENDS


def fiscal_year(word: str) -> float:
    """Return the year of fy19 or fy2019, or 0."""
    digits = word[2:]
    if not digits.isascii() or not digits.isdigit() or len(digits) not in {2, 4}:
        return 0
    return float(int(digits) + (2000 if len(digits) == 2 else 0))


def is_dotted(word: str) -> bool:
    """Return whether a word is a version: 1.2.3 or v1.2."""
    digits = word[1:] if word[0] == "v" else word
    return (
        "." in digits
        and digits[0].isdigit()
        and digits[-1].isdigit()
        and all(one == "." or one.isdigit() for one in digits)
        and digits.isascii()
    )


def quote_class(line: Line, one: Item) -> int:
    """Return whether a quote after a numeral is its unit, as in 5'8", or a quotation mark."""
    before = line.text[max(one.start - QUOTES_BEFORE, 0) : one.start]
    if one.exact == "'":
        return bits("apostrophe footsign")
    opened = before.count('"') % 2 or before.count("\u201c") > before.count("\u201d")
    return BIT["other"] if opened or not one.is_joined else BIT["inchsign"]


def numeral_classes(line: Line, one: Item) -> int:
    """Return how a numeral is written: its digits, and what they may name."""
    classes = BIT["number"] | (BIT["integer"] if one.value % 1 == 0 else 0)
    if line.shape[one.start] == "+":
        classes |= BIT["signed"]
    length = one.end - one.start
    shape = line.shape[one.start : one.end]
    if shape in {"0.00", "00.00"} and one.value % 1 < 0.595 and one.value < 25:
        classes |= BIT["clocked"]
    whole, point, decimals = shape.partition(".")
    if point and whole.strip("0") == decimals.strip("0") == "":
        classes |= BIT["pointed"]
    if shape.startswith("000.0"):
        classes |= BIT["threepoint"]
    if shape.startswith("00.0") and one.value < 60:
        classes |= BIT["seconds"]
    if shape != "0" * length:
        return classes
    classes |= BIT["whole"]
    if length == 1:
        classes |= BIT["digit"]
    if length <= 2:
        classes |= BIT["short"]
        classes |= BIT["monthno"] if 1 <= one.value <= 12 else 0
        classes |= BIT["day"] if 1 <= one.value <= 31 else 0
        classes |= BIT["hour"] if one.value <= 24 else 0
    if length == 2 and one.value < 60:
        classes |= BIT["sixty"]
    if length == 3:
        classes |= BIT["three"]
    if length == 4:
        classes |= BIT["four"]
        classes |= BIT["year"] if FIRST_YEAR <= one.value <= LAST_YEAR else 0
        is_likely = FIRST_LIKELY_YEAR <= one.value <= LAST_LIKELY_YEAR
        classes |= BIT["likely"] if is_likely and one.value != ROUND_YEAR else 0
    return classes
