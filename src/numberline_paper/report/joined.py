"""Published tables and evaluations → tables with our figures beside the published ones.

SOURCES says where our figure of a published column stands. A column that is not named there is the
column of the same name in our table of the same title.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from numberline.evaluation.result import Cell, Evaluation, Table, shown_cell
from numberline_paper.grid import ROWS
from numberline_paper.published import PAPER_NAMES, TEST_SETS, Footnote, PublishedTable
from numberline_paper.report_parts import ShownCell, ShownTable


@dataclass(frozen=True)
class Source:
    table: str  # its title
    column: str
    row: Mapping[str, Cell] = field(default_factory=dict)  # cells that tell the row; {}: the first
    row_column: str | None = None  # the column that has the name of the row of the grid, if any


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
        f"Sequence labelling, {share} % of the training set": {
            f"{test} {printed}": Source(
                "Tagging: shop",
                column,
                {"train %": share, "test": test.lower()},
                row_column="vectors",
            )
            for test in TEST_SETS
            for printed, column in (("Acc", "accuracy"), ("P", "P"), ("R", "R"), ("F1", "F1"))
        }
        for share in (100, 30, 10)
    },
    "Training speed": {
        "sentences/s": Source("Speed of training", "sentences/s", row_column="encoder"),
    },
}


def join(
    published: PublishedTable,
    evaluations: Mapping[str, Evaluation],
    remarks: Mapping[str, str] | None = None,
) -> ShownTable:
    """`evaluations` are those of the table's experiment, by row; `remarks` go to names of rows."""
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
        remark = (remarks or {}).get(row, "") if row in evaluations else ""
        label = row_label(row) + remark
        shown.append([ShownCell(label), *cells])
    columns = ["", *published.columns]
    return ShownTable(published.title, columns, shown, published.notes, tuple(texts))


def row_label(row: str) -> str:
    paper_name = PAPER_NAMES.get(row, row)
    return row if paper_name.lower() == row.lower() else f"{row} ({paper_name})"


def marks(published: PublishedTable, row: str, column: str) -> list[Footnote]:
    return [note for note in published.footnotes if note.row == row and column in note.columns]


def our_figure(published: PublishedTable, row: str, column: str, found: Evaluation | None) -> str:
    named = SOURCES.get(published.title, {})
    source = named.get(column, Source(published.title, column))
    tables = [table for tables in found.tables.values() for table in tables] if found else []
    wanted = dict(source.row) | ({source.row_column: row} if source.row_column else {})
    for table in tables:
        if table.title == source.table:
            for cells in table.rows:
                if all(cells.get(name) == cell for name, cell in wanted.items()):
                    return shown_cell(cells.get(source.column), published.decimals(column))
    return ""


def own_tables(evaluations: Mapping[str, Evaluation]) -> list[ShownTable]:
    """All that a task said, one table per title, with the row of the grid in front."""
    found: dict[str, list[tuple[str, Table]]] = {}
    for row, evaluation in evaluations.items():
        for tables in evaluation.tables.values():
            for table in tables:
                found.setdefault(table.title, []).append((row, table))
    return [stacked(title, parts) for title, parts in found.items()]


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
