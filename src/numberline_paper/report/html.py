"""A report → one HTML file that holds its styles and pictures.

It is well-formed XML too, so that tools can read it.
"""

from __future__ import annotations

import base64
from html import escape

from numberline_paper.report.parts import Picture, Report, Section, ShownCell, ShownTable

STYLE = """
:root { color-scheme: light dark; --text: #1d2329; --back: #ffffff; --quiet: #5f6b76;
  --line: #d5dbe1; --stripe: #f4f6f8; --accent: #2f6295; }
@media (prefers-color-scheme: dark) { :root { --text: #e3e7eb; --back: #15191d; --quiet: #9aa5b0;
  --line: #353d45; --stripe: #1d2328; --accent: #8fbbe6; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1rem; color: var(--text);
  background: var(--back); font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
h3 { margin: 1.8rem 0 .4rem; }
nav { display: flex; flex-wrap: wrap; gap: .3rem 1rem; }
a { color: var(--accent); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .6rem; text-align: right; vertical-align: top; white-space: nowrap;
  border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; position: sticky; left: 0;
  background: var(--back); }
th { white-space: normal; }
th.words, td.words { text-align: left; white-space: normal; min-width: 14rem; }
tbody tr:nth-child(even) td { background: var(--stripe); }
td span { display: block; color: var(--quiet); font-size: .88em; }
p.note, figcaption { color: var(--quiet); font-size: .85rem; margin: .3rem 0; max-width: 50rem; }
figure { margin: 1.5rem 0; }
img { width: 100%; max-width: 62rem; height: auto; background: #ffffff; border-radius: 4px; }
@page { size: landscape; margin: 12mm; }
@media print { :root { --text: #000; --back: #fff; --quiet: #444; --line: #bbb; --stripe: #fff; }
  body { max-width: none; font-size: 9pt; } nav { display: none; } .wide { overflow: visible; }
  table { font-size: 7pt; } th, td { padding: .15rem .25rem; }
  tr, figure { break-inside: avoid; } h2, h3 { break-after: avoid; } }
"""
LONGEST_NUMBER = 30  # characters of a cell that is not broken into lines


def to_html(report: Report) -> str:
    links = "".join(
        f'<a href="#part-{number}">{escape(section.title)}</a>\n'
        for number, section in enumerate(report.sections)
    )
    sections = "".join(map(section_html, range(len(report.sections)), report.sections))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
        f"<title>{escape(report.title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{escape(report.title)}</h1>\n<nav>\n{links}</nav>\n{sections}</body>\n</html>\n"
    )


def section_html(number: int, section: Section) -> str:
    parts = [f'<section id="part-{number}">\n<h2>{escape(section.title)}</h2>\n']
    parts += [f"<p>{escape(text)}</p>\n" for text in section.paragraphs]
    parts += map(table_html, section.tables)
    parts += map(picture_html, section.pictures)
    return "".join([*parts, "</section>\n"])


def table_html(table: ShownTable) -> str:
    head = "".join(
        f"<th{class_of(column)}>{escape(name)}</th>"
        for name, *column in zip(table.columns, *table.rows, strict=True)
    )
    rows = "".join(f"<tr>{''.join(map(cell_html, row))}</tr>\n" for row in table.rows)
    notes = [escape(note) for note in table.notes]
    notes += [f"<sup>{n}</sup> {escape(text)}" for n, text in enumerate(table.footnotes, 1)]
    return (
        f'<h3>{escape(table.title)}</h3>\n<div class="wide"><table>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n"
        + "".join(f'<p class="note">{note}</p>\n' for note in notes)
    )


def cell_html(cell: ShownCell) -> str:
    published = ""
    if cell.published:
        marks = "".join(f"<sup>{mark}</sup>" for mark in cell.marks)
        published = f"<span>({escape(cell.published)}{marks})</span>"
    return f"<td{class_of([cell])}>{escape(cell.text)}{published}</td>"


def class_of(cells: list[ShownCell]) -> str:
    is_text = any(len(cell.text) > LONGEST_NUMBER for cell in cells)
    return ' class="words"' if is_text else ""


def picture_html(picture: Picture) -> str:
    data = base64.b64encode(picture.path.read_bytes()).decode()
    caption = escape(picture.caption)
    return (
        f'<figure><img alt="{caption}" src="data:image/png;base64,{data}"/>'
        f"<figcaption>{caption}</figcaption></figure>\n"
    )
