"""Text → tokens: the readable definition that the native scanner must equal on every input.

Tokens are words, numerals and the signs that belong to a quantity (% $ °, the marks of 5'8" and of
12:30); other punctuation only on request. shapes.py explains the character classes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from numberline.config import TextConfig
from numberline.text.number_phrases import COUNTING_WORDS, join_number_words
from numberline.text.numerals import Line, end_of_unit, read_numeral
from numberline.text.shapes import fold, shape_of
from numberline.text.tokens import Token

# A hyphen before digits makes an identifier of covid-19 and b-52, but not of mid-1990s.
COUNTED_PREFIXES = {"early", "late", "mid", "of", "over", "post", "pre", "sub", "top", "under"}
NO_SIGN_AFTER = "aezm0f.)-~+_"
BLANK = " wsm\n"
DEFAULTS = TextConfig()


def tokenize(text: str, config: TextConfig = DEFAULTS) -> list[Token]:
    """Split a text into words and numerals, as training with the same config does."""
    line = Line(text, config)
    tokens = scan(line, config)
    return join_number_words(tokens, line) if config.number_words else tokens


def parse_numeral(text: str, config: TextConfig = DEFAULTS) -> float | None:
    """The value of a text that is one numeral and nothing else, or None."""
    line = Line(text, config)
    tokens = tokenize(text, config)
    if len(tokens) != 1:
        return None
    around = line.shape[: tokens[0].start] + line.shape[tokens[0].end :]
    return None if around.strip(" ws\n") else tokens[0].value


def read_tokens(words: Iterable[str], config: TextConfig = DEFAULTS) -> list[Token]:
    """Tokens that were split elsewhere: each stays whole, as a numeral or as a word."""
    return [
        Token(fold(word, config.lowercase), parse_numeral(word, config), place, place + 1)
        for place, word in enumerate(words)
    ]


def scan(line: Line, config: TextConfig) -> list[Token]:
    tokens: list[Token] = []
    position = 0
    numeral_end = -1  # end of the latest numeral
    quantity_end = -1  # the same with the signs that stick to it, as in 5% and 6"
    while position < len(line.text):
        kind = line.shape[position]
        token = None
        if kind in "0f.-~+":
            token = numeral_at(line, position, numeral_end, quantity_end)
        belongs = belongs_to_quantity(line, position, numeral_end)
        if token is None and kind in "aez0":
            token = word_token(line, position, end_of_word(line, position, numeral_end), config)
        elif token is None and (belongs or (config.punctuation and kind not in BLANK)):
            token = word_token(line, position, position + 1, config)
        if token is None:
            position += 1
            continue
        if token.value is not None and not math.isfinite(token.value):
            token = word_token(line, token.start, token.end, config)
        if token.value is not None:
            numeral_end = quantity_end = token.end
        elif belongs and position == quantity_end:
            quantity_end = token.end
        tokens.append(token)
        position = token.end
    return tokens


def word_token(line: Line, start: int, end: int, config: TextConfig) -> Token:
    return Token(fold(line.text[start:end], config.lowercase), None, start, end)


def numeral_at(line: Line, start: int, numeral_end: int, quantity_end: int) -> Token | None:
    """The numeral at `start` with its sign, if one begins there."""
    shape = line.shape
    digits_start = start + (shape[start] in "-~+")
    is_point = shape[digits_start] == "." and shape[digits_start + 1] == "0"
    if shape[digits_start] not in "0f" and not is_point:
        return None
    if (digits_start > start or is_point) and not is_free(line, start, quantity_end):
        return None
    continues = numeral_end == digits_start - 1 and shape[digits_start - 1] in ",s"
    reading = read_numeral(line, digits_start, continues)
    if reading is None or (digits_start > start and not math.isfinite(reading.value)):
        return None  # the sign is not part of a word
    value = -reading.value if shape[start] in "-~" else reading.value
    return Token(line.text[start : reading.end], value + 0.0, start, reading.end)  # no -0.0


def is_free(line: Line, start: int, quantity_end: int) -> bool:
    """Whether a sign or leading point may begin a numeral here: never between two numerals."""
    if start and line.shape[start - 1] in NO_SIGN_AFTER:
        return False
    if start == quantity_end:
        return False
    gap = line.shape[max(quantity_end, 0) : start]
    return line.shape[start] != "-" or quantity_end < 0 or gap.strip(" ") != ""


def belongs_to_quantity(line: Line, position: int, numeral_end: int) -> bool:
    """Currency, percent and degree signs; feet, inches and the colon of 12:30 after a numeral."""
    kind, following = line.shape[position], line.shape[position + 1]
    if kind == "$":
        return True
    if position != numeral_end:
        return False
    if kind == "'":
        return following not in "aez"
    return kind == '"' or (kind == ":" and following == "0")


def end_of_word(line: Line, start: int, numeral_end: int) -> int:
    """End of the word at `start`: don't, mp3, v1.2, covid-19, new_york, but well of well-known."""
    is_suffix = start == numeral_end
    if is_suffix and (unit_end := end_of_unit(line, start)) is not None:
        return unit_end
    position = start
    latest = ""  # class of the latest character but marks
    while True:
        kind, following = line.shape[position], line.shape[position + 1]
        if kind == "0" and latest == "z":
            break  # in text without spaces a digit begins a numeral
        if not (
            kind in "aez0m"
            or (kind == "'" and following in "aez")
            or (kind == "_" and following in "aez0")
            or (kind == "." and latest == following == "0")
            or (kind == "-" and latest != "z" and not is_suffix and joins(line, start, position))
        ):
            break
        latest = latest if kind == "m" else kind
        position += 1
    return position


def joins(line: Line, start: int, hyphen: int) -> bool:
    """Whether the part after a hyphen holds a digit and so makes an identifier."""
    part = line.shape[hyphen + 1 : line.run(hyphen + 1, "aem0_")]
    if "0" not in part or part[0] not in "ae0":
        return False
    return part[0] != "0" or line.letters(start, hyphen) not in COUNTED_PREFIXES


def safe_cut(tail: bytes) -> int | None:
    """The last place in the end of a long line where cutting it in two changes no token.

    That is after a blank or sign between two words, neither of which counts anything.
    """
    text = tail.decode("utf-8", "surrogateescape")
    for match in reversed(list(re.finditer("[aezm][ w!](?=[aez])", shape_of(text)))):
        cut = match.end()
        before = re.search(r"\w*$", text[max(0, cut - 20) : cut - 1])
        after = re.match(r"\w*", text[cut : cut + 20])
        words = {found.group().lower() for found in (before, after) if found}
        if not words & COUNTING_WORDS:
            return len(text[:cut].encode("utf-8", "surrogateescape"))
    return None
