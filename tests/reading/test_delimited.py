"""CSV and TSV files are read as spreadsheets write them; others are refused in one line."""

from __future__ import annotations

import csv
import gzip
import io
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberline.reading.corpus import open_corpus
from numberline.reading.delimited import delimited_lines
from numberline.reading.report import Report
from numberline.settings import ReadingSettings
from tests.reading.reading_corpora import Write, feed_stdin, message_of, text_of

ROWS = [["id", "my text", "n"], ["1", 'size 5\'4", "xs"', "7"], ["2", "two\nlines; a\ttab", ""]]
TEXTS = b'size 5\'4", "xs"\ntwo\nlines; a\ttab\n'


def written(rows: list[list[str]], **dialect: str) -> bytes:
    file = io.StringIO(newline="")
    csv.writer(file, **dialect).writerows(rows)  # type: ignore[arg-type]
    return file.getvalue().encode()


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
def test_a_column_of_a_table(write: Write, separator: str, line_end: str, start: bytes) -> None:
    content = start + written(ROWS, delimiter=separator, lineterminator=line_end)
    for name in ("a.csv", "A.TSV"):
        assert text_of(write(name, content), text_field="my text") == TEXTS
    assert text_of(write("a.csv.gz", gzip.compress(content)), text_field="my text") == TEXTS


def test_excel_names_the_separator_in_the_first_line(write: Write) -> None:
    content = b"\xef\xbb\xbfsep=;\r\n" + written([["a,b", "c"], ["x", "1,5"]], delimiter=";")
    assert text_of(write("a.csv", content), text_field="c") == b"1,5\n"
    assert text_of(write("a.csv", content), text_field="a,b") == b"x\n"
    wide = b"sep=;\na;b\n1;2;3\n"
    assert message_of(write("a.csv", wide), text_field="a").startswith(
        f"{write('a.csv', wide)}, line 3: 3 values, but there are 2 columns"
    )


def test_excel_for_mac_ended_lines_with_a_carriage_return(write: Write) -> None:
    path = write("a.csv", written(ROWS[:2], lineterminator="\r"))
    assert text_of(path, text_field="n") == b"7\n"


def test_several_fields_are_lines_of_their_own(write: Write) -> None:
    path = write("a.csv", "a,b,c\n1 x,no,2 y\n3 z,no,\n")
    assert text_of(path, text_field=["c", "a"]) == b"2 y\n1 x\n3 z\n"


def test_missing_texts_are_counted(write: Write) -> None:
    path = write("a.csv", 'a,b\n1,one\n2,\n3\n\n4,""\n5," "\n,,\n6,six\n')
    corpus = open_corpus(path, ReadingSettings(text_field="b"))
    for _ in range(2):  # a second reading counts anew
        assert b"".join(block.data for block in corpus.blocks()) == b"one\nsix\n"
        assert corpus.report.missing_texts == 5


def test_tabs_without_quotes(write: Write) -> None:
    """In most files with tabs a quote is a part of a text."""
    rows = 'id\ttext\n1\t5\'4" tall\n2\t"Great" shoes\n3\t"so 5" and\n'
    path = write("a.tsv", rows)
    assert text_of(path, text_field="text") == b'5\'4" tall\n"Great" shoes\n"so 5" and\n'
    unbalanced = write("b.tsv", 'id\ttext\n1\t"Great shoes\n2\tsize 7\n')
    assert text_of(unbalanced, text_field="text") == b'"Great shoes\nsize 7\n'


