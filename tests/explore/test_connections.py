"""A server of the explorer that gets half requests, none, too long ones, and garbage."""

import http.client
import socket
import time
from contextlib import ExitStack, suppress

import pytest

pytest.importorskip("uvicorn")

from numberline.explore import connections
from numberline.explore.server import HEADERS
from tests.explore.browsing import served
from tests.small_models import small_model

LIMIT = 0.5  # seconds for a request in these tests
HALVES = {
    "nothing": b"",
    "half a line": b"GET /api/abo",
    "half the headers": b"GET /api/about HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Rest: ",
    "half a body": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\nabc",
    "a request and a half": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET / HTT",
}


@pytest.fixture(scope="module")
def port():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connections, "SECONDS_FOR_A_REQUEST", LIMIT)
        with served(small_model()) as address:
            yield int(address.rpartition(":")[2].strip("/"))


def connected(port, sent=b""):
    connection = socket.create_connection(("127.0.0.1", port), timeout=20 * LIMIT)
    connection.sendall(sent)
    return connection


def until_closed(connection):
    """Return what comes until the server closes; a server that never does is a timeout."""
    received = b""
    try:
        while piece := connection.recv(1 << 16):
            received += piece
    except ConnectionResetError:
        pass
    return received


def answer_to(request, port):
    with connected(port, request) as connection:
        return until_closed(connection)


@pytest.mark.parametrize("half", HALVES)
def test_a_connection_without_a_whole_request_is_closed(port, half):
    before = time.monotonic()
    answer_to(HALVES[half], port)
    assert time.monotonic() - before > LIMIT / 2


def test_a_request_that_trickles_is_closed(port):
    before = time.monotonic()
    with connected(port) as connection, suppress(ConnectionError):
        while time.monotonic() - before < 10 * LIMIT:
            connection.sendall(b"G")
            time.sleep(LIMIT / 10)
    assert time.monotonic() - before < 9 * LIMIT


def test_hundreds_of_half_requests_do_not_keep_others_waiting(port):
    with ExitStack() as open_connections:
        for number in range(400):
            half = list(HALVES.values())[number % len(HALVES)]
            open_connections.enter_context(connected(port, half))
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        for _ in range(3):  # over one connection, which stays open
            connection.request("GET", "/api/about")
            answer = connection.getresponse()
            assert answer.status == 200
            assert answer.read()
        connection.close()


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: 127.0.0.1", b"200"),
        (b"GET / HTTP/1.1\r\nHost: evil.example", b"421"),
        (b"GET /none HTTP/1.1\r\nHost: 127.0.0.1", b"404"),
        (b"POST / HTTP/1.1\r\nHost: 127.0.0.1", b"405"),
        (b"GET /api/number HTTP/1.1\r\nHost: 127.0.0.1", b"400"),
        (b"GET /?%s HTTP/1.1\r\nHost: 127.0.0.1" % (b"a" * 20_000), b"414"),
        (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: %s" % (b"a" * 3_000_000), b"400"),
        (b"GET / HTTP/1.1\r\nno header", b"400"),
        (b"GET / HTTP/1.1", b"400"),  # without a host
        (b"\x16\x03\x01\x02\x00\x01", b"400"),  # TLS
        (b"GET \xff\xfe HTTP/1.1\r\nHost: 127.0.0.1", b"400"),
    ],
)
def test_every_answer_keeps_others_out(port, request_line, status):
    head, _, _ = answer_to(request_line + b"\r\n\r\n", port).partition(b"\r\n\r\n")
    assert head.split()[1] == status, head
    for name, value in HEADERS.items():
        assert f"\r\n{name}: {value}".lower().encode() in head.lower()
