"""Settings of the explorer and of plots."""

from __future__ import annotations

from dataclasses import dataclass

from numberline.fields import CheckedSettings, one_of, setting, whole_number


@dataclass(frozen=True)
class ExploreSettings(CheckedSettings):
    """Where the explorer listens."""

    host: str = setting("127.0.0.1", "Address to listen on; 0.0.0.0 opens it to the network.")
    port: int = setting(8190, "Port to listen on; 0: any that is free.", whole_number(0, 65_535))


@dataclass(frozen=True)
class PlotSettings(CheckedSettings):
    """What figures show, and how they look."""

    theme: str = setting(
        "light", "'light' for print, 'dark' for dark pages.", one_of("light", "dark")
    )
    picture: str = setting(
        "png", "Format of the files: 'png', 'svg' or 'pdf'.", one_of("png", "svg", "pdf")
    )
    sentence: str | None = setting(
        None, "Text with a gap ___ whose prediction is drawn; by default one that suits the model."
    )
    tokens: str | None = setting(
        None, "Words and numerals of the map, with blanks between; by default common ones."
    )
