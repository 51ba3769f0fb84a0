"""A seed → chat of an apparel shop that never was, full of numbers, and labelled sentences of it.

The chat is a corpus whose numbers mean something: sizes follow the body, prices the article. Begin
with `lists/topics.txt` and `phrases/fit.txt`, then read `conversation.py`.
"""

from numberline_shop.conversation import chat, write_corpus
from numberline_shop.message import Message
from numberline_shop.nearby import Range, nearby_numbers
from numberline_shop.settings import ShopSettings
from numberline_shop.tagged import tagged_sets, write_tagged

__all__ = [
    "Message",
    "Range",
    "ShopSettings",
    "chat",
    "nearby_numbers",
    "tagged_sets",
    "write_corpus",
    "write_tagged",
]
