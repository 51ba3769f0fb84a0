"""The name of a command that another package brings → that command."""

from __future__ import annotations

from typing import Any

import typer

from numberline.extras import plugins

GROUP = "numberline.commands"  # entry points: functions for typer, by the name of the command


def installed_names() -> list[str]:
    """Return the names of all such commands; none is imported."""
    return sorted(plugins(GROUP))


def installed_command(name: str) -> Any:
    """Import one of these commands."""
    app = typer.Typer(add_completion=False)
    app.command(name)(plugins(GROUP)[name].load())
    return typer.main.get_command(app)