def test_standard_input_with_a_field_is_a_table_or_json(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    for content in (b"a,b\n1,x y\n", b'\n{"b": "x y"}\n', b' [{"b": "x y"}]'):
        feed_stdin(monkeypatch, content)
        assert text_of("-", text_field="b") == b"x y\n"
        assert text_of(write("a.txt", content), text_field="b") == b"x y\n"


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.csv.zst"])
def test_without_a_field_the_columns_are_listed_with_a_guess(write: Write, name: str) -> None:
    path = write(name, "id,title,review text\n1,nice,I am 5'4\n2,large,too large for 120 lbs\n")
    assert message_of(path) == (
        f"{path} is a table: say which column holds the text, perhaps text_field='review text'; "
        "its columns are 'id', 'title', 'review text'"
    )


@pytest.mark.parametrize(
    ("content", "field", "message"),
    [
        ("a,b\n1,2\n", "c", ": no column 'c'; set text_field to one of: 'a', 'b'"),
        ("a,a\n1,2\n", "a", ": several columns 'a'; set text_field to one of: 'a', 'a'"),
        (
            "a,b\n1,2\n3,4,5\n",
            "a",
            ", line 3: 3 values, but there are 2 columns; put texts with",
        ),
        ('a,b\n1,"x\ny" z\n', "b", ", line 2: this row is no CSV (',' expected after '\"')"),
        ('a,b\n1,"x\n', "b", ", line 2: this row is no CSV (unexpected end of data)"),
        ("", "a", ": no column 'a'; set text_field to one of: none"),
    ],
)
def test_bad_tables_name_the_file_and_the_line(
    write: Write, content: str, field: str, message: str
) -> None:
    path = write("a.csv", content)
    assert message_of(path, text_field=field).startswith(f"{path}{message}")


def test_a_table_of_a_header_alone_holds_no_text(write: Write) -> None:
    path = write("a.csv", "a,b\n")
    assert message_of(path, text_field="a") == f"{path} holds no text"
    assert message_of(path) == f"{path} holds no records"
    assert message_of(write("e.csv", "")).endswith("holds no records")


def test_utf16_is_refused_with_what_to_do(write: Write) -> None:
    path = write("a.csv", "a\tb\n1\t2\n".encode("utf-16"))
    assert "convert it to UTF-8" in message_of(path, text_field="a")


def test_bytes_that_are_not_utf8_are_kept(write: Write) -> None:
    assert text_of(write("a.csv", b"a,b\n1,caf\xe9\n"), text_field="b") == b"caf\xe9\n"


def test_rows_longer_than_a_record_may_be_are_refused(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numberline.reading.delimited.LONGEST_RECORD", 50)
    fine = 'a,b\n1,"' + "x\n" * 15 + '"\n'
    assert text_of(write("a.csv", fine), text_field="b") == b"x\n" * 15
    many = write("a.csv", "a,b\n" + "1,short\n" * 99)
    assert text_of(many, text_field="b") == b"short\n" * 99
    for row in ('1,"' + "x\n" * 30 + '"\n', "1," + "x" * 60 + "\n"):
        path = write("a.csv", fine + row)
        assert message_of(path, text_field="b").startswith(f"{path}, the row that ends in line ")


def test_an_open_quote_of_gigabytes_is_refused_in_little_memory() -> None:
    def chunks() -> Iterator[bytes]:
        yield b'a,b\n1,"'
        for _ in range(2048):
            yield (b"x" * 4095 + b"\n") * (1 << 8)

    tracemalloc.start()
    with pytest.raises(Exception, match="has more than 33,554,432 bytes"):
        list(delimited_lines(chunks(), "a.csv", ["b"], Report()))
    assert tracemalloc.get_traced_memory()[1] < 400 << 20
    tracemalloc.stop()


def test_texts_above_the_csv_modules_own_limit_are_read(write: Write) -> None:
    text = "word " * 100_000
    assert text_of(write("a.csv", written([["a"], [text]])), text_field="a") == f"{text}\n".encode()


texts = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0\r"))


@given(
    st.lists(st.tuples(texts, texts), min_size=1, max_size=5),
    st.sampled_from(",;|"),
    st.integers(1, 9),
)
def test_whatever_python_writes_is_read(
    rows: list[tuple[str, str]], separator: str, chunk: int
) -> None:
    header = ["one,;|", "two,;|"]
    content = written([header, *map(list, rows)], delimiter=separator)
    pieces = (content[at : at + chunk] for at in range(0, len(content), chunk))
    report = Report()
    lines = list(delimited_lines(pieces, "a.csv", [header[1]], report))
    expected = [text for _, text in rows if text and not text.isspace()]
    assert [line.decode().removesuffix("\n") for line in lines] == [
        text.removesuffix("\n") for text in expected
    ]
    assert report.missing_texts == len(rows) - len(expected)


def test_real_reviews() -> None:
    path = Path(__file__).parents[3] / "shared/data/eval/reviews/womens-clothing.csv"
    if not path.exists():
        pytest.skip(f"{path.name} is not here")
    with path.open(encoding="utf-8", newline="") as file:
        reviews = [row["Review Text"] for row in csv.DictReader(file) if row["Review Text"]]
    expected = "".join(f"{review}\n" for review in reviews).encode()
    assert text_of(path, text_field="Review Text") == expected
