"""A model → a page in the browser, and figures."""

from typing import TYPE_CHECKING

from numberline.extras import lazy_names

if TYPE_CHECKING:
    from numberline.explore.plots.histogram import prototypes_figure as prototypes_figure
    from numberline.explore.plots.map import map_figure as map_figure
else:
    __all__, __getattr__ = lazy_names(
        __name__, **{"plots.histogram": "prototypes_figure", "plots.map": "map_figure"}
    )
