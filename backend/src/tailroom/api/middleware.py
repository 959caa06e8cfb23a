"""Check the host of every request, add the headers of every response, and answer after a crash.

The host check prevents that a page of another site reads this installation through a host name of its own
(DNS rebinding), which matters most without tokens.
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
"""Form of request ids that are taken from clients; others are replaced by a new id."""
_HOST = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{0,253})(?::[0-9]{1,5})?")
"""Host and port, and nothing that changes how an address is parsed: links in mails may begin with it."""
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
    """Return the Content-Security-Policy that allows inline scripts with these hashes and no others."""
    scripts = " ".join([BASE_POLICY["script-src"], *(f"'{script}'" for script in script_hashes)])
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
_API_PREFIX = "/api/"
_NO_STORE = (b"cache-control", b"no-store")
"""Responses of the API that set no cache policy are stored by no browser and no proxy."""
_ATTACHMENT = (b"content-disposition", b'attachment; filename="api.json"')
"""A browser that is led to the address of a JSON response downloads it and displays nothing."""


def problem_response(document: ProblemDocument, headers: dict[str, str] | None = None) -> Response:
    """Return a response of type `application/problem+json` with the document's status, and these headers."""
    return Response(
        document.model_dump_json(exclude={"request_id"} if document.request_id is None else None),
        status_code=document.status,
        media_type=PROBLEM_MEDIA_TYPE,
        headers=headers,
    )


class RequestMiddleware:
    """ASGI middleware that checks the host, sets request id and headers, and answers after a crash."""

    def __init__(self, app: ASGIApp, *, allowed_hosts: Sequence[str]) -> None:
        self._app = app
        self._allowed_hosts = frozenset(allowed_hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request: 400 for an unknown host, 500 after a crash.

        An error after the response has started is raised again.
        """
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        sent_id = headers.get(REQUEST_ID_HEADER, "")
        request_id = sent_id if _REQUEST_ID.fullmatch(sent_id) else uuid4().hex
        scope.setdefault("state", {})["request_id"] = request_id
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id)
        started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                of_api = scope["path"].startswith(_API_PREFIX)
                message = {**message, "headers": _response_headers(message, request_id, of_api=of_api)}
            await send(message)

        host = ", ".join(headers.getlist("host"))
        if not self._is_allowed(host):
            await _host_unknown(host)(scope, receive, send_with_headers)
            return
        try:
            await self._app(scope, receive, send_with_headers)
        except Exception:
            _log.exception("request_failed", method=scope["method"], path=_logged_path(scope["path"]))
            if started:
                raise
            await _internal_error(request_id)(scope, receive, send_with_headers)

    def _is_allowed(self, host: str) -> bool:
        """Return whether a Host header is valid and names an allowed host; `*` allows any name."""
        match = _HOST.fullmatch(host)
        if match is None:
            return False
        return "*" in self._allowed_hosts or match["name"].lower() in self._allowed_hosts


def _response_headers(message: Message, request_id: str, *, of_api: bool) -> list[tuple[bytes, bytes]]:
    """Return the headers of a response, and those that every response has unless it sets them itself."""
    headers: list[tuple[bytes, bytes]] = [(name.lower(), value) for name, value in message.get("headers", ())]
    by_name = dict(headers)
    added = [header for header in _RAW_HEADERS if header[0] not in by_name]
    if of_api and _NO_STORE[0] not in by_name:
        added.append(_NO_STORE)
    if of_api and _ATTACHMENT[0] not in by_name and by_name.get(b"content-type", b"").startswith(_JSON):
        added.append(_ATTACHMENT)
    others = [header for header in headers if header[0] != _ID_NAME]
    return [*others, (_ID_NAME, request_id.encode()), *added]


def _logged_path(path: str) -> str:
    """Return the path for the log, without the secret of a link."""
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
