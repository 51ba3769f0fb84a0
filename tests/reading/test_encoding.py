"""A corpus is counted and encoded exactly, in memory, in a folder and across blocks."""

import json
import tempfile
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import numberline as nl
from numberline.errors import CorpusError, NumberlineWarning, OutputError
from numberline.files.whole_folder import FolderWriter
from numberline.reading import encoding
from numberline.reading.corpus import open_corpus
from numberline.reading.counting import (
    CorpusCounter,
    LineJoiner,
    NumberedBlock,
    without_empty_lines,
)
from numberline.reading.encoded import ENCODED
from numberline.reading.encoding import encode as encode_corpus
from numberline.reading.spool import Spool
from numberline.settings import ReadingSettings

LINES = ["the cat sat 5 times", "the dog ran 2,000 m", "", "the 2000 cats", "5 5.0 +5 five"]


def decoded(encoded):
    """Return the sentences as words and values, read back from the ids."""
    words, values = encoded.vocabulary.words, encoded.vocabulary.numerals.values
    return [
        [words[id] if id < len(words) else float(values[id - len(words)]) for id in encoded[number]]
        for number in range(len(encoded))
    ]


def read(line):
    tokens = nl.tokenize(line)
    return [token.text if token.value is None else token.value for token in tokens]


def test_ids_stand_for_the_tokens_of_the_text():
    encoded = nl.encode(LINES, min_count=1)
    assert decoded(encoded) == [read(line) for line in LINES if line]


def test_words_are_sorted_by_frequency_and_numerals_by_value():
    vocabulary = nl.count(LINES, min_count=1)
    assert vocabulary.words[:2] == ["the", "cat"]
    assert vocabulary.words[1:] == sorted(vocabulary.words[1:])
    assert vocabulary.word_counts.tolist() == [3, 1, 1, 1, 1, 1, 1, 1, 1]
    assert vocabulary.numeral_values.tolist() == [5, 2000]
    assert vocabulary.numeral_counts.tolist() == [4, 2]  # 5, 5.0 and +5 are one; so is 2,000


def test_totals_count_rare_words_too():
    totals = nl.count(LINES, min_count=2).totals
    assert (totals.sentences, totals.tokens, totals.numeral_tokens) == (4, 17, 6)
    assert totals.distinct_words == 9
    assert totals.numeral_fraction == 6 / 17


def test_rare_words_are_cut_and_numerals_never():
    encoded = nl.encode([*LINES, "the 77 the"], min_count=2)
    assert encoded.vocabulary.words == ["the"]
    assert 77 in encoded.vocabulary.numeral_values
    assert decoded(encoded)[:2] == [["the", 5.0], ["the", 2000.0]]


def test_max_vocabulary_keeps_the_most_frequent():
    encoded = nl.encode(["a a a b b c 1 2 3"], min_count=1, max_vocabulary=2)
    assert encoded.vocabulary.words == ["a", "b"]
    assert decoded(encoded) == [["a", "a", "a", "b", "b", 1.0, 2.0, 3.0]]


def test_sentences_that_lose_all_words_are_left_out():
    encoded = nl.encode(["rare", "often often", "5"], min_count=2)
    assert decoded(encoded) == [["often", "often"], [5.0]]


def test_tokens_of_lists_are_not_split_again():
    encoded = nl.encode([["New York", "2,000", "5kg"], ["New York"]], min_count=1)
    assert decoded(encoded) == [["new york", 2000.0, "5kg"], ["new york"]]


def test_a_generator_gives_the_same_ids_as_a_list():
    assert decoded(nl.encode(iter(LINES), min_count=1)) == decoded(nl.encode(LINES, min_count=1))


def test_a_folder_holds_the_same_ids_and_maps_them(tmp_path):
    in_memory = nl.encode(LINES, min_count=1)
    in_folder = nl.encode(LINES, tmp_path / "encoded", min_count=1)
    assert not in_folder.ids.flags.writeable  # a mapped file
    assert (
        decoded(in_folder) == decoded(in_memory) == decoded(nl.load_encoded(tmp_path / "encoded"))
    )
    assert in_folder.vocabulary.totals == in_memory.vocabulary.totals
    assert in_folder.settings == ReadingSettings(min_count=1)


