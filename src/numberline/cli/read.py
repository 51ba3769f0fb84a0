"""`numberline read`: texts → their quantities, as lines of a table or of JSON."""

from __future__ import annotations

from typing import Annotated

import typer

import numberline
from numberline.cli.arguments import JsonLines
from numberline.cli.process import lines_of_standard_input, print_json
from numberline.errors import ConfigError, visible
from numberline.reading.numerals import plain_number


def read(
    text: Annotated[
        list[str] | None,
        typer.Argument(help="A text; by default the lines of standard input.", metavar="TEXT"),
    ] = None,
    unit: Annotated[
        list[str] | None,
        typer.Option(
            "--unit", "-u", help="A further unit, as in 'smoots=1.702 meter'; repeat for each."
        ),
    ] = None,
    decimal_comma: Annotated[
        bool, typer.Option("--decimal-comma", help="Read '1.234,56' as 1234.56.")
    ] = False,
    as_json: JsonLines = False,
) -> None:
    """Show the quantities of a text: kind, value, unit and what modifies them."""
    units = dict(map(definition, unit or []))
    for line in [" ".join(text)] if text else lines_of_standard_input():
        quantities = numberline.quantities(line, units=units, decimal_comma=decimal_comma)
        if as_json:
            print_json({"text": line, "quantities": [one.as_dict() for one in quantities]})
        elif quantities:
            print(table(quantities))


def definition(unit: str) -> tuple[str, str]:
    spelling, equals, value = unit.partition("=")
    if not equals or not spelling.strip():
        raise ConfigError("--unit", unit, "a spelling and its size, such as 'smoots=1.702 meter'")
    return spelling.strip(), value.strip()


def table(quantities: list[numberline.Quantity]) -> str:
    """Return one line for each quantity, in columns."""
    rows = [
        (visible(one.text), one.kind, " ".join(filter(None, (one.modifier, values(one), one.unit))))
        for one in quantities
    ]
    first, second = (max(len(row[column]) for row in rows) for column in (0, 1))
    return "\n".join(f"{a:{first}}  {b:{second}}  {visible(c)}".rstrip() for a, b, c in rows)


def values(quantity: numberline.Quantity) -> str:
    """Return the value of a quantity, or both ends of its range."""
    if quantity.low is not None and quantity.high is not None:
        return f"{plain_number(quantity.low)} to {plain_number(quantity.high)}"
    return "" if quantity.value is None else plain_number(quantity.value)
