"""A real browser and a served explorer, for tests.

Without a browser the tests are skipped, or fail where NUMBERLINE_REQUIRE_BROWSER is set.
"""

import os
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


COMMANDS = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def browser():
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        no_browser("playwright is not installed")
    with sync_playwright() as driver:
        path = browser_path(driver.chromium.executable_path)
        opened = driver.chromium.launch(executable_path=path, args=FLAGS)
        yield opened
        opened.close()


def browser_path(playwrights_own):
    """Return the path of a browser: the machine's, or the one that playwright installed."""
    for command in (*COMMANDS, playwrights_own):
        if path := shutil.which(command):
            return path
    return no_browser(f"none of {', '.join(COMMANDS)} is on this machine")


def no_browser(reason):
    """Skip the test, or let it fail where tests of the browser must not be skipped."""
    if os.environ.get("NUMBERLINE_REQUIRE_BROWSER"):
        pytest.fail(f"{reason}; NUMBERLINE_REQUIRE_BROWSER asks for a browser", pytrace=False)
    pytest.skip(reason)


@contextmanager
def served(model, name="planted"):
    """Serve an explorer of the model; yield its address."""
    pytest.importorskip("uvicorn")
    from numberline.explore import connections
    from numberline.explore.server import application

    word_map = WordMap(Landmarks(model))
    word_map.start()
    app = application(Answers(model, name), word_map, "127.0.0.1")
    listening = listen("127.0.0.1", 0)
    server = connections.server(app, log_level="critical")
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
    server.should_exit = True
    thread.join(5)
    listening.close()
