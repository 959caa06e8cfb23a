"""`tailroom upload FILE…`: send result files to an installation and print the links of their runs.

Exits with 0 if every file was read, 2 if a file could not be read or the installation refused the files, and
70 if the installation is unavailable. A file that cannot be read there is stored all the same.
"""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any
from uuid import uuid4

import typer

from tailroom.cli.installation import NoAnswer, ServerInvalid, send
from tailroom.cli.options import ServerOption, TokenOption
from tailroom.cli.progress import counted
from tailroom.cli.terminal import echo, stop
from tailroom.kit.exit_codes import ExitCode

_DRIVE = "host.block_devices.*.model"
_CHUNK_BYTES = 1 << 20
_OK, _CREATED, _ACCEPTED, _UNPROCESSABLE = 200, 201, 202, 422
_POLL_S = 2.0
_READ_WITHIN_S = 1800.0
"""Time for three attempts of a worker, after other uploads in the queue."""


def upload(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="result files and configurations")],
    *,
    server: ServerOption = None,
    token: TokenOption = None,
    title: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Title of the runs; a watch follows it.")
    ] = None,
    label: Annotated[
        list[str] | None,
        typer.Option("--label", metavar="KEY=VALUE", help="Label of the runs; may be repeated."),
    ] = None,
    public: Annotated[
        bool, typer.Option("--public/--private", help="whether others may read the runs at once")
    ] = False,
    join: Annotated[
        bool, typer.Option("--join", help="the files are of several clients of one test: one run")
    ] = False,
    metric: Annotated[
        str | None, typer.Option(metavar="NAME", help="Metric that is meant of production histograms.")
    ] = None,
    match: Annotated[
        str | None, typer.Option(metavar="LABELS", help='Labels that are meant: route="/pay",method!="GET".')
    ] = None,
    drive: Annotated[str | None, typer.Option(metavar="MODEL", help="model of the drive measured")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the links of the runs.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="the whole answer as one JSON object")] = False,
) -> None:
    """Send result files of benchmark tools; the same bytes again are the same run."""
    address = server or local_server()
    answers = {} if drive is None else {_DRIVE: drive}
    fields = {
        "visibility": "public" if public else "private",
        "answers": answers,
        "title": title,
        "labels": labels_of(label or []),
        "join": join,
        "metric": metric or None,
        "match": match or None,
    }
    body = send_files(address, token, files, fields)
    if as_json:
        echo(json.dumps(body))
    else:
        _print_runs(address, body, quiet=quiet)
    refused = [file for file in body["files"] if file["refusal"] is not None]
    raise typer.Exit(int(ExitCode.UNUSABLE) if refused else 0)


def local_server() -> str:
    """Return the address of the Tailroom in the home of the settings, else `http://127.0.0.1:8400`."""
    from tailroom.kit.local_services import local_origin
    from tailroom.kit.settings import get_settings

    return local_origin(get_settings().home) or "http://127.0.0.1:8400"


def labels_of(pairs: Sequence[str]) -> dict[str, str]:
    """Return the labels in `KEY=VALUE` texts; end the command for any other text."""
    labels: dict[str, str] = {}
    for pair in pairs:
        key, separator, value = pair.partition("=")
        if not key or not separator:
            stop(f"--label {pair} is no KEY=VALUE.")
        labels[key] = value
    return labels


def send_files(
    server: str, token: str | None, files: Sequence[Path], fields: Mapping[str, Any]
) -> dict[str, Any]:
    """Send files and return the API's JSON of the upload after they have been read.

    `fields` are those of the form (`uploads/form_fields.py`); those that are not set are left out. End the
    command if a file is missing, they are refused, or the installation does not answer or read them.
    """
    for path in files:
        if path.is_dir():
            stop(f"{path} is a directory: name the files in it")
        if not path.is_file():
            stop(f"{path} is no file that can be read")
    texts = {
        name: value if isinstance(value, str) else json.dumps(value)
        for name, value in fields.items()
        if value not in (None, False, {})
    }
    form = _Form([(path, path.stat().st_size) for path in files], texts, f"tailroom-{uuid4().hex}")
    status, body = _post_form(server, token, form)
    if status == _UNPROCESSABLE and body.get("code") == "upload-unreadable":
        stop(_refusal(body))
    if status == _ACCEPTED:
        status, body = _wait_until_read(server, token, body)
    if status not in {_OK, _CREATED}:
        stop(f"{server} did not take the upload: {_refusal(body)}")
    return body


