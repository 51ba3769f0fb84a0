"""What customers and agents of an apparel shop say, as templates for the grammar."""

from numberline.demo.phrases.agent import AGENT
from numberline.demo.phrases.courtesy import COURTESY
from numberline.demo.phrases.family import FAMILY
from numberline.demo.phrases.fit import FIT
from numberline.demo.phrases.goods_talk import GOODS_TALK
from numberline.demo.phrases.money import MONEY
from numberline.demo.phrases.orders import ORDERS
from numberline.demo.phrases.tape import TAPE

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
