"""A scene → the numbers of buying and selling as people write them, labelled."""

from __future__ import annotations

from collections.abc import Sequence

from numberline_shop.body_quantities import Writer, with_unit
from numberline_shop.scene import Scene

MONTHS = tuple(
    "january february march april may june july august september october november december".split()
)
# An entry that is listed twice is written twice as often.
CURRENCIES = {  # a sign to write before the amount, and words to write after it
    "metric": ("€", (" euros", " euro", "€", " eur")),
    "us": ("$", (" dollars", " bucks", " usd")),
    "uk": ("£", (" pounds", " quid", " gbp")),
}
CENTS = (0.99, 0.99, 0.99, 0.95, 0.95, 0.0, 0.0, 0.0, 0.50, 0.90)
SHIPPING_PRICES = (2.99, 3.95, 4.99, 4.95, 5.0, 5.99, 6.5, 6.95, 7.99, 9.99, 12.0)
DISCOUNTS = (5, 10, 10, 10, 15, 15, 20, 20, 20, 25, 30, 30, 40, 50, 50, 60, 70)
LARGE_ORDERS = (15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 150, 200, 250, 300, 500, 1000, 1200, 2000)
MINUTES = (0, 0, 0, 15, 30, 30, 45, 10, 20, 50)
PERCENT = ("%", "%", " percent", " %")
STARS = (" stars", " out of five", " stars")


def one_of(label: str, values: Sequence[object], units: Sequence[str] = ()) -> Writer:
    """Return the writer of one of the values, with its unit."""
    return lambda scene: with_unit(scene, label, str(scene.pick(values)), units)


def either(*writers: Writer) -> Writer:
    """Return a writer that chooses among others anew each time."""
    return lambda scene: scene.pick(writers)(scene)


def price(*factors: float) -> Writer:
    """Return the writer of the article's price, times a factor for sales or several pieces."""

    def write(scene: Scene) -> None:
        amount = max(3, round(scene.pick(factors) * scene.price))
        cents = scene.pick(CENTS)
        money(scene, amount if cents == 0 else amount - 1 + cents)

    return write


def bulk_price(scene: Scene) -> None:
    """Write what a club or a company pays."""
    money(scene, round(scene.price * scene.whole(12, 60), 2))


def shipping_price(scene: Scene) -> None:
    money(scene, scene.pick(SHIPPING_PRICES))


def money(scene: Scene, amount: float) -> None:
    """Write an amount; thousands get their comma more often than not."""
    is_short = amount == int(amount) and scene.chance(0.7)
    number = f"{amount:,.0f}" if is_short else f"{amount:,.2f}"
    if scene.chance(0.3):
        number = number.replace(",", "")
    sign, words = CURRENCIES[scene.habits.system]
    if scene.habits.bare:
        scene.tell("price", number)
    elif scene.chance(0.6):
        scene.say(sign)
        scene.tell("price", number)
    else:
        scene.tell("price", number)
        scene.say(scene.pick(words))


def large_order(scene: Scene) -> None:
    scene.tell("quantity", _maybe_with_comma(scene, scene.pick(LARGE_ORDERS)))


def points(scene: Scene) -> None:
    number = 50 * scene.whole(2, 90) if scene.chance(0.7) else scene.whole(80, 5200)
    with_unit(scene, "points", _maybe_with_comma(scene, number), (" points",))


def _maybe_with_comma(scene: Scene, number: int) -> str:
    return f"{number:,}" if scene.chance(0.6) else str(number)


