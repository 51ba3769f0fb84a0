"""The settings of `numberline explore` and `numberline plot`."""

from __future__ import annotations

from dataclasses import dataclass

from numberline.fields import CheckedSettings, one_of, setting, whole_number


@dataclass(frozen=True)
class ExploreSettings(CheckedSettings):
    """The address of the explorer."""

    host: str = setting("127.0.0.1", "Address to listen on; 0.0.0.0 opens it to the network.")
    port: int = setting(8190, "Port to listen on; 0 takes any free one.", whole_number(0, 65_535))


@dataclass(frozen=True)
class PlotSettings(CheckedSettings):
    """Which figures are drawn, and how they look."""

    theme: str = setting("light", "Colours: 'light' or 'dark'.", one_of("light", "dark"))
    picture: str = setting(
        "png", "Format of the files: 'png', 'svg' or 'pdf'.", one_of("png", "svg", "pdf")
    )
    sentence: str | None = setting(
        None, "Text with a gap ___ to predict; by default one that suits the model."
    )
    tokens: str | None = setting(
        None,
        "Words and numerals of the map, separated by blanks; by default a fixed list.",
    )
