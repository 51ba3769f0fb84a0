"""Models, corpora and encoders → pictures and pages."""

from typing import TYPE_CHECKING

from numberline.extras import lazy_names

if TYPE_CHECKING:
    from numberline.explore.plots import prototypes_figure as prototypes_figure
    from numberline.explore.word_map import map_figure as map_figure
else:
    __all__, __getattr__ = lazy_names(__name__, plots="prototypes_figure", word_map="map_figure")
