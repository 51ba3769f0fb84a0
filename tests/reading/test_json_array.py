"""JSON arrays are read object by object, in bounded memory."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numberline.errors import CorpusError
from numberline.reading.json_array import records_of_array
from tests.reading.reading_corpora import (
    COMPRESSORS,
    Write,
    every_compression,
    message_of,
    text_of,
)

RECORDS = [
    {"id": 1, "text": 'size ½ "XXL" ]}, \\ [{'},
    {"id": [{}], "text": None},
    {"id": None, "text": "two\nlines"},
]
TEXTS = 'size ½ "XXL" ]}, \\ [{\ntwo\nlines\n'.encode()


@pytest.mark.parametrize("indent", [None, 1])
def test_an_array_of_objects_becomes_lines_of_text(write: Write, indent: int | None) -> None:
    for ascii_only in (True, False):
        content = json.dumps(RECORDS, indent=indent, ensure_ascii=ascii_only)
        assert text_of(write("a.json", f"\ufeff\n{content}\n"), text_field="text") == TEXTS
    assert text_of(write("b", json.dumps(RECORDS)), text_field=["text"]) == TEXTS


def test_a_json_file_may_hold_an_object_in_each_line(write: Write) -> None:
    path = write("a.json", "\n".join(map(json.dumps, RECORDS)))
    assert text_of(path, text_field="text") == TEXTS


@every_compression
def test_an_array_may_be_compressed(write: Write, compression: str) -> None:
    path = write("a.json.gz", COMPRESSORS[compression](json.dumps(RECORDS).encode()))
    assert text_of(path, text_field="text") == TEXTS


def test_without_a_field_the_fields_are_listed_with_a_guess(write: Write) -> None:
    for content in (json.dumps(RECORDS), "\n".join(map(json.dumps, RECORDS))):
        path = write("a.json", content)
        assert message_of(path) == (
            f"{path} is a table: say which column holds the text, perhaps text_field='text'; "
            "its columns are 'id', 'text'"
        )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('[{"text": "a"}, {"text": "b"', ", element 1: bad JSON (Expecting ',' delimiter"),
        ('[{"text": "a"}', ", element 1: bad JSON (the file ends where ',' is needed)"),
        ('[{"text": "a"} {"text": "b"}]', ", element 1: bad JSON ('{' where ',' is needed)"),
        ('[{"text": "a"},]', ", element 1 is no JSON object"),
        ('[{"text": "a"}] []', ": bad JSON (there is more after the array)"),
        ('["a"]', ", element 0 is no JSON object"),
        ("[1, 2]", ", element 0 is no JSON object"),
        ('[{"text": tru}]', ", element 0: bad JSON (Expecting value"),
        ('[{"text": 190}]', ", element 0: field 'text' is 190 (int), not a string"),
        ('[{"body": ""}]', ", element 0: no field 'text'; set text_field to one of: 'body'"),
        ('[{"x": ' + "[" * 100_000, ", element 0: bad JSON (it is nested too deeply)"),
        ('[{"x": ' + "1" * 5000 + "}]", ", element 0: bad JSON ("),
        ("[]", " holds no text"),
        ("[", ", element 0 is no JSON object"),
    ],
)
def test_bad_arrays_name_the_file_and_the_element(write: Write, content: str, message: str) -> None:
    path = write("a.json", content)
    assert message_of(path, text_field="text").startswith(f"{path}{message}")


def test_a_mistake_is_found_without_reading_on() -> None:
    read = []

    def chunks() -> Iterator[bytes]:
        for number in range(100):
            read.append(number)
            yield (b"[" if not number else b"") + b'{"a": "x"}, {"a": oops},' * 9

    with pytest.raises(CorpusError, match="element 1: bad JSON"):
        list(records_of_array(chunks(), "a"))
    assert len(read) < 5


def test_an_object_longer_than_a_record_may_be_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numberline.reading.json_array.LONGEST_RECORD", 1000)
    for size, is_read in ((900, True), (1100, False)):
        content = json.dumps([{"a": "x" * size}, {"a": "y"}]).encode()
        for chunk in (7, 10**6):
            pieces = (content[at : at + chunk] for at in range(0, len(content), chunk))
            if is_read:
                assert len(list(records_of_array(pieces, "a"))) == 2
            else:
                with pytest.raises(CorpusError, match="element 0 has more than"):
                    list(records_of_array(pieces, "a"))


def test_a_string_of_gigabytes_is_refused_in_little_memory() -> None:
    def chunks() -> Iterator[bytes]:
        yield b'[{"text": "'
        for _ in range(2048):
            yield b"x" * (1 << 20)

    tracemalloc.start()
    with pytest.raises(CorpusError, match="element 0 has more than 33,554,432 bytes"):
        list(records_of_array(chunks(), "a"))
    assert tracemalloc.get_traced_memory()[1] < 400 << 20
    tracemalloc.stop()


def test_bytes_that_are_not_utf8_are_kept(write: Write) -> None:
    content = b'[{"text": "caf\xe9"}, {"text": "\\ud800 lone"}, {"text": "\\udce2\\udc82\\udcac"}]'
    expected = b"caf\xe9\n\xef\xbf\xbd lone\n" + "\ufffd\ufffd\ufffd\n".encode()
    assert text_of(write("a.json", content), text_field="text") == expected


values: Any = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)


@settings(max_examples=40)
@given(
    st.lists(st.dictionaries(st.text(), values), max_size=3),
    st.sampled_from([None, 2]),
    st.integers(1, 40),
)
def test_whatever_json_holds_is_read_in_chunks_of_any_size(
    records: list[dict[str, Any]], indent: int | None, chunk: int
) -> None:
    content = json.dumps(records, indent=indent, ensure_ascii=False).encode("utf-8", "replace")
    pieces = (content[at : at + chunk] for at in range(0, len(content), chunk))
    read = [record for _, record, _ in records_of_array(pieces, "a")]
    assert read == json.loads(content)
