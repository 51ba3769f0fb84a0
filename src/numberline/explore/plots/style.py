"""The name of a theme → colours, and new figures that are drawn in them."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numberline.extras import optional

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# These two differ in print, for the colour-blind, on white and on black.
NUMERALS = "#4878a8"
PROTOTYPES = "#c8553d"
GREY = "#808080"


@dataclass(frozen=True)
class Theme:
    paper: str
    ink: str
    hill: str  # densities in the background
    words: str
    numerals: str

    def applied(self) -> AbstractContextManager[Any]:
        """Return a context in which figures are made in these colours."""
        settings = {
            "figure.facecolor": self.paper,
            "savefig.facecolor": self.paper,
            "axes.facecolor": self.paper,
            "axes.edgecolor": GREY,
            "axes.labelcolor": self.ink,
            "text.color": self.ink,
            "xtick.color": GREY,
            "ytick.color": GREY,
        }
        context: AbstractContextManager[Any] = optional("matplotlib", "plot").rc_context(settings)
        return context

    def heat(self) -> Any:
        """Return colours from least to most, ordered by lightness, so that a copier keeps them."""
        colours = optional("matplotlib.colors", "plot")
        return colours.LinearSegmentedColormap.from_list(
            "heat", [self.paper, NUMERALS, self.ink], 256
        )


THEMES = {
    "light": Theme(
        paper="#ffffff", ink="#1d1c1a", hill="#dcd8d0", words=NUMERALS, numerals=PROTOTYPES
    ),
    "dark": Theme(
        paper="#151412", ink="#ece8e1", hill="#3a3631", words="#7fb0dc", numerals="#f0805f"
    ),
}


def new_figure(width: float, height: float) -> Figure:
    """Return a figure of this size in inches, with a canvas on which texts can be measured."""
    figure: Figure = optional("matplotlib.figure", "plot").Figure(
        figsize=(width, height), layout="constrained"
    )
    optional("matplotlib.backends.backend_agg", "plot").FigureCanvasAgg(figure)
    return figure


def fix_layout(figure: Figure) -> None:
    """Lay a figure out and freeze the layout: only then are positions in pixels known."""
    figure.canvas.draw()
    figure.set_layout_engine("none")


def quiet(axes: Any) -> None:
    """Draw frames and ticks in grey, without the upper and right lines."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(colors=GREY, which="both")
    for spine in axes.spines.values():
        spine.set_color(GREY)


def hide_heights(axes: Any) -> None:
    """Hide the vertical axis, whose heights have no unit."""
    axes.spines["left"].set_visible(False)
    axes.set_yticks([])
