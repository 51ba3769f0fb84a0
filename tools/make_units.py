"""pint's registry, CLDR's English names and ISO 4217 → src/numberline/reading/quantities/units.txt.

    pip install pint babel pycountry && python tools/make_units.py

The table is pinned so that a text is read in the same way whatever is installed; none of these
packages is needed at run time. unit_spellings.py decides which units are in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import babel
import pint
import pycountry
from babel import Locale
from unit_spellings import (
    COINS,
    CURRENCY_SIGNS,
    FURTHER,
    LEFT_OUT,
    LOWER_CODES,
    METRIC,
    OLD_CURRENCIES,
    PREFIXES,
    RENAMED,
    SHORT,
    SPELLINGS,
    SQUARED,
    SYMBOLS,
    TIME_UNITS,
    UNITS,
)

TARGET = Path(__file__).parent.parent / "src/numberline/reading/quantities/units.txt"
HEADER = f"""\
# Units of measurement and currencies; written by tools/{Path(__file__).name}.
# Fields are separated by tabs:
# unit NAME DIMENSION FACTOR OFFSET EXPONENTS: times the factor plus the offset it is in base units,
#   whose exponents are those of metre, kilogram, second, ampere, kelvin, mole, candela and bit
# name NAME SPELLING …: in any case; symbol NAME SPELLING …: in this case only
# pint {pint.__version__}, CLDR of babel {babel.__version__}, ISO 4217 of pycountry
"""
BASE = ("meter", "kilogram", "second", "ampere", "kelvin", "mole", "candela", "bit")

registry = pint.UnitRegistry()


class Table:
    """The units and their spellings, in the order in which they were added."""

    def __init__(self) -> None:
        self.units: dict[str, tuple[Any, ...]] = {}
        self.names: dict[str, dict[str, None]] = {}
        self.symbols: dict[str, dict[str, None]] = {}

    def add(self, name: str, dimension: str, factor: float, offset: float, powers: list[int]):
        self.units[name] = (dimension, factor, offset, powers)
        self.names.setdefault(name, {})[name] = None

    def spell(self, unit: str, spelling: str) -> None:
        """Add a name that is matched in any case, word by word."""
        words = spelling.replace("-", " ").replace("_", " ").lower().strip()
        if (
            words
            and words not in LEFT_OUT
            and "(" not in words
            and (not words.startswith("per ") or unit in {"percent", "permille"})
        ):
            self.names.setdefault(unit, {})[words] = None

    def sign(self, unit: str, spelling: str) -> None:
        if (
            spelling
            and (unit, spelling) != ("parsec", "pc")
            and "_" not in spelling
            and spelling not in LEFT_OUT
        ):
            self.symbols.setdefault(unit, {})[spelling] = None


def plural(name: str) -> str:
    if name.endswith(("s", "x", "z", "ch")):
        return name + "es" if name in {"gauss", "lux", "inch", "henry"} else name
    return name[:-1] + "ies" if name.endswith("ry") else name + "s"


def base_units(name: str) -> tuple[float, float, list[int]]:
    """Return factor, offset and exponents of a unit that pint knows."""
    if name in {"degree_Celsius", "degree_Fahrenheit"}:
        factor = 1.0 if name == "degree_Celsius" else 5 / 9
        offset = registry.Quantity(0, name).to("kelvin").magnitude
        return factor, float(f"{offset:.15g}"), [0, 0, 0, 0, 1, 0, 0, 0]
    quantity = registry.Quantity(1, name).to_base_units()
    powers = {base: int(power) for base, power in quantity._units.items()}
    return float(f"{quantity.magnitude:.12g}"), 0.0, [powers.get(base, 0) for base in BASE]


def add_unit(table: Table, pint_name: str, dimension: str) -> None:
    known = {
        "millimeter_Hg_": "133.322387415 pascal",
        "pound_force_per_square_inch": "psi",
        "mile_per_hour": "mile / hour",
        "kilometer_per_hour": "kilometer / hour",
        "british_thermal_unit": "Btu",
        "revolutions_per_minute": "hertz / 60",
    }
    if pint_name in known:
        quantity = registry(known[pint_name]).to_base_units()
        powers = {base: int(power) for base, power in quantity._units.items()}
        factor = float(f"{quantity.magnitude:.12g}")
        parts = factor, 0.0, [powers.get(base, 0) for base in BASE]
        aliases: tuple[str, ...] = ()
        symbol = ""
    else:
        parts = base_units(pint_name)
        definition = registry._units[pint_name]
        aliases, symbol = definition.aliases, definition.symbol
    if pint_name == "revolutions_per_minute":
        parts = (1 / 60, 0.0, [0, 0, -1, 0, 0, 0, 0, 0])
    spaced = pint_name.replace("_", " ")
    name = RENAMED.get(spaced, spaced)
    table.add(name, dimension, *parts)
    for spelling in [spaced, *(alias for alias in aliases if len(alias) > 3 and alias.islower())]:
        table.spell(name, spelling)
        table.spell(name, plural(spelling))
    for spelling in [symbol, *(alias for alias in aliases if len(alias) <= 3)]:
        table.sign(name, spelling or "")
    for prefix in METRIC.get(pint_name, "").split():
        add_prefixed(table, name, prefix, dimension, parts, aliases, symbol)


def add_prefixed(table, unit, prefix, dimension, parts, aliases, symbol) -> None:
    sign, power = PREFIXES[prefix]
    name = prefix + unit
    factor = float(f"{parts[0] * 10.0**power:.12g}")
    table.add(name, dimension, factor, 0.0, parts[2])
    for spelling in [unit, *(alias for alias in aliases if len(alias) > 3 and alias.islower())]:
        table.spell(name, prefix + spelling)
        table.spell(name, plural(prefix + spelling))
    for one in [sign, *("μ" if sign == "µ" else "")]:
        table.sign(name, one + symbol)


def add_powers(table: Table) -> None:
    """Add square and cubic units of length, whose words come first: square metres, sq ft."""
    spellings = {name: list(table.names[name]) for name in SQUARED}
    for name in SQUARED:
        _, factor, _, _ = table.units[name]
        for power, word, short in ((2, "square", "sq"), (3, "cubic", "cu")):
            dimension = "area" if power == 2 else "volume"
            unit = f"{word} {name}"
            powers = [power, 0, 0, 0, 0, 0, 0, 0]
            table.add(unit, dimension, float(f"{factor**power:.12g}"), 0.0, powers)
            for spelling in spellings[name]:
                table.spell(unit, f"{word} {spelling}")
                table.spell(unit, f"{spelling} {word}d" if power == 2 else f"{spelling} cubed")
            for spelling in (SHORT[name], *spellings[name]):
                table.spell(unit, f"{short} {spelling}")
                table.spell(unit, f"{short} . {spelling}")
            table.spell(unit, f"{SHORT[name]} {'squared' if power == 2 else 'cubed'}")


def add_cldr(table: Table) -> None:
    """Add CLDR's spellings of units that the table has, American and British."""
    for region in ("US", "GB", "CA", "IN", "AU"):
        patterns = Locale("en", region)._data["unit_patterns"]
        for key, forms in patterns.items():
            unit = key.partition("-")[2].replace("-", " ")
            unit = {"light year": "light-year"}.get(unit, unit)
            if unit not in table.units:
                continue
            for length in ("long", "short"):
                for pattern in dict(forms.get(length, {})).values():
                    if isinstance(pattern, str) and pattern.startswith("{0}"):
                        spelling = pattern[3:].strip("\u00a0 ")
                        if length == "long" or (
                            len(spelling) > 1 and spelling.isascii() and "/" not in spelling
                        ):
                            table.spell(unit, spelling)


