"""`numberline demo`: write the chat, train on it, and show what the model has learnt."""

from __future__ import annotations

import shlex
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

import numberline as nl
from numberline.cli import (
    Output,
    corpus_facts,
    facts_table,
    make_folder,
    training_progress,
    visible,
    with_settings,
)
from numberline.fields import made_of
from numberline_shop import story
from numberline_shop.conversation import write_corpus
from numberline_shop.settings import ShopSettings
from numberline_shop.tagged import write_tagged

FIRST_LINES = 6  # of the chat that are shown


@with_settings(ShopSettings)
def demo(
    settings: dict[str, Any],
    folder: Annotated[Path, typer.Argument(help="Folder to write.", metavar="FOLDER")] = Path(
        "numberline-demo"
    ),
) -> None:
    """Write the chat of an apparel shop, train on it, and see what 190 has to do with xxl."""
    console = Output(soft_wrap=True)
    chosen = made_of(ShopSettings, settings)
    make_folder(folder)
    chat, tagged, model_folder = folder / "chat.txt", folder / "tagged", folder / "model"
    write_corpus(chat, chosen.sentences, chosen.seed)
    write_tagged(tagged, chosen.seed)
    show_chat(console, chat)
    console.print(facts_table(corpus_facts(nl.count(chat))))
    with training_progress(quiet=False) as (reading, progress):
        model = nl.train(
            chat,
            model_folder,
            overwrite=True,
            progress=progress,
            reading=reading,
            **story.TRAINING,
        )
    show_model(console, model)
    console.print(
        f"\nThe model is in {bold(model_folder)}, labelled sentences for tagging are in "
        f"{bold(tagged)}. Next:\n\n"
        f"  numberline similar {quoted(model_folder)} 187.3 xxl --kind both\n"
        f'  numberline check {quoted(model_folder)} "{story.ODD_SENTENCE}"\n'
        f"  numberline explore {quoted(model_folder)}\n"
        f"  numberline train YOUR_CORPUS -o YOUR_MODEL\n"
        f"  numberline prototypes {quoted(chat)} --plot prototypes.png"
    )


def show_chat(console: Output, chat: Path) -> None:
    console.print(f"Wrote {bold(chat)}: customers and agents of an apparel shop. It begins:\n")
    with chat.open(encoding="utf-8") as lines:
        for line in islice(lines, FIRST_LINES):
            console.print(f"  {line.rstrip()}", style="dim", highlight=False, markup=False)
    console.print()


def show_model(console: Output, model: nl.Embeddings) -> None:
    facts = model.training
    console.print(f"\nTrained on {facts['tokens']:,} tokens in {facts['seconds']:.1f} s.")
    for heading, rows in story.chapters(model):
        console.print(f"\n{heading}:\n")
        width = max((len(name) for name, _ in rows), default=0)
        for name, told in rows:
            console.print(f"  {name:>{width}}  {told}", highlight=False, markup=False)


def bold(path: Path) -> str:
    return f"[bold]{escape(visible(path))}[/]"


def quoted(path: Path) -> str:
    """Return the path, quoted for a shell."""
    return escape(visible(shlex.quote(str(path))))
