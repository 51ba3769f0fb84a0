"""`numberline vector`, `similar`, `predict`, `check`: a model folder and tokens or texts → answers.

What is asked comes from the command line or, a line each, from standard input; with --json an
answer is one line of JSON, as pipes like it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from typer.core import TyperCommand

import numberline
from numberline.cli.process import Output, lines_of_standard_input, print_json
from numberline.model.check import ODD_BELOW
from numberline.reading.numerals import plain_number

if TYPE_CHECKING:
    from numberline.model.check import CheckedNumeral
    from numberline.model.distribution import NumeralDistribution
    from numberline.model.prediction import RankedNumeral

ODD_FOUND = 1  # exit code of check --fail
_NEGATIVE = re.compile(r"-\.?[0-9]")


class NumberCommand(TyperCommand):
    """Takes -5 for a number: while arguments are read it has a minus sign, so it is no option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        signed = {word: "\u2212" + word[1:] for word in args if _NEGATIVE.match(word)}
        rest = super().parse_args(ctx, [signed.get(word, word) for word in args])
        written = {sign: word for word, sign in signed.items()}
        for name, value in ctx.params.items():
            if isinstance(value, list | tuple):
                ctx.params[name] = [written.get(word, word) for word in value]
        return rest


Model = Annotated[
    Path, typer.Argument(help="Folder of the model.", metavar="MODEL", show_default=False)
]
Tokens = Annotated[
    list[str] | None,
    typer.Argument(help="Words and numerals; without any, lines of standard input."),
]
Texts = Annotated[
    list[str] | None, typer.Argument(help="Texts; without any, lines of standard input.")
]
Json = Annotated[bool, typer.Option("--json", help="Print a line of JSON for each.")]


def vector(
    model: Model,
    tokens: Tokens = None,
    side: Annotated[str, typer.Option(help="Which vectors: input or output.")] = "input",
    unknown: Annotated[str, typer.Option(help="Unknown words: error, zero or mean.")] = "error",
    as_json: Json = False,
) -> None:
    """Print the vectors of words and numerals: the token, a tab, and its numbers."""
    embeddings = numberline.load(model)
    for token in map(str.strip, asked(tokens)):
        row = embeddings.vector(token, side, unknown)  # type: ignore[arg-type]
        if as_json:
            print_json({"token": token, "vector": row.tolist()})
        else:
            print(f"{token}\t{' '.join(map(str, row.tolist()))}")


def similar(
    model: Model,
    tokens: Tokens = None,
    count: Annotated[int, typer.Option("--count", "-n", help="How many neighbours.")] = 10,
    kind: Annotated[str, typer.Option(help="words, numerals or both.")] = "words",
    among: Annotated[
        str, typer.Option(help="Numerals: on the whole line, or those of the corpus.")
    ] = "line",
    approximate: Annotated[
        bool, typer.Option("--approximate", help="Search an index, for millions of words.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Find the words and numerals nearest to a token, by cosine."""
    embeddings = numberline.load(model)
    for token in map(str.strip, asked(tokens)):
        found = embeddings.similar(token, count, kind, among=among, exact=not approximate)
        if as_json:
            print_json({"token": token, "similar": [near._asdict() for near in found]})
            continue
        Output(soft_wrap=True, emoji=False).print(f"[bold]{escape(token)}[/]", highlight=False)
        for near in found:
            print(f"  {near.similarity:.3f}  {near.token}")


def predict(
    model: Model,
    texts: Texts = None,
    candidate: Annotated[
        list[str] | None,
        typer.Option("--candidate", "-c", help="A number to rank; give several."),
    ] = None,
    score: Annotated[str, typer.Option(help="s0, S_A, S_B, joint or lift.")] = "s0",
    as_json: Json = False,
) -> None:
    """Say which number belongs into the gap ___ of a text.

    With candidates, rank them; without, say what is to be expected.
    """
    embeddings = numberline.load(model)
    for text in asked(texts):
        found = embeddings.predict(text, candidate or None, score)
        answer = ranked(found) if isinstance(found, list) else expected(found)
        if as_json:
            print_json({"text": text} | answer)
        else:
            print(text)
            show_prediction(answer)


def ranked(found: list[RankedNumeral]) -> dict[str, Any]:
    return {"candidates": [numeral._asdict() for numeral in found]}


def expected(found: NumeralDistribution) -> dict[str, Any]:
    return {
        "median": found.median,
        "interval": found.interval(),
        "likely": found.likely(),
    }


def show_prediction(answer: dict[str, Any]) -> None:
    for numeral in answer.get("candidates", []):
        print(f"  {numeral['score']:8.3f}  {plain_number(numeral['value'])}")
    if "median" in answer:
        low, high = map(plain_number, answer["interval"])
        print(f"  median {plain_number(answer['median'])}, 90 % from {low} to {high}")
        print(f"  likely: {', '.join(map(plain_number, answer['likely']))}")


def check(
    model: Model,
    texts: Texts = None,
    odd_below: Annotated[float, typer.Option(help="Lift below which a number is odd.")] = ODD_BELOW,
    fail: Annotated[
        bool, typer.Option("--fail", help=f"Exit with {ODD_FOUND} if a number is odd.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Find numbers that do not fit the words around them."""
    embeddings = numberline.load(model)
    is_any_odd = False
    for text in asked(texts):
        found = embeddings.check(text, odd_below)
        is_any_odd |= any(numeral.is_odd for numeral in found)
        if as_json:
            print_json({"text": text, "numerals": [facts(numeral) for numeral in found]})
        else:
            show_checked(text, found)
    if fail and is_any_odd:
        raise typer.Exit(ODD_FOUND)


def facts(numeral: CheckedNumeral) -> dict[str, Any]:
    """JSON knows no nan."""
    return {
        name: None if isinstance(value, float) and math.isnan(value) else value
        for name, value in numeral._asdict().items()
    }


def show_checked(text: str, found: Iterable[CheckedNumeral]) -> None:
    console = Output(soft_wrap=True, highlight=False, emoji=False)  # a text is shown as it is
    console.print(text, markup=False)
    for numeral in found:
        name = escape(numeral.text)
        if math.isnan(numeral.lift):
            console.print(f"  {name}: nothing around it is known")
            continue
        lift = f"{numeral.lift:.2g} times as likely here as in general"
        if numeral.is_odd:
            better = ", ".join(map(plain_number, numeral.better))
            console.print(f"  [bold red]{name}[/]: odd, {lift}; likely are {better}")
        else:
            along = escape(f"; it goes with {', '.join(numeral.words)}" if numeral.words else "")
            console.print(f"  {name}: fits, {lift}{along}")


def asked(given: list[str] | None) -> Iterator[str]:
    """From the command line, or the lines of standard input that are not empty."""
    if given:
        yield from given
    else:
        yield from (line for line in lines_of_standard_input() if line.strip())
