"""Published tables and evaluations → tables with our figures beside the published ones.

SOURCES maps each published column to the cell of our tables that it is compared with. Any other
column is compared with the column of the same name in our table of the same title.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from numberline.evaluation import Cell, Evaluation, Table, shown_cell
from numberline_paper.grid import ROWS
from numberline_paper.published import PAPER_NAMES, TEST_SETS, Footnote, PublishedTable
from numberline_paper.report.parts import ShownCell, ShownTable


@dataclass(frozen=True)
class Source:
    table: str  # its title
    column: str
    row: Mapping[str, Cell] = field(default_factory=dict)  # cells that identify the row
    row_column: str | None = None  # the column with the name of the row of the grid, if any


PROBING = "Probing: root mean square error"

SOURCES: dict[str, dict[str, Source]] = {  # by title and column of the published table
    "Word similarity": {
        "WS353": Source("Word similarity", "Spearman", {"set": "WordSim-353"}),
        "MEN": Source("Word similarity", "Spearman", {"set": "MEN"}),
        "SIM999": Source("Word similarity", "Spearman", {"set": "SimLex-999"}),
    },
    "Numeral prediction, Wikipedia": {
        f"{score} {measure}": Source(
            "Numeral prediction", measure, {"context": "flat", "score": score}
        )
        for score in ("S_A", "S_B")
        for measure in ("AVGR", "MdAE", "MdAPE")
    },
    "Magnitude classes, Numeracy-600K": {
        f"{score} {measure}": Source(
            "Classes of magnitude",
            measure.replace("M", "m"),
            {"context": "flat", "score": score},
        )
        for score in ("S_A", "S_B")
        for measure in ("AVGR", "Micro-F1", "Macro-F1")
    },
    "Probing": {
        f"{task} {probe}": Source(PROBING, "RMSE", {"task": task.lower(), "probe": probe})
        for task, probes in {
            "Decoding": ("MLP1", "MLP2"),
            "Subtraction": ("BiLinear", "BiLinear+MLP1", "MLP1", "MLP2"),
        }.items()
        for probe in probes
    },
    "Magnitude by the probe of subtraction": {
        measure: Source("Magnitude, by the MLP2 of subtraction", measure)
        for measure in ("OVA", "SC", "BC", "AVGR")
    },
    **{
        f"Sequence labelling, {portion} % of the training set": {
            f"{test} {printed}": Source(
                "Tagging: shop",
                column,
                {"train %": portion, "test": test.lower()},
                row_column="vectors",
            )
            for test in TEST_SETS
            for printed, column in (("Acc", "accuracy"), ("P", "P"), ("R", "R"), ("F1", "F1"))
        }
        for portion in (100, 30, 10)
    },
    "Training speed": {
        "sentences/s": Source("Speed of training", "sentences/s", row_column="encoder"),
    },
}


def beside_published(
    published: PublishedTable, evaluations: Mapping[str, Evaluation], remarks: Mapping[str, str]
) -> ShownTable:
    """Return a published table with our figures in its cells.

    `evaluations` are those of its experiment, by row; `remarks` are appended to names of rows.
    """
    rows = [row for row in ROWS if row in evaluations or row in published.rows]
    rows += [row for row in published.rows if row not in ROWS]
    texts = list(dict.fromkeys(note.text for note in published.footnotes))
    shown = []
    for row in rows:
        cells = [
            ShownCell(
                our_figure(published, row, column, evaluations.get(row)),
                published.figure(row, column),
                tuple(texts.index(note.text) + 1 for note in marks(published, row, column)),
            )
            for column in published.columns
        ]
        remark = remarks.get(row, "") if row in evaluations else ""
        label = row_label(row) + remark
        shown.append([ShownCell(label), *cells])
    columns = ["", *published.columns]
    return ShownTable(published.title, columns, shown, published.notes, tuple(texts))


def row_label(row: str) -> str:
    paper_name = PAPER_NAMES.get(row, row)
    return row if paper_name.lower() == row.lower() else f"{row} ({paper_name})"


def marks(published: PublishedTable, row: str, column: str) -> list[Footnote]:
    return [note for note in published.footnotes if note.row == row and column in note.columns]


def our_figure(
    published: PublishedTable, row: str, column: str, evaluation: Evaluation | None
) -> str:
    """Return our figure for a published cell, or nothing."""
    source = SOURCES.get(published.title, {}).get(column, Source(published.title, column))
    tables = [one for tables in evaluation.tables.values() for one in tables] if evaluation else []
    wanted = dict(source.row) | ({source.row_column: row} if source.row_column else {})
    for table in tables:
        if table.title == source.table:
            for cells in table.rows:
                if all(cells.get(name) == cell for name, cell in wanted.items()):
                    return shown_cell(cells.get(source.column), published.decimals(column))
    return ""


def own_tables(evaluations: Mapping[str, Evaluation]) -> list[ShownTable]:
    """Return all tables of an experiment, one per title, with the row's name in front."""
    by_title: dict[str, list[tuple[str, Table]]] = {}
    for row, evaluation in evaluations.items():
        for tables in evaluation.tables.values():
            for table in tables:
                by_title.setdefault(table.title, []).append((row, table))
    return [stacked(title, parts) for title, parts in by_title.items()]


def stacked(title: str, parts: list[tuple[str, Table]]) -> ShownTable:
    columns = list(dict.fromkeys(name for _, table in parts for name in table.columns))
    rows = [
        [
            ShownCell(row_label(row)),
            *(ShownCell(shown_cell(cells.get(name), table.decimals)) for name in columns),
        ]
        for row, table in parts
        for cells in table.rows
    ]
    notes = tuple(dict.fromkeys(note for _, table in parts for note in table.notes))
    return ShownTable(title, ["", *columns], rows, notes)
