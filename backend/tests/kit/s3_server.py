"""A small server with the few requests of S3 that the store of raw files makes; it checks no signature."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit


class _S3(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    objects: dict[str, bytes]
    parts: dict[int, bytes]

    def do_PUT(self) -> None:
        path, query, body = self._request()
        if "partNumber" in query:
            self.parts[int(query["partNumber"][0])] = body
        else:
            self.objects[path] = body
        self._answer(200)

    def do_POST(self) -> None:
        path, query, _ = self._request()
        if "uploads" in query:
            self.parts.clear()
            self._answer(
                200, b"<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>"
            )
            return
        self.objects[path] = b"".join(self.parts[number] for number in sorted(self.parts))
        self._answer(200, b'<CompleteMultipartUploadResult><ETag>"1"</ETag></CompleteMultipartUploadResult>')

    def do_GET(self) -> None:
        path, _, _ = self._request()
        found = self.objects.get(path)
        self._answer(404 if found is None else 200, found or b"")

    def do_HEAD(self) -> None:
        self.do_GET()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the parent calls it so
        """Says nothing."""

    def _request(self) -> tuple[str, dict[str, list[str]], bytes]:
        parts = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        return parts.path, parse_qs(parts.query, keep_blank_values=True), body

    def _answer(self, status: int, body: bytes = b"") -> None:
        self.send_response(status)
        self.send_header("ETag", '"1"')
        self.send_header("Last-Modified", "Fri, 20 Nov 2026 12:00:00 GMT")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


@contextmanager
def s3_server() -> Iterator[tuple[str, dict[str, bytes]]]:
    """Its address, and what it holds."""
    objects: dict[str, bytes] = {}
    handler = type("S3", (_S3,), {"objects": objects, "parts": {}})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", objects
    finally:
        server.shutdown()
        server.server_close()
        thread.join(timeout=5)
