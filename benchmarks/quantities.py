"""How well quantities are read, and how fast: numberline against quantulum3 and text2num.

    pip install quantulum3 text2num
    python benchmarks/quantities.py DATA [--part rules|test] [--tools numberline quantulum3 …]

DATA is a folder with quantulum3/quantities.json (its test cases), recognizers-text/Number and
NumberWithUnit (the specs of Recognizers-Text in English) and measeval/train and trial. Rules were
decided on `rules`: quantulum3's cases, every other spec, MeasEval's train. `test` is the rest.

value is the F1 of values (both ends of a range must agree), value + unit that of values with
their units; span the F1 of spans that overlap, as MeasEval gives no values, and unit that of spans
whose units are also written alike.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from machine import machine

import numberline as nl

NO_UNIT = ""


class Amount(NamedTuple):
    """A value or both ends of a range, with the name of the unit and the span in the text."""

    low: float | None
    high: float | None
    unit: str
    span: tuple[int, int]
    unit_text: str = ""
    kind: str = ""  # of what a tool found
    modifier: str = ""


class Case(NamedTuple):
    text: str
    amounts: list[Amount]


Reader = Callable[[str], list[Amount]]
Wanted = Callable[[list[Amount]], list[Amount]]


# --- what the sets expect -------------------------------------------------------------------------


def quantulum_cases(folder: Path) -> Iterator[Case]:
    path = folder / "quantulum3/quantities.json"
    for case in json.loads(path.read_text(encoding="utf-8")):
        amounts = []
        for result in case["res"]:
            spread = result.get("uncertainty") or 0
            start = max(case["req"].find(result["surface"]), 0)
            span = (start, start + len(result["surface"]))
            value = result["value"]
            amounts.append(Amount(value - spread, value + spread, unit_of(result["unit"]), span))
        yield Case(case["req"], amounts)


def recognizer_cases(folder: Path, model: str, rest: int) -> Iterator[Case]:
    """Yield every other case of a model, from the first on or from the second."""
    path = folder / f"recognizers-text/{model}.json"
    specs = json.loads(path.read_text(encoding="utf-8-sig"))
    for index, spec in enumerate(specs):
        if index % 2 != rest:
            continue
        amounts = [amount for result in spec["Results"] for amount in resolved(result)]
        if "Currency" in model:  # where a pound is money
            amounts = [one._replace(unit=POUNDS.get(one.unit, one.unit)) for one in amounts]
        yield Case(spec["Input"], amounts)


def resolved(result: dict[str, Any]) -> Iterator[Amount]:
    resolution = result.get("Resolution") or {}
    span = (result.get("Start", 0), result.get("End", -1) + 1)
    value = str(resolution.get("value"))
    if result["TypeName"] == "numberrange":
        bounds = re.fullmatch(r"[\[(](.*),(.*)[\])]", value)
        if bounds:
            low, high = (float(one) if one else None for one in bounds.groups())
            yield Amount(low, high, NO_UNIT, span)
        return
    try:
        number = float(value.removesuffix("%").replace(",", ""))
    except ValueError:
        return  # relative ordinals and null values
    unit = "percent" if value.endswith("%") else unit_of(resolution.get("unit") or "")
    yield Amount(number, number, unit, span)


def measeval_cases(folder: Path, part: str) -> Iterator[Case]:
    root = folder / "measeval" / part
    texts = root / ("text" if (root / "text").is_dir() else "txt")
    for path in sorted((root / "tsv").glob("*.tsv")):
        text = (texts / f"{path.stem}.txt").read_text(encoding="utf-8")
        amounts = []
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                if row["annotType"] == "Quantity":
                    span = (int(row["startOffset"]), int(row["endOffset"]))
                    other = json.loads(row["other"]) if row["other"] else {}
                    amounts.append(Amount(None, None, NO_UNIT, span, other.get("unit", "")))
        yield Case(text, amounts)


# --- names of units -------------------------------------------------------------------------------

POUNDS = {"pound": "gbp"}
SAME_UNITS = {
    "dimensionless": "", "percentage": "percent", "percentage point": "percent",
    "c": "celsius", "f": "fahrenheit", "k": "kelvin", "degree celsius": "celsius",
    "degree fahrenheit": "fahrenheit", "degree angle": "degree", "pound-mass": "pound",
    "us dollar": "usd", "dollar": "usd", "united states dollar": "usd", "pound sterling": "gbp",
    "british pound": "gbp", "euro": "eur", "japanese yen": "jpy", "yen": "jpy", "indian rupee":
    "inr", "rupee": "inr", "swiss franc": "chf", "chinese yuan": "cny", "australian dollar": "aud",
    "canadian dollar": "cad", "hong kong dollar": "hkd", "minute of arc": "arcminute",
    "second of arc": "arcsecond", "miles": "mile", "count": "", "cent": "cent",
}  # fmt: skip


@cache
def unit_of(name: str) -> str:
    """Return one name for a unit that the sets and tools name differently."""
    name = name.lower().strip()
    if name in SAME_UNITS:
        return SAME_UNITS[name]
    read = nl.quantities(f"5 {name}")
    if len(read) == 1 and read[0].kind != "count" and read[0].span[1] == len(name) + 2:
        return SAME_UNITS.get(read[0].unit.lower(), read[0].unit.lower())
    return name.replace("metre", "meter").replace("litre", "liter")


# --- readers --------------------------------------------------------------------------------------


def numberline_amounts(text: str) -> list[Amount]:
    return [ours(quantity) for quantity in nl.quantities(text) if quantity.value is not None]


def ours(quantity: nl.Quantity) -> Amount:
    value = quantity.value
    low, high = (value, value) if quantity.low is None else (quantity.low, quantity.high)
    unit = quantity.unit if quantity.kind not in {"count", "plain"} else NO_UNIT
    if quantity.kind == "age":
        unit = unit or "year"
    kind = {"duration": "measure"}.get(quantity.kind, quantity.kind)
    unit_text, modifier = quantity.unit_text, quantity.modifier
    return Amount(low, high, unit_of(unit), quantity.span, unit_text, kind, modifier)


def quantulum_amounts(text: str) -> list[Amount]:
    from quantulum3 import classifier, parser

    classifier.USE_CLF = False  # its stored classifier needs an old scikit-learn
    amounts = []
    for read in parser.parse(text):
        spread = read.uncertainty or 0
        number = re.search(r"[\d.,]+", str(read.surface))
        unit_text = str(read.surface)[number.end() :].strip(" -") if number else ""
        unit = unit_of(read.unit.name)
        low, high = read.value - spread, read.value + spread
        amounts.append(Amount(low, high, unit, read.span, unit_text, kind_of_unit(unit)))
    return amounts


def text2num_amounts(text: str) -> list[Amount]:
    from text_to_num import alpha2digit

    digits = alpha2digit(text, "en")
    amounts = []
    for number in re.finditer(r"(-?\d+(?:,\d{3})*(?:\.\d+)?)(st|nd|rd|th)?", digits):
        value = float(number.group(1).replace(",", ""))
        kind = "ordinal" if number.group(2) else "number"
        amounts.append(Amount(value, value, NO_UNIT, number.span(), "", kind))
    return amounts


READERS: dict[str, Reader] = {
    "numberline": numberline_amounts,
    "quantulum3": quantulum_amounts,
    "text2num": text2num_amounts,
}


@cache
def kind_of_unit(unit: str) -> str:
    """Return the kind of a quantity with this unit, from a tool that does not say it."""
    if unit == NO_UNIT:
        return "number"
    read = nl.quantities(f"5 {unit}")
    return {"money": "money", "percent": "percent"}.get(read[0].kind, "measure")


# --- scores ---------------------------------------------------------------------------------------


def f1(matches: int, expected: int, found: int) -> float:
    return 200 * matches / max(expected + found, 1)


def same(first: Amount, second: Amount) -> bool:
    return all(
        one is other or (one is not None and other is not None and math.isclose(one, other))
        for one, other in zip(first[:2], second[:2], strict=True)
    )


def overlap(first: Amount, second: Amount) -> bool:
    return first.span[0] < second.span[1] and second.span[0] < first.span[1]


def matched(expected: list[Amount], found: list[Amount], agree: Callable[..., bool]) -> int:
    """Return how many can be paired, each once, in the order of the text."""
    left = list(found)
    matches = 0
    for amount in expected:
        for candidate in left:
            if agree(amount, candidate):
                left.remove(candidate)
                matches += 1
                break
    return matches


def score(
    cases: list[Case], reader: Reader, agreements: dict[str, Callable[..., bool]], wanted: Wanted
) -> dict[str, float]:
    totals: Counter[str] = Counter()
    for case in cases:
        found = wanted(reader(case.text))
        totals["expected"] += len(case.amounts)
        totals["found"] += len(found)
        for name, agree in agreements.items():
            totals[name] += matched(case.amounts, found, agree)
    return {name: f1(totals[name], totals["expected"], totals["found"]) for name in agreements}


VALUES = {"value": same, "value + unit": lambda a, b: same(a, b) and a.unit == b.unit}
SPANS = {
    "span": overlap,
    "unit": lambda a, b: overlap(a, b) and a.unit_text.strip() == b.unit_text.strip(),
}


# --- what each set asks for -----------------------------------------------------------------------


def of_kinds(*kinds: str) -> Wanted:
    return lambda amounts: [amount for amount in amounts if amount.kind in kinds]


def numbers(amounts: list[Amount]) -> list[Amount]:
    """Return numbers without a unit, which is what the number models look for."""
    return [one for one in amounts if one.unit == NO_UNIT and one.kind not in {"ordinal", "time"}]


def with_names(amounts: list[Amount]) -> list[Amount]:
    """Return numbers with those that are part of a name, as in Voyager 2."""
    return [one for one in amounts if one.kind not in {"ordinal", "date", "time"}]


def not_ordinals(amounts: list[Amount]) -> list[Amount]:
    others = {"ordinal", "date", "time", "identifier"}
    return [one for one in amounts if one.kind not in others]


def ranges(amounts: list[Amount]) -> list[Amount]:
    """Return ranges, and numbers with one bound, such as "more than 20"."""
    bounded = []
    for one in amounts:
        if one.low != one.high:
            bounded.append(one)
        elif one.modifier in {"at least", "over"}:
            bounded.append(one._replace(high=None))
        elif one.modifier in {"at most", "under"}:
            bounded.append(one._replace(low=None))
    return bounded


SPECS = {
    "numbers": ("Number/English/NumberModel", numbers),
    "ordinals": ("Number/English/OrdinalModel", of_kinds("ordinal")),
    "ranges": ("Number/English/NumberRangeModel", ranges),
    "percent": ("Number/English/PercentModel", of_kinds("percent")),
    "currency": ("NumberWithUnit/English/CurrencyModel", of_kinds("money")),
    "dimension": ("NumberWithUnit/English/DimensionModel", of_kinds("measure")),
    "age": ("NumberWithUnit/English/AgeModel", of_kinds("age", "measure")),
    "temperature": ("NumberWithUnit/English/TemperatureModel", of_kinds("measure")),
}


WORDS_ONLY = {"Recognizers numbers", "Recognizers ordinals"}


def sets(folder: Path, part: str) -> Iterator[tuple[str, list[Case], dict[str, Any], Wanted]]:
    """Yield the name, cases, measures and filter of each set of a part: rules or test."""
    if part == "rules":
        yield "quantulum3", list(quantulum_cases(folder)), VALUES, with_names
    for name, (model, wanted) in SPECS.items():
        cases = list(recognizer_cases(folder, model, int(part == "test")))
        yield f"Recognizers {name}", cases, VALUES, wanted
    split = "train" if part == "rules" else "trial"
    yield f"MeasEval {split}", list(measeval_cases(folder, split)), SPANS, not_ordinals


def sentences_of(folder: Path) -> list[str]:
    """Return the sentences of MeasEval's train, for speed."""
    texts = [case.text for case in measeval_cases(folder, "train")]
    return [one for text in texts for one in re.split(r"(?<=[.!?]) (?=[A-Z])", text) if one]


