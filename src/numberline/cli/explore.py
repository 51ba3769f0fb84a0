"""`numberline explore`: a model folder → a page in the browser, or in a file."""

from __future__ import annotations

import os
import socket
import webbrowser
from pathlib import Path
from typing import Annotated, Any

import typer

import numberline
from numberline.cli.ask import Model
from numberline.cli.flags import with_settings
from numberline.errors import OutputError
from numberline.explore.settings import ExploreSettings
from numberline.extras import optional
from numberline.fields import made_of

LONGEST_HEAD = 32_768  # bytes of a request
MAP_PAUSE = 4.0  # seconds in which the page opens: loading t-SNE would slow its first answers


@with_settings(ExploreSettings)
def explore(
    model: Model,
    settings: dict[str, Any],
    export: Annotated[
        Path | None,
        typer.Option("--export", help="Write the page into one HTML file, and serve nothing."),
    ] = None,
    browser: Annotated[bool, typer.Option("--open/--no-open", help="Open a browser.")] = True,
) -> None:
    """Look at a model in the browser: drag a number, check a sentence, find words on a map."""
    from numberline.explore.answers import Answers
    from numberline.explore.places import WordMap, cache_folder

    chosen = made_of(ExploreSettings, settings)
    if export is None:
        optional("uvicorn", "explore")
    answers = Answers(numberline.load(model), name_of(model))
    word_map = WordMap(answers.landmarks, cache_folder())
    if export is None:
        serve(answers, word_map, chosen, browser)
        return
    from numberline.explore.export_page import export_page

    word_map.improve()
    export_page(answers, word_map, export)
    print(f"written to {export}: {export.stat().st_size / 1e6:.1f} MB")


def serve(answers: Any, word_map: Any, settings: ExploreSettings, browser: bool) -> None:
    """Until it is interrupted."""
    from numberline.explore.server import application

    uvicorn = optional("uvicorn", "explore")
    app = application(answers, word_map, settings.host)
    settings = uvicorn.Config(app, log_level="warning", h11_max_incomplete_event_size=LONGEST_HEAD)
    listening = listen(settings.host, settings.port)
    answers.number(answers.about()["number"])  # the first takes longer: it is not the user's
    word_map.start(MAP_PAUSE)
    shown = f"[{settings.host}]" if ":" in settings.host else settings.host
    address = f"http://{shown}:{listening.getsockname()[1]}/"
    print(f"exploring {answers.name} at {address}  (Ctrl-C ends it)", flush=True)
    if browser:
        webbrowser.open(address)
    # One thread for each answer: they are short, and waiting for a second one costs more than it
    # gives; on a busy machine four times as much.
    with optional("threadpoolctl", "explore").threadpool_limits(1, user_api="blas"):
        uvicorn.Server(settings).run(sockets=[listening])


def listen(host: str, port: int) -> socket.socket:
    """A socket that waits for browsers."""
    try:
        # With the protocol named, answers go out at once; without, asyncio lets small ones wait for
        # others, which takes 40 milliseconds.
        family, kind, _, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, socket.IPPROTO_TCP)
        if os.name == "posix":  # elsewhere it would let two listen on one port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen()  # from here on a browser waits instead of being refused
    except OSError as error:
        reason = error.strerror or error
        raise OutputError(f"cannot listen on {host}, port {port}: {reason}") from error
    return listening


def name_of(model: Path) -> str:
    """With its parent: many are called model."""
    folder = model.resolve()
    return f"{folder.parent.name}/{folder.name}".strip("/")
