"""Labelled sentences: formats of files, labels as BIO, and what is refused."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberline.errors import SentencesError
from numberline.reading.tokenizer import tokenize
from numberline.tagging.sentences import (
    Span,
    as_bio,
    read_sentences,
    read_tokens,
    stretches,
    tag_spans,
    to_conll,
)

LABELS = st.sampled_from(["O", "B-a", "I-a", "B-b", "I-b"])
TOKENS = st.text("abc0.'é", min_size=1, max_size=4)
SENTENCES = st.lists(
    st.lists(st.tuples(TOKENS, LABELS), min_size=1, max_size=6), min_size=1, max_size=4
)


@given(SENTENCES)
def test_written_sentences_are_read_unchanged(tmp_path_factory, sentences):
    path = tmp_path_factory.mktemp("conll") / "file"
    path.write_text("".join(map(to_conll, sentences)), encoding="utf-8")
    assert read_sentences(path) == sentences


def test_blanks_columns_and_byte_order_marks_are_understood(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(
        b"\xef\xbb\xbf-DOCSTART- -X- O\r\n\r\n82 CD B-w\r\nkg NN O\r\n\r\n\r\n1 1/2\tB-h\r\n"
    )
    assert read_sentences(path) == [[("82", "B-w"), ("kg", "O")], [("1 1/2", "B-h")]]


@pytest.mark.parametrize(
    ("labels", "bio"),
    [
        ("O a a O a b b", "O B-a I-a O B-a B-b I-b"),
        ("B-a E-a S-a O", "B-a I-a B-a O"),
        ("U-a B-b I-b L-b", "B-a B-b I-b I-b"),
        ("O O", "O O"),
    ],
)
def test_schemes_become_bio(labels, bio):
    sentence = [("x", label) for label in labels.split()]
    assert [label for _, label in as_bio([sentence], "here")[0]] == bio.split()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("82 B-w\nkg\n", "line 2: 'kg' has no label"),
        ("", "holds no sentences"),
        ("\n\n", "holds no sentences"),
        ("82 B-w\n177 height\n", "with and without a prefix: 'B-w', 'height'"),
    ],
)
def test_broken_files_are_refused(tmp_path, text, message):
    path = tmp_path / "file"
    path.write_text(text)
    with pytest.raises(SentencesError, match=message):
        read_sentences(path)


def test_unreadable_files_are_refused(tmp_path):
    with pytest.raises(SentencesError, match="No such file"):
        read_sentences(tmp_path / "none")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SentencesError, match="not UTF-8"):
        read_sentences(tmp_path / "binary")


def test_spans_become_labels_of_tokens():
    text = "table for 5 adults at 11:30 or 12"
    spans = [
        Span("time", 22, 27),
        Span("people", 10, 18),
        Span("adults", 12, 18),
        Span("x", 31, 33),
    ]
    tagged = tag_spans(tokenize(text), spans)
    assert [label for _, label in tagged] == (
        "O O B-people I-people O B-time I-time I-time O B-x".split()
    )


def test_stretches_equal_those_of_seqeval():
    metrics = pytest.importorskip("seqeval.metrics.sequence_labeling")
    for labels in product(["O", "B-a", "I-a", "B-b", "I-b"], repeat=4):
        ours = [(label, start, end - 1) for label, start, end in stretches(labels)]
        assert ours == metrics.get_entities(list(labels))


def test_tokens_are_read_without_their_labels():
    assert read_tokens(["82\tB-w", "kg", "", "", "177"]) == [["82", "kg"], ["177"]]
