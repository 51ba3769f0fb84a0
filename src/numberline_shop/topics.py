"""What people write about: the rule, people and goods of each topic, and how often it comes up."""

from typing import Literal, NamedTuple

Cast = Literal["adult", "woman", "man", "child"]


class Topic(NamedTuple):
    """One thing that people write about."""

    rule: str  # of the grammar
    cast: Cast  # whom it is about
    goods: str
    chat_weight: int  # how often it comes up in the chat
    tagged_weight: int  # how often it comes up in the tagged sentences
    agent: bool = False


TOPICS = (
    Topic("fit", "adult", "tops", 210, 300),
    Topic("reason", "adult", "tops", 90, 60),
    Topic("dress", "woman", "dresses", 50, 65),
    Topic("suit", "man", "suits", 45, 75),
    Topic("jeans", "adult", "bottoms", 55, 70),
    Topic("shoes", "adult", "shoes", 60, 90),
    Topic("hats", "adult", "hats", 15, 25),
    Topic("kids", "child", "kids", 55, 60),
    Topic("kid-letters", "child", "kids", 30, 20),
    Topic("kid-shoes", "child", "shoes", 20, 25),
    Topic("price", "adult", "everything", 45, 40),
    Topic("discount", "adult", "everything", 30, 35),
    Topic("stock", "adult", "tops", 40, 40),
    Topic("order", "adult", "everything", 40, 40),
    Topic("delivery", "adult", "everything", 40, 40),
    Topic("returns", "adult", "tops", 35, 20),
    Topic("review", "adult", "tops", 30, 25),
    Topic("plain", "adult", "tops", 150, 0),
    Topic("agent-fit", "adult", "tops", 60, 10, agent=True),
    Topic("agent-tape", "adult", "tops", 20, 0, agent=True),
    Topic("agent-kids", "child", "kids", 15, 0, agent=True),
    Topic("agent-order", "adult", "everything", 45, 0, agent=True),
    Topic("agent-plain", "adult", "tops", 45, 0, agent=True),
)
