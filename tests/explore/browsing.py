"""A real browser and a served explorer, for tests; they are skipped where one is missing."""

import shutil
import threading
from contextlib import contextmanager

import pytest

from numberline.cli.explore import listen
from numberline.explore.answers import Answers
from numberline.explore.landmarks import Landmarks
from numberline.explore.word_map import WordMap

FLAGS = (
    "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()


@contextmanager
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip("no chromium on this machine")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=path, args=FLAGS)
        yield opened
        opened.close()


@contextmanager
def served(model, name="planted"):
    """Serve an explorer of the model; yield its address."""
    uvicorn = pytest.importorskip("uvicorn")
    from numberline.explore.server import application

    word_map = WordMap(Landmarks(model))
    word_map.start()
    app = application(Answers(model, name), word_map, "127.0.0.1")
    listening = listen("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", ws="none", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
    server.should_exit = True
    thread.join(5)
    listening.close()
