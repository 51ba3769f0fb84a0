"""`numberline explore`: a model folder → a page in the browser, or in a file."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated, Any

import typer

import numberline
from numberline.cli_model import Model
from numberline.cli_settings import with_settings
from numberline.config import ExploreConfig, from_settings
from numberline.errors import OutputError
from numberline.extras import optional


@with_settings(ExploreConfig)
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

    config = from_settings(ExploreConfig, settings)
    if export is None:
        optional("uvicorn", "explore")
    answers = Answers(numberline.load(model), model.resolve().name)
    word_map = WordMap(answers.landmarks, cache_folder())
    if export is None:
        serve(answers, word_map, config, browser)
        return
    from numberline.explore.export_page import export_page

    word_map.improve()
    export_page(answers, word_map, export)
    print(f"written to {export}: {export.stat().st_size / 1e6:.1f} MB")


def serve(answers: Any, word_map: Any, config: ExploreConfig, browser: bool) -> None:
    """Until it is interrupted."""
    from numberline.explore.server import application

    uvicorn = optional("uvicorn", "explore")
    app = application(answers, word_map, config.host)
    settings = uvicorn.Config(
        app, host=config.host, port=config.port, log_level="warning", h11_max_incomplete_event_size=32_768
    )
    try:
        listening = settings.bind_socket()
    except SystemExit as error:  # uvicorn has said why in its log
        raise OutputError(
            f"cannot listen on {config.host}, port {config.port}; choose another with --port"
        ) from error
    answers.number(answers.about()["number"])  # the first look takes longer; not the user's
    word_map.start()
    shown = f"[{config.host}]" if ":" in config.host else config.host
    address = f"http://{shown}:{listening.getsockname()[1]}/"
    print(f"exploring {answers.name} at {address}  (Ctrl-C ends it)", flush=True)
    if browser:
        webbrowser.open(address)
    uvicorn.Server(settings).run(sockets=[listening])
