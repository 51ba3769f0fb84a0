"""What was trained and evaluated, and pictures → the parts of a report, as Markdown and as HTML."""

from __future__ import annotations

from pathlib import Path

import numberline
from numberline.files.whole_file import replace_file
from numberline_paper.grid import (
    DEFAULT,
    EXPERIMENTS,
    PROTOTYPE_WORDS_OF,
    TAGGING,
)
from numberline_paper.held_out import HELD_OUT_SHARE
from numberline_paper.joined import join, own_tables
from numberline_paper.prototype_words import prototype_words
from numberline_paper.published import PUBLISHED
from numberline_paper.report_html import to_html
from numberline_paper.report_markdown import to_markdown
from numberline_paper.report_parts import Picture, Report, Section, ShownCell, ShownTable
from numberline_paper.reproduce import Reproduced

TITLE = "Learning Numeral Embedding, reproduced"
HOW_TO_READ = (
    "Each cell holds our figure and in brackets the one of the paper (Jiang et al., Learning "
    "Numeral Embedding). A raised number leads to a footnote: that figure of the paper is not what "
    "its label says."
)


def compose_report(done: Reproduced, pictures: list[Picture], left_out: list[str]) -> Report:
    by_experiment = {
        experiment: {
            row: found for (name, row), found in done.evaluations.items() if name == experiment
        }
        for experiment in [*(one.name for one in EXPERIMENTS), TAGGING]
    }
    remarks = row_remarks(done)
    joined = tuple(join(table, by_experiment[table.experiment], remarks) for table in PUBLISHED)
    words = done.model(*PROTOTYPE_WORDS_OF)
    shown_words = () if words is None else (prototype_words(*words),)
    own = [table for found in by_experiment.values() for table in own_tables(found)]
    sections = (
        Section("This run", run_facts(done), (models_table(done),)),
        Section("The paper's tables", (HOW_TO_READ,), joined),
        Section("Prototypes and words", (), shown_words, tuple(pictures)),
        Section("All figures of this run", (), tuple(own)),
        Section("Left out", (*done.left_out, *left_out)),
    )
    return Report(TITLE, tuple(s for s in sections if s.tables or s.pictures or s.paragraphs))


def write_report(report: Report, folder: Path) -> list[Path]:
    """report.md, which names its pictures, and report.html, which holds them."""
    written = []
    for name, text in (
        ("report.md", to_markdown(report, folder)),
        ("report.html", to_html(report)),
    ):
        with replace_file(folder / name, overwrite=True) as file:
            file.write(text.encode())
        written.append(folder / name)
    return written


def row_remarks(done: Reproduced) -> dict[str, str]:
    """Return what sets a row apart from the others: more passes over the text."""
    remarks = {}
    for model in done.models.values():
        if model.training.row == DEFAULT:
            remarks[DEFAULT] = f", epochs: {model.epochs}"
    return remarks


def run_facts(done: Reproduced) -> tuple[str, ...]:
    scale = done.settings
    budget = f"the first {scale.budget:,} tokens" if scale.budget else "all of the corpus"
    dim = "as in the paper" if scale.dim is None else str(scale.dim)
    epochs = "as in the paper" if scale.epochs is None else str(scale.epochs)
    return (
        f"numberline {numberline.__version__}; trained on {budget}, {HELD_OUT_SHARE:.0%} of the "
        f"lines held out; dimensions: {dim}; epochs: {epochs}; "
        f"seed {done.settings.seed}.",
        "Rows have the settings that the paper reports for each experiment, but for learning "
        "rates; row default is what numberline does by default, with its own number of epochs.",
    )


def models_table(done: Reproduced) -> ShownTable:
    columns = ["model", "words", "dimensions", "epochs", "tokens", "seconds", "tokens/s", "loss"]
    rows = []
    for name, model in done.models.items():
        tokens, seconds = model.facts["tokens"], model.facts["seconds"]
        texts = (
            name,
            f"{model.words:,}",
            str(model.training.settings["dim"]),
            str(model.epochs),
            f"{tokens:,}",
            f"{seconds:,.1f}",
            f"{tokens / seconds:,.0f}",
            f"{model.facts['loss']:.3f}",
        )
        rows.append([ShownCell(text) for text in texts])
    return ShownTable("Models", columns, rows, ("Tokens are those of all epochs.",))
