"""Decides what happens around every request: which hosts are answered, which headers every answer has, what
a crash says.

The host check keeps a page of another site from reading this installation through a host name of its own (DNS
rebinding), which matters most where no token is asked for.
"""

import re
from collections.abc import Sequence
from uuid import uuid4

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tailroom.kit.errors import PROBLEM_MEDIA_TYPE, ProblemDocument, problem_document

REQUEST_ID_HEADER = "X-Request-ID"
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
_JSON = ("application/json", "application/problem+json")
_OF_THE_API = "/api/"
_NOT_KEPT = "no-store"
"""Answers of the API that say nothing of it themselves stay in no cache of a browser or a proxy."""


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
                out = MutableHeaders(scope=message)
                out[REQUEST_ID_HEADER] = request_id
                for name, value in _HEADERS.items():
                    out.setdefault(name, value)
                if scope["path"].startswith(_OF_THE_API):
                    out.setdefault("Cache-Control", _NOT_KEPT)
                    if out.get("Content-Type", "").startswith(_JSON):
                        # A browser that is led to the address stores it and shows nothing.
                        out.setdefault("Content-Disposition", 'attachment; filename="api.json"')
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
