"""Text → tokens: the readable definition that the native scanner must equal on every input.

Tokens are words, numerals and the signs that belong to a quantity (% $ °, the marks of 5'8" and of
12:30). Other punctuation is left out. shapes.py explains the classes of characters.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from numberline.reading.number_phrases import join_number_words
from numberline.reading.numerals import Line, end_of_groups, end_of_unit, read_numeral
from numberline.reading.shapes import fold
from numberline.reading.tokens import Token
from numberline.settings import TextSettings

# A hyphen before digits makes an identifier of covid-19 and b-52, but not of mid-1990s or 2-in-1.
COUNTED_PREFIXES = set(
    "and by early for in late mid of or over per post pre sub to top under vs".split()
)
LONGEST_PREFIX = max(map(len, COUNTED_PREFIXES))
# Codes that touch an amount, as in Rs5,000 and EUR1,250. Case-sensitive: RS232 is a plug.
CURRENCY_CODES = set(
    "AUD BRL CAD CHF CNY DKK EUR GBP HKD INR JPY KRW "
    "MXN NOK NZD PLN RMB RUB Rs SEK SGD USD ZAR".split()
)
NO_POINT_AFTER = "aezm0f.)_"
NO_SIGN_AFTER = NO_POINT_AFTER + "-~+"
DEFAULTS = TextSettings()


def parse_numeral(text: str, settings: TextSettings = DEFAULTS) -> float | None:
    """Return the value of a text that is one numeral and nothing else, or None."""
    line = Line(text, settings)
    tokens = tokens_of(line)
    if len(tokens) != 1:
        return None
    around = line.shape[: tokens[0].start] + line.shape[tokens[0].end :]
    return None if around.strip(" ws\n") else tokens[0].value


def read_tokens(words: Iterable[str], settings: TextSettings = DEFAULTS) -> list[Token]:
    """Return words that were split elsewhere as tokens; each stays whole, as numeral or word."""
    return [
        Token(fold(word, settings.lowercase), parse_numeral(word, settings), index, index + 1)
        for index, word in enumerate(words)
    ]


def tokens_of(line: Line) -> list[Token]:
    """Return the tokens of a line, without the kinds of numerals, which tokenizer.py adds."""
    tokens = scan(line)
    return join_number_words(tokens, line) if line.settings.number_words else tokens


def scan(line: Line) -> list[Token]:
    tokens: list[Token] = []
    index = 0
    numeral_end = -1  # end of the latest numeral
    quantity_end = -1  # end of the latest numeral and of the signs after it, as in 5% and 6"
    while index < len(line.text):
        kind = line.shape[index]
        token = None
        if kind in "0f.-~+":
            token = numeral_at(line, index, numeral_end, quantity_end)
        belongs = belongs_to_quantity(line, index, numeral_end)
        if token is None and kind in "aez0":
            token = word_token(line, index, end_of_word(line, index, quantity_end))
        elif token is None and belongs:
            token = word_token(line, index, index + 1)
        if token is None:
            index += 1
            continue
        if token.value is not None and not math.isfinite(token.value):
            token = word_token(line, token.start, token.end)
        if token.value is not None:
            numeral_end = quantity_end = token.end
        elif belongs and index == quantity_end:
            quantity_end = token.end
        tokens.append(token)
        index = token.end
    return tokens


def word_token(line: Line, start: int, end: int) -> Token:
    return Token(fold(line.text[start:end], line.settings.lowercase), None, start, end)


def numeral_at(line: Line, start: int, numeral_end: int, quantity_end: int) -> Token | None:
    """Return the numeral that begins at `start`, with its sign, or None."""
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
        return None  # a sign is never part of a word
    value = -reading.value if shape[start] in "-~" else reading.value
    return Token(line.text[start : reading.end], value + 0.0, start, reading.end)  # no -0.0


def is_free(line: Line, start: int, quantity_end: int) -> bool:
    """Return whether a sign or point may begin a numeral, as it never does between two numerals."""
    not_after = NO_POINT_AFTER if line.shape[start] == "." else NO_SIGN_AFTER
    if start and line.shape[start - 1] in not_after:
        return False
    if start == quantity_end:
        return False
    gap = line.shape[max(quantity_end, 0) : start]
    return line.shape[start] != "-" or quantity_end < 0 or gap.strip(" ") != ""


def belongs_to_quantity(line: Line, index: int, numeral_end: int) -> bool:
    """Return whether a sign is a token: a currency, percent or degree sign; after a numeral also
    feet, inches and the colon of 12:30.
    """
    kind, following = line.shape[index], line.shape[index + 1]
    if kind == "$":
        return True
    if index != numeral_end:
        return False
    if kind == "'":  # as in 5' and 2'x4', but not in 1990's
        return following not in "aez" or end_of_unit(line, index + 1) is not None
    return kind == '"' or (kind == ":" and following == "0")


def end_of_word(line: Line, start: int, quantity_end: int) -> int:
    """Return the end of a word: of don't, mp3, v1.2, covid-19, new_york, or well in well-known."""
    is_suffix = start == quantity_end
    if is_suffix and (unit_end := end_of_unit(line, start)) is not None:
        return unit_end
    index = start
    latest = ""  # class of the latest character that is no combining mark
    digits_start = start  # start of the latest digits that directly follow a letter
    while True:
        kind, following = line.shape[index], line.shape[index + 1]
        if kind == "0" and (latest == "z" or is_currency(line, start, index)):
            break  # a numeral begins: always after letters without case, as in Chinese text
        if kind == "0" and latest in {"a", "e"}:
            digits_start = index
        if kind == "," and start < digits_start < index <= digits_start + 3:
            # Kr5,000 is one word: read as kr5 and 0 it would be wrong.
            index = end_of_groups(line, digits_start) or index
            kind, following = line.shape[index], line.shape[index + 1]
        if not (
            kind in "aez0m"
            or (kind == "'" and following in "aez")
            or (kind == "_" and following in "aez0")
            or (kind == "." and latest == following == "0")
            or (kind == "-" and latest != "z" and not is_suffix and joins(line, start, index))
        ):
            break
        latest = latest if kind == "m" else kind
        index += 1
    return index


def is_currency(line: Line, start: int, end: int) -> bool:
    return end - start <= 3 and line.text[start:end] in CURRENCY_CODES


def joins(line: Line, start: int, hyphen: int) -> bool:
    """Return whether the part after a hyphen holds a digit and so makes the word an identifier."""
    part = line.shape[hyphen + 1 : line.run(hyphen + 1, "aem0_")]
    if "0" not in part or part[0] not in "ae0":
        return False
    is_prefix = hyphen - start <= LONGEST_PREFIX and line.letters(start, hyphen) in COUNTED_PREFIXES
    return part[0] != "0" or not is_prefix
