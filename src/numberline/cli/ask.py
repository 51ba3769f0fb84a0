"""`numberline vector`, `similar`, `predict`, `check`: a model folder and tokens or texts → answers.

Tokens and texts come from the command line or, one per line, from standard input. With --json,
each answer is a line of JSON for the next program of a pipe.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

import numberline
from numberline.cli.arguments import JsonLines, Model, Texts, Tokens
from numberline.cli.process import (
    USAGE_ERROR,
    Output,
    lines_of_standard_input,
    print_json,
    tell_in_one_line,
)
from numberline.errors import ContextError, UnknownWordError, visible
from numberline.model.check import ODD_ABOVE
from numberline.model.prediction import GAP_MODEL
from numberline.reading.numerals import plain_number

if TYPE_CHECKING:
    from numberline.model.check import CheckedNumeral
    from numberline.model.distribution import NumeralDistribution
    from numberline.model.prediction import RankedNumeral

ODD_FOUND = 1  # exit code of check --fail


def vector(
    model: Model,
    tokens: Tokens = None,
    side: Annotated[str, typer.Option(help="Which vectors: input or output.")] = "input",
    unknown: Annotated[
        str, typer.Option(help="Vector of an unknown word: error (refuse it), zero or mean.")
    ] = "error",
    as_json: JsonLines = False,
) -> None:
    """Print vectors, one per line: the token, a tab, and its numbers."""
    embeddings = numberline.load(model)

    def answer(token: str) -> None:
        row = embeddings.vector(token, side, unknown)  # type: ignore[arg-type]
        if as_json:
            print_json({"token": token, "vector": row.tolist()})
        else:
            print(f"{visible(token)}\t{' '.join(map(str, row.tolist()))}")

    answer_each(map(str.strip, questions(tokens)), answer)


def similar(
    model: Model,
    tokens: Tokens = None,
    count: Annotated[int, typer.Option("--count", "-n", help="Number of neighbours.")] = 10,
    kind: Annotated[
        str, typer.Option(help="Kind of the neighbours: words, numerals or both.")
    ] = "words",
    among: Annotated[
        str,
        typer.Option(help="Numerals to search: those of the whole line, or of the corpus."),
    ] = "line",
    min_count: Annotated[
        int | None,
        typer.Option(
            help="Leave out words that occur fewer times in the corpus, and numbers with fewer "
            "numerals within 5 % of them; by default what is rare there."
        ),
    ] = None,
    as_json: JsonLines = False,
) -> None:
    """List the words and numerals nearest to a token, by cosine."""
    embeddings = numberline.load(model)

    def answer(token: str) -> None:
        neighbours = embeddings.similar(token, count, kind, among=among, min_count=min_count)
        if as_json:
            print_json({"token": token, "similar": [near._asdict() for near in neighbours]})
            return
        console = Output(soft_wrap=True, emoji=False)
        console.print(visible(token), style="bold", highlight=False, markup=False)
        for near in neighbours:
            print(f"  {near.similarity:.3f}  {visible(near.token)}")

    answer_each(map(str.strip, questions(tokens)), answer)


def predict(
    model: Model,
    texts: Texts = None,
    candidate: Annotated[
        list[str] | None,
        typer.Option("--candidate", "-c", help="A number to rank; repeat it for each number."),
    ] = None,
    score: Annotated[
        str,
        typer.Option(
            help="How numbers are scored: by the gap model, or by s0, S_A, S_B, joint or lift."
        ),
    ] = GAP_MODEL,
    as_json: JsonLines = False,
) -> None:
    """Predict the number in the gap ___ of a text, or rank candidates for it.

    Without candidates, print the median, a range that holds nine in ten, and likely values.
    """
    embeddings = numberline.load(model)

    def answer(text: str) -> None:
        predicted = prediction(embeddings.predict(text, candidate or None, score))
        if as_json:
            print_json({"text": text} | predicted)
        else:
            print(visible(text))
            show_prediction(predicted)

    answer_each(questions(texts), answer)


def prediction(answer: NumeralDistribution | list[RankedNumeral]) -> dict[str, Any]:
    """Return the figures that are printed for a prediction."""
    if isinstance(answer, list):
        return {"candidates": [numeral._asdict() for numeral in answer]}
    likely = [number._asdict() for number in answer.likely_numbers()]
    return {"median": answer.median, "interval": answer.interval(), "likely": likely}


def show_prediction(answer: dict[str, Any]) -> None:
    for numeral in answer.get("candidates", []):
        print(f"  {numeral['score']:8.3f}  {plain_number(numeral['value'])}")
    if "median" in answer:
        low, high = map(plain_number, answer["interval"])
        print(f"  median {plain_number(answer['median'])}, 90 % from {low} to {high}")
        print(f"  likely: {', '.join(with_percent(**number) for number in answer['likely'])}")


def with_percent(value: float, probability: float) -> str:
    return f"{plain_number(value)} ({probability:.0%})"


def check(
    model: Model,
    texts: Texts = None,
    odd_above: Annotated[
        float,
        typer.Option(help="Call a number odd if it is wrong with more than this probability."),
    ] = ODD_ABOVE,
    fail: Annotated[
        bool, typer.Option("--fail", help=f"Exit with code {ODD_FOUND} if a number is odd.")
    ] = False,
    as_json: JsonLines = False,
) -> None:
    """Find the numbers of a text that do not fit the words around them."""
    embeddings = numberline.load(model)
    is_any_odd = False
    for text in questions(texts):
        numerals = embeddings.check(text, odd_above)
        is_any_odd |= any(numeral.is_odd for numeral in numerals)
        if as_json:
            print_json({"text": text, "numerals": [facts(numeral) for numeral in numerals]})
        else:
            show_checked(text, numerals)
    if fail and is_any_odd:
        raise typer.Exit(ODD_FOUND)


def facts(numeral: CheckedNumeral) -> dict[str, Any]:
    """Return the fields of a checked numeral, with None for nan, which JSON lacks."""
    better = [number._asdict() for number in numeral.better]
    return {
        name: None if isinstance(value, float) and math.isnan(value) else value
        for name, value in (numeral._asdict() | {"better": better}).items()
    }


def show_checked(text: str, numerals: Iterable[CheckedNumeral]) -> None:
    """Print a text as it is, and below it one line for each numeral."""
    console = Output(soft_wrap=True, highlight=False, emoji=False)
    console.print(visible(text), markup=False)
    for numeral in numerals:
        name = escape(visible(numeral.text))
        if math.isnan(numeral.lift):
            console.print(f"  {name}: no word around it is known")
            continue
        verdict = f"wrong with probability {numeral.probability_wrong:.2f}"
        if numeral.is_odd:
            better = ", ".join(with_percent(*number) for number in numeral.better)
            words = escape(visible(", ".join(numeral.against)))
            against = f"; against it speak {words}" if words else ""
            console.print(f"  [bold red]{name}[/]: odd, {verdict}; likelier are {better}{against}")
        else:
            console.print(f"  {name}: fits, {verdict}")


def answer_each(questions: Iterable[str], answer: Callable[[str], None]) -> None:
    """Answer all questions; say which cannot be answered, and exit with an error if any."""
    is_any_refused = False
    for question in questions:
        try:
            answer(question)
        except (UnknownWordError, ContextError) as error:
            tell_in_one_line(f"numberline: {error}")
            is_any_refused = True
    if is_any_refused:
        raise typer.Exit(USAGE_ERROR)


def questions(arguments: list[str] | None) -> Iterator[str]:
    """Yield the arguments; without any, the lines of standard input that are not blank."""
    if arguments:
        yield from arguments
    else:
        yield from (line for line in lines_of_standard_input() if line.strip())
