"""Requests to the API of this machine over loopback: reading, waiting, and uploading a result file."""

import http.client
import json
import secrets
import time
from collections.abc import Callable, Mapping
from typing import Any

_TIMEOUT_S = 10.0
_READ_WITHIN_S = 300.0
"""A machine that also builds and measures needs over a minute for what else takes a second."""
_POLL_S = 0.1


class ApiUnavailable(Exception):
    """The API did not answer, or its answer was unexpected."""


class LocalApi:
    """Client of the API of this machine, as the organisation `local`."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self.origin = f"http://{host}:{port}"

    def get(self, path: str) -> Any:
        """Return the JSON of a GET request. Raise ApiUnavailable as `_request`, at the latest after 10 s."""
        return self._request("GET", path, timeout_s=_TIMEOUT_S)

    def upload(self, file_name: str, content: bytes) -> Any:
        """Send a result file, and return the API's JSON of the upload after a worker has read or refused it.

        Raise ApiUnavailable if it is not accepted, TimeoutError if no worker handles it within five minutes.
        """
        boundary = secrets.token_hex(16)
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="files"; filename="{file_name}"\r\n\r\n'
        body = b"".join((head.encode(), content, f"\r\n--{boundary}--\r\n".encode()))
        headers = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
        sent = self._request("POST", "/api/v1/uploads", body, headers, timeout_s=_READ_WITHIN_S)
        path = f"/api/v1/uploads/{sent['upload_id']}"
        return self.wait_for(path, lambda upload: upload["state"] != "waiting", within_s=_READ_WITHIN_S)

    def _request(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        *,
        timeout_s: float,
    ) -> Any:
        """Return the JSON of an answer of 200 to 202; raise ApiUnavailable for any other, or none."""
        connection = http.client.HTTPConnection(self._host, self._port, timeout=timeout_s)
        try:
            connection.request(method, path, body, dict(headers or {}))
            response = connection.getresponse()
            content = response.read()
        except (OSError, http.client.HTTPException) as error:
            raise ApiUnavailable(f"{self.origin}{path} does not answer: {error}") from error
        finally:
            connection.close()
        if response.status not in {200, 201, 202}:
            excerpt = content[:300].decode(errors="replace")
            raise ApiUnavailable(f"{self.origin}{path} answers with {response.status}: {excerpt}")
        try:
            return json.loads(content)
        except ValueError as error:
            raise ApiUnavailable(f"{self.origin}{path} does not answer with JSON") from error

    def wait_for(
        self,
        path: str,
        accept: Callable[[Any], bool],
        *,
        within_s: float,
        meanwhile: Callable[[], None] = lambda: None,
    ) -> Any:
        """Repeat a GET request, also after errors, until `accept` returns True for its JSON; return the JSON.

        `meanwhile` is called between requests and may raise. Raise TimeoutError after `within_s` seconds.
        """
        deadline = time.monotonic() + within_s
        obstacle = "the answer was not there yet"
        while time.monotonic() < deadline:
            try:
                answer = self.get(path)
                if accept(answer):
                    return answer
            except ApiUnavailable as error:
                obstacle = str(error)
            meanwhile()
            time.sleep(_POLL_S)
        raise TimeoutError(obstacle)
