"""An application → a server that closes connections which send no whole request in time."""

from __future__ import annotations

from typing import Any

from numberline.explore.server import encoded_headers
from numberline.extras import optional

LONGEST_HEAD = 32_768  # bytes of a request before its body
SECONDS_FOR_A_REQUEST = 10.0  # from the connection, or the last answer, to the next whole request


def server(application: Any, **settings: Any) -> Any:
    """Return a server of uvicorn; `settings` are those of its Config."""
    uvicorn = optional("uvicorn", "explore")
    config = uvicorn.Config(
        application,
        http=connection_class(),
        h11_max_incomplete_event_size=LONGEST_HEAD,
        ws="none",
        lifespan="off",
        **settings,
    )
    return uvicorn.Server(config)


def connection_class() -> Any:
    """Return a connection of uvicorn's with a time limit for requests.

    uvicorn waits without end for the rest of a request, or for the first one.
    """
    protocol = optional("uvicorn.protocols.http.h11_impl", "explore").H11Protocol

    class Connection(protocol):  # type: ignore[misc, valid-type]
        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._limit = self.loop.call_later(SECONDS_FOR_A_REQUEST, transport.abort)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self.cycle is not None and not self.cycle.response_complete:
                self._limit.cancel()

        def on_response_complete(self) -> None:
            super().on_response_complete()  # may begin with a request that is there already
            if self.cycle.response_complete:
                self._limit.cancel()
                self._limit = self.loop.call_later(SECONDS_FOR_A_REQUEST, self.transport.abort)

        def connection_lost(self, exc: Exception | None) -> None:
            self._limit.cancel()
            super().connection_lost(exc)

        def send_400_response(self, msg: str) -> None:
            """Refuse what is no HTTP, with the headers of every other response."""
            body = msg.encode()
            lines = [b"HTTP/1.1 400 Bad Request", b"connection: close"]
            lines += [b"content-type: text/plain; charset=utf-8"]
            lines += [b"content-length: %d" % len(body)]
            lines += [name + b": " + value for name, value in encoded_headers()]
            self.transport.write(b"\r\n".join([*lines, b"", body]))
            self.transport.close()

    return Connection
