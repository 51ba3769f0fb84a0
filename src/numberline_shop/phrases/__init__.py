"""What customers and agents of an apparel shop say, as templates for the grammar."""

from numberline_shop.phrases.agent import AGENT
from numberline_shop.phrases.courtesy import COURTESY
from numberline_shop.phrases.family import FAMILY
from numberline_shop.phrases.fit import FIT
from numberline_shop.phrases.goods_talk import GOODS_TALK
from numberline_shop.phrases.money import MONEY
from numberline_shop.phrases.orders import ORDERS
from numberline_shop.phrases.tape import TAPE

RULES: dict[str, tuple[str, ...]] = {
    **COURTESY,
    **FIT,
    **TAPE,
    **FAMILY,
    **MONEY,
    **ORDERS,
    **GOODS_TALK,
    **AGENT,
}
