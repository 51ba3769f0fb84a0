"""A scene → its person's measures and sizes as people write them, labelled."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil

from numberline_shop.scene import Scene
from numberline_shop.sizes import EVEN_JEANS, INCH, clothing_uk, clothing_us, shoe_uk, shoe_us

Writer = Callable[[Scene], None]

CENTIMETRES = (" cm", "cm", " cm", "cm", " cms", " centimeters")
METRES = (" m", "m", "m", " meters")
INCHES = (" inches", '"', " inch", '"', " inches")
KILOGRAMS = (" kg", "kg", " kg", "kg", " kilos", " kgs")
POUNDS = (" lbs", "lbs", " lb", " pounds")
STONES = (" stone", "st", " st", " stone")
YEARS = (" years old", " years old", " years", " yo", " yrs", " y/o")

ROUNDS_HEIGHT = 0.22  # share of people who say 175 for 173
ROUNDS_WEIGHT = 0.30
ROUNDS_GIRTH = 0.18
INCHES_PER_FOOT, POUNDS_PER_STONE, POUNDS_PER_KILOGRAM = 12, 14, 2.2046


def plain(value: float) -> str:
    """The number as people write it: no decimals for whole numbers."""
    return f"{value:.0f}" if value == int(value) else f"{value:.1f}"


def with_unit(scene: Scene, label: str, number: str, units: tuple[str, ...]) -> None:
    """A number and, unless the writer leaves units out, its unit."""
    scene.tell(label, number)
    if not scene.habits.bare:
        scene.say(scene.pick(units))


def rounded(scene: Scene, value: float, share: float, coarse: int = 5) -> int:
    """To the nearest whole number, by a share of the people to a multiple of `coarse`."""
    return coarse * round(value / coarse) if scene.chance(share) else round(value)


def height(scene: Scene) -> None:
    if scene.habits.system != "metric" and not scene.habits.bare:
        _feet_and_inches(scene)
    else:
        _centimetres(scene, rounded(scene, scene.person.stature, ROUNDS_HEIGHT))


def _centimetres(scene: Scene, stature: int) -> None:
    if stature >= 100 and scene.chance(0.12):
        with_unit(scene, "height", f"{stature / 100:.2f}", METRES)
    else:
        with_unit(scene, "height", str(stature), CENTIMETRES)


def _feet_and_inches(scene: Scene) -> None:
    feet, inches = divmod(round(scene.person.stature / INCH), INCHES_PER_FOOT)
    between, after = scene.pick(
        (("'", '"'), ("'", '"'), ("'", ""), (" ft ", ""), (" foot ", ""), ("ft ", "in"), ("’", ""))
    )
    scene.tell("height", f"{feet}{between}{inches}")
    scene.say(after)


def weight(scene: Scene) -> None:
    kilograms, system = scene.person.weight, scene.habits.system
    if system == "metric":
        if kilograms < 60 and scene.chance(0.05):
            with_unit(scene, "weight", f"{kilograms:.1f}", KILOGRAMS)
        else:
            with_unit(scene, "weight", str(_weight_in_words(scene, kilograms)), KILOGRAMS)
    elif system == "us" or scene.habits.bare or scene.person.age < 13:
        pounds = _weight_in_words(scene, kilograms * POUNDS_PER_KILOGRAM)
        with_unit(scene, "weight", str(pounds), POUNDS)
    else:
        _stones(scene, round(kilograms * POUNDS_PER_KILOGRAM))


def _weight_in_words(scene: Scene, value: float) -> int:
    return rounded(scene, value, ROUNDS_WEIGHT if value > 35 else 0)


def _stones(scene: Scene, pounds: int) -> None:
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
        half = round(2 * length) / 2
        tenth = round(length, 1)
        with_unit(scene, "foot_length", plain(half if scene.chance(0.6) else tenth), CENTIMETRES)
    else:
        with_unit(scene, "foot_length", plain(round(length / INCH, 1)), INCHES)


def girth(label: str) -> Writer:
    """The writer of a measure that is taken with a tape."""

    def write(scene: Scene) -> None:
        value: float = getattr(scene.person, label)
        if scene.habits.system == "metric":
            if label == "neck":
                number = plain(round(2 * value) / 2)
            else:
                number = str(rounded(scene, value, ROUNDS_GIRTH))
            with_unit(scene, label, number, CENTIMETRES)
        else:
            inches = round(2 * value / INCH) / 2 if scene.chance(0.35) else round(value / INCH)
            with_unit(scene, label, plain(inches), INCHES)

    return write


def bust_waist_hip(scene: Scene) -> None:
    """The classic triple, 96-78-102."""
    divisor, units = (1.0, CENTIMETRES) if scene.habits.system == "metric" else (INCH, INCHES)
    between = scene.pick(("-", " ", "-", ", "))
    for label in ("chest", "waist", "hip"):
        if label != "chest":
            scene.say(between)
        scene.tell(label, str(round(getattr(scene.person, label) / divisor)))
    if not scene.habits.bare:
        scene.say(scene.pick(units))


def measured_range(label: str, attribute: str, width: int) -> Writer:
    """The two ends of a line of the size chart that holds the person."""

    def write(scene: Scene) -> None:
        low = width * int(getattr(scene.person, attribute) // width)
        scene.tell(label, str(low))
        scene.say(scene.pick(("-", " to ", "-", " - ")))
        units = KILOGRAMS if label == "weight" else CENTIMETRES
        with_unit(scene, label, str(low + width), units)

    return write


def letter(steps: int) -> Writer:
    """The letter size, or one so many steps larger."""

    def write(scene: Scene) -> None:
        name = scene.sizes.letter_name(steps)
        scene.tell("letter_size", name.upper() if scene.habits.shouts_sizes else name)

    return write


def neighbour(scene: Scene) -> None:
    """A letter size one off: what people order by mistake or compare with."""
    index = scene.sizes.letter
    letter(1 if index == 0 or (index < 6 and scene.chance(0.5)) else -1)(scene)


def clothing(steps: int) -> Writer:
    """A numeric size in the system the writer knows."""

    def write(scene: Scene) -> None:
        system, european = scene.habits.system, scene.sizes.clothing + 2 * steps
        if system == "metric":
            number = european
        elif system == "us":
            number = clothing_us(scene.person, european)
        else:
            number = clothing_uk(scene.person, european)
        _in_system(scene, "clothing_size", str(number))

    return write


def shoe(steps: int) -> Writer:
    """A shoe size; whole sizes are asked for more often than half ones."""

    def write(scene: Scene) -> None:
        person, system = scene.person, scene.habits.system
        if system == "metric" or person.age < 13:
            size = scene.sizes.shoe
        elif system == "us":
            size = shoe_us(person.foot, person.kind in ("woman", "girl"))
        else:
            size = shoe_uk(person.foot)
        if scene.sizes.whole_shoes:
            size = ceil(size)
        _in_system(scene, "shoe_size", plain(size + steps), child=person.age < 13)

    return write


def _in_system(scene: Scene, label: str, number: str, child: bool = False) -> None:
    """The size alone, or with the country of its chart before or after it."""
    name = "eu" if child or scene.habits.system == "metric" else scene.habits.system
    if scene.habits.careful:
        name = name.upper()
    draw = 1.0 if scene.habits.bare else scene.random.random()
    if draw < 0.2:
        scene.say(name + " ")
    scene.tell(label, number)
    if 0.2 <= draw < 0.35:
        scene.say(" " + name)


def chart_number(label: str, steps: int = 0) -> Writer:
    """A size that is one number everywhere: children's clothes and jeans."""
    attribute, step = {
        "child_size": ("child", 6),
        "jeans_waist": ("jeans_waist", 1),
        "jeans_length": ("jeans_length", 2),
    }[label]

    def write(scene: Scene) -> None:
        size: int = getattr(scene.sizes, attribute)
        apart = 2 if label == "jeans_waist" and size >= EVEN_JEANS else step
        scene.tell(label, str(size + apart * steps))

    return write


BODY_QUANTITIES: dict[str, Writer] = {
    "height": height,
    "weight": weight,
    "age": age,
    "foot": foot,
    **{label: girth(label) for label in ("waist", "chest", "hip", "inseam")},
    **{label: girth(label) for label in ("neck", "sleeve", "shoulder", "head")},
    "bust-waist-hip": bust_waist_hip,
    "heights": measured_range("height", "stature", 5),
    "weights": measured_range("weight", "weight", 10),
    "chests": measured_range("chest", "chest", 6),
    "waists": measured_range("waist", "waist", 6),
    "letter": letter(0),
    "letter+": letter(1),
    "other-letter": neighbour,
    "clothing": clothing(0),
    "clothing+": clothing(1),
    "shoe": shoe(0),
    "shoe+": shoe(1),
    "child-size": chart_number("child_size"),
    "child-size+": chart_number("child_size", 1),
    "jeans-waist": chart_number("jeans_waist"),
    "jeans-waist+": chart_number("jeans_waist", 1),
    "jeans-length": chart_number("jeans_length"),
    "jeans-length+": chart_number("jeans_length", 1),
}
