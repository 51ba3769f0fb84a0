"""Results and pictures → the parts of a report, written as Markdown and as HTML."""

from __future__ import annotations

from pathlib import Path

import numberline as nl
from numberline.files import replace_file
from numberline_paper.experiments import Results
from numberline_paper.grid import DEFAULT, EXPERIMENTS, PROTOTYPE_WORDS_OF, TAGGING
from numberline_paper.published import PUBLISHED
from numberline_paper.report.html import to_html
from numberline_paper.report.markdown import to_markdown
from numberline_paper.report.parts import Picture, Report, Section, ShownCell, ShownTable
from numberline_paper.report.prototype_words import prototype_words
from numberline_paper.report.tables import beside_published, own_tables
from numberline_paper.texts import HELD_OUT_FRACTION

TITLE = "Learning Numeral Embedding, reproduced"
HOW_TO_READ = (
    "Each cell holds our figure and in brackets the one of the paper (Jiang et al., Learning "
    "Numeral Embedding). A raised number leads to a footnote: that figure of the paper is not what "
    "its label says."
)


def compose_report(results: Results, pictures: list[Picture], left_out: list[str]) -> Report:
    by_experiment = {
        name: {row: one for (of, row), one in results.evaluations.items() if of == name}
        for name in [*(experiment.name for experiment in EXPERIMENTS), TAGGING]
    }
    remarks = row_remarks(results)
    compared = tuple(
        beside_published(table, by_experiment[table.experiment], remarks) for table in PUBLISHED
    )
    model = results.model(*PROTOTYPE_WORDS_OF)
    words = () if model is None else (prototype_words(*model),)
    tables = [table for evaluations in by_experiment.values() for table in own_tables(evaluations)]
    sections = (
        Section("This run", run_facts(results), (models_table(results),)),
        Section("The paper's tables", (HOW_TO_READ,), compared),
        Section("Prototypes and words", (), words, tuple(pictures)),
        Section("All figures of this run", (), tuple(tables)),
        Section("Left out", (*results.left_out, *left_out)),
    )
    return Report(TITLE, tuple(s for s in sections if s.tables or s.pictures or s.paragraphs))


def write_report(report: Report, folder: Path) -> list[Path]:
    """Write report.md, which refers to its pictures, and report.html, which contains them."""
    written = []
    for name, text in (
        ("report.md", to_markdown(report, folder)),
        ("report.html", to_html(report)),
    ):
        with replace_file(folder / name, overwrite=True) as file:
            file.write(text.encode())
        written.append(folder / name)
    return written


def row_remarks(results: Results) -> dict[str, str]:
    """Return what sets a row apart from the others: more passes over the text."""
    remarks = {}
    for model in results.models.values():
        if model.training.row == DEFAULT:
            remarks[DEFAULT] = f", epochs: {model.epochs}"
    return remarks


def run_facts(results: Results) -> tuple[str, ...]:
    scale = results.settings
    budget = f"the first {scale.budget:,} tokens" if scale.budget else "all of the corpus"
    dim = "as in the paper" if scale.dim is None else str(scale.dim)
    epochs = "as in the paper" if scale.epochs is None else str(scale.epochs)
    return (
        f"numberline {nl.__version__}; trained on {budget}, {HELD_OUT_FRACTION:.0%} of the "
        f"lines held out; dimensions: {dim}; epochs: {epochs}; seed {scale.seed}.",
        "Rows have the settings that the paper reports for each experiment, except learning "
        "rates; row default is what numberline does by default, with its own number of epochs.",
    )


def models_table(results: Results) -> ShownTable:
    columns = ["model", "words", "dimensions", "epochs", "tokens", "seconds", "tokens/s", "loss"]
    rows = []
    for name, model in results.models.items():
        tokens, seconds = model.facts["tokens"], model.facts["seconds"]
        texts = (
            name,
            f"{model.words:,}",
            str(model.training.settings["dim"]),
            str(model.epochs),
            f"{tokens:,}",
            f"{seconds:,.1f}",
            f"{tokens / seconds:,.0f}",
            "" if (loss := model.facts["loss"]) is None else f"{loss:.3f}",
        )
        rows.append([ShownCell(text) for text in texts])
    return ShownTable("Models", columns, rows, ("Tokens are those of all epochs.",))