def speed(reader: Callable[[str], Any], sentences: list[str], seconds: float = 3) -> float:
    """Return sentences per second of one core's time, over at least a few seconds."""
    reader(sentences[0])  # loads what is loaded once
    began, read = time.process_time(), 0
    while time.process_time() - began < seconds:
        reader(sentences[read % len(sentences)])
        read += 1
    return read / (time.process_time() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="folder with the three sets")
    parser.add_argument("--part", choices=["rules", "test"], default="rules")
    parser.add_argument("--tools", nargs="+", choices=READERS, default=list(READERS))
    parser.add_argument("--errors", help="print what numberline gets wrong in sets of this name")
    arguments = parser.parse_args()
    print(machine())
    for name, cases, agreements, wanted in sets(arguments.data, arguments.part):
        if arguments.errors is not None:
            if arguments.errors in name:
                print_errors(cases, agreements, wanted)
            continue
        for tool in arguments.tools:
            if tool == "text2num" and name not in WORDS_ONLY:
                continue  # it reads numbers in words, and no units
            scores = score(cases, READERS[tool], agreements, wanted)
            shown = "  ".join(f"{measure} {value:5.1f}" for measure, value in scores.items())
            print(f"{name:26} {len(cases):4} {tool:11} {shown}", flush=True)
    if arguments.errors is None:
        sentences = sentences_of(arguments.data)
        readers = {"numberline": nl.quantities} | {t: READERS[t] for t in arguments.tools[1:]}
        for tool in arguments.tools:
            print(f"{tool:11} {speed(readers[tool], sentences):10,.0f} sentences/s")


def print_errors(cases: list[Case], agreements: dict[str, Any], wanted: Wanted) -> None:
    strictest = list(agreements.values())[-1]
    for case in cases:
        found = wanted(numberline_amounts(case.text))
        if not len(found) == matched(case.amounts, found, strictest) == len(case.amounts):
            print(case.text[:600].replace("\n", " "))
            for label, amounts in (("expected", case.amounts), ("found   ", found)):
                for one in amounts:
                    print(
                        f"  {label} {case.text[slice(*one.span)]!r} {one.low} {one.high} "
                        f"{one.unit or one.unit_text!r} {one.kind} {one.modifier}"
                    )


if __name__ == "__main__":
    main()
