"""Records with named fields → the texts in the chosen fields, each as a line of bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NoReturn

from numberline.errors import CorpusError, describe, first_of, setting_name, setting_text
from numberline.reading.report import Report
from numberline.reading.shapes import without_surrogates

MISSING_TYPES = ("NAType", "NaTType")  # of pandas, which need not be installed
SAMPLE_RECORDS = 100  # whose texts are compared to guess the field that is meant
MOST_FIELDS = 1000  # that are compared


def to_utf8(text: str, keeps_bytes: bool = False) -> bytes:
    """Return a text as bytes.

    Lone surrogates become U+FFFD, or if `keeps_bytes` the bytes that they stand for, which were not
    UTF-8.
    """
    try:
        return text.encode("utf-8", "surrogateescape" if keeps_bytes else "strict")
    except UnicodeEncodeError:
        return without_surrogates(text).encode()


def as_line(text: bytes) -> bytes:
    return text if text.endswith(b"\n") else text + b"\n"


def is_missing(text: object) -> bool:
    """Tell whether there is no text: None, NaN, NA, or a string of blanks."""
    if isinstance(text, str):
        return not text or text.isspace()
    is_nan = isinstance(text, float) and text != text
    return text is None or is_nan or type(text).__name__ in MISSING_TYPES


def lines_of_records(
    records: Iterator[tuple[str, Mapping[Any, Any], bool]],
    name: str,
    fields: Sequence[str] | None,
    report: Report,
) -> Iterator[bytes]:
    """Yield the texts of the fields as lines.

    Each record comes with where it is and whether bytes that are not UTF-8 were kept in it.
    """
    if not fields:
        refuse_without_field((record for _, record, _ in records), name)
    for where, record, keeps_bytes in records:
        yield from lines_of_record(record, fields, where, report, keeps_bytes)


def lines_of_record(
    record: Mapping[Any, Any],
    fields: Sequence[str],
    where: str,
    report: Report,
    keeps_bytes: bool,
) -> Iterator[bytes]:
    """Yield the text of each field as a line; report fields without text."""
    for field in fields:
        if field not in record:
            names = first_of(map(repr, record)) or "none"
            advice = f"set {setting_name('text_field')} to one of: {names}"
            raise CorpusError(f"{where}: no field {field!r}; {advice}")
        text = record[field]
        if is_missing(text):
            report.missing_texts += 1
        elif isinstance(text, str):
            yield as_line(to_utf8(text, keeps_bytes))
        else:
            raise CorpusError(f"{where}: field {field!r} is {describe(text)}, not a string")


def require_column(field: str, columns: Sequence[Any], name: str) -> None:
    """Refuse a field that is not the name of exactly one column."""
    if columns.count(field) != 1:
        found = "several columns" if field in columns else "no column"
        names = first_of(map(repr, columns)) or "none"
        advice = f"set {setting_name('text_field')} to one of: {names}"
        raise CorpusError(f"{name}: {found} {field!r}; {advice}")


def refuse_without_field(records: Iterable[Mapping[Any, Any]], name: str) -> NoReturn:
    """Raise the error for records whose text could be in any field; it says which seems likely."""
    lengths: dict[Any, int] = {}
    for record in islice(records, SAMPLE_RECORDS):  # one at a time: each may be large
        for field, value in record.items():
            length = len(value) if isinstance(value, str) else 0
            lengths[field] = lengths.get(field, 0) + length
        if len(lengths) > MOST_FIELDS:
            break
    if not lengths:
        raise CorpusError(f"{name} holds no records")
    likely = max(lengths, key=lambda field: lengths[field])
    advice = f", perhaps {setting_text('text_field', likely)}" if lengths[likely] else ""
    raise CorpusError(
        f"{name} is a table: say which column holds the text{advice}; "
        f"its columns are {first_of(map(repr, lengths))}"
    )
