"""A tagged sentence → whether its numerals must be told apart without a unit or cue word."""

from __future__ import annotations

from numberline.tagging.sentences import TaggedSentence, stretches
from numberline_shop.goods import BOTTOMS, HATS, SHOES
from numberline_shop.trade import MONTHS

REACH = 3  # tokens on either side in which a cue gives a label away: 39 across the shoulders


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_CENTIMETRES = _words("cm cms centimeters mm")
_INCHES = _words('" inch inches')
_TAPE = _CENTIMETRES | _INCHES
_SIZE = _words("size sizes eu us uk")
_FOOTWEAR = frozenset(word for article in SHOES for word in article.name.split())
_LEGWEAR = frozenset(article.name for article in BOTTOMS)
_HEADWEAR = frozenset(article.name for article in HATS) | _words("hats")

CUES: dict[str, frozenset[str]] = {
    "height": _CENTIMETRES | _words("m meters ft foot feet ' tall height") | _INCHES,
    "weight": _words("kg kgs kilos lb lbs pounds stone st weigh weighs weight gained"),
    "age": _words("years year yrs yo y old age turning birthday"),
    "foot_length": _TAPE | _words("foot feet insole long length"),
    "shoe_size": _SIZE | _FOOTWEAR | _words("shoe"),
    "letter_size": _SIZE,
    "clothing_size": _SIZE | _words("dresses jackets"),
    "child_size": _SIZE,
    "jeans_waist": _SIZE | _LEGWEAR | _words("waist"),
    "jeans_length": _SIZE | _LEGWEAR | _words("length leg legs"),
    "waist": _TAPE | _words("waist belt"),
    "chest": _TAPE | _words("chest bust measurements"),
    "hip": _TAPE | _words("hip hips"),
    "inseam": _TAPE | _words("inseam leg legs length shorten"),
    "neck": _TAPE | _words("neck collar shirt shirts"),
    "sleeve": _TAPE | _words("sleeve arms shirts"),
    "shoulder": _TAPE | _words("shoulder shoulders across"),
    "head": _TAPE | _HEADWEAR | _words("head circumference"),
    "price": _words("$ € £ euro euros eur dollars bucks usd pounds quid gbp")
    | _words("paid pay price total shipping refund charged budget under invoice"),
    "discount": _words("% percent off discount code sale"),
    "quantity": _words("pieces pack box x times washes left more"),
    "points": _words("points"),
    "rating": _words("stars out five rating"),
    "date": frozenset(MONTHS) | _words("st nd rd th on by before"),
    "time": _words("am pm : at around after before from between home"),
    "duration": _words("days weeks working business delivery takes long been"),
    "order_number": _words("order number no nr orders"),
    "article_number": _words("art article item style ref"),
    "postal_code": _words("zip code postcode address ship"),
    "phone": _words("phone ends ending digits card number"),
}


def is_hard(sentence: TaggedSentence) -> bool:
    """Whether it holds labelled numerals and none of them has a cue within REACH tokens."""
    quantities = [
        found for found in stretches(label for _, label in sentence) if found.label != "letter_size"
    ]
    return bool(quantities) and not any(
        CUES[label].intersection(near(sentence, start, end)) for label, start, end in quantities
    )


def near(sentence: TaggedSentence, start: int, end: int) -> list[str]:
    """The tokens of a stretch and those within REACH of it, less other quantities: the size M."""
    before, after = sentence[max(0, start - REACH) : start], sentence[end : end + REACH]
    unlabelled = [token for token, label in before + after if label == "O"]
    return unlabelled + [token for token, _ in sentence[start:end]]