def _print_runs(server: str, body: dict[str, Any], *, quiet: bool) -> None:
    """Print the links of the runs; refused files, titles and missing facts go to standard error."""
    for file in body["files"]:
        if file["refusal"] is not None:
            echo(f"{file['name']}: not read: {file['refusal']}", err=True)
    for run in body["runs"]:
        missing = len(run["disclosure"]["missing"])
        if not quiet:
            echo(f"{run['title']}: {run['end_state'].replace('_', ' ')}, {run['visibility']}", err=True)
        if missing and not quiet:
            facts = (
                "1 fact is not stated; add it"
                if missing == 1
                else f"{missing} facts are not stated; add them"
            )
            echo(f"  {facts} on the page of the run", err=True)
        echo(f"{server.rstrip('/')}/runs/{run['run_id']}")


@dataclass(frozen=True, slots=True)
class _Form:
    """A multipart form that is sent in chunks, and whose length is known before."""

    files: Sequence[tuple[Path, int]]
    """Path, and number of bytes to send: a file that grows meanwhile is sent up to there."""
    fields: dict[str, str]
    boundary: str

    def heads(self) -> Iterator[tuple[bytes, tuple[Path, int] | None]]:
        """Yield the header of each part with path and size of its file, or of a field, with None."""
        for name, value in self.fields.items():
            yield self._head(f'name="{name}"') + value.encode() + b"\r\n", None
        for path, size in self.files:
            name = path.name.replace("\\", "\\\\").replace('"', "%22").replace("\r", " ").replace("\n", " ")
            yield self._head(f'name="files"; filename="{name}"', "application/octet-stream"), (path, size)

    def length(self) -> int:
        """Return the number of bytes of the body."""
        heads = sum(len(head) + (0 if file is None else file[1] + 2) for head, file in self.heads())
        return heads + len(self._end())

    def chunks(self) -> Iterator[bytes]:
        """Yield the body in chunks of bounded size. Raise OSError if a file has become shorter."""
        for head, file in self.heads():
            yield head
            if file is None:
                continue
            path, left = file
            with path.open("rb") as stream:
                while left > 0:
                    chunk = stream.read(min(_CHUNK_BYTES, left))
                    if not chunk:
                        raise OSError(f"{path} has become shorter while it was sent")
                    left -= len(chunk)
                    yield chunk
            yield b"\r\n"
        yield self._end()

    def _head(self, disposition: str, kind: str | None = None) -> bytes:
        """Return the header of a part; `kind`: its content type."""
        lines = [f"--{self.boundary}", f"Content-Disposition: form-data; {disposition}"]
        if kind is not None:
            lines.append(f"Content-Type: {kind}")
        return "\r\n".join([*lines, "", ""]).encode("utf-8", "surrogateescape")

    def _end(self) -> bytes:
        return f"--{self.boundary}--\r\n".encode()


def _wait_until_read(server: str, token: str | None, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Return status and JSON of the read upload. End the command after 30 minutes or a failure."""
    path = f"/api/v1/uploads/{body['upload_id']}"
    echo(f"kept; a worker reads it now: {server.rstrip('/')}{path}", err=True)
    status, deadline = _OK, time.monotonic() + _READ_WITHIN_S
    while status == _OK and body.get("state") == "waiting":
        if time.monotonic() > deadline:
            stop(f"{server} has not read it yet; it is stored, ask for {path} later", ExitCode.FAULT)
        time.sleep(_POLL_S)
        status, body = request_json(server, token, "GET", path)
    if body.get("failure"):
        stop(str(body["failure"]))
    return status, body


def _post_form(server: str, token: str | None, form: _Form) -> tuple[int, dict[str, Any]]:
    headers = {
        "Content-Type": f"multipart/form-data; boundary={form.boundary}",
        "Content-Length": str(form.length()),
    }
    chunks = counted(form.chunks(), "sending", form.length())
    return request_json(server, token, "POST", "/api/v1/uploads", chunks, headers)


def request_json(  # noqa: PLR0917 - what a request has
    server: str,
    token: str | None,
    method: str,
    path: str,
    body: Iterator[bytes] | Mapping[str, Any] | None = None,
    further_headers: Mapping[str, str] | None = None,
) -> tuple[int, dict[str, Any]]:
    """Send a request; return status and JSON object of the answer. End the command without an answer.

    A mapping is sent as JSON, chunks of bytes unchanged. An answer that is no JSON object is returned as
    `detail`.
    """
    headers = {"Accept": "application/json", **(further_headers or {})}
    sent: Iterator[bytes] | bytes | None
    if isinstance(body, Mapping):
        headers["Content-Type"], sent = "application/json", json.dumps(dict(body)).encode()
    else:
        sent = body
    try:
        status, text = send(server, token, method, path, headers, sent)
    except ServerInvalid as error:
        stop(str(error))
    except NoAnswer as error:
        stop(str(error), ExitCode.FAULT)
    try:
        document = json.loads(text)
    except ValueError:
        document = {"detail": f"status {status}: {text[:200].decode(errors='replace')}"}
    return status, document if isinstance(document, dict) else {"detail": str(document)[:200]}


def _refusal(body: dict[str, Any]) -> str:
    return str(body.get("detail") or body)
