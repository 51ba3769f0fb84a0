"""A vocabulary → the facts that `numberline stats` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from numberline.reading.numerals import plain_number
from numberline.reading.vocabulary import Vocabulary
from numberline.settings import ReadingSettings

if TYPE_CHECKING:
    from rich.table import Table

SHOWN_NUMERALS = 10
DEFAULT_MIN_COUNT = ReadingSettings().min_count


def facts(vocabulary: Vocabulary, min_count: int = DEFAULT_MIN_COUNT) -> dict[str, Any]:
    totals, values = vocabulary.totals, vocabulary.numeral_values
    most_frequent = np.argsort(-vocabulary.numeral_counts, kind="stable")[:SHOWN_NUMERALS]
    return {
        "sentences": totals.sentences,
        "tokens": totals.tokens,
        "word_tokens": totals.word_tokens,
        "distinct_words": totals.distinct_words,
        "vocabulary": len(vocabulary.words),
        "kept_tokens": vocabulary.kept_tokens,
        "numeral_tokens": totals.numeral_tokens,
        "numeral_share": totals.numeral_share,
        "distinct_numerals": len(values),
        "min_count": min_count,
        "rare_numerals": int((vocabulary.numeral_counts < min_count).sum()),
        "smallest_numeral": float(values[0]) if len(values) else None,
        "largest_numeral": float(values[-1]) if len(values) else None,
        "most_frequent_numerals": [
            {"value": float(values[id]), "count": int(vocabulary.numeral_counts[id])}
            for id in most_frequent
        ],
        "most_frequent_words": vocabulary.words[:SHOWN_NUMERALS],
        "replaced_characters": totals.replaced_characters,
    }


def table(facts: dict[str, Any]) -> Table:
    from rich.table import Table

    rows = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    rows.add_column(style="bold")
    rows.add_column()
    rows.add_row("sentences", f"{facts['sentences']:,}")
    rows.add_row("tokens", f"{facts['tokens']:,}")
    rows.add_row(
        "words",
        f"{facts['distinct_words']:,} distinct, {facts['vocabulary']:,} of them frequent enough "
        f"to keep",
    )
    rows.add_row(
        "numerals",
        f"{facts['numeral_tokens']:,} ({facts['numeral_share']:.1%} of tokens), "
        f"{facts['distinct_numerals']:,} distinct, {facts['rare_numerals']:,} of them in fewer "
        f"than {facts['min_count']} places: as words they would be lost",
    )
    if facts["distinct_numerals"]:
        smallest, largest = facts["smallest_numeral"], facts["largest_numeral"]
        rows.add_row("range", f"{plain_number(smallest)} to {plain_number(largest)}")
        rows.add_row(
            "most frequent",
            ", ".join(
                f"{plain_number(numeral['value'])} ({numeral['count']:,})"
                for numeral in facts["most_frequent_numerals"]
            ),
        )
    if facts["replaced_characters"]:
        rows.add_row("not UTF-8", f"{facts['replaced_characters']:,} characters replaced")
    return rows
