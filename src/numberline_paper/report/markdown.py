"""A report → Markdown, with relative paths of its pictures."""

from __future__ import annotations

import os
from pathlib import Path

from numberline_paper.report.parts import Report, Section, ShownCell, ShownTable

RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def to_markdown(report: Report, folder: Path) -> str:
    parts = [f"# {report.title}"]
    for section in report.sections:
        parts += section_parts(section, folder)
    return "\n\n".join(parts) + "\n"


def section_parts(section: Section, folder: Path) -> list[str]:
    parts = [f"## {section.title}", *section.paragraphs]
    for table in section.tables:
        parts += table_parts(table)
    for picture in section.pictures:
        path = Path(os.path.relpath(picture.path, folder)).as_posix()
        parts += [f"![{picture.caption}]({path})", picture.caption]
    return parts


def table_parts(table: ShownTable) -> list[str]:
    rows = [table.columns, *([cell_text(cell) for cell in row] for row in table.rows)]
    lines = [f"| {' | '.join(map(without_bars, row))} |" for row in rows]
    lines.insert(1, "|" + " --- |" * len(table.columns))
    footnotes = [f"{raised(number)} {text}" for number, text in enumerate(table.footnotes, 1)]
    return [f"### {table.title}", "\n".join(lines), *table.notes, *footnotes]


def without_bars(text: str) -> str:
    return text.replace("|", r"\|")


def cell_text(cell: ShownCell) -> str:
    published = f"({cell.published}{''.join(map(raised, cell.marks))})" if cell.published else ""
    return f"{cell.text} {published}".strip()


def raised(number: int) -> str:
    return str(number).translate(RAISED)
