"""The chat is the same for a seed, exact in its labels, and true to life in its sizes."""

from collections import Counter
from itertools import islice

import numberline as nl
from numberline_shop import ShopSettings, chat, write_corpus
from numberline_shop.nearby import RANGES
from numberline_shop.sizes import LETTERS


def test_a_seed_gives_the_same_bytes(tmp_path):
    for name, seed in (("a", 5), ("b", 5), ("c", 6)):
        write_corpus(tmp_path / name, sentences=2000, seed=seed)
    first = (tmp_path / "a").read_bytes()
    assert first == (tmp_path / "b").read_bytes()
    assert first != (tmp_path / "c").read_bytes()


def test_the_corpus_has_one_message_per_line(tmp_path):
    write_corpus(tmp_path / "corpus.txt", sentences=1500, seed=1)
    lines = (tmp_path / "corpus.txt").read_text(encoding="utf-8").splitlines()
    assert lines == [message.text for message in islice(chat(1), 1500)]


def test_the_default_corpus_has_about_a_million_tokens(messages):
    sample = messages[:2000]
    tokens = sum(len(nl.tokenize(message.text)) for message in sample)
    assert 800_000 < tokens / len(sample) * ShopSettings().sentences < 1_200_000


def test_spans_are_exactly_the_numerals_and_letter_sizes(messages):
    for message in messages[:4000]:
        tokens = nl.tokenize(message.text)
        starts = {token.start for token in tokens}
        ends = {token.end for token in tokens}
        covered = set()
        for label, start, end in message.spans:
            assert start in starts, message
            assert end in ends, message
            inside = [token for token in tokens if start <= token.start and token.end <= end]
            if label == "letter_size":
                assert [token.text for token in inside] == [message.text[start:end].lower()]
                assert inside[0].text in LETTERS
            else:
                assert inside[0].value is not None
                assert inside[-1].value is not None
            covered.update(token.start for token in inside)
        numerals = {token.start for token in tokens if token.value is not None}
        assert numerals <= covered, message


def test_every_label_occurs_and_none_is_unknown(messages):
    counts = Counter(label for message in messages for label, _ in message.quantities())
    assert set(counts) == {*RANGES, "letter_size"}
    assert min(counts.values()) > 50


def test_some_messages_have_no_numerals(messages):
    without = sum(not any(map(str.isdigit, message.text)) for message in messages)
    assert 0.1 < without / len(messages) < 0.25


def test_people_prefer_round_numbers(messages):
    heights = Counter(
        text for message in messages for label, text in message.quantities() if label == "height"
    )
    for round_number, beside in (("170", ("169", "171")), ("180", ("179", "181"))):
        assert heights[round_number] > 1.5 * max(heights[text] for text in beside)


def letters_beside(messages, label, number):
    """Count the letter sizes in the messages that hold this quantity."""
    return Counter(
        text.lower()
        for message in messages
        if (label, number) in message.quantities()
        for other, text in message.quantities()
        if other == "letter_size"
    )


def test_large_sizes_go_with_190_and_not_with_160(messages):
    tall, short = (letters_beside(messages, "height", number) for number in ("190", "160"))
    assert min(tall.total(), short.total()) > 50
    large = ("xl", "xxl", "xxxl")
    assert sum(tall[letter] for letter in large) > 0.8 * tall.total()
    assert sum(short[letter] for letter in ("xs", "s", "m")) > 0.9 * short.total()
    assert tall["xxl"] / tall.total() > 20 * (short["xxl"] + 1) / short.total()
    assert tall["xs"] == 0


def test_ten_is_an_age_that_wears_xs(messages):
    letters = letters_beside(messages, "age", "10")
    assert letters["xs"] > 0.6 * letters.total()
    assert not letters["xxl"]
    assert ("height", "10") not in {q for message in messages for q in message.quantities()}
