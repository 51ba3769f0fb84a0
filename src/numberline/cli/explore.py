"""`numberline explore` and `plot`: a model folder → a page in the browser or a file, and plots."""

from __future__ import annotations

import os
import socket
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import numberline
from numberline.cli.arguments import Model
from numberline.cli.flags import with_settings
from numberline.errors import OutputError, visible
from numberline.explore.settings import ExploreSettings, PlotSettings
from numberline.extras import optional
from numberline.fields import made_of
from numberline.files.whole_file import free_file

if TYPE_CHECKING:
    from numberline.explore.answers import Answers
    from numberline.explore.word_map import WordMap

MAP_PAUSE = 4.0  # seconds in which the page opens: loading t-SNE would slow its first answers


@with_settings(ExploreSettings)
def explore(
    model: Model,
    settings: dict[str, Any],
    export: Annotated[
        Path | None,
        typer.Option("--export", help="Write the page into this HTML file; start no server."),
    ] = None,
    browser: Annotated[bool, typer.Option("--open/--no-open", help="Open a browser.")] = True,
) -> None:
    """Explore a model in the browser: drag a number, check a sentence, find words on a map."""
    from numberline.explore.answers import Answers
    from numberline.explore.export_page import export_page
    from numberline.explore.word_map import WordMap

    chosen = made_of(ExploreSettings, settings)
    if export is None:
        optional("uvicorn", "explore")
    else:
        free_file(export, overwrite=True)  # refuses what cannot be written, before the work
    answers = Answers(numberline.load(model), name_of(model))
    word_map = WordMap(answers.landmarks)
    if export is None:
        serve(answers, word_map, chosen, browser)
        return
    word_map.improve()
    export_page(answers, word_map, export)
    print(f"written to {visible(export)}: {export.stat().st_size / 1e6:.1f} MB")


def serve(answers: Answers, word_map: WordMap, settings: ExploreSettings, browser: bool) -> None:
    """Serve the page until the process is interrupted."""
    from threadpoolctl import threadpool_limits

    from numberline.explore.connections import server
    from numberline.explore.server import application

    page_server = server(application(answers, word_map, settings.host), log_level="warning")
    listening = listen(settings.host, settings.port)
    answers.number(answers.about()["number"])  # a warm-up: the first answer is slow
    word_map.start(MAP_PAUSE)
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    address = f"http://{host}:{listening.getsockname()[1]}/"
    print(f"exploring {visible(answers.name)} at {address}  (Ctrl-C ends it)", flush=True)
    if browser:
        webbrowser.open(address)
    # One BLAS thread: answers are short, and waiting for a second thread costs more than it
    # saves, on a busy machine four times as much.
    with threadpool_limits(1, user_api="blas"):
        page_server.run(sockets=[listening])


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that waits for browsers."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        # Without the name of the protocol, asyncio would hold small answers back for 40 ms.
        listening = socket.socket(family, kind, socket.IPPROTO_TCP)
        if os.name == "posix":  # elsewhere it would let two servers listen on one port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen()  # from here on a browser waits instead of being refused
    except OSError as error:
        reason = error.strerror or error
        raise OutputError(f"cannot listen on {host}, port {port}: {reason}") from error
    return listening


@with_settings(PlotSettings)
def plot(
    model: Model,
    out: Annotated[Path, typer.Option("--output", "-o", help="Folder of the pictures.")],
    settings: dict[str, Any],
) -> None:
    """Draw the number line, prototypes, similar numbers, a prediction and a map of a model."""
    from numberline.explore.plots.figures import plot as write_figures

    for path in write_figures(numberline.load(model), out, name_of(model), **settings):
        print(f"written to {visible(path)}", flush=True)


def name_of(model: Path) -> str:
    """Return the names of a model's folder and its parent: many folders are called model."""
    folder = model.resolve()
    return f"{folder.parent.name}/{folder.name}".strip("/")
