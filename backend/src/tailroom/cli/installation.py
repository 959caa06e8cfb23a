"""Requests to the API of an installation."""

import contextlib
import http.client
from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from tailroom.cli.faults import connection_problem
from tailroom.domain.errors import DomainError

ANSWER_BYTES_MAX = 1 << 30


class ServerInvalid(DomainError):
    """A text is no address of an installation."""


class NoAnswer(DomainError):
    """An installation does not answer, or with more than `ANSWER_BYTES_MAX` bytes."""


def send(  # noqa: PLR0917 - what a request has
    server: str,
    token: str | None,
    method: str,
    path: str,
    headers: Mapping[str, str],
    body: Iterator[bytes] | bytes | None = None,
    *,
    timeout_s: float = 600.0,
) -> tuple[int, bytes]:
    """Send a request and return status and body of the answer. Raise ServerInvalid or NoAnswer."""
    try:
        parts, port = urlsplit(server), urlsplit(server).port
    except ValueError as error:
        raise ServerInvalid(f"{server} is no address of an installation: {error}") from None
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ServerInvalid(f"{server} is no address of an installation, such as https://tailroom.example")
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.hostname, port, timeout=timeout_s)
    authorization = {} if token is None else {"Authorization": f"Bearer {token}"}
    try:
        # A refusal may come before everything was sent; it is read then.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            connection.request(method, f"{parts.path.rstrip('/')}{path}", body, {**headers, **authorization})
        response = connection.getresponse()
        content = response.read(ANSWER_BYTES_MAX + 1)
        # An answer that was cut off raises an error only at its end.
        if len(content) <= ANSWER_BYTES_MAX:
            content += response.read()
    except (OSError, http.client.HTTPException, UnicodeError) as error:
        raise NoAnswer(f"{server} does not answer: {connection_problem(error)}") from None
    finally:
        connection.close()
    if len(content) > ANSWER_BYTES_MAX:
        raise NoAnswer(f"{server} answers with more than {ANSWER_BYTES_MAX:,} bytes, the most that is read")
    return response.status, content
