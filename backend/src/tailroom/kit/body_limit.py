"""Decides how large a JSON body may be: it is counted while it arrives and refused before it is all here."""

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from starlette.types import Message

from tailroom.kit.errors import Problem
from tailroom.kit.resources import get_resources


class RequestTooLarge(Problem):
    """More bytes than one request may have."""

    status = 413
    code = "body-too-large"
    title = "The body is too large"


class LimitedRoute(APIRoute):
    """A route whose bodies may be as large as the settings allow (`body_limit_bytes`)."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler, behind the counter."""
        handler = super().get_route_handler()

        async def counted(request: Request) -> Response:
            limit = get_resources(request).settings.body_limit_bytes
            announced = request.headers.get("content-length", "")
            if announced.isdecimal() and int(announced) > limit:
                raise _refusal(limit)
            body = bytearray()
            async for piece in request.stream():
                body += piece
                if len(body) > limit:
                    raise _refusal(limit)

            async def receive() -> Message:
                return {"type": "http.request", "body": bytes(body), "more_body": False}

            return await handler(Request(request.scope, receive))

        return counted


def _refusal(limit: int) -> RequestTooLarge:
    return RequestTooLarge(f"The body has more than {limit:,} bytes, the most that one request may have.")