def add_currencies(table: Table) -> None:
    locale = Locale("en")
    codes = [currency.alpha_3 for currency in pycountry.currencies] + OLD_CURRENCIES
    codes = [code for code in codes if not code.startswith("X")]
    for code in codes:
        table.add(code, "money", 1.0, 0.0, [0] * 8)
        table.names[code].clear()
        table.sign(code, code)
        for names in locale._data["currency_names_plural"].get(code, {}).values():
            table.spell(code, names)
        for spelling in COINS.get(code, "").split("|"):
            table.spell(code, spelling)
        if code in LOWER_CODES:
            table.spell(code, code.lower())
    for sign, code in CURRENCY_SIGNS.items():
        if code:
            table.sign(code, sign)


def add_further(table: Table) -> None:
    for name, (dimension, factor) in FURTHER.items():
        powers = [0, 0, 1, 0, 0, 0, 0, 0] if name in TIME_UNITS else [0] * 8
        if name == "standard gravity":
            powers = [1, 0, -2, 0, 0, 0, 0, 0]
        table.add(name, dimension, factor, 0.0, powers)
        table.spell(name, name)
    for name, spellings in SPELLINGS.items():
        if name in table.units:
            for spelling in spellings.split("|") if "|" in spellings else spellings.split():
                table.spell(name, spelling)
    for name, signs in SYMBOLS.items():
        if name in table.units:
            for sign in signs.split():
                table.sign(name, sign)
            table.symbols.setdefault(name, {})
    for name in ("celsius", "fahrenheit"):
        letter = name[0].upper()
        table.symbols[name] = dict.fromkeys([f"° {letter}", f"º {letter}", letter])
        table.spell(name, f"degrees {name}")
        table.spell(name, f"degree {name}")
        table.spell(name, f"° {name}")
    table.symbols["celsius"]["℃"] = None
    table.symbols["fahrenheit"]["℉"] = None


def lines(table: Table) -> Iterator[str]:
    for name, (dimension, factor, offset, powers) in table.units.items():
        exponents = " ".join(map(str, powers))
        yield f"unit\t{name}\t{dimension}\t{factor!r}\t{offset!r}\t{exponents}"
    taken: set[str] = set()
    for name in dict.fromkeys([*SPELLINGS, *table.units]):  # what is listed here comes first
        spellings = table.names.get(name, {})
        fresh = [spelling for spelling in spellings if spelling not in taken]
        taken.update(fresh)
        if fresh:
            yield "\t".join(["name", name, *fresh])
    signs: set[str] = set()
    for name, spellings in table.symbols.items():
        fresh = [one for one in spellings if one not in signs]
        signs.update(fresh)
        if fresh:
            yield "\t".join(["symbol", name, *fresh])


def main() -> None:
    table = Table()
    for dimension, names in UNITS.items():
        for name in names.split():
            add_unit(table, name, dimension)
    add_powers(table)
    add_further(table)
    add_cldr(table)
    add_currencies(table)
    TARGET.write_text(HEADER + "\n".join(lines(table)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
