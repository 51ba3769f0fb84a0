"""`numberline stats` prints facts about a corpus."""

import numberline as nl
from numberline.reading import statistics


def shown(facts):
    columns = statistics.facts_table(facts).columns
    return "\n".join(str(cell) for column in columns for cell in column.cells)


def test_rare_numerals_occur_less_often_than_min_count():
    vocabulary = nl.count(["word 1", "2 2", "3 3 3", "4 4 4 4"], min_count=1)
    for min_count, rare in [(1, 0), (2, 1), (3, 2), (4, 3), (5, 4)]:
        assert statistics.corpus_facts(vocabulary, min_count)["rare_numerals"] == rare
    assert "2 of them occur fewer than 3 times" in shown(statistics.corpus_facts(vocabulary, 3))


def test_kinds_of_numerals_are_counted():
    facts = statistics.corpus_facts(nl.count(["x 5% x $5 x 6% x"], min_count=1))
    assert facts["numeral_kinds"] == {"percent": 2, "money": 1}
    assert "percent (2), money (1)" in shown(facts)
