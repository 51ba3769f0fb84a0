"""Command line → one library call per verb; flags come from settings.py."""

from __future__ import annotations

import shlex
import sys
import warnings
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

import numberline
from numberline.cli.arguments import TextCommand
from numberline.cli.ask import NumberCommand, check, predict, similar, vector
from numberline.cli.evaluate import evaluate
from numberline.cli.explore import explore
from numberline.cli.export import export
from numberline.cli.flags import with_settings
from numberline.cli.plot import plot as plot_model
from numberline.cli.process import (
    Commands,
    Output,
    discard_output,
    lines_of_standard_input,
    prepare_process,
    print_json,
)
from numberline.cli.progress import loss_text, reading_progress, training_progress
from numberline.cli.tag import app as tag_app
from numberline.errors import NumberlineError, NumberlineWarning
from numberline.fields import made_of
from numberline.files.whole_folder import make_folder
from numberline.presets import preset_names
from numberline.settings import NumeralSettings, ReadingSettings, Settings, TextSettings
from numberline_paper.command import reproduce
from numberline_shop.settings import ShopSettings

app = typer.Typer(
    help="Word embeddings in which every numeral, seen or unseen, has a good vector.",
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
USAGE_ERROR = 2

CorpusArgument = Annotated[
    list[Path],
    typer.Argument(
        help="Files or folders (plain, gz, bz2, xz, zst, jsonl, parquet, arrow), or - for stdin.",
        metavar="CORPUS",
        show_default=False,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")]


@app.command()
@with_settings(ReadingSettings)
def stats(
    corpus: CorpusArgument, settings: dict[str, Any], as_json: Json = False, quiet: Quiet = False
) -> None:
    """Count a corpus: tokens, words, numerals and which are most frequent."""
    from numberline.reading import statistics

    with reading_progress("counting", quiet) as progress:
        vocabulary = numberline.count(corpus, progress=progress, **settings)
    min_count = made_of(ReadingSettings, settings).min_count
    facts = statistics.corpus_facts(vocabulary, min_count)
    if as_json:
        print_json(facts, indent=2)
    else:
        Output().print(statistics.facts_table(facts))


@app.command()
@with_settings(ReadingSettings)
def encode(
    corpus: CorpusArgument,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder to write.")],
    settings: dict[str, Any],
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the folder.")] = False,
    quiet: Quiet = False,
) -> None:
    """Turn a corpus into ids, once for many trainings."""
    with reading_progress("encoding", quiet) as progress:
        encoded = numberline.encode(
            corpus, output, overwrite=overwrite, progress=progress, **settings
        )
    vocabulary = encoded.vocabulary
    print(
        f"{output}: {len(encoded.ids):,} tokens in {len(encoded):,} sentences, "
        f"{len(vocabulary.words):,} words, {len(vocabulary.numeral_values):,} distinct numerals"
    )


@app.command()
@with_settings(Settings)
def train(
    corpus: CorpusArgument,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder of the model.")],
    settings: dict[str, Any],
    preset: Annotated[
        str | None,
        typer.Option(help=f"Settings that go together: {', '.join(preset_names())}."),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the checkpoint.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the folder.")] = False,
    quiet: Quiet = False,
) -> None:
    """Learn vectors of words and numerals.

    CORPUS may also be a folder written by encode. Checkpoints are kept in FOLDER.checkpoint.
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
        f"{output}: {len(model):,} words, {model.dim} dimensions, encoder "
        f"{model.settings.encoder}; {facts['tokens']:,} tokens in {facts['seconds']:.1f} s "
        f"({facts['tokens'] / facts['seconds']:,.0f} a second{on_gpu}){loss and f', {loss}'}"
    )


@app.command()
@with_settings(NumeralSettings)
def prototypes(
    corpus: CorpusArgument,
    settings: dict[str, Any],
    plot: Annotated[
        Path | None, typer.Option("--plot", help="Draw numerals and prototypes (png, svg, pdf).")
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Induce prototype numerals, and say what share of the numerals each explains.

    CORPUS may also be a folder written by encode.
    """
    from numberline.api import explain_prototypes
    from numberline.explore import prototypes as shown_prototypes

    if plot is not None:
        shown_prototypes.require_plotting(plot)
    source = corpus[0] if len(corpus) == 1 else corpus
    with reading_progress("counting", quiet) as progress:
        explained = explain_prototypes(source, progress=progress, **settings)
    if as_json:
        print_json(shown_prototypes.facts(explained), indent=2)
    else:
        Output().print(shown_prototypes.table(explained))
    if plot is not None:
        encoder = made_of(NumeralSettings, settings).encoder
        shown_prototypes.draw(explained, f"encoder {encoder}", plot)


@app.command(cls=TextCommand)
@with_settings(TextSettings)
def tokenize(
    settings: dict[str, Any],
    text: Annotated[
        list[str] | None, typer.Argument(help="Text; standard input if there is none.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show how a text is read: its words, and its numerals by value."""
    for line in [" ".join(text)] if text else lines_of_standard_input():
        tokens = numberline.tokenize(line, **settings)
        if as_json:
            print_json([token._asdict() for token in tokens])
        else:
            print(" ".join(shown(token) for token in tokens))


@app.command()
@with_settings(ShopSettings)
def demo(
    settings: dict[str, Any],
    folder: Annotated[Path, typer.Argument(help="Folder to write.")] = Path("numberline-demo"),
) -> None:
    """Write the chat of an apparel shop, train on it, and see what 190 has to do with xxl."""
    from numberline.reading import statistics
    from numberline_shop import shop, story

    console = Output(soft_wrap=True)
    chosen = made_of(ShopSettings, settings)
    make_folder(folder)
    corpus = folder / "chat.txt"
    shop.write_corpus(corpus, chosen.sentences, chosen.seed)
    shop.write_tagged(folder / "tagged", chosen.seed)
    console.print(
        f"Wrote [bold]{escape(str(corpus))}[/]: customers and agents of an apparel shop. "
        "It begins:\n"
    )
    with corpus.open(encoding="utf-8") as lines:
        for line, _ in zip(lines, range(6), strict=False):
            console.print(f"  {line.rstrip()}", style="dim", highlight=False, markup=False)
    console.print()
    vocabulary = numberline.count(corpus)
    console.print(statistics.facts_table(statistics.corpus_facts(vocabulary)))
    with training_progress(quiet=False) as (reading, progress):
        model = numberline.train(
            corpus,
            folder / "model",
            overwrite=True,
            progress=progress,
            reading=reading,
            **story.training_settings(len(vocabulary.numeral_values)),
        )
    facts = model.training
    console.print(
        f"\nTrained on {facts['tokens']:,} tokens in {facts['seconds']:.1f} s. "
        "The words nearest to some numerals:\n"
    )
    for name, nearest in story.words_near_numerals(model):
        console.print(f"  {name:>18}  {nearest}", highlight=False, markup=False)
    console.print("\nThe heights in cm nearest to some sizes:\n")
    for name, nearest in story.numerals_near_sizes(model):
        console.print(f"  {name:>18}  {nearest}", highlight=False, markup=False)
    console.print("\nWhether a number fits its sentence:\n")
    for sentence, verdict in story.checked_sentences(model):
        console.print(f"  {sentence:>42}  {verdict}", highlight=False, markup=False)
    console.print(
        f"\nThe model is in [bold]{escape(str(folder / 'model'))}[/], labelled sentences for "
        f"tagging in [bold]{escape(str(folder / 'tagged'))}[/]. Next:\n\n"
        f"  numberline similar {in_shell(folder / 'model')} 187.3 xxl --kind both\n"
        f'  numberline check {in_shell(folder / "model")} "{story.ODD}"\n'
        f"  numberline explore {in_shell(folder / 'model')}\n"
        f"  numberline train YOUR_CORPUS -o YOUR_MODEL\n"
        f"  numberline prototypes {in_shell(corpus)} --plot prototypes.png"
    )


app.command()(evaluate)
app.command()(explore)
app.command()(export)
app.command(name="plot")(plot_model)
app.command()(reproduce)
app.add_typer(tag_app, name="tag", help="Label the tokens of sentences: train, predict, test.")
for of_a_model in (vector, similar, predict, check):
    app.command(cls=NumberCommand)(of_a_model)


@app.callback(invoke_without_command=True)
def version_flag(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        print(numberline.__version__)
        raise typer.Exit


def in_shell(path: Path) -> str:
    return escape(shlex.quote(str(path)))


def shown(token: numberline.Token) -> str:
    from numberline.reading.numerals import plain_number

    return token.text if token.value is None else f"[{plain_number(token.value)}]"


def print_warning(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
    label = "" if issubclass(category, NumberlineWarning) else f"{category.__name__}: "
    print(f"numberline: note: {label}{message}", file=sys.stderr)


def main() -> None:
    warnings.showwarning = print_warning
    prepare_process()
    try:
        app()
    except NumberlineError as error:
        print(f"numberline: {error}", file=sys.stderr)
        sys.exit(USAGE_ERROR)
    except OSError as error:  # a full disk, for one
        discard_output()
        print(f"numberline: {error}", file=sys.stderr)
        sys.exit(USAGE_ERROR)
