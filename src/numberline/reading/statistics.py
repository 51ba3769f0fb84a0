"""A vocabulary → facts about its corpus, and the table of them that `numberline stats` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from numberline.reading.kinds import KINDS
from numberline.reading.numerals import plain_number
from numberline.reading.vocabulary import Vocabulary
from numberline.settings import ReadingSettings

if TYPE_CHECKING:
    from rich.table import Table

MOST_FREQUENT = 10  # words and numerals to list
DEFAULT_MIN_COUNT = ReadingSettings().min_count


def corpus_facts(vocabulary: Vocabulary, min_count: int = DEFAULT_MIN_COUNT) -> dict[str, Any]:
    """Return facts as JSON can hold them; rare numerals occur fewer than `min_count` times."""
    totals, values = vocabulary.totals, vocabulary.numeral_values
    most_frequent = np.argsort(-vocabulary.numeral_counts, kind="stable")[:MOST_FREQUENT]
    return {
        "sentences": totals.sentences,
        "tokens": totals.tokens,
        "word_tokens": totals.word_tokens,
        "distinct_words": totals.distinct_words,
        "vocabulary": len(vocabulary.words),
        "kept_tokens": vocabulary.kept_tokens,
        "numeral_tokens": totals.numeral_tokens,
        "numeral_fraction": totals.numeral_fraction,
        "distinct_numerals": len(values),
        "min_count": min_count,
        "rare_numerals": int((vocabulary.numeral_counts < min_count).sum()),
        "smallest_numeral": float(values[0]) if len(values) else None,
        "largest_numeral": float(values[-1]) if len(values) else None,
        "most_frequent_numerals": [
            {"value": float(values[index]), "count": int(vocabulary.numeral_counts[index])}
            for index in most_frequent
        ],
        "numeral_kinds": numeral_kinds(vocabulary),
        "most_frequent_words": vocabulary.words[:MOST_FREQUENT],
        "replaced_characters": totals.replaced_characters,
        "missing_texts": totals.missing_texts,
    }


def numeral_kinds(vocabulary: Vocabulary) -> dict[str, int]:
    """Return how many numerals are of each kind, the most frequent first."""
    counts = vocabulary.kind_counts
    order = np.argsort(-counts, kind="stable").tolist()
    return {KINDS[kind]: int(counts[kind]) for kind in order if counts[kind]}


def facts_table(facts: dict[str, Any]) -> Table:
    from rich.table import Table

    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="bold")
    table.add_column()
    table.add_row("sentences", f"{facts['sentences']:,}")
    table.add_row("tokens", f"{facts['tokens']:,}")
    table.add_row(
        "words",
        f"{facts['distinct_words']:,} distinct, {facts['vocabulary']:,} of them frequent enough "
        "to keep",
    )
    table.add_row(
        "numerals",
        f"{facts['numeral_tokens']:,} ({facts['numeral_fraction']:.1%} of tokens), "
        f"{facts['distinct_numerals']:,} distinct, {facts['rare_numerals']:,} of them occur fewer "
        f"than {facts['min_count']} times: as words they would be cut",
    )
    if facts["distinct_numerals"]:
        smallest, largest = facts["smallest_numeral"], facts["largest_numeral"]
        table.add_row("range", f"{plain_number(smallest)} to {plain_number(largest)}")
        frequent = facts["most_frequent_numerals"]
        counted = [f"{plain_number(item['value'])} ({item['count']:,})" for item in frequent]
        table.add_row("most frequent", ", ".join(counted))
        kinds = [f"{kind} ({count:,})" for kind, count in facts["numeral_kinds"].items()]
        table.add_row("kinds", ", ".join(kinds[:MOST_FREQUENT]))
    if facts["missing_texts"]:
        table.add_row("missing", f"{facts['missing_texts']:,} rows or elements without text")
    if facts["replaced_characters"]:
        table.add_row("not UTF-8", f"{facts['replaced_characters']:,} characters replaced")
    return table
