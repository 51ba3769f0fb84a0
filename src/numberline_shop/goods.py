"""Kinds of goods → what the shop sells, with the usual price of each article."""

from typing import NamedTuple


class Article(NamedTuple):
    """Something on sale and what it usually costs, in any currency."""

    name: str
    usual_price: float


def _articles(**usual_prices: float) -> tuple[Article, ...]:
    return tuple(Article(name.replace("_", " "), price) for name, price in usual_prices.items())


TOPS = _articles(
    tee=15, hoodie=45, sweater=55, jacket=95, shirt=38, coat=160, sweatshirt=42, cardigan=58,
    parka=180, polo=32, vest=40, raincoat=85, fleece=50, jumper=48, bomber=90, tracksuit=75,
)  # fmt: skip
DRESSES = _articles(
    dress=65, skirt=40, blouse=42, jumpsuit=75, blazer=95, gown=210, swimsuit=45, coat=160,
)  # fmt: skip
SUITS = _articles(suit=290, blazer=150, tuxedo=380, dress_shirt=55, waistcoat=80, jacket=130)
BOTTOMS = _articles(
    jeans=70, chinos=55, trousers=60, joggers=42, pants=58, shorts=32, leggings=28, cords=62,
)  # fmt: skip
SHOES = _articles(
    sneakers=85, boots=130, sandals=45, trainers=80, loafers=95, heels=75, shoes=70, slippers=25,
    running_shoes=120, hiking_boots=160,
)  # fmt: skip
HATS = _articles(hat=30, cap=22, beanie=18, helmet=60, fedora=55, beret=25)
KIDS_WEAR = _articles(
    snowsuit=75, jacket=48, tee=10, hoodie=28, raincoat=35, pajama=20, tracksuit=38, sweater=25,
    uniform=40, costume=30, swimsuit=20, dress=28,
)  # fmt: skip
EVERYTHING = (
    *TOPS,
    *_articles(
        dress=65, pair_of_jeans=70, pair_of_boots=130, pair_of_sneakers=85, scarf=24, belt=30,
        backpack=60, pair_of_gloves=28, set_of_socks=12, wallet=40,
    ),
)  # fmt: skip

GOODS: dict[str, tuple[Article, ...]] = {
    "tops": TOPS,
    "dresses": DRESSES,
    "suits": SUITS,
    "bottoms": BOTTOMS,
    "shoes": SHOES,
    "hats": HATS,
    "kids": KIDS_WEAR,
    "everything": EVERYTHING,
}

COLORS = (
    "black", "white", "navy", "grey", "red", "green", "blue", "beige", "brown", "pink", "olive",
    "burgundy", "yellow", "cream", "khaki", "dark blue", "light grey",
)  # fmt: skip
