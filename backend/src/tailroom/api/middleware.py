"""Decides what happens around every request: which hosts are answered, which headers every answer has, what
a crash says.

The host check keeps a page of another site from reading this installation through a host name of its own (DNS
rebinding), which matters most where no token is asked for.
"""

import re
from collections.abc import Sequence
from uuid import uuid4

import structlog
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tailroom.kit.errors import PROBLEM_MEDIA_TYPE, ProblemDocument, problem_document

REQUEST_ID_HEADER = "X-Request-ID"
_ID_NAME = REQUEST_ID_HEADER.lower().encode()
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
_HOST = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{0,253})(?::[0-9]{1,5})?")
"""Host and port, and nothing that would have an address read otherwise: links in mails may begin with it."""
_LINKS = "/shared/"
_log = structlog.get_logger(__name__)

BASE_POLICY = {
    "default-src": "'self'",
    "script-src": "'self'",
    "style-src": "'self' 'unsafe-inline'",  # Mantine writes style attributes
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "connect-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}


def content_policy(script_hashes: Sequence[str] = ()) -> str:
    """The Content-Security-Policy, allowing inline scripts with these hashes and no others."""
    scripts = " ".join([BASE_POLICY["script-src"], *(f"'{one}'" for one in script_hashes)])
    return "; ".join(f"{name} {value}" for name, value in (BASE_POLICY | {"script-src": scripts}).items())


_HEADERS = {
    "Content-Security-Policy": content_policy(),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_RAW_HEADERS = tuple((name.lower().encode(), value.encode()) for name, value in _HEADERS.items())
_JSON = (b"application/json", b"application/problem+json")
_OF_THE_API = "/api/"
_NOT_KEPT = (b"cache-control", b"no-store")
"""Answers of the API that say nothing of it themselves stay in no cache of a browser or a proxy."""
_STORED = (b"content-disposition", b'attachment; filename="api.json"')
"""A browser that is led to the address of such an answer stores it and shows nothing."""


def problem_response(document: ProblemDocument, headers: dict[str, str] | None = None) -> Response:
    """A refusal as `application/problem+json`."""
    return Response(
        document.model_dump_json(exclude={"request_id"} if document.request_id is None else None),
        status_code=document.status,
        media_type=PROBLEM_MEDIA_TYPE,
        headers=headers,
    )


class Surroundings:
    """Pure ASGI, so that streams pass through untouched."""

    def __init__(self, app: ASGIApp, *, allowed_hosts: Sequence[str]) -> None:
        self._app = app
        self._allowed_hosts = frozenset(allowed_hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        given = headers.get(REQUEST_ID_HEADER, "")
        request_id = given if _REQUEST_ID.fullmatch(given) else uuid4().hex
        scope.setdefault("state", {})["request_id"] = request_id
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id)
        started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                of_api = scope["path"].startswith(_OF_THE_API)
                message = {**message, "headers": _surrounded(message, request_id, of_api=of_api)}
            await send(message)

        host = ", ".join(headers.getlist("host"))
        if not self._is_allowed(host):
            await _host_unknown(host)(scope, receive, send_with_headers)
            return
        try:
            await self._app(scope, receive, send_with_headers)
        except Exception:
            _log.exception("request_failed", method=scope["method"], path=_named(scope["path"]))
            if started:
                raise
            await _internal_error(request_id)(scope, receive, send_with_headers)

    def _is_allowed(self, host: str) -> bool:
        found = _HOST.fullmatch(host)
        if found is None:
            return False
        return "*" in self._allowed_hosts or found["name"].lower() in self._allowed_hosts


def _surrounded(message: Message, request_id: str, *, of_api: bool) -> list[tuple[bytes, bytes]]:
    """The headers of an answer with those that every answer has: what it says itself counts. They are gone
    through once, for every answer pays for this.
    """
    own: list[tuple[bytes, bytes]] = [(name.lower(), value) for name, value in message.get("headers", ())]
    given = dict(own)
    added = [one for one in _RAW_HEADERS if one[0] not in given]
    if of_api and _NOT_KEPT[0] not in given:
        added.append(_NOT_KEPT)
    if of_api and _STORED[0] not in given and given.get(b"content-type", b"").startswith(_JSON):
        added.append(_STORED)
    kept = [one for one in own if one[0] != _ID_NAME]
    return [*kept, (_ID_NAME, request_id.encode()), *added]


def _named(path: str) -> str:
    """The path as the log may hold it: the address of a link is its secret."""
    return f"{_LINKS}…" if path.startswith(_LINKS) else path


def _host_unknown(host: str) -> Response:
    return problem_response(
        problem_document(
            400,
            "host-unknown",
            "This installation does not go by that host name",
            f"The request names the host “{host[:200]}”. Use an address of this installation, or add"
            " the name to"
            " TAILROOM_ALLOWED_HOSTS.",
        )
    )


def _internal_error(request_id: str) -> Response:
    return problem_response(
        problem_document(
            500,
            "internal-error",
            "Something went wrong inside Tailroom",
            "The request failed because of a defect, not because of what was sent. The log has the"
            " details under"
            f" request id {request_id}.",
            request_id=request_id,
        )
    )
