"""A few questions to our own API over loopback."""

import http.client
import json
import time
from collections.abc import Callable
from typing import Any

_TIMEOUT_S = 10.0
_POLL_S = 0.1


class ApiAway(Exception):
    """The API did not answer, or not with what was asked for."""


class LocalApi:
    """Reads from the API of this machine, as the organisation `local`."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self.origin = f"http://{host}:{port}"

    def get(self, path: str) -> Any:
        """The JSON that the API answers with.

        Raises:
            ApiAway: no answer, or a status other than 200.
        """
        connection = http.client.HTTPConnection(self._host, self._port, timeout=_TIMEOUT_S)
        try:
            connection.request("GET", path)
            response = connection.getresponse()
            body = response.read()
        except (OSError, http.client.HTTPException) as error:
            raise ApiAway(f"{self.origin}{path} does not answer: {error}") from error
        finally:
            connection.close()
        if response.status != 200:
            raise ApiAway(
                f"{self.origin}{path} answers with {response.status}: {body[:300].decode(errors='replace')}"
            )
        try:
            return json.loads(body)
        except ValueError as error:
            raise ApiAway(f"{self.origin}{path} does not answer with JSON") from error

    def wait_for(
        self,
        path: str,
        accept: Callable[[Any], bool],
        *,
        within_s: float,
        meanwhile: Callable[[], None] = lambda: None,
    ) -> Any:
        """Ask until an answer is accepted; `meanwhile` is called between and may raise to give up.

        Raises:
            TimeoutError: no answer was accepted in time; the message carries the last obstacle.
        """
        deadline = time.monotonic() + within_s
        obstacle = "the answer was not there yet"
        while time.monotonic() < deadline:
            try:
                answer = self.get(path)
                if accept(answer):
                    return answer
            except ApiAway as error:
                obstacle = str(error)
            meanwhile()
            time.sleep(_POLL_S)
        raise TimeoutError(obstacle)
