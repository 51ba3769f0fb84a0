"""units.txt and the user's units → units and their spellings; units → their product."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from numberline.errors import ConfigError

UNITS = Path(__file__).with_name("units.txt")
POWER_NAMES = {2: "square ", 3: "cubic "}

# Dimensions of units by their exponents: of metre, kilogram, second, ampere, kelvin, mole, candela
# and bit.
DIMENSION_OF: dict[tuple[int, ...], str] = {
    (1, 0, 0, 0, 0, 0, 0, 0): "length",
    (2, 0, 0, 0, 0, 0, 0, 0): "area",
    (3, 0, 0, 0, 0, 0, 0, 0): "volume",
    (0, 1, 0, 0, 0, 0, 0, 0): "mass",
    (0, 0, 1, 0, 0, 0, 0, 0): "duration",
    (0, 0, 0, 0, 1, 0, 0, 0): "temperature",
    (1, 0, -1, 0, 0, 0, 0, 0): "speed",
    (-1, 1, -2, 0, 0, 0, 0, 0): "pressure",
    (2, 1, -2, 0, 0, 0, 0, 0): "energy",
    (2, 1, -3, 0, 0, 0, 0, 0): "power",
    (0, 0, -1, 0, 0, 0, 0, 0): "frequency",
    (0, 0, 0, 1, 0, 0, 0, 0): "electricity",
    (0, 0, 0, 0, 0, 0, 0, 1): "data",
    (-3, 1, 0, 0, 0, 0, 0, 0): "concentration",
    (-3, 0, 0, 0, 0, 1, 0, 0): "concentration",
}
OTHER_DIMENSION = "measure"


class Unit(NamedTuple):
    """A unit: times the factor plus the offset it is in base units with these exponents."""

    name: str
    dimension: str
    factor: float
    offset: float
    exponents: tuple[int, ...]


class UnitTable(NamedTuple):
    units: tuple[Unit, ...]
    spellings: list[tuple[str, int, bool]]  # spelling, index of its unit, whether case matters


class Product(NamedTuple):
    """A product of powers of units, such as kilometre per hour."""

    name: str
    dimension: str
    factor: float
    offset: float


@cache
def standard_units() -> UnitTable:
    """Return the units of units.txt."""
    units: dict[str, Unit] = {}
    spellings: list[tuple[str, int, bool]] = []
    indices: dict[str, int] = {}
    for line in UNITS.read_text(encoding="utf-8").splitlines():
        kind, *fields = line.split("\t")
        if kind == "unit":
            name, dimension, factor, offset, exponents = fields
            indices[name] = len(units)
            powers = tuple(map(int, exponents.split()))
            units[name] = Unit(name, dimension, float(factor), float(offset), powers)
        elif kind in {"name", "symbol"}:
            index = indices[fields[0]]
            spellings += [(one.replace("-", " "), index, kind == "symbol") for one in fields[1:]]
    return UnitTable(tuple(units.values()), spellings)


def unit_table(further: Mapping[str, str]) -> UnitTable:
    """Return the units of units.txt and those of the user: {"smoots": "1.702 meter"}.

    A definition is a number and a known unit, or nothing for a unit of its own dimension.
    """
    table = standard_units()
    units, spellings = list(table.units), list(table.spellings)
    known = {spelling: index for spelling, index, _ in spellings} | {
        unit.name: index for index, unit in enumerate(units)
    }
    for spelling, definition in further.items():
        units.append(defined_unit(spelling, definition, units, known))
        words = " ".join(spelling.replace("-", " ").split())
        spellings.append((words, len(units) - 1, spelling != spelling.lower()))
        known[words] = len(units) - 1
    return UnitTable(tuple(units), spellings)


def defined_unit(
    spelling: str, definition: str, units: Sequence[Unit], known: Mapping[str, int]
) -> Unit:
    if not definition:
        return Unit(spelling, OTHER_DIMENSION, 1.0, 0.0, (0,) * 8)
    number, _, name = definition.strip().partition(" ")
    needed = "a number and a known unit, such as '1.702 meter', or an empty string"
    try:
        factor = float(number)
    except ValueError:
        raise ConfigError(f"units[{spelling!r}]", definition, needed) from None
    if name.strip() not in known:
        raise ConfigError(f"units[{spelling!r}]", definition, needed)
    base = units[known[name.strip()]]
    return Unit(spelling, base.dimension, factor * base.factor, base.offset, base.exponents)


def product_of(terms: Sequence[tuple[Unit, int]]) -> Product:
    """Return the product of units with their powers, in the order in which they are written."""
    if len(terms) == 1 and terms[0][1] == 1:
        unit = terms[0][0]
        return Product(unit.name, unit.dimension, unit.factor, unit.offset)
    factor = 1.0
    for unit, power in terms:
        factor *= unit.factor**power
    above = " ".join(powered(unit.name, power) for unit, power in terms if power > 0)
    below = " ".join(f"per {powered(unit.name, -power)}" for unit, power in terms if power < 0)
    return Product(f"{above} {below}".strip(), dimension_of(terms), factor, 0.0)


def powered(name: str, power: int) -> str:
    if power == 1:
        return name
    return POWER_NAMES[power] + name if power in POWER_NAMES else f"{name}^{power}"


def dimension_of(terms: Iterable[tuple[Unit, int]]) -> str:
    """Return the dimension of a product of powers of units."""
    terms = list(terms)
    if len(terms) == 1 and terms[0][1] == 1:
        return terms[0][0].dimension
    exponents = [0] * 8
    for unit, power in terms:
        if unit.dimension == "money":
            return "money"
        for axis, exponent in enumerate(unit.exponents):
            exponents[axis] += power * exponent
    return DIMENSION_OF.get(tuple(exponents), OTHER_DIMENSION)
