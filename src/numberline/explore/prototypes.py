"""Prototypes → what `numberline prototypes` prints and draws."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from numberline.errors import OutputError
from numberline.explore.plots import prototypes_figure
from numberline.extras import optional
from numberline.numerals.explained import ExplainedPrototypes
from numberline.reading.numerals import plain_number

if TYPE_CHECKING:
    from rich.table import Table

BAR = 40  # characters of the longest bar
PICTURES = (".png", ".svg", ".pdf")  # matplotlib writes these without other programs


def facts(explained: ExplainedPrototypes) -> dict[str, Any]:
    return {
        "distinct_numerals": len(explained.numeral_values),
        "numeral_tokens": int(explained.numeral_counts.sum()),
        "prototypes": [
            {"value": value, "share": share}
            for value, share in zip(
                explained.values.tolist(), explained.fractions.tolist(), strict=True
            )
        ],
    }


def table(explained: ExplainedPrototypes) -> Table:
    from rich.table import Table

    rows = Table(box=None, padding=(0, 2, 0, 0))
    rows.add_column("prototype", justify="right", style="bold")
    rows.add_column("share of numerals", justify="right")
    rows.add_column("")
    largest = float(explained.fractions.max())
    for value, share in zip(explained.values.tolist(), explained.fractions.tolist(), strict=True):
        rows.add_row(short_number(value), f"{share:.3%}", "▇" * round(BAR * share / largest))
    return rows


def short_number(value: float) -> str:
    """A prototype with as many digits as matter: 1987.3, 8,186,447, 3.1e+20."""
    if abs(value) >= 1e15:
        return f"{value:.4g}"
    if abs(value) >= 1e5:
        return f"{value:,.0f}"
    return plain_number(float(f"{value:.5g}"))


def require_plotting(path: Path) -> None:
    """Refuse a picture that cannot be written, before the work."""
    optional("matplotlib.figure", "plot")
    if path.suffix.lower() not in PICTURES:
        raise OutputError(f"cannot draw {path}: end its name in one of {', '.join(PICTURES)}")
    if path.is_dir() or not path.parent.is_dir():
        reason = "it is a folder" if path.is_dir() else f"{path.parent} is no folder"
        raise OutputError(f"cannot write {path}: {reason}")


def draw(explained: ExplainedPrototypes, title: str, path: Path) -> None:
    figure = prototypes_figure(
        explained.numeral_values, explained.numeral_counts, explained.values, title
    )
    try:
        figure.savefig(path, dpi=150)
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror or error}") from error
