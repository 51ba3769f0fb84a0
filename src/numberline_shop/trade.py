"""A scene → the numbers of buying and selling as people write them, labelled."""

from __future__ import annotations

from collections.abc import Callable

from numberline_shop.quantities import Writer, with_unit
from numberline_shop.scene import Scene

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
CURRENCY_WORDS = {"€": (" euros", " euro", "€", " eur"), "$": (" dollars", " bucks", " usd"),
                  "£": (" pounds", " quid", " gbp")}  # fmt: skip
CENTS = (0.99, 0.99, 0.99, 0.95, 0.95, 0.0, 0.0, 0.0, 0.50, 0.90)
DISCOUNTS = (5, 10, 10, 10, 15, 15, 20, 20, 20, 25, 30, 30, 40, 50, 50, 60, 70)
FEW = (1, 1, 1, 2, 2, 3)
SEVERAL = (2, 2, 2, 2, 2, 3, 3, 3, 4, 4)
MORE = (5, 5, 6, 6, 7, 8, 9, 10, 10, 12)
MANY = (15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 150, 200, 250, 300, 500, 1000, 1200, 2000)
MINUTES = (0, 0, 0, 15, 30, 30, 45, 10, 20, 50)
STARS = ("3", "4", "4", "4", "5", "5", "5", "4.5", "3.5", "4.8")


def price(*factors: float) -> Writer:
    """The article's price, times a factor for sales and for several pieces."""

    def write(scene: Scene) -> None:
        amount = max(3, round(scene.pick(factors) * scene.price))
        cents = scene.pick(CENTS)
        money(scene, amount if cents == 0 else amount - 1 + cents)

    return write


def money(scene: Scene, amount: float) -> None:
    """An amount; thousands get their comma more often than not."""
    pattern = ",.0f" if amount == int(amount) and scene.chance(0.7) else ",.2f"
    number = format(amount, pattern)
    if scene.chance(0.3):
        number = number.replace(",", "")
    currency = scene.habits.currency
    if scene.habits.bare:
        scene.tell("price", number)
    elif scene.chance(0.6):
        scene.say(currency)
        scene.tell("price", number)
    else:
        scene.tell("price", number)
        scene.say(scene.pick(CURRENCY_WORDS[currency]))


def bulk_price(scene: Scene) -> None:
    """What a club or a company pays."""
    money(scene, round(scene.price * scene.whole(12, 60), 2))


def shipping_price(scene: Scene) -> None:
    money(scene, scene.pick((2.99, 3.95, 4.99, 4.95, 5.0, 5.99, 6.5, 6.95, 7.99, 9.99, 12.0)))


def discount(percents: tuple[int, ...]) -> Writer:
    """A reduction of the price in percent."""

    def write(scene: Scene) -> None:
        with_unit(scene, "discount", str(scene.pick(percents)), ("%", "%", " percent", " %"))

    return write


def pieces(counts: tuple[int, ...]) -> Writer:
    """How many of something."""

    def write(scene: Scene) -> None:
        scene.tell("quantity", str(scene.pick(counts)))

    return write


def many(scene: Scene) -> None:
    number = scene.pick(MANY)
    scene.tell("quantity", f"{number:,}" if scene.chance(0.6) else str(number))


def points(scene: Scene) -> None:
    number = 50 * scene.whole(2, 90) if scene.chance(0.7) else scene.whole(80, 5200)
    with_unit(scene, "points", f"{number:,}" if scene.chance(0.6) else str(number), (" points",))


def rating(stars: tuple[str, ...]) -> Writer:
    """Stars from one to five."""

    def write(scene: Scene) -> None:
        with_unit(scene, "rating", scene.pick(stars), (" stars", " out of five", " stars"))

    return write


