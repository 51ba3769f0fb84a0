"""Blocks joined are the text that was cut, and no cut changes a token."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from numberline import count
from numberline.errors import CorpusError
from numberline.reading import blocks as cutter
from numberline.reading.blocks import Stream, cut_into_blocks, safe_cut
from numberline.reading.corpus import open_corpus
from numberline.reading.tokenizer import tokenize
from numberline.settings import TextSettings
from tests.reading.reading_corpora import Write, blocks_of, unpack


def pieces_of(data: bytes, sizes: list[int]) -> Iterator[bytes]:
    start = 0
    for size in sizes:
        yield data[start : start + size]
        start += size
    yield data[start:]


lines = st.lists(st.sampled_from([b"", b"a", b"of words", b"\xc3\xa9 190", b"x" * 30, b"a b " * 9]))


@given(lines, st.booleans(), st.lists(st.integers(0, 40)), st.integers(1, 50))
def test_blocks_give_the_text_back(
    lines: list[bytes], newline_at_end: bool, chunk_sizes: list[int], block_bytes: int
) -> None:
    data = b"\n".join(lines) + b"\n" * newline_at_end
    stream = Stream(pieces_of(data, chunk_sizes), "a.txt")
    blocks = list(cut_into_blocks(stream, block_bytes))
    assert b"".join(block.data for block in blocks) == data
    end = 0
    for block in blocks:
        end += len(block.data)
        whole_line = data[data.rfind(b"\n", 0, end - 1) + 1 :].split(b"\n")[0]
        assert block.ends_line == (data[end - 1 : end] == b"\n" or end == len(data))
        assert block.ends_line or len(whole_line) >= block_bytes
        longest_line = max(map(len, block.data.split(b"\n")))
        assert len(block.data) <= block_bytes or longest_line >= block_bytes


def test_lines_may_end_with_carriage_returns_alone() -> None:
    blocks = list(cut_into_blocks(Stream([b"1\r1/2\r\r" * 20], "a.txt"), 50))
    assert len(blocks) > 2
    assert all(block.ends_line and block.data.endswith(b"\r") for block in blocks)
    facts = count([b"\r".join([b"a 1"] * 9).decode()], min_count=1)
    assert facts.totals.sentences == 9


def test_a_long_line_of_numbers_is_cut() -> None:
    line = b"".join(b"%d " % number for number in range(5000))
    blocks = list(cut_into_blocks(Stream([line], "a.txt"), 1000))
    assert b"".join(block.data for block in blocks) == line
    assert max(len(block.data) for block in blocks) <= 1000


def test_a_long_line_is_cut_where_no_token_changes() -> None:
    line = "about 1,234.5 km or ½ of size xxl " * 200
    blocks = list(cut_into_blocks(Stream([line.encode()], "a.txt"), 1000))
    assert len(blocks) > 5
    assert [block.ends_line for block in blocks] == [False] * (len(blocks) - 1) + [True]
    tokens = [token for block in blocks for token in tokenize(block.data.decode())]
    assert [(t.text, t.value) for t in tokens] == [(t.text, t.value) for t in tokenize(line)]


def test_a_line_without_a_safe_cut_is_kept_whole_in_linear_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    searched: list[int] = []
    monkeypatch.setattr(cutter, "safe_cut", lambda tail: searched.append(len(tail)))
    chunks = [b"x" * 1000] * 5000 + [b"\nshort\n"]
    blocks = list(cut_into_blocks(Stream(chunks, "a.txt"), 2000))
    assert b"".join(block.data for block in blocks) == b"".join(chunks)
    assert all(block.ends_line for block in blocks)
    assert len(searched) < 20
    assert max(searched) <= cutter.CUT_WINDOW_BYTES


def test_blocks_are_small_again_after_a_line_without_a_safe_cut() -> None:
    chunks = [b"x" * 1000 + b"\n"] + [b"short\n"] * 500
    sizes = [len(block.data) for block in cut_into_blocks(Stream(chunks, "a.txt"), 100)]
    assert sizes[0] > 1000
    assert max(sizes[1:]) <= 100


def test_the_last_block_ends_its_line() -> None:
    tokens = Stream([b"a\0b\0c\0"], "<iterable>", tokenised=True)
    blocks = list(cut_into_blocks(tokens, 4))
    assert [block.data for block in blocks] == [b"a\0", b"b\0", b"c\0"]
    assert [block.ends_line for block in blocks] == [False, False, True]


def test_the_end_of_a_file_ends_the_line(write: Write, tmp_path: Path) -> None:
    write("a.txt", "size 1")
    write("b.txt", "90 kg")
    assert [(b.data, b.ends_line) for b in blocks_of(tmp_path)] == [
        (b"size 1", True),
        (b"90 kg", True),
    ]


@given(st.lists(st.lists(st.text("ab½", max_size=5))), st.integers(1, 30))
def test_blocks_give_the_tokens_back(sentences: list[list[str]], block_bytes: int) -> None:
    kept = [[token for token in sentence if token] for sentence in sentences]
    kept = [sentence for sentence in kept if sentence]
    stream = [["first"], *sentences]
    blocks = list(open_corpus(stream).blocks(block_bytes))
    assert unpack(blocks) == [["first"], *kept]
    assert [b.ends_line for b in blocks] == [b.data.endswith(b"\0\0") for b in blocks]
    assert all(b.data.endswith(b"\0") for b in blocks)
    assert all(len(b.data) <= max(block_bytes, 40) for b in blocks)


def test_a_line_that_is_too_long_for_the_scanner_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cutter, "LONGEST_BYTES", 1000)
    with pytest.raises(CorpusError, match=r"a.txt: from byte 4 on 1,000 bytes"):
        list(cut_into_blocks(Stream([b"ok\n\n", *[b"9" * 100] * 10, b"\n"], "a.txt"), 100))
    long_line = Stream([b"ok\n\n", *[b"9" * 100] * 9, b"\n"], "a.txt")
    assert [block.ends_line for block in cut_into_blocks(long_line, 100)] == [True, True]


# Pieces that rules read together with their neighbours, so that a cut between them is dangerous.
PIECES = (
    "3 1/2 million|twenty|five|and|a|hundred| |-|-2|word|covid-|19|½|$|%|x|.|,|'|\"|中文|۳|−5|é|"
    "8 |1/2|1⁄2|⁄3|lakh|crore|bn|EUR|Kr5,000|_five|3a|\u00a0|234|；|#|\t|T12:30"
).split("|")


@given(
    st.lists(st.sampled_from(PIECES), max_size=40).map("".join),
    st.sampled_from(["", "magnitudes", "number_words"]),
    st.integers(0, 10),
    st.integers(0, 10),
)
@settings(max_examples=2000)
@example("Chinese, 中文字 and no blank", "", 10, 0)
@example("of size 8 1⁄2", "", 0, 2)
@example("it is 3 lakh crore", "magnitudes", 0, 0)
def test_a_safe_cut_changes_no_token(text: str, option: str, before: int, after: int) -> None:
    """The window may begin and end anywhere, also within a character."""
    text_settings = TextSettings(**({option: True} if option else {}))
    data = text.encode()
    cut = safe_cut(data[before : max(before, len(data) - after)])
    if cut is None:
        return
    left, right = data[: before + cut].decode(), data[before + cut :].decode()
    halves = [*tokenize(left, text_settings), *tokenize(right, text_settings)]
    whole = tokenize(text, text_settings)
    assert [token[:2] for token in halves] == [token[:2] for token in whole]
    assert left
    assert right


def test_a_safe_cut_is_found_in_ordinary_text() -> None:
    text = "the quick brown fox costs 3 million bn"
    assert safe_cut(text.encode()) == len("the quick brown fox costs ")
    assert safe_cut(b"11 22 33 44 55") == len("11 22 33 ")
    assert safe_cut(b"11 22 33 1/2 44/55") == len("11 22 ")
    assert safe_cut(b"1.5, 2.5, 3.5.") == len("1.5, 2.5, ")
    assert safe_cut("中文字，文中字，中文字。文中".encode()) == len("中文字，文中字，".encode())
    assert safe_cut(b"1,2,3,4,5,6,7,8,9,10") is None
