"""Lines are whole however blocks are cut, and end where the scanner ends them."""

from hypothesis import given
from hypothesis import strategies as st

import numberline as nl
from numberline.reading.blocks import Stream, cut_into_blocks
from numberline.reading.corpus import open_corpus
from numberline.reading.lines import joined, lines_within, sentences_of

lines = st.lists(st.sampled_from(["", "a", "of words", "é 190", "x\x0by", "p\u2028q", "a b " * 9]))


@given(lines, st.sampled_from(["\n", "\r\n", "\r"]), st.integers(1, 50))
def test_lines_are_whole_whatever_the_blocks(lines, line_end, block_bytes):
    data = line_end.join(lines).encode()
    blocks = cut_into_blocks(Stream([data], "a.txt"), block_bytes)
    whole = [line.decode() for block in joined(blocks) for line in lines_within(block)]
    assert whole == list(filter(None, lines))


@given(lines, st.sampled_from(["\n", "\r\n", "\r"]))
def test_there_are_as_many_sentences_as_the_scanner_counts(lines, line_end):
    text = line_end.join([*lines, "end 1"])
    sentences = nl.count([text], min_count=1).totals.sentences
    assert len(list(sentences_of(open_corpus([text])))) == sentences


def test_broken_bytes_are_replaced_in_sentences(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"a \xff b\n\nc")
    assert list(sentences_of(open_corpus(path))) == ["a \ufffd b", "c"]


def test_token_lists_are_sentences():
    lists = [["a", "1,000", "b"], [], ["c", "d"], ["long"] * 2_000_000]
    assert list(sentences_of(open_corpus(lists))) == [lists[0], lists[2], lists[3]]
