"""A scene → its person's measures and sizes as people write them, labelled."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from numberline_shop.scene import Scene
from numberline_shop.sizes import INCH, LETTERS, Sizes

Writer = Callable[[Scene], None]
SizeWriter = Callable[[Scene, Sizes], None]

# An entry that is listed twice is written twice as often.
CENTIMETRES = (" cm", "cm", " cm", "cm", " cms", " centimeters")
METRES = (" m", "m", "m", " meters")
INCHES = (" inches", '"', " inch", '"', " inches")
KILOGRAMS = (" kg", "kg", " kg", "kg", " kilos", " kgs")
POUNDS = (" lbs", "lbs", " lb", " pounds")
STONES = (" stone", "st", " st", " stone")
YEARS = (" years old", " years old", " years", " yo", " yrs", " y/o")
FEET = (("'", '"'), ("'", '"'), ("'", ""), (" ft ", ""), (" foot ", ""), ("ft ", "in"), ("’", ""))
BETWEEN_ENDS = ("-", " to ", "-", " - ")  # of a range

# Probabilities of rounding to a multiple of five.
ROUND_HEIGHT, ROUND_WEIGHT, ROUND_GIRTH = 0.22, 0.30, 0.18
INCHES_PER_FOOT, POUNDS_PER_STONE, POUNDS_PER_KILOGRAM = 12, 14, 2.2046


def with_unit(scene: Scene, label: str, number: str, units: Sequence[str]) -> None:
    """Write a number and, unless the writer leaves units out, its unit."""
    scene.tell(label, number)
    if units and not scene.habits.bare:
        scene.say(scene.pick(units))


def shortest(value: float) -> str:
    """Return the number with one decimal, or with none if it is whole."""
    return f"{value:.0f}" if value == int(value) else f"{value:.1f}"


def rounded(scene: Scene, value: float, probability: float) -> int:
    """Round to a multiple of five with that probability, else to a whole number."""
    return 5 * round(value / 5) if scene.chance(probability) else round(value)


def halves(value: float) -> float:
    return round(2 * value) / 2


def height(scene: Scene) -> None:
    if scene.habits.system != "metric" and not scene.habits.bare:
        _feet_and_inches(scene)
        return
    centimetres = rounded(scene, scene.person.height, ROUND_HEIGHT)
    if centimetres >= 100 and scene.chance(0.12):
        with_unit(scene, "height", f"{centimetres / 100:.2f}", METRES)
    else:
        with_unit(scene, "height", str(centimetres), CENTIMETRES)


def _feet_and_inches(scene: Scene) -> None:
    feet, inches = divmod(round(scene.person.height / INCH), INCHES_PER_FOOT)
    between, after = scene.pick(FEET)
    scene.tell("height", f"{feet}{between}{inches}")
    scene.say(after)


def weight(scene: Scene) -> None:
    kilograms, system = scene.person.weight, scene.habits.system
    if system == "metric":
        if kilograms < 60 and scene.chance(0.05):
            with_unit(scene, "weight", f"{kilograms:.1f}", KILOGRAMS)
        else:
            with_unit(scene, "weight", _whole_weight(scene, kilograms), KILOGRAMS)
    elif system == "us" or scene.habits.bare or scene.person.is_child:
        pounds = _whole_weight(scene, kilograms * POUNDS_PER_KILOGRAM)
        with_unit(scene, "weight", pounds, POUNDS)
    else:
        _stones_and_pounds(scene, round(kilograms * POUNDS_PER_KILOGRAM))


def _whole_weight(scene: Scene, value: float) -> str:
    return str(rounded(scene, value, ROUND_WEIGHT if value > 35 else 0))


def _stones_and_pounds(scene: Scene, pounds: int) -> None:
    stones, rest = divmod(pounds, POUNDS_PER_STONE)
    unit = scene.pick(STONES)
    if rest == 0 or scene.chance(0.4):
        scene.tell("weight", str(stones))
        scene.say(unit)
    else:
        scene.tell("weight", f"{stones}{unit} {rest}")


def age(scene: Scene) -> None:
    with_unit(scene, "age", str(scene.person.age), YEARS)


def foot(scene: Scene) -> None:
    length = scene.person.foot
    if scene.habits.system == "metric" or scene.habits.bare:
        number = halves(length) if scene.chance(0.6) else round(length, 1)
        with_unit(scene, "foot_length", shortest(number), CENTIMETRES)
    else:
        with_unit(scene, "foot_length", shortest(round(length / INCH, 1)), INCHES)


def girth(label: str) -> Writer:
    """Return the writer of a measure that is taken with a tape."""

    def write(scene: Scene) -> None:
        value: float = getattr(scene.person, label)
        if scene.habits.system != "metric":
            inches = halves(value / INCH) if scene.chance(0.35) else round(value / INCH)
            with_unit(scene, label, shortest(inches), INCHES)
        elif label == "neck":
            with_unit(scene, label, shortest(halves(value)), CENTIMETRES)
        else:
            with_unit(scene, label, str(rounded(scene, value, ROUND_GIRTH)), CENTIMETRES)

    return write


def bust_waist_hip(scene: Scene) -> None:
    """Write the classic triple, 96-78-102."""
    divisor, units = (1.0, CENTIMETRES) if scene.habits.system == "metric" else (INCH, INCHES)
    between = scene.pick(("-", " ", "-", ", "))
    for label in ("chest", "waist"):
        scene.tell(label, str(round(getattr(scene.person, label) / divisor)))
        scene.say(between)
    with_unit(scene, "hip", str(round(scene.person.hip / divisor)), units)


def chart_range(label: str, width: int) -> Writer:
    """Return the writer of the two ends of that line of the size chart that fits the person."""

    def write(scene: Scene) -> None:
        low = width * int(getattr(scene.person, label) // width)
        scene.tell(label, str(low))
        scene.say(scene.pick(BETWEEN_ENDS))
        units = KILOGRAMS if label == "weight" else CENTIMETRES
        with_unit(scene, label, str(low + width), units)

    return write


def letter(scene: Scene, sizes: Sizes) -> None:
    _tell_letter(scene, sizes.letter)


def other_letter(scene: Scene) -> None:
    """Write a letter size one step off: what people order by mistake or compare with."""
    index = scene.sizes.letter
    is_larger = index == 0 or (index < len(LETTERS) - 1 and scene.chance(0.5))
    _tell_letter(scene, index + 1 if is_larger else index - 1)


def _tell_letter(scene: Scene, index: int) -> None:
    name = LETTERS[index]
    scene.tell("letter_size", name.upper() if scene.habits.shouts_sizes else name)


def clothing(scene: Scene, sizes: Sizes) -> None:
    _tell_with_system(scene, "clothing_size", str(sizes.clothing), scene.habits.system)


def shoe(scene: Scene, sizes: Sizes) -> None:
    system = "metric" if scene.person.is_child else scene.habits.system
    _tell_with_system(scene, "shoe_size", shortest(sizes.shoe), system)


def _tell_with_system(scene: Scene, label: str, number: str, system: str) -> None:
    """Write the size alone, or with the country of its chart before or after it."""
    country = "eu" if system == "metric" else system
    if scene.habits.careful:
        country = country.upper()
    draw = 1.0 if scene.habits.bare else scene.random.random()
    if draw < 0.2:
        scene.say(country + " ")
    scene.tell(label, number)
    if 0.2 <= draw < 0.35:
        scene.say(" " + country)


def child_size(scene: Scene, sizes: Sizes) -> None:
    scene.tell("child_size", str(sizes.child))


def jeans_waist(scene: Scene, sizes: Sizes) -> None:
    scene.tell("jeans_waist", str(sizes.jeans_waist))


def jeans_length(scene: Scene, sizes: Sizes) -> None:
    scene.tell("jeans_length", str(sizes.jeans_length))


def usual(write: SizeWriter) -> Writer:
    """Return the writer of the size that the person usually buys."""
    return lambda scene: write(scene, scene.sizes)


def next_larger(write: SizeWriter) -> Writer:
    return lambda scene: write(scene, scene.sizes.next_larger())


GIRTHS = ("waist", "chest", "hip", "inseam", "neck", "sleeve", "shoulder", "head")
SIZES: dict[str, SizeWriter] = {
    "letter": letter,
    "clothing": clothing,
    "shoe": shoe,
    "child-size": child_size,
    "jeans-waist": jeans_waist,
    "jeans-length": jeans_length,
}
BODY_QUANTITIES: dict[str, Writer] = {
    "{height}": height,
    "{weight}": weight,
    "{age}": age,
    "{foot}": foot,
    **{f"{{{label}}}": girth(label) for label in GIRTHS},
    "{bust-waist-hip}": bust_waist_hip,
    "{heights}": chart_range("height", 5),
    "{weights}": chart_range("weight", 10),
    "{chests}": chart_range("chest", 6),
    "{waists}": chart_range("waist", 6),
    **{f"{{{name}}}": usual(write) for name, write in SIZES.items()},
    **{f"{{{name}+}}": next_larger(write) for name, write in SIZES.items()},
    "{other-letter}": other_letter,
}
