"""Data frames, datasets, columns and dicts are read, without importing what made them."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Iterator
from typing import Any, ClassVar

import pytest

import numberline as nl
from numberline.errors import NumberlineWarning
from numberline.reading.corpus import open_corpus
from numberline.settings import ReadingSettings
from tests.reading.reading_corpora import message_of, text_of

COLUMNS: dict[str, list[Any]] = {
    "id": [1, 2, 3, 4],
    "title": ["a", None, "c", "d"],
    "review": ["size 5", "two\nlines", None, "190 cm"],
}
TEXTS = b"size 5\ntwo\nlines\n190 cm\n"
ROWS = [dict(zip(COLUMNS, row, strict=True)) for row in zip(*COLUMNS.values(), strict=True)]


class Dataset:
    """Offers what datasets of Hugging Face offer."""

    def __init__(self, columns: dict[str, list[Any]]) -> None:
        self._columns = columns

    @property
    def column_names(self) -> list[str]:
        return list(self._columns)

    def __getitem__(self, name: str) -> list[Any]:
        return self._columns[name]

    def select_columns(self, names: list[str]) -> Any:
        chosen = [self._columns[name] for name in names]
        return (dict(zip(names, row, strict=True)) for row in zip(*chosen, strict=True))


def pandas_frame() -> Any:
    return pytest.importorskip("pandas").DataFrame(COLUMNS)


def polars_frame() -> Any:
    return pytest.importorskip("polars").DataFrame(COLUMNS)


def arrow_table() -> Any:
    return pytest.importorskip("pyarrow").table(COLUMNS)


def dataset() -> Any:
    return Dataset(COLUMNS)


every_frame = pytest.mark.parametrize("made", [pandas_frame, polars_frame, arrow_table, dataset])


@every_frame
def test_a_column_of_a_frame(made: Any) -> None:
    frame = made()
    corpus = open_corpus(frame, ReadingSettings(text_field="review"))
    for _ in range(2):
        assert b"".join(block.data for block in corpus.blocks()) == TEXTS
        assert corpus.report.missing_texts == 1
    assert text_of(frame, text_field=["title", "review"]) == (
        b"a\nsize 5\ntwo\nlines\nc\nd\n190 cm\n"
    )


@every_frame
def test_a_frame_without_a_field_is_refused_with_its_columns_and_a_guess(made: Any) -> None:
    frame = made()
    name = f"<{type(frame).__name__}>"
    assert message_of(frame) == (
        f"{name} is a table: say which column holds the text, perhaps text_field='review'; "
        "its columns are 'id', 'title', 'review'"
    )
    assert message_of(frame, text_field="body") == (
        f"{name}: no column 'body'; set text_field to one of: 'id', 'title', 'review'"
    )
    assert message_of(frame, text_field="id") == (
        f"{name}, element 0: field 'id' is 1 (int), not a string"
    )


def test_a_column_may_begin_with_missing_values() -> None:
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    texts = [None, None, "size 5", None, "190 cm"]
    for column in (
        texts,
        iter(texts),
        [float("nan"), *texts[1:]],
        pandas.Series(texts),
        pandas.Series(texts, dtype=object),
        pandas.Series(texts, dtype="string"),
        pandas.Series(texts, dtype="category"),
        polars.Series(texts),
    ):
        corpus = open_corpus(column)
        assert b"".join(block.data for block in corpus.blocks()) == b"size 5\n190 cm\n"
        assert corpus.report.missing_texts == 3


def test_dicts_are_read_with_a_field() -> None:
    assert text_of(ROWS, text_field="review") == TEXTS
    assert text_of(iter(ROWS), text_field="review") == TEXTS
    assert message_of(ROWS, text_field="body").startswith("<iterable>, element 0: no field 'body'")
    message = message_of(iter(ROWS))
    assert "perhaps text_field='review'; its columns are 'id', 'title', 'review'" in message


def test_records_that_tell_the_field_are_not_kept() -> None:
    """Each may have 32 MB, which take a gigabyte when they are parsed."""

    class Row(dict[str, str]):
        pass

    rows: list[weakref.ref[Row]] = []

    def records() -> Iterator[Row]:
        for number in range(9):
            assert sum(one() is not None for one in rows) <= 2
            row = Row(id=str(number), review="a longer text")
            rows.append(weakref.ref(row))
            yield row
            del row

    assert "perhaps text_field='review'" in message_of(records())
    assert len(rows) == 9


def test_a_dataset_of_splits_is_refused_with_their_names() -> None:
    class Splits(dict[str, Any]):
        column_names: ClassVar[dict[str, list[str]]] = {"train": ["text"], "test": ["text"]}

    splits = Splits(train=Dataset(COLUMNS), test=Dataset(COLUMNS))
    assert message_of(splits) == (
        "a corpus is one split of a dataset; pass one of these: 'train', 'test'"
    )


def test_columns_of_the_same_name_are_refused() -> None:
    frame = pytest.importorskip("pandas").DataFrame([["a", "b"]], columns=["x", "x"])
    assert message_of(frame, text_field="x").startswith("<DataFrame>: several columns 'x'")


def test_real_datasets() -> None:
    datasets = pytest.importorskip("datasets")
    real = datasets.Dataset.from_dict(COLUMNS)
    assert text_of(real, text_field="review") == TEXTS
    assert text_of(real.to_iterable_dataset(), text_field="review") == TEXTS
    assert "perhaps text_field='review'" in message_of(real)
    assert text_of(real["review"]) == TEXTS
    assert "'train'" in message_of(datasets.DatasetDict(train=real))


def test_missing_texts_are_counted_and_many_are_warned_of() -> None:
    totals = nl.count(ROWS, text_field="review").totals
    assert (totals.missing_texts, totals.sentences) == (1, 4)
    encoded = nl.encode(ROWS, text_field="review", min_count=1)
    assert encoded.vocabulary.totals.missing_texts == 1
    with pytest.warns(NumberlineWarning, match=r"5 texts are missing, .* is text_field right\?"):
        nl.count([*ROWS, *[{"review": None}] * 4], text_field="review")


def test_nothing_is_imported_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("pandas", "polars", "datasets", "pyarrow"):
        monkeypatch.setitem(sys.modules, package, None)
    assert text_of(dataset(), text_field="review") == TEXTS


@pytest.mark.parametrize("fields", ["", [], ["a", "a"], ["a", 5], 5, [""], True])
def test_fields_are_names(fields: Any) -> None:
    with pytest.raises(nl.NumberlineError, match=r"text_field=.* a name or a list of different"):
        ReadingSettings(text_field=fields)