def date(scene: Scene) -> None:
    scene.day = min(28, scene.day + scene.whole(1, 4))
    day, month = scene.day, MONTHS[scene.month]
    style = scene.random.random()
    if scene.habits.bare and style < 0.6:
        scene.say("the ")
        scene.tell("date", str(day))
    elif style < 0.06:
        scene.tell("date", f"{scene.whole(2021, 2025)}-{scene.month + 1:02d}-{day:02d}")
    elif style < 0.4:
        scene.tell("date", str(day))
        scene.say(scene.pick((" ", " ", " of ")) + month)
    elif style < 0.75:
        scene.say(month + " ")
        scene.tell("date", str(day))
    else:
        scene.say("the ")
        scene.tell("date", str(day))
        scene.say({1: "st", 2: "nd", 3: "rd"}.get(day % 10 if day // 10 != 1 else 0, "th"))


def time(first_hour: int, last_hour: int) -> Writer:
    """Return the writer of a time of the day, by the 24 or the 12 hour clock."""

    def write(scene: Scene) -> None:
        hour, minute = scene.whole(first_hour, last_hour), scene.pick(MINUTES)
        hour_of_12 = (hour - 1) % 12 + 1
        if scene.habits.bare:
            scene.tell("time", str(hour_of_12 if scene.chance(0.5) else hour))
        elif scene.chance(0.5):
            scene.tell("time", f"{hour}:{minute:02d}")
        else:
            scene.tell("time", f"{hour_of_12}:{minute:02d}" if minute else str(hour_of_12))
            scene.say(scene.pick((" am", "am") if hour < 12 else (" pm", "pm")))

    return write


def duration(low: int, high: int, units: Sequence[str]) -> Writer:
    """Return the writer of a length of time, exact or as a range (3-5 days)."""

    def write(scene: Scene) -> None:
        number = scene.whole(low, high)
        if scene.chance(0.4):
            scene.tell("duration", str(number))
            scene.say(scene.pick(("-", " to ", " or ", "-")))
            number += scene.pick((1, 1, 2))
        with_unit(scene, "duration", str(number), units)

    return write


def digits(label: str, low: int, high: int, prefixes: Sequence[str] = ("",)) -> Writer:
    """Return the writer of a number that names something, with as many digits as `high`.

    A prefix is no part of the labelled text.
    """
    width = len(str(high))

    def write(scene: Scene) -> None:
        if not scene.habits.bare:
            scene.say(scene.pick(prefixes))
        scene.tell(label, f"{scene.whole(low, high):0{width}d}")

    return write


TRADE_QUANTITIES: dict[str, Writer] = {
    "{price}": price(1.0),
    "{sale-price}": price(0.5, 0.6, 0.7, 0.75, 0.8),
    "{total}": price(1.6, 2.0, 2.4, 3.1, 4.0),
    "{bulk-price}": bulk_price,
    "{shipping}": shipping_price,
    "{discount}": one_of("discount", DISCOUNTS, PERCENT),
    "{small-discount}": one_of("discount", (5, 10), PERCENT),
    "{big-discount}": one_of("discount", (15, 20, 20, 25, 30, 40, 50), PERCENT),
    "{few}": one_of("quantity", (1, 1, 1, 2, 2, 3)),
    "{several}": one_of("quantity", (2, 2, 2, 2, 2, 3, 3, 3, 4, 4)),
    "{more}": one_of("quantity", (5, 5, 6, 6, 7, 8, 9, 10, 10, 12)),
    "{many}": large_order,
    "{points}": points,
    "{rating}": one_of("rating", (3, 4, 4, 4, 5, 5, 5, 4.5, 3.5, 4.8), STARS),
    "{low-rating}": one_of("rating", (1, 2, 2, 3, 3, 2.5), STARS),
    "{date}": date,
    "{time}": time(8, 21),
    "{early}": time(8, 12),
    "{late}": time(13, 21),
    "{days}": duration(2, 9, (" days", " days", " working days", " business days")),
    "{weeks}": duration(2, 6, (" weeks",)),
    "{return-days}": one_of("duration", (14, 14, 28, 30, 30, 60), (" days",)),
    # Orders of a season share their first digits.
    "{order}": either(
        digits("order_number", 41_000_000, 48_999_999, ("#", "no. ", "nr ", "number ", "")),
        digits("order_number", 7_200_000, 7_899_999, ("#", "")),
        digits("order_number", 310_000_000, 349_999_999, ("#", "")),
    ),
    "{article}": either(
        digits("article_number", 100_000, 899_999, ("art. ", "article ", "#", "item ")),
        digits("article_number", 10_000, 69_999, ("art. ", "style ", "ref ", "")),
    ),
    "{zip}": digits("postal_code", 1_001, 99_950, ("zip ", "postcode ", "", "zip code ")),
    "{phone}": digits("phone", 0, 9_999),
}
