"""pint's registry, CLDR's English names and ISO 4217 → src/numberline/reading/quantities/units.txt.

    pip install pint babel pycountry && python tools/make_units.py

The table is pinned so that a text is read in the same way whatever is installed; none of these
packages is needed at run time. Which units are in it is decided here.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import babel
import pint
import pycountry
from babel import Locale

TARGET = Path(__file__).parent.parent / "src/numberline/reading/quantities/units.txt"
HEADER = f"""\
# Units of measurement and currencies; written by tools/{Path(__file__).name}. Fields are separated by tabs:
# unit NAME DIMENSION FACTOR OFFSET EXPONENTS: times the factor plus the offset it is in base units,
#   whose exponents are those of metre, kilogram, second, ampere, kelvin, mole, candela and bit
# name NAME SPELLING …: in any case; symbol NAME SPELLING …: in this case only
# pint {pint.__version__}, CLDR of babel {babel.__version__}, ISO 4217 of pycountry
"""
BASE = ("meter", "kilogram", "second", "ampere", "kelvin", "mole", "candela", "bit")

# Units by dimension, as pint names them; those in METRIC also with these prefixes.
UNITS = {
    "length": "meter inch foot yard mile nautical_mile furlong fathom angstrom astronomical_unit "
    "light_year parsec",
    "area": "hectare acre barn",
    "volume": "liter gallon imperial_gallon quart pint cup fluid_ounce tablespoon teaspoon bushel "
    "oil_barrel acre_foot",
    "mass": "gram tonne ton pound ounce troy_ounce stone carat grain dalton",
    "duration": "second minute hour day week fortnight month year decade century millennium",
    "temperature": "degree_Celsius degree_Fahrenheit kelvin",
    "speed": "knot mile_per_hour kilometer_per_hour",
    "pressure": "pascal bar atmosphere millimeter_Hg_ pound_force_per_square_inch torr",
    "energy": "joule calorie electron_volt british_thermal_unit watt_hour",
    "power": "watt horsepower",
    "frequency": "hertz revolutions_per_minute becquerel",
    "electricity": "volt ampere ohm farad siemens henry coulomb",
    "data": "bit byte",
    "angle": "degree radian arcminute arcsecond",
    "concentration": "molar ppm",
    "measure": "newton mole tesla gauss weber lumen lux candela sievert gray pound_force",
}
PREFIXES = {
    "yotta": ("Y", 24), "zetta": ("Z", 21), "exa": ("E", 18), "peta": ("P", 15),
    "tera": ("T", 12), "giga": ("G", 9), "mega": ("M", 6), "kilo": ("k", 3), "hecto": ("h", 2),
    "deci": ("d", -1), "centi": ("c", -2), "milli": ("m", -3), "micro": ("µ", -6),
    "nano": ("n", -9), "pico": ("p", -12), "femto": ("f", -15), "atto": ("a", -18),
}  # fmt: skip
USUAL = "giga mega kilo milli micro nano pico"
METRIC = {
    "meter": "mega kilo deci centi milli micro nano pico femto",
    "gram": "tera giga mega kilo deci centi milli micro nano pico femto",
    "second": "milli micro nano pico femto atto",
    "liter": "giga mega kilo hecto deci centi milli micro nano pico",
    "year": "giga mega kilo",
    "parsec": "giga mega kilo",
    "tonne": "giga mega kilo",
    "bit": "peta tera giga mega kilo",
    "byte": "yotta zetta exa peta tera giga mega kilo",
    "hertz": "tera giga mega kilo milli",
    "pascal": "giga mega kilo hecto milli micro",
    "bar": "kilo milli micro",
    "calorie": "kilo",
    "dalton": "mega kilo",
    "mole": "kilo milli micro nano pico femto",
    "molar": "milli micro nano pico femto",
    "watt": "peta tera giga mega kilo milli micro nano pico",
    "watt_hour": "tera giga mega kilo milli",
    "electron_volt": "peta tera giga mega kilo milli",
    "joule": "exa peta tera giga mega kilo milli micro nano",
} | dict.fromkeys(
    "volt ampere ohm farad siemens henry newton tesla weber sievert gray becquerel".split(), USUAL
)

# What the registry and CLDR do not know: units by name, dimension, factor and base units.
FURTHER = {
    "percent": ("percent", 0.01), "permille": ("percent", 0.001),
    "percentage point": ("percent", 0.01), "basis point": ("percent", 0.0001),
    "part per billion": ("concentration", 1e-9),
    "decibel": ("measure", 1.0), "pixel": ("measure", 1.0), "megapixel": ("measure", 1e6),
    "dot per inch": ("measure", 1.0), "pixel per inch": ("measure", 1.0), "karat": ("measure", 1.0),
    "quarter": ("duration", 365.25 * 21600), "weekend": ("duration", 2 * 86400.0),
    "ampere hour": ("electricity", 3600.0), "milliampere hour": ("electricity", 3.6),
    "base pair": ("measure", 1.0), "kilobase pair": ("measure", 1e3),
    "megabase pair": ("measure", 1e6), "standard gravity": ("measure", 9.80665),
    "franc": ("money", 1.0), "dinar": ("money", 1.0), "krona": ("money", 1.0),
    "cent": ("money", 0.01), "penny": ("money", 0.01),
}  # fmt: skip
TIME_UNITS = {"quarter", "weekend"}
# Spellings that people use and that no registry lists.
SPELLINGS = {
    "inch": "inches inchs", "foot": "feet", "yard": "yds", "mile": "mi", "pound": "lbs",
    "ounce": "ozs", "hour": "hr hrs", "minute": "min mins", "second": "sec secs", "year": "yr yrs",
    "month": "mos mth mths", "week": "wk wks", "day": "days", "kilogram": "kilo kilos kgs",
    "gram": "gm gms gramme grammes", "microgram": "mcg",
    "kilometer": "kms", "centimeter": "cms", "milliliter": "ml",
    "cubic centimeter": "cc", "mile per hour": "mph|m.p.h.", "kilometer per hour": "kph kmh kmph",
    "revolution per minute": "rpm", "pound per square inch": "psi", "millimeter of mercury": "mmhg",
    "tonne": "metric ton|metric tons|metric tonne|metric tonnes|tonnes",
    "ton": "short ton|short tons|us tons", "nautical mile": "nmi", "light-year": "light years|lightyear",
    "degree": "deg degs", "celsius": "celcius|degrees celcius|degrees centigrade|degree centigrade|centigrade|deg c|"
    "deg celsius|degrees c|degree c|degs c|degs celsius",
    "fahrenheit": "farenheit|degrees farenheit|deg f|deg fahrenheit|degrees f|degree f|degs f|degs fahrenheit",
    "part per million": "parts per million|part per million", "milli bar": "",
    "part per billion": "ppb|parts per billion|part per billion",
    "percent": "per cent|pct|percents|percentage|pc", "permille": "per mille|per mil",
    "percentage point": "percentage points|percent points",
    "basis point": "basis points|bps", "decibel": "decibels", "pixel": "pixels px",
    "megapixel": "megapixels", "dot per inch": "dots per inch|dpi", "pixel per inch": "ppi",
    "karat": "karats", "quarter": "quarters", "weekend": "weekends", "base pair": "base pairs|bp",
    "kilobase pair": "kb pairs|kbp", "megabase pair": "mbp", "standard gravity": "g force|gees",
    "franc": "francs", "dinar": "dinars", "krona": "krone kronor kroner kronur", "cent": "cents", "penny": "pence pennies", "barrel": "barrels bbl bbls",
    "fluid ounce": "fl . oz|fl oz", "tablespoon": "tbsps tbs", "teaspoon": "tsps",
    "astronomical unit": "astronomical units|a . u .", "calorie": "cals",
    "kilocalorie": "kcals", "horsepower": "bhp", "stone": "stones", "arcminute": "arcmin",
    "arcsecond": "arcsec", "byte": "bytes", "megabyte": "mb mbs", "terabyte": "tb", "ampere": "amp amps", "kilobyte": "kb kbs", "gigabyte": "gb gbs gigs gig",
    "knot": "kts", "century": "centuries", "millennium": "millennia millenniums",
    "liter": "litre litres ltr ltrs", "angstrom": "ångströms", "metre": "", "hectare": "ha",
    "volt": "volts", "electronvolt": "electron volt|electron volts|electronvolts",
    "watt hour": "watt-hour|watt-hours", "kilowatt hour": "kilowatt-hours|kwhr|kwh",
    "british thermal unit": "btus|british thermal units",
    "pascal": "pascals", "million year": "",
}  # fmt: skip
SYMBOLS = {
    "degree": "°", "celsius": "°C ° C ℃ C ºC", "fahrenheit": "°F ° F ℉ F ºF", "percent": "% ％",
    "permille": "‰", "kelvin": "K", "micrometer": "um", "microgram": "ug", "microsecond": "usec",
    "microliter": "ul uL", "gigayear": "Gyr Ga Gy", "megayear": "Myr Ma", "kiloyear": "kyr ka",
    "ohm": "Ω", "liter": "L", "milliliter": "mL", "microliter ": "", "decibel": "dB dBA dBm",
    "megapixel": "MP", "byte": "B", "bit": "b", "molar": "M", "millimolar": "mM",
    "micromolar": "µM uM", "nanomolar": "nM", "minute of arc": "", "astronomical unit": "AU",
    "megabit": "Mb", "electronvolt": "eV", "dalton": "Da", "kilodalton": "kDa",
    "hour": "h H", "day": "d", "second": "s", "gram": "g", "meter": "m", "tonne": "t",
    "kilobase pair": "kb", "year": "y", "watt hour": "Wh", "kilowatt hour": "kWh KWh",
    "megawatt hour": "MWh", "gigawatt hour": "GWh", "terawatt hour": "TWh",
    "kilobyte": "KB kB", "cent": "¢", "ampere hour": "Ah", "milliampere hour": "mAh", "inch": '"', "foot": "'", "dot per inch": "",
}  # fmt: skip
RENAMED = {
    "degree Celsius": "celsius", "degree Fahrenheit": "fahrenheit", "imperial gallon":
    "imperial gallon", "oil barrel": "barrel", "ppm": "part per million", "electron volt":
    "electronvolt", "revolutions per minute": "revolution per minute",
    "pound force per square inch": "pound per square inch", "pound force": "pound-force",
    "light year": "light-year", "millimeter Hg ": "millimeter of mercury",
}  # fmt: skip
# Symbols of the registry that are words, or mean something else in most texts.
LEFT_OUT = set(
    "a as at are b bar_ c ch cd da dr en fur g_0 gr h_ has hand in_ ly me my no pl pt q qt rd s_ "
    "st sb ss t_ th tu u us_ x y_ yr_ l_ ac ai am he i is it of on or to we so by go do if an be "
    "up or c. bit. ct dal pi nat per mo dec bus bus. /q pb tn pm cp ma mt gs M_ P R S T_ V_ W_ k r n p f E Y "
    "Z G H d_ w long minim point points sec_ lot pin pole rope chain link octet".split()
)
COINS = {
    "USD": "dollar|dollars|us dollar|us dollars|u . s . dollars|u . s . dollar|american dollars|"
    "bucks|buck|usd", "EUR": "euro|euros", "GBP": "pound sterling|pounds sterling|"
    "british pound|british pounds|quid|sterling", "JPY": "yen|japanese yen",
    "CNY": "yuan|renminbi|rmb|chinese yuan", "INR": "rupee|rupees|indian rupees|rs|rs .|inr",
    "CHF": "swiss franc|swiss francs", "RUB": "ruble|rubles|rouble|roubles", "KRW": "korean won|south korean won",
    "BTC": "bitcoin|bitcoins|btc", "ETH": "ethereum", "DEM": "deutsche mark|deutsche marks",
    "CAD": "canadian dollars|canadian dollar", "AUD": "australian dollars|australian dollar",
    "HKD": "hong kong dollars", "TRY": "turkish lira", "ILS": "shekel|shekels",
    "MXN": "mexican peso|mexican pesos|peso|pesos", "FRF": "french franc|french francs",
    "ZAR": "rand", "THB": "baht", "VND": "dong", "SEK": "swedish krona|swedish kronor",
    "DKK": "danish krone|danish kroner", "NOK": "norwegian krone|norwegian kroner",
    "PLN": "zloty|zlotys|złoty", "HUF": "forint|forints", "CZK": "koruna|czech koruna",
    "SAR": "riyal|riyals", "AED": "dirham|dirhams", "ITL": "lira|lire", "FIM": "finnish markka",
}  # fmt: skip
CURRENCY_SIGNS = {
    "$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₽": "RUB", "₩": "KRW", "₪": "ILS",
    "₫": "VND", "₦": "NGN", "₺": "TRY", "฿": "THB", "₴": "UAH", "₱": "PHP", "₿": "BTC", "₸": "KZT",
    "＄": "USD", "￡": "GBP", "￥": "JPY", "US $": "USD", "U . S . $": "USD", "A $": "AUD",
    "AU $": "AUD", "C $": "CAD", "CA $": "CAD", "CDN $": "CAD", "NZ $": "NZD", "HK $": "HKD",
    "S $": "SGD", "R $": "BRL", "NT $": "TWD", "MX $": "MXN", "Rs": "INR", "Rs .": "INR",
    "RMB": "CNY", "CN ¥": "CNY", "kr": "SEK", "Fr": "CHF", "c $": "CAD", "₡": "CRC", "₭": "LAK", "₲": "PYG", "₵": "GHS",
    "₾": "GEL", "₼": "AZN", "₮": "MNT", "֏": "AMD", "៛": "KHR", "৳": "BDT", "zł": "PLN",
    "Kč": "CZK", "Ft": "HUF", "₤": "ITL", "₣": "FRF",
}  # fmt: skip
OLD_CURRENCIES = "DEM FRF ITL FIM ESP NLG BTC ETH".split()
CLDR = {  # names of CLDR that differ from pint's

}  # fmt: skip
SQUARED = "meter kilometer centimeter millimeter micrometer nanometer mile yard foot inch".split()
SHORT = {
    "meter": "m", "kilometer": "km", "centimeter": "cm", "millimeter": "mm", "micrometer": "µm",
    "nanometer": "nm", "mile": "mi", "yard": "yd", "foot": "ft", "inch": "in",
}  # fmt: skip

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
        if spelling and (unit, spelling) != ("parsec", "pc") and "_" not in spelling and spelling not in LEFT_OUT:
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
        return factor, round(offset, 9), [0, 0, 0, 0, 1, 0, 0, 0]
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
                        if length == "long":
                            table.spell(unit, spelling)
                        elif len(spelling) > 1 and spelling.isascii() and "/" not in spelling:
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