def test_ids_that_do_not_fit_memory_go_to_a_file_without_a_name(tmp_path, monkeypatch):
    monkeypatch.setattr(encoding, "IN_MEMORY_BYTES", 16)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    encoded = nl.encode(LINES, min_count=1)
    assert not encoded.ids.flags.writeable  # a mapped file
    assert decoded(encoded) == [read(line) for line in LINES if line]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("spool_bytes", [0, 30])
def test_ids_for_a_folder_may_pass_through_a_temporary_file(tmp_path, monkeypatch, spool_bytes):
    monkeypatch.setattr(encoding, "SPOOL_BYTES", spool_bytes)
    corpus = open_corpus(LINES)
    corpus.blocks, blocks = lambda: blocks(20), corpus.blocks
    with FolderWriter(tmp_path / "encoded", ENCODED.kind, overwrite=False) as writer:
        encoded = encode_corpus(corpus, ReadingSettings(min_count=1), writer)
    assert decoded(encoded) == [read(line) for line in LINES if line]
    assert [path.name for path in tmp_path.iterdir()] == ["encoded"]


lines_of_words = st.lists(
    st.lists(st.sampled_from(["cat", "dog", "5", "2,000", "½", "É", "x-1"]), max_size=9).map(
        " ".join
    )
)


@given(lines_of_words, st.integers(1, 4), st.integers(8, 60))
def test_threads_and_block_sizes_change_nothing(lines, threads, block_bytes):
    if not any(lines):
        return
    corpus = open_corpus(lines)
    corpus.blocks, blocks = lambda: blocks(block_bytes), corpus.blocks
    encoded = encode_corpus(corpus, ReadingSettings(min_count=1, threads=threads))
    assert decoded(encoded) == [read(line) for line in lines if line]
    expected = Counter(token for line in lines for token in read(line))
    assert dict(zip(encoded.vocabulary.words, encoded.vocabulary.word_counts, strict=True)) == {
        word: count for word, count in expected.items() if isinstance(word, str)
    }


def test_long_lines_are_one_sentence_however_they_are_cut(tmp_path):
    path = tmp_path / "long.txt"
    line = "some words and 42 more " * 2000
    path.write_text(f"first\n{line}\nlast 1")
    corpus = open_corpus(path)
    corpus.blocks, blocks = lambda: blocks(1000), corpus.blocks
    encoded = encode_corpus(corpus, ReadingSettings(min_count=1))
    assert [len(encoded[number]) for number in range(len(encoded))] == [1, 10_000, 2]


@given(st.lists(st.tuples(st.lists(st.integers(0, 5), min_size=1), st.booleans())))
def test_line_joiner_keeps_all_tokens(blocks):
    blocks = [*blocks, ([1], True)]
    joiner = LineJoiner()
    joined = [joiner.join(np.array(lengths, np.int64), ends) for lengths, ends in blocks]
    assert sum(int(lengths.sum()) for lengths in joined) == sum(sum(b) for b, _ in blocks)
    continued = sum(not ends for _, ends in blocks)
    assert sum(map(len, joined)) == sum(len(b) for b, _ in blocks) - continued


@given(st.lists(st.tuples(st.lists(st.integers(0, 2), min_size=1), st.booleans())))
def test_lines_without_tokens_need_not_be_kept(blocks):
    every, fewer = LineJoiner(), LineJoiner()
    for lengths, ends_line in [*blocks, ([1], True)]:
        lengths = np.array(lengths, np.int64)
        all_joined = every.join(lengths, ends_line)
        joined = fewer.join(without_empty_lines(lengths), ends_line)
        assert joined[joined > 0].tolist() == all_joined[all_joined > 0].tolist()


