"""Limits of request bodies: size and pace. A body is counted while it arrives, before it is read."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tailroom.kit.errors import HttpProblem

SILENCE_S = 20.0
"""Longest pause within a body, in seconds; after it the request is refused."""
LEAST_BYTES_PER_S = 4096
"""Least average pace after the first `SILENCE_S`; a slower body shortens the pause that is allowed."""


class RequestTooLarge(HttpProblem, status=413, code="body-too-large", title="The body is too large"):
    """The body has more bytes than this request may have."""


class RequestTooSlow(HttpProblem, status=408, code="body-too-slow", title="The body came too slowly"):
    """The body arrived too slowly, or not at all."""


class ContentRefused(HTTPException):
    """Refusal of a body (`problem`) as an HTTPException, which Starlette passes on unchanged."""

    def __init__(self, problem: HttpProblem) -> None:
        super().__init__(problem.status, problem.detail)
        self.problem = problem


class BodyRefused(ContentRefused):
    """Refusal of a body that is too large or too slow; its rest is not read."""


class BodyLimit:
    """ASGI middleware that limits size and pace of request bodies; not of GET, HEAD and OPTIONS.

    `limit_bytes`: largest body; `unlimited`: method by path of the routes without a limit of size.
    """

    def __init__(self, app: ASGIApp, *, limit_bytes: int, unlimited: Mapping[str, str]) -> None:
        self._app = app
        self._limit_bytes = limit_bytes
        self._unlimited = unlimited

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request; reading its body raises BodyRefused beyond the limits."""
        if scope["type"] != "http" or scope["method"] in {"GET", "HEAD", "OPTIONS"}:
            await self._app(scope, receive, send)
            return
        at_most = _SizeLimit(
            None if self._unlimited.get(scope["path"]) == scope["method"] else self._limit_bytes
        )
        scope[_KEY] = at_most
        announced = Headers(scope=scope).get("content-length", "")
        announced_bytes = int(announced[:20]) if announced.isdecimal() else 0
        loop = asyncio.get_running_loop()
        began, size, is_whole = loop.time(), 0, False

        async def receive_limited() -> Message:
            nonlocal size, is_whole
            limit = at_most.size_bytes
            if limit is not None and announced_bytes > limit:
                raise BodyRefused(_too_large(limit))
            if is_whole:
                return await receive()
            left_s = SILENCE_S + min(0.0, SILENCE_S + size / LEAST_BYTES_PER_S - (loop.time() - began))
            try:
                async with asyncio.timeout(max(0.0, left_s)):
                    message = await receive()
            except TimeoutError:
                raise BodyRefused(_too_slow(size)) from None
            if message["type"] == "http.request":
                size += len(message.get("body", b""))
                is_whole = not message.get("more_body", False)
                if limit is not None and size > limit:
                    raise BodyRefused(_too_large(limit))
            return message

        await self._app(scope, receive_limited, send)


@dataclass
class _SizeLimit:
    """Limit of one body in bytes; None: no limit here."""

    size_bytes: int | None


_KEY = "tailroom.body_at_most"


def lower_limit(scope: Scope, limit_bytes: int) -> None:
    """Lower the limit of a request's body to `limit_bytes`, before the body is read.

    No effect if the limit is lower already, or the body has none.
    """
    at_most = scope.get(_KEY)
    if isinstance(at_most, _SizeLimit) and at_most.size_bytes is not None:
        at_most.size_bytes = min(at_most.size_bytes, limit_bytes)


def _too_large(limit_bytes: int) -> RequestTooLarge:
    return RequestTooLarge(
        f"The body has more than {limit_bytes:,} bytes, the most that this request may have."
    )


def _too_slow(size_bytes: int) -> RequestTooSlow:
    return RequestTooSlow(
        f"Of the body {size_bytes:,} bytes have come, and then too little for {SILENCE_S:g} seconds;"
        " nothing was stored. Send the request again."
    )
