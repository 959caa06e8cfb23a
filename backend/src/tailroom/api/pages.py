"""Serve the built pages at every address outside the API: files unchanged, else the index.

Hashed assets are cached without expiry; the index is requested again each time, so that a new version is
displayed at once.
"""

import base64
import hashlib
import re
from functools import lru_cache
from pathlib import Path

from anyio.to_thread import run_sync
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.types import Receive, Scope, Send

from tailroom.access.compression import LEAST_BYTES, VARY, Coding, accepted_coding, compress
from tailroom.api.middleware import content_policy
from tailroom.api.previews import preview_tags

_INLINE_SCRIPT = re.compile(rb"<script(?![^>]*\bsrc=)[^>]*>(.*?)</script>", re.DOTALL)
_API_PREFIXES = ("/api/", "/healthz", "/readyz")
_HEAD_ENDS = b"</head>"
_COMPRESSED_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
_MOST_COMPRESSED = 1_024
_FOR_EVER = "public, max-age=31536000, immutable"
_NOT_BUILT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Tailroom: the pages are not built</title>
<h1>The pages are not built yet</h1>
<p>The API is running, but there is no <code>index.html</code> in the folder of the built pages.</p>
<p>Run <code>make up</code>, which builds them, or <code>npm run build --workspace frontend</code>, and load
this page again. Pages that were built elsewhere are found when <code>TAILROOM_UI_DIST</code> names their
folder.</p> <p>The API is described in <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.</p></html>
"""


class Pages:
    """ASGI application for addresses that no route answers."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request with a file or the index.

        Raise HTTPException: 404 under the addresses of the API and for a missing asset, 405 for other methods
        than GET and HEAD.
        """
        request = Request(scope, receive)
        path = request.url.path
        if scope["type"] != "http" or path.startswith(_API_PREFIXES) or path == "/api":
            raise HTTPException(404)
        if request.method not in ("GET", "HEAD"):
            raise HTTPException(405, headers={"Allow": "GET, HEAD"})
        coding = accepted_coding(request.headers.get("accept-encoding"))
        response = await run_sync(self._answer, path, await preview_tags(request), coding)
        await response(scope, receive, send)

    def _answer(self, path: str, head: bytes, coding: Coding | None) -> Response:
        """Return the file at `path`, else the index with `head` inserted; 503 if there is no index.

        Raise HTTPException 404 for a missing asset.
        """
        file = self._file(path)
        if file is not None and path.startswith("/assets/"):
            return _asset(file, coding)
        if file is not None:
            return FileResponse(file, headers={"Cache-Control": "no-cache"})
        if path.startswith("/assets/"):
            raise HTTPException(404)
        try:
            index = (self._folder / "index.html").read_bytes()
        except OSError:
            return HTMLResponse(_NOT_BUILT, status_code=503, headers={"Cache-Control": "no-store"})
        return HTMLResponse(
            index.replace(_HEAD_ENDS, head + _HEAD_ENDS, 1) if head else index,
            headers={
                "Cache-Control": "no-cache",
                "Content-Security-Policy": content_policy(_script_hashes(index)),
            },
        )

    def _file(self, path: str) -> Path | None:
        """Return the file of the pages at this address; None if there is none, and for the index."""
        root = self._folder.resolve()
        try:
            file = (root / path.lstrip("/")).resolve()
            is_page_file = file.is_relative_to(root) and file.is_file()
        except (OSError, ValueError):  # no file system takes such a name
            return None
        return file if is_page_file and file != root / "index.html" else None


def _asset(file: Path, coding: Coding | None) -> Response:
    """Return a hashed file, compressed by `coding` if that is not None and worthwhile by type and size."""
    headers = {"Cache-Control": _FOR_EVER}
    if file.suffix not in _COMPRESSED_TYPES:
        return FileResponse(file, headers=headers)
    headers |= {"Vary": VARY}
    if coding is None or file.stat().st_size < LEAST_BYTES:
        return FileResponse(file, headers=headers)
    media_type = f"{_COMPRESSED_TYPES[file.suffix]}; charset=utf-8"
    return Response(
        _compressed(file, coding), media_type=media_type, headers=headers | {"Content-Encoding": coding}
    )


@lru_cache(_MOST_COMPRESSED)
def _compressed(file: Path, coding: Coding) -> bytes:
    """Return the compressed file; cached, because a hashed file never changes."""
    return compress(file.read_bytes(), coding, best=True)


def _script_hashes(index: bytes) -> list[str]:
    return [
        "sha256-" + base64.b64encode(hashlib.sha256(script).digest()).decode()
        for script in _INLINE_SCRIPT.findall(index)
    ]
