"""The name of a command → the command, imported when it is needed: ours, and those of packages."""

from __future__ import annotations

import signal
import sys
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

from numberline.cli.arguments import TextCommand
from numberline.cli.process import discard, tell
from numberline.extras import plugins

GROUP = "numberline.commands"  # entry points: functions for typer, by the name of the command
PANELS = {  # of --help: the names of commands, each with its module
    "Read a text": {"read": "read", "tokenize": "corpus", "stats": "corpus", "encode": "corpus"},
    "Train": {"prototypes": "train", "train": "train", "tag": "tag"},
    "Ask a model": {
        "models": "models",
        "vector": "ask",
        "similar": "ask",
        "predict": "ask",
        "check": "ask",
    },
    "See and measure a model": {"explore": "explore", "plot": "explore", "evaluate": "evaluate"},
    "Other tools": {"export": "export"},
}
OTHERS = "Commands of other packages"
MODULES = {name: module for commands in PANELS.values() for name, module in commands.items()}


class Commands(TyperGroup):
    """All commands, those of other packages last.

    typer would end with an error when a pipe is closed, and say nothing on Ctrl-C.
    """

    def list_commands(self, ctx: Any) -> list[str]:
        return list(dict.fromkeys([*MODULES, *sorted(plugins(GROUP))]))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        names = self.list_commands(ctx)
        # A misspelt name needs all commands, so that similar names can be suggested.
        for name in [cmd_name] if cmd_name in names else names:
            if name not in self.commands:
                self.commands[name] = import_command(name)
        return super().get_command(ctx, cmd_name)

    def invoke(self, ctx: Any) -> Any:
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
            return result
        except BrokenPipeError:  # as in `numberline tokenize < file | head`
            discard(sys.stdout)
            sys.exit(0)
        except KeyboardInterrupt:
            tell("numberline: interrupted")
            sys.exit(128 + signal.SIGINT)


def import_command(name: str) -> Any:
    """Import a command: a function, or a typer.Typer with commands of its own."""
    if name in MODULES:
        command = getattr(import_module(f"numberline.cli.{MODULES[name]}"), name)
        panel = next(title for title, commands in PANELS.items() if name in commands)
    else:
        command, panel = plugins(GROUP)[name].load(), OTHERS
    app = typer.Typer(add_completion=False)
    if isinstance(command, typer.Typer):
        app.add_typer(command, name=name, rich_help_panel=panel)
        return typer.main.get_group(app).commands[name]
    app.command(name, cls=TextCommand, rich_help_panel=panel)(command)
    return typer.main.get_command(app)