def test_empty_lines_take_no_memory():
    (block,) = CorpusCounter(ReadingSettings()).run(
        open_corpus(["1 word", "\n" * 10_000, "1 word"]), keep_ids=True
    )
    assert block.line_lengths.tolist() == [2, 2]


def test_lengths_of_lines_count_against_the_memory_of_the_spool():
    block = NumberedBlock(0, np.zeros(10, np.int32), np.ones(10, np.int64), True, 0)
    for in_memory_bytes, is_on_disk in ((119, True), (120, False)):
        with Spool(in_memory_bytes) as spool:
            spool.append(block)
            assert spool.is_on_disk == is_on_disk


def test_progress_is_called_with_the_bytes_read_and_all(tmp_path):
    path = tmp_path / "text"
    path.write_text("some text 5\n" * 1000)
    seen = []
    nl.encode(path, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (12_000, 12_000)


def test_a_corpus_without_numerals_is_a_warning():
    with pytest.warns(NumberlineWarning, match="no numerals"):
        encoded = nl.encode(["no digits here"], min_count=1)
    assert len(encoded.vocabulary.numeral_values) == 0


def test_bytes_that_are_not_utf8_are_counted_and_a_warning(tmp_path):
    path = tmp_path / "latin1.txt"
    path.write_bytes("caf\xe9 5\n".encode("latin-1") * 3)
    with pytest.warns(NumberlineWarning, match="3 characters were not UTF-8"):
        assert nl.count(path).totals.replaced_characters == 3


def test_text_without_tokens_is_an_error():
    with pytest.raises(CorpusError, match="no words and no numerals"):
        nl.encode(["...", "!?"])


@pytest.mark.parametrize("lines", [["1 2 2", "3"], ["rare 1 2 2", "only rare", "3"]])
@pytest.mark.parametrize("in_folder", [False, True])
def test_a_corpus_whose_words_are_all_cut_keeps_its_numerals(tmp_path, lines, in_folder):
    with pytest.warns(NumberlineWarning, match="no word occurs min_count=5 times; only numerals"):
        encoded = nl.encode(lines, tmp_path / "encoded" if in_folder else None)
    assert encoded.vocabulary.words == []
    assert decoded(encoded) == [[1.0, 2.0, 2.0], [3.0]]


def test_nothing_left_to_encode_is_an_error():
    message = (
        "no word occurs min_count=5 times, and there are no numerals; lower min_count or add text"
    )
    with pytest.raises(CorpusError, match=message):
        nl.encode(["once", "upon a time"])


def test_folders_are_not_overwritten_by_accident(tmp_path):
    folder = tmp_path / "encoded"
    nl.encode(LINES, folder, min_count=1)
    with pytest.raises(OutputError, match="exists already"):
        nl.encode(LINES, folder, min_count=1)
    assert len(nl.encode(["new 1"], folder, min_count=1, overwrite=True)) == 1
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.txt").write_text("years of work")
    with pytest.raises(OutputError, match="no encoded corpus"):
        nl.encode(LINES, tmp_path / "mine", min_count=1, overwrite=True)
    assert (tmp_path / "mine/thesis.txt").exists()


def test_nothing_half_written_is_left_behind(tmp_path):
    def fails():
        yield "some text 5 5 5"
        raise RuntimeError("the source broke")

    with pytest.raises(RuntimeError, match="broke"):
        nl.encode(fails(), tmp_path / "encoded", min_count=1)
    with pytest.raises(CorpusError):
        nl.encode(["rare"], tmp_path / "encoded")
    assert list(tmp_path.iterdir()) == []


def test_a_failure_while_writing_leaves_the_old_folder(tmp_path, monkeypatch):
    folder = tmp_path / "encoded"
    before = decoded(nl.encode(LINES, folder, min_count=1))
    monkeypatch.setattr(json, "dumps", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        nl.encode(["new 1"], folder, min_count=1, overwrite=True)
    assert decoded(nl.load_encoded(folder)) == before
    assert list(tmp_path.iterdir()) == [folder]
