"""`numberline train` and `prototypes`: a corpus → a model folder, or a list of prototypes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import numberline
from numberline.cli.arguments import Corpus, Json, Overwrite, Quiet
from numberline.cli.flags import with_settings
from numberline.cli.process import Output, print_json, without_text
from numberline.cli.progress import loss_text, reading_progress, training_progress
from numberline.errors import OutputError, visible
from numberline.extras import optional
from numberline.fields import made_of
from numberline.files.whole_file import free_file, replace_file
from numberline.settings import NumeralSettings, Settings, preset_names

if TYPE_CHECKING:
    from rich.table import Table

    from numberline.numerals.explained import ExplainedPrototypes

LONGEST_BAR = 40  # characters
PICTURES = (".png", ".svg", ".pdf")  # matplotlib writes these without other programs


@with_settings(Settings)
def train(
    corpus: Corpus,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder of the model.")],
    settings: dict[str, Any],
    preset: Annotated[
        str | None,
        typer.Option(help=f"Settings that go together: {', '.join(preset_names())}."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue from the checkpoint in OUTPUT.checkpoint.")
    ] = False,
    overwrite: Overwrite = False,
    quiet: Quiet = False,
) -> None:
    """Learn vectors of words and numerals.

    CORPUS may also be a folder that `numberline encode` has written.
    """
    with training_progress(quiet) as (reading, progress):
        model = numberline.train(
            corpus[0] if len(corpus) == 1 else corpus,
            output,
            preset=preset,
            resume=resume,
            overwrite=overwrite,
            progress=progress,
            reading=reading,
            **settings,
        )
    facts = model.training
    on_gpu = f", on {facts['gpu']}" if "gpu" in facts else ""
    loss = loss_text(facts["loss"])
    print(
        f"{visible(output)}: {len(model):,} words, {model.dim} dimensions, encoder "
        f"{model.settings.encoder}; {facts['tokens']:,} tokens in {facts['seconds']:.1f} s "
        f"({facts['tokens'] / facts['seconds']:,.0f} a second{on_gpu}){loss and f', {loss}'}"
        f"{without_text(model.vocabulary.totals.missing_texts)}"
    )


@with_settings(NumeralSettings)
def prototypes(
    corpus: Corpus,
    settings: dict[str, Any],
    plot: Annotated[
        Path | None,
        typer.Option("--plot", help="Draw numerals and prototypes into this file (png, svg, pdf)."),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Fit the prototypes of a corpus, and list what fraction of its numerals each explains.

    CORPUS may also be a folder that `numberline encode` has written.
    """
    from numberline.api import explain_prototypes

    if plot is not None:
        require_plotting(plot)
    source = corpus[0] if len(corpus) == 1 else corpus
    with reading_progress("counting", quiet) as progress:
        explained = explain_prototypes(source, progress=progress, **settings)
    if as_json:
        print_json(prototype_facts(explained), indent=2)
    else:
        Output().print(prototype_table(explained))
    if plot is not None:
        draw(explained, f"encoder {made_of(NumeralSettings, settings).encoder}", plot)


def prototype_facts(explained: ExplainedPrototypes) -> dict[str, Any]:
    pairs = zip(explained.values.tolist(), explained.fractions.tolist(), strict=True)
    return {
        "distinct_numerals": len(explained.numeral_values),
        "numeral_tokens": int(explained.numeral_counts.sum()),
        "prototypes": [{"value": value, "fraction": fraction} for value, fraction in pairs],
    }


def prototype_table(explained: ExplainedPrototypes) -> Table:
    from rich.table import Table

    from numberline.explore.line import short_number

    rows = Table(box=None, padding=(0, 2, 0, 0))
    rows.add_column("prototype", justify="right", style="bold")
    rows.add_column("share of numerals", justify="right")
    rows.add_column("")
    largest = float(explained.fractions.max())
    pairs = zip(explained.values.tolist(), explained.fractions.tolist(), strict=True)
    for value, fraction in pairs:
        bar = "▇" * round(LONGEST_BAR * fraction / largest)
        rows.add_row(short_number(value), f"{fraction:.3%}", bar)
    return rows


def require_plotting(path: Path) -> None:
    """Refuse a picture that cannot be written, before any work is done."""
    optional("matplotlib.figure", "plot")
    if path.suffix.lower() not in PICTURES:
        raise OutputError(f"cannot draw {path}: end its name in one of {', '.join(PICTURES)}")
    if path.is_dir() or not path.parent.is_dir():
        reason = "it is a folder" if path.is_dir() else f"{path.parent} is not a folder"
        raise OutputError(f"cannot write {path}: {reason}")
    free_file(path, overwrite=True)


def draw(explained: ExplainedPrototypes, title: str, path: Path) -> None:
    """Write the histograms of numerals and prototypes."""
    from numberline.explore import prototypes_figure

    figure = prototypes_figure(
        explained.numeral_values, explained.numeral_counts, explained.values, title
    )
    with replace_file(path, overwrite=True) as file:
        figure.savefig(file, format=path.suffix.lower()[1:], dpi=150)
