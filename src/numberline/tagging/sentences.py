"""Files of labelled tokens ↔ sentences with BIO labels, from any labelling scheme.

A file has a token and its label per line, separated by a tab or blanks (of more columns the first
and the last are used), and an empty line between sentences. O is no label; B-height begins a
labelled stretch and I-height continues it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from numberline.errors import SentencesError
from numberline.files.regular import read_text, reason_of
from numberline.reading.tokens import Token

OUTSIDE = "O"
# The schemes BIOES and BILOU also mark the end of a stretch, and stretches of one token.
PREFIXES = {"B": "B", "I": "I", "E": "I", "L": "I", "S": "B", "U": "B"}
DOCUMENT_START = "-DOCSTART-"
_PREFIXED = re.compile(r"([BIELSU])-(.+)", re.DOTALL)

TaggedSentence = list[tuple[str, str]]  # token and label


class Stretch(NamedTuple):
    """A label and the tokens that have it."""

    label: str
    start: int  # index of the first token
    end: int  # index after the last one


class Span(NamedTuple):
    """A label and the characters that have it."""

    label: str
    start: int  # index of the first character
    end: int  # index after the last one


def read_sentences(path: Path) -> list[TaggedSentence]:
    """Read a file with a token and its label per line."""
    sentences: list[TaggedSentence] = [[]]
    for number, line in enumerate(lines_of(path)):
        columns = columns_of(line)
        if len(columns) == 1:
            raise SentencesError(
                f"{path}, line {number + 1}: {line.strip()!r:.40} has no label; a token and its "
                "label are needed, separated by a tab or a blank"
            )
        if not columns:
            sentences.append([])
        elif columns[0] != DOCUMENT_START:
            sentences[-1].append((columns[0], columns[-1]))
    return as_bio([sentence for sentence in sentences if sentence], path)


def read_tokens(lines: Iterable[str]) -> list[list[str]]:
    """Return the sentences of lines with a token each; labels after the tokens are ignored."""
    sentences: list[list[str]] = [[]]
    for line in lines:
        columns = columns_of(line)
        if columns:
            sentences[-1].append(columns[0])
        else:
            sentences.append([])
    return [sentence for sentence in sentences if sentence]


def lines_of(path: Path) -> list[str]:
    """Read UTF-8 text; only line feeds end lines, since a token may hold other line separators."""
    try:
        return read_text(path).split("\n")
    except (OSError, ValueError) as error:
        raise SentencesError(f"{path} cannot be read: {reason_of(error)}") from error


def columns_of(line: str) -> list[str]:
    """Split at tabs if there are any, since a token may then hold blanks; else at blanks."""
    return [column.strip() for column in line.split("\t")] if "\t" in line.strip() else line.split()


def as_bio(sentences: Sequence[TaggedSentence], source: object) -> list[TaggedSentence]:
    """Convert labels to BIO; without prefixes, equal labels in a row are one stretch."""
    if not sentences:
        raise SentencesError(f"{source} holds no sentences")
    kinds = {label for sentence in sentences for _, label in sentence if label != OUTSIDE}
    plain = sorted(kind for kind in kinds if not _PREFIXED.fullmatch(kind))
    if not plain:
        return [[(token, bio_label(label)) for token, label in one] for one in sentences]
    if len(plain) < len(kinds):
        prefixed = min(kinds - set(plain))
        raise SentencesError(
            f"{source} mixes labels with and without a prefix: {prefixed!r:.40}, {plain[0]!r:.40}"
        )
    return [stretches_of_equals(sentence) for sentence in sentences]


def bio_label(label: str) -> str:
    match = _PREFIXED.fullmatch(label)
    return f"{PREFIXES[match[1]]}-{match[2]}" if match else label


def stretches_of_equals(sentence: TaggedSentence) -> TaggedSentence:
    tagged: TaggedSentence = []
    before = OUTSIDE
    for token, label in sentence:
        prefix = "" if label == OUTSIDE else "I-" if label == before else "B-"
        tagged.append((token, prefix + label))
        before = label
    return tagged


def tag_spans(tokens: Iterable[Token], spans: Iterable[Span]) -> TaggedSentence:
    """Label tokens by the spans that they lie in; of overlapping spans the first counts."""
    ahead = sorted(spans, key=lambda span: (span.start, -span.end))[::-1]
    tagged: TaggedSentence = []
    inside: Span | None = None
    for token in tokens:
        while ahead and token.start >= ahead[-1].end:
            ahead.pop()
        span = ahead[-1] if ahead and token.end > ahead[-1].start else None
        prefix = "" if span is None else "I-" if span is inside else "B-"
        tagged.append((token.text, prefix + (span.label if span else OUTSIDE)))
        inside = span
    return tagged


def stretches(labels: Iterable[str]) -> list[Stretch]:
    """Return the labelled stretches of a sentence; an I- that continues nothing begins one."""
    labelled: list[Stretch] = []
    before = OUTSIDE
    for index, label in enumerate(labels):
        if label.startswith("I-") and before[2:] == label[2:]:
            labelled[-1] = labelled[-1]._replace(end=index + 1)
        elif label != OUTSIDE:
            labelled.append(Stretch(label[2:], index, index + 1))
        before = label
    return labelled


def to_conll(sentence: TaggedSentence) -> str:
    """Return one line per token and an empty line."""
    return "".join(f"{token}\t{label}\n" for token, label in sentence) + "\n"
