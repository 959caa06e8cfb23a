"""Decides how large the head of a request may be and how long it may take: request line and headers are
counted as they come, which uvicorn leaves open.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from tailroom.api.middleware import problem_response
from tailroom.kit.errors import problem_document
from tailroom.kit.limits import HEAD_BYTES, HEAD_SECONDS

_PIECE_BYTES = 16 * 1024


class HttpProtocol(HttpToolsProtocol):
    """One connection."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._is_in_head = True
        self._head_bytes = 0
        self._head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has connected, and has to say soon what he wants."""
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """The other side has gone."""
        self._head_arrived()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Hands on what has come: in pieces, as long as no head is whole."""
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
        """A request begins, perhaps long after the one before it."""
        super().on_message_begin()
        self._is_in_head = True
        self._head_bytes = 0
        if self._head_timer is None:
            self._await_head()

    def on_headers_complete(self) -> None:
        """The head is whole."""
        self._is_in_head = False
        self._head_arrived()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """What comes next is the head of another request."""
        super().on_message_complete()
        self._is_in_head = True
        self._head_bytes = 0

    def _await_head(self) -> None:
        self._head_timer = self.loop.call_later(HEAD_SECONDS, self._head_is_late)

    def _head_arrived(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _head_is_late(self) -> None:
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
        answer = problem_response(problem_document(status, code, title, detail), {"Connection": "close"})
        head = b"".join(b"%s: %s\r\n" % one for one in answer.raw_headers)
        self.transport.write(b"HTTP/1.1 %d Refused\r\n%s\r\n%s" % (status, head, answer.body))
        self.transport.close()
