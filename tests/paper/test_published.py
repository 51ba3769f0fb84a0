"""The paper's tables: complete, consistent, and as printed."""

from pathlib import Path

import pytest

from numberline_paper.grid import EXPERIMENTS, ROWS, TAGGING
from numberline_paper.published import PAPER_NAMES, PROTOTYPE_WORDS, PUBLISHED, figures

PAPER = Path(__file__).parents[3] / "shared/paper.tex"
METHODS = {"som", "gmm", "token", "lstm", "fixed"}


def test_figures_are_parsed_line_by_line():
    rows = figures("""
        som: 1.0 2±.1
            3
        a method, with a name: 4
    """)
    assert rows == {"som": ("1.0", "2±.1", "3"), "a method, with a name": ("4",)}


@pytest.mark.parametrize("table", PUBLISHED, ids=lambda table: table.title)
def test_tables_are_complete(table):
    assert table.experiment in {TAGGING, *(experiment.name for experiment in EXPERIMENTS)}
    assert set(table.rows) >= METHODS
    for method in METHODS:
        cells = table.rows[method]
        assert len(cells) == len(table.columns) == len(set(table.columns))
        assert all(float(cell.partition("±")[0]) >= 0 for cell in cells)
    for note in table.footnotes:
        assert note.columns
        assert all(table.figure(note.row, column) for column in note.columns)


def test_methods_are_rows_of_the_grid():
    assert set(PAPER_NAMES) == METHODS <= set(ROWS)


@pytest.mark.parametrize("table", [t for t in PUBLISHED if "tagging" in t.experiment])
def test_f1_is_the_harmonic_mean_of_precision_and_recall(table):
    for method in METHODS:
        for group in ("Original", "Augmented", "Hard"):
            precision, recall, f1 = (
                float(table.figure(method, f"{group} {measure}").partition("±")[0])
                for measure in ("P", "R", "F1")
            )
            assert f1 == pytest.approx(2 * precision * recall / (precision + recall), abs=0.03)


def test_every_figure_is_printed_in_the_paper():
    if not PAPER.is_file():
        pytest.skip("the paper is not there")
    text = PAPER.read_text(encoding="utf-8")
    for table in PUBLISHED:
        for row, cells in table.rows.items():
            for cell in cells:
                figure, _, deviation = cell.partition("±")
                assert figure in text or row.startswith("random"), (table.title, row, cell)
                assert f"$\\pm$0{deviation}" in text or not deviation
    for words in PROTOTYPE_WORDS.values():
        assert words.replace(" ", "") in text.replace(" ", "")


def test_figures_with_a_wrong_label_have_footnotes():
    notes = {
        (table.experiment, note.row): note.text for table in PUBLISHED for note in table.footnotes
    }
    assert "GMM with 500 components" in notes["prediction", "lstm"]
    assert "squashed twice" in notes["magnitude", "som"]
    assert "joint score" in notes["prediction", "token"]
    assert "54.87" in notes["numeration", "gmm"]
    assert "about 94" in notes["magnitude", "fixed"]
    prediction = next(table for table in PUBLISHED if table.experiment == "prediction")
    assert any("293.6" in note for note in prediction.notes)
