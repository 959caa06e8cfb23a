"""A small server with the few requests of S3 that the store of raw files makes. Nothing is read or written
without a signature; that of an address (version 4, in the query) is worked out again, and its time looked at.
"""

import hashlib
import hmac
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, quote, urlsplit

REGION, SECRET = "us-east-1", "secret"


def environment(address: str) -> dict[str, str]:
    """What the product is told of it."""
    return {
        "AWS_ACCESS_KEY_ID": "id",
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_REGION": REGION,
        "AWS_ENDPOINT": address,
        "AWS_ALLOW_HTTP": "true",
    }


def _is_signed(method: str, path: str, query: dict[str, list[str]], host: str) -> bool:
    """Whether an address was made by somebody with the secret, and is still good."""
    given = {name: values[0] for name, values in query.items()}
    signature = given.pop("X-Amz-Signature")
    made_at = datetime.strptime(given["X-Amz-Date"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    if datetime.now(UTC) > made_at + timedelta(seconds=int(given["X-Amz-Expires"])):
        return False
    listed = "&".join(f"{quote(name, '')}={quote(value, '')}" for name, value in sorted(given.items()))
    canonical = f"{method}\n{path}\n{listed}\nhost:{host}\n\nhost\nUNSIGNED-PAYLOAD"
    scope = f"{made_at:%Y%m%d}/{REGION}/s3/aws4_request"
    hashed = hashlib.sha256(canonical.encode()).hexdigest()
    text = f"AWS4-HMAC-SHA256\n{given['X-Amz-Date']}\n{scope}\n{hashed}"
    key = f"AWS4{SECRET}".encode()
    for part in (*scope.split("/"), text):
        key = hmac.digest(key, part.encode(), "sha256")
    return key.hex() == signature


class _S3(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    objects: dict[str, bytes]
    told: dict[str, str | None]
    """What a file is called where it is saved."""
    parts: dict[int, bytes]

    def do_PUT(self) -> None:
        path, query, body = self._request()
        if "partNumber" in query:
            self.parts[int(query["partNumber"][0])] = body
        else:
            self.objects[path] = body
            self.told[path] = self.headers.get("Content-Disposition")
        self._answer(200)

    def do_POST(self) -> None:
        path, query, body = self._request()
        if "delete" in query:
            keys = re.findall("<Key>(.*?)</Key>", body.decode())
            for key in keys:
                self.objects.pop(f"{path.rstrip('/')}/{key}", None)
            deleted = "".join(f"<Deleted><Key>{key}</Key></Deleted>" for key in keys)
            self._answer(200, f"<DeleteResult>{deleted}</DeleteResult>".encode())
            return
        if "uploads" in query:
            self.parts.clear()
            self._answer(
                200, b"<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>"
            )
            return
        self.objects[path] = b"".join(self.parts[number] for number in sorted(self.parts))
        self._answer(200, b'<CompleteMultipartUploadResult><ETag>"1"</ETag></CompleteMultipartUploadResult>')

    def do_GET(self) -> None:
        path, query, _ = self._request()
        signed = _is_signed if "X-Amz-Signature" in query else self._names_its_key
        if not signed(self.command, path, query, self.headers["Host"]):
            self._answer(403)
            return
        if "list-type" in query:
            self._answer(200, self._listed(path, query.get("prefix", [""])[0]))
            return
        found = self.objects.get(path)
        self._answer(404 if found is None else 200, found or b"", self.told.get(path))

    def do_HEAD(self) -> None:
        self.do_GET()

    def _listed(self, bucket: str, prefix: str) -> bytes:
        bucket = f"{bucket.rstrip('/')}/"
        keys = [name.removeprefix(bucket) for name in self.objects if name.startswith(bucket + prefix)]
        contents = "".join(
            f"<Contents><Key>{key}</Key><LastModified>2026-11-20T12:00:00.000Z</LastModified>"
            f'<ETag>"1"</ETag><Size>{len(self.objects[bucket + key])}</Size></Contents>'
            for key in sorted(keys)
        )
        listed = f"<ListBucketResult><IsTruncated>false</IsTruncated>{contents}</ListBucketResult>"
        return listed.encode()

    def _names_its_key(self, *_: object) -> bool:
        return "Authorization" in self.headers

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the parent calls it so
        """Says nothing."""

    def _request(self) -> tuple[str, dict[str, list[str]], bytes]:
        parts = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        return parts.path, parse_qs(parts.query, keep_blank_values=True), body

    def _answer(self, status: int, body: bytes = b"", told: str | None = None) -> None:
        self.send_response(status)
        if told is not None:
            self.send_header("Content-Disposition", told)
        self.send_header("ETag", '"1"')
        self.send_header("Last-Modified", "Fri, 20 Nov 2026 12:00:00 GMT")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


@contextmanager
def s3_server(host: str = "127.0.0.1") -> Iterator[tuple[str, dict[str, bytes]]]:
    """Its address, and what it holds."""
    objects: dict[str, bytes] = {}
    handler = type("S3", (_S3,), {"objects": objects, "told": {}, "parts": {}})
    server = ThreadingHTTPServer((host, 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://{host}:{server.server_port}", objects
    finally:
        server.shutdown()
        server.server_close()
        thread.join(timeout=5)
