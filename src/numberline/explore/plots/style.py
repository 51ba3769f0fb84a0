"""The name of a theme → how matplotlib draws within it."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from numberline.explore.plots import GREY, NUMERALS, PROTOTYPES
from numberline.extras import optional


@dataclass(frozen=True)
class Theme:
    paper: str
    ink: str
    hill: str  # what lies behind
    words: str
    numerals: str

    def applied(self) -> AbstractContextManager[Any]:
        """Figures that are made and saved in here look so."""
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
        """Colours from nothing to most, in the order of their lightness: they survive a copier."""
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
