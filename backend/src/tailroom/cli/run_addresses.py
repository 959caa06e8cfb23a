"""Addresses of runs as arguments: the result file of a run, fetched from its installation.

A run of an agent comes as its result file (`GET /api/v1/runs/{run_id}/intervals`), a run of another tool as
the uploaded file. Both are read like files on disk.
"""

import json
import os
import re
from typing import Any
from urllib.parse import urlsplit

from tailroom.cli.installation import send
from tailroom.domain.errors import DomainError

_ADDRESS = re.compile(
    r"(?P<server>https?://[^\s?#]+?)(?:/api/v1)?/runs/(?P<run_id>[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})"
    r"(?:[/?#].*)?"
)
_OK = 200


class RunUnreachable(DomainError):
    """The address leads to no run; the message has the answer of the installation."""


def is_address(name: str) -> bool:
    """Return whether an argument is an HTTP address."""
    return name.startswith(("http://", "https://"))


def files_of_run(address: str) -> dict[str, bytes]:
    """Return the result file of the run at an address, by file name. Raise RunUnreachable or NoAnswer.

    `TAILROOM_TOKEN` is sent along, unless `TAILROOM_SERVER` names another installation.
    """
    server, run_id = _server_and_run(address)
    status, body = _get(server, f"/api/v1/runs/{run_id}/intervals")
    if status == _OK:
        return {f"run-{run_id}.ndjson": body}
    refusal = _document(body)
    if refusal.get("code") != "run-from-file":
        raise RunUnreachable(_reason(server, status, refusal))
    run = document_at(server, f"/api/v1/runs/{run_id}")
    current = [file for file in run.get("files") or () if file.get("is_current")]
    if not current:
        raise RunUnreachable(
            f"{address} was read from a file that only its owner may download; compare it on the page instead"
        )
    body = _content_at(server, f"/api/v1/raw-files/{current[0]['sha256']}")
    return {str(current[0]["name"]).replace("\\", "/").rpartition("/")[2] or run_id: body}


def answer_about_run(address: str, path: str) -> dict[str, Any]:
    """Return the JSON object that a run's installation answers at `path`, such as `/api/v1/runs/{run_id}`.

    Raise RunUnreachable if `address` is no address of a run, or for a refusal, NoAnswer without an answer.
    """
    server, run_id = _server_and_run(address)
    return document_at(server, path.format(run_id=run_id))


def document_at(server: str, path: str) -> dict[str, Any]:
    """Return the JSON object that an installation answers at a path of its API; empty for another answer.

    Raise NoAnswer if it does not answer, RunUnreachable for another status than 200.
    """
    return _document(_content_at(server, path))


def _content_at(server: str, path: str) -> bytes:
    """Return the content of an answer. Raise NoAnswer, or RunUnreachable for another status than 200."""
    status, body = _get(server, path)
    if status != _OK:
        raise RunUnreachable(_reason(server, status, _document(body)))
    return body


def _server_and_run(address: str) -> tuple[str, str]:
    """Return the installation's address and the run's id. Raise RunUnreachable if there are none."""
    match = _ADDRESS.fullmatch(address)
    if match is None:
        raise RunUnreachable(f"{address} is no address of a run, such as https://tailroom.example/runs/ID")
    return match["server"], match["run_id"].lower()


def _get(server: str, path: str) -> tuple[int, bytes]:
    """Return status and body of an answer; raise the errors of `installation.send`."""
    headers = {"Accept": "application/x-ndjson, application/json, */*"}
    return send(server, _token_for(server), "GET", path, headers, timeout_s=120.0)


def _token_for(server: str) -> str | None:
    """Return TAILROOM_TOKEN; None if it is not set, or if TAILROOM_SERVER names another installation."""
    own_server = os.environ.get("TAILROOM_SERVER")
    if own_server and _origin(own_server) != _origin(server):
        return None
    return os.environ.get("TAILROOM_TOKEN") or None


def _origin(address: str) -> str:
    return "//".join(urlsplit(address)[:2]).casefold()


def _document(body: bytes) -> dict[str, Any]:
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


def _reason(server: str, status: int, refusal: dict[str, Any]) -> str:
    """Return the refusal of an installation as text, with advice if a token is missing."""
    detail = refusal.get("detail") or f"status {status}"
    missing = ""
    if status in {401, 403, 404} and _token_for(server) is None:
        missing = " No token was sent: set TAILROOM_TOKEN (and TAILROOM_SERVER to this installation)."
    return f"{server} answers: {detail}{missing}"