def date(scene: Scene) -> None:
    scene.day = min(28, scene.day + scene.whole(1, 4))
    day, month = scene.day, scene.month
    style = scene.random.random()
    if scene.habits.bare and style < 0.6:
        scene.say("the ")
        scene.tell("date", str(day))
    elif style < 0.06:
        scene.tell("date", f"{scene.whole(2021, 2025)}-{month + 1:02d}-{day:02d}")
    elif style < 0.4:
        scene.tell("date", str(day))
        scene.say(scene.pick((" ", " ", " of ")) + MONTHS[month])
    elif style < 0.75:
        scene.say(MONTHS[month] + " ")
        scene.tell("date", str(day))
    else:
        scene.say("the ")
        scene.tell("date", str(day))
        scene.say({1: "st", 2: "nd", 3: "rd"}.get(day % 10 if day // 10 != 1 else 0, "th"))


def time(first_hour: int, last_hour: int) -> Writer:
    """A time of the day, by the 24 or the 12 hour clock."""

    def write(scene: Scene) -> None:
        hour, minute = scene.whole(first_hour, last_hour), scene.pick(MINUTES)
        twelve = str((hour - 1) % 12 + 1)
        if scene.habits.bare:
            scene.tell("time", twelve if scene.chance(0.5) else str(hour))
        elif scene.chance(0.5):
            scene.tell("time", f"{hour}:{minute:02d}")
        else:
            scene.tell("time", f"{twelve}:{minute:02d}" if minute else twelve)
            scene.say(scene.pick((" am", "am") if hour < 12 else (" pm", "pm")))

    return write


def duration(low: int, high: int, units: tuple[str, ...]) -> Writer:
    """A stretch of time, exact or as a range (3-5 days)."""

    def write(scene: Scene) -> None:
        number = scene.whole(low, high)
        if scene.chance(0.4):
            scene.tell("duration", str(number))
            scene.say(scene.pick(("-", " to ", " or ", "-")))
            number += scene.pick((1, 1, 2))
        with_unit(scene, "duration", str(number), units)

    return write


def return_days(scene: Scene) -> None:
    with_unit(scene, "duration", str(scene.pick((14, 14, 28, 30, 30, 60))), (" days",))


def digits(label: str, low: int, high: int, prefix: tuple[str, ...] = ("",)) -> Writer:
    """A number that names something, as long as `high`; a prefix is no part of the label."""
    width = len(str(high))

    def write(scene: Scene) -> None:
        if not scene.habits.bare:
            scene.say(scene.pick(prefix))
        scene.tell(label, f"{scene.whole(low, high):0{width}d}")

    return write


def either(*writers: Writer) -> Writer:
    """One of several ways, chosen anew each time."""

    def write(scene: Scene) -> None:
        scene.pick(writers)(scene)

    return write


TRADE_QUANTITIES: dict[str, Callable[[Scene], None]] = {
    "price": price(1.0),
    "sale-price": price(0.5, 0.6, 0.7, 0.75, 0.8),
    "total": price(1.6, 2.0, 2.4, 3.1, 4.0),
    "bulk-price": bulk_price,
    "shipping": shipping_price,
    "discount": discount(DISCOUNTS),
    "small-discount": discount((5, 10)),
    "big-discount": discount((15, 20, 20, 25, 30, 40, 50)),
    "few": pieces(FEW),
    "several": pieces(SEVERAL),
    "more": pieces(MORE),
    "many": many,
    "points": points,
    "rating": rating(STARS),
    "low-rating": rating(("1", "2", "2", "3", "3", "2.5")),
    "date": date,
    "time": time(8, 21),
    "early": time(8, 12),
    "late": time(13, 21),
    "days": duration(2, 9, (" days", " days", " working days", " business days")),
    "weeks": duration(2, 6, (" weeks",)),
    "return-days": return_days,
    # Orders of a season share their first digits.
    "order": either(
        digits("order_number", 41_000_000, 48_999_999, ("#", "no. ", "nr ", "number ", "")),
        digits("order_number", 7_200_000, 7_899_999, ("#", "")),
        digits("order_number", 310_000_000, 349_999_999, ("#", "")),
    ),
    "article": either(
        digits("article_number", 100_000, 899_999, ("art. ", "article ", "#", "item ")),
        digits("article_number", 10_000, 69_999, ("art. ", "style ", "ref ", "")),
    ),
    "zip": digits("postal_code", 1_001, 99_950, ("zip ", "postcode ", "", "zip code ")),
    "phone": digits("phone", 0, 9_999),
}
