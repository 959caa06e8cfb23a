"""Limit the size and the duration of request heads, which uvicorn does not limit."""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from tailroom.api.middleware import problem_response
from tailroom.kit.errors import problem_document
from tailroom.kit.limits import HEAD_BYTES, HEAD_SECONDS

_PIECE_BYTES = 16 * 1024


class HttpProtocol(HttpToolsProtocol):
    """A connection that limits the size and the time of each request head."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._is_in_head = True
        self._head_bytes = 0
        self._head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timer of the first head."""
        super().connection_made(transport)
        self._start_head_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer of the head."""
        self._stop_head_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Pass the bytes on, in pieces while the head is incomplete; refuse a head that is too large."""
        while data and self._is_in_head:
            piece, data = data[:_PIECE_BYTES], data[_PIECE_BYTES:]
            super().data_received(piece)
            if self.transport.is_closing():
                return
            if self._is_in_head:
                self._head_bytes += len(piece)
            if self._head_bytes > HEAD_BYTES:
                self._refuse(
                    431,
                    "head-too-large",
                    "The headers are too large",
                    f"Address and headers of a request have more than {HEAD_BYTES:,} bytes.",
                )
                return
        if data:
            super().data_received(data)

    def on_message_begin(self) -> None:
        """Begin to count the bytes of a new head, from 0, and start its timer unless that runs."""
        super().on_message_begin()
        self._is_in_head = True
        self._head_bytes = 0
        if self._head_timer is None:
            self._start_head_timer()

    def on_headers_complete(self) -> None:
        """Stop the timer, because the head is complete."""
        self._is_in_head = False
        self._stop_head_timer()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Count the next bytes as the head of another request."""
        super().on_message_complete()
        self._is_in_head = True
        self._head_bytes = 0

    def _start_head_timer(self) -> None:
        self._head_timer = self.loop.call_later(HEAD_SECONDS, self._refuse_late_head)

    def _stop_head_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _refuse_late_head(self) -> None:
        """Refuse a head that is incomplete after `HEAD_SECONDS`; close a connection without any byte."""
        self._head_timer = None
        if self._head_bytes == 0:
            self.transport.close()
            return
        self._refuse(
            408,
            "head-too-slow",
            "The headers came too slowly",
            f"The headers of a request were not whole within {HEAD_SECONDS:g} seconds; send it again.",
        )

    def _refuse(self, status: int, code: str, title: str, detail: str) -> None:
        response = problem_response(problem_document(status, code, title, detail), {"Connection": "close"})
        head = b"".join(b"%s: %s\r\n" % header for header in response.raw_headers)
        self.transport.write(b"HTTP/1.1 %d Refused\r\n%s\r\n%s" % (status, head, response.body))
        self.transport.close()
