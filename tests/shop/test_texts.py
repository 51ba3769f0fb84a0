"""Text files hold named lists of indented entries."""

from collections import Counter

from numberline_shop.texts import FILES, lists_of, phrases, tables, words

TEXT = """\
# A comment.

first
    one [a|b], two
    # three

second list
    four
"""


def test_a_line_at_the_margin_names_a_list():
    assert lists_of(TEXT) == {"first": ["one [a|b], two", "# three"], "second list": ["four"]}


def test_no_list_of_phrases_is_written_twice_or_empty():
    texts = [file.read_text(encoding="utf-8") for file in (FILES / "phrases").iterdir()]
    counts = Counter(name for text in texts for name in lists_of(text))
    assert counts.keys() == phrases().keys()
    assert set(counts.values()) == {1}
    assert all(phrases().values())


def test_lists_of_words_may_name_earlier_ones():
    goods = words("goods")
    assert goods["everything"][: len(goods["tops"])] == goods["tops"]
    assert "tee 15" in goods["tops"]
    assert "cardigan 58" in goods["tops"]  # the last one in its line


def test_tables_are_split_at_blanks():
    assert tables("topics")["customers"][0] == ["fit", "adult", "tops", "210", "300"]
