"""Answers about a model → a web application: the page and, under api/, answers as JSON."""

from __future__ import annotations

import ipaddress
import logging
import socket
from collections.abc import Callable
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from numberline.errors import NumberlineError, QuestionError
from numberline.explore.answers import Answers, as_json
from numberline.explore.word_map import WordMap
from numberline.extras import optional

LONGEST_QUERY = 16_384  # bytes; the longest text fits, escaped
FOREIGN_HOST = "the Host header names another server"
LOOPBACK = ("localhost", "127.0.0.1", "::1")
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
Ask = Callable[[Any], dict[str, Any]]  # the parameters of a query → an answer


def application(answers: Answers, word_map: WordMap, host: str) -> Any:
    """Return a Starlette application for a server that is reached as `host`."""
    starlette = optional("starlette.applications", "explore")
    routing = optional("starlette.routing", "explore")
    questions: dict[str, Ask] = {
        "about": lambda query: answers.about(),
        "map": lambda query: word_map.answer(),
        "number": lambda query: answers.number(
            parameter(query, "text"), query.get("among", "common")
        ),
        "line": lambda query: answers.line(number_in(query, "low"), number_in(query, "high")),
        "curves": lambda query: answers.curves(
            parameter(query, "words"), number_in(query, "low"), number_in(query, "high")
        ),
        "check": lambda query: answers.check(parameter(query, "text")),
        "expected": lambda query: answers.expected(
            parameter(query, "text"), index_in(query, "start"), index_in(query, "end")
        ),
    }
    routes = [
        routing.Route(f"/api/{name}", answering(ask), methods=["GET"])
        for name, ask in questions.items()
    ]
    for file in page_files():
        path = "/" if file.name == "index.html" else f"/{file.name}"
        routes.append(routing.Route(path, serving(file), methods=["GET"]))
    return Guarded(starlette.Starlette(routes=routes), host)


def page_files() -> list[Traversable]:
    """Return the HTML, CSS and JavaScript of the page."""
    folder = resources.files("numberline.explore") / "static"
    return [file for file in folder.iterdir() if suffix_of(file) in TYPES]


def suffix_of(file: Traversable) -> str:
    return "." + file.name.rpartition(".")[2]


def serving(file: Traversable) -> Any:
    response = optional("starlette.responses", "explore").Response
    body, media_type = file.read_bytes(), TYPES[suffix_of(file)]
    return lambda request: response(body, media_type=media_type)


def answering(ask: Ask) -> Any:
    """Return a handler that sends an answer or the reason for none; bugs are only logged."""
    json_response = optional("starlette.responses", "explore").JSONResponse

    def answer(request: Any) -> Any:
        try:
            return json_response(as_json(ask(request.query_params)))
        except NumberlineError as error:
            return json_response({"error": str(error)}, 400)
        except Exception:
            logging.getLogger("numberline").exception("no answer to %s", request.url.path)
            return json_response({"error": "an internal error; see the server's log"}, 500)

    return answer


class Guarded:
    """An application that refuses foreign hosts and long questions.

    It adds HEADERS to every response, also to pages about errors.
    """

    def __init__(self, application: Any, host: str) -> None:
        self._application = application
        self._host = host

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def send_with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *encoded_headers()]
            await send(message)

        answer = self._refusal(scope) or self._application
        await answer(scope, receive, send_with_headers)

    def _refusal(self, scope: Any) -> Any:
        json_response = optional("starlette.responses", "explore").JSONResponse
        header = next((value for name, value in scope["headers"] if name == b"host"), b"")
        if not is_own_host(header.decode("latin-1"), self._host):
            return json_response({"error": FOREIGN_HOST}, 421)
        if len(scope["query_string"]) > LONGEST_QUERY:
            return json_response({"error": "the question is too long"}, 414)
        return None


def encoded_headers() -> list[tuple[bytes, bytes]]:
    """Return HEADERS in the form in which servers exchange them."""
    return [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]


def is_own_host(header: str, host: str) -> bool:
    """Tell whether a Host header names this server.

    A page of another site may have made its own name lead here (DNS rebinding), which it cannot do
    with an address. So a server that is open to the network takes any address, but only its own
    name.
    """
    name = header.rpartition(":")[0] if header.rpartition(":")[2].isdigit() else header
    name = name.removeprefix("[").removesuffix("]").lower()
    if name in (*LOOPBACK, host.lower()):
        return True
    return host not in LOOPBACK and (is_address(name) or name == socket.gethostname().lower())


def is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def parameter(query: Any, name: str) -> str:
    if name not in query:
        raise QuestionError(f"the question needs {name}")
    return str(query[name])


def number_in(query: Any, name: str) -> float:
    text = parameter(query, name)
    try:
        return float(text)
    except ValueError as error:
        raise QuestionError(f"{name}={text!r:.40} is not a number") from error


def index_in(query: Any, name: str) -> int:
    text = parameter(query, name)
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise QuestionError(f"{name}={text!r:.40} is not an index into a text")
    return int(text)
