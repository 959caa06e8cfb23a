"""A faulty network between agents and API: an HTTP proxy on loopback that damages one request in a few.

It speaks HTTP so that it can do to whole messages what networks and proxies do: answers are lost, requests
arrive twice or much later, bytes change. While the network is cut, no request passes.
"""

import random
import threading
import time
from collections import Counter
from enum import StrEnum
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self

_TIMEOUT_S = 15.0
_LONGEST_CUT_S = 1.5
_LONGEST_DELAY_S = 0.4
_HELD_AT_MOST = 8
_DROPPED = frozenset({"connection", "transfer-encoding", "content-length", "host", "keep-alive"})


class NetworkFault(StrEnum):
    """Faults of a request."""

    REQUEST_LOST = "request lost"
    ANSWER_LOST = "answer lost"
    REQUEST_DAMAGED = "request damaged"
    ANSWER_DAMAGED = "answer damaged"
    DUPLICATED = "duplicated"
    DELIVERED_LATE = "delivered again later"
    DELAYED = "delayed"
    CUT = "cut off"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: "FaultyNetwork"

    def do_GET(self) -> None:
        self._pass(b"")

    def do_POST(self) -> None:
        self._pass(self.rfile.read(int(self.headers.get("content-length", 0))))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing: what happened is counted."""

    def _pass(self, body: bytes) -> None:
        network = self.server
        fault = network.next_fault()
        if fault is NetworkFault.REQUEST_LOST or network.is_cut:
            return self._hang_up()
        if fault is NetworkFault.DELAYED:
            time.sleep(network.draw(_LONGEST_DELAY_S))
        sent = network.damaged(body) if fault is NetworkFault.REQUEST_DAMAGED else body
        headers = {name: value for name, value in self.headers.items() if name.lower() not in _DROPPED}
        answer = network.forward(self.command, self.path, headers, sent)
        if fault is NetworkFault.DUPLICATED:
            network.forward(self.command, self.path, headers, body)
        if fault is NetworkFault.DELIVERED_LATE:
            network.hold((self.command, self.path, headers, body))
        if answer is None or fault in (NetworkFault.ANSWER_LOST, NetworkFault.DELIVERED_LATE):
            return self._hang_up()
        status, answered, content = answer
        if fault is NetworkFault.ANSWER_DAMAGED:
            content = network.damaged(content)
        self.send_response(status)
        for name, value in answered:
            if name.lower() not in _DROPPED:
                self.send_header(name, value)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
        return None

    def _hang_up(self) -> None:
        self.close_connection = True


class FaultyNetwork(ThreadingHTTPServer):
    """Listens on a free port of loopback until its block ends."""

    daemon_threads = True

    def __init__(self, port: int, seed: int, share: float) -> None:
        """`port` is the API's; `share` of the requests (0 to 1) meet a fault."""
        super().__init__(("127.0.0.1", 0), _Handler)
        self.counted: Counter[NetworkFault] = Counter()
        self._port, self._share = port, share
        self._random = random.Random(seed)  # noqa: S311
        self._lock = threading.Lock()
        self._cut_until = 0.0
        self._held: list[tuple[str, str, dict[str, str], bytes]] = []
        self._thread = threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True)

    @property
    def url(self) -> str:
        """Where agents find the API behind this network."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    @property
    def is_cut(self) -> bool:
        """Return whether the network is cut."""
        return time.monotonic() < self._cut_until

    def next_fault(self) -> NetworkFault | None:
        """Whether the next request meets a fault, and which."""
        with self._lock:
            if self._random.random() >= self._share:
                return None
            fault = self._random.choice(list(NetworkFault))
            self.counted[fault] += 1
            if fault is NetworkFault.CUT:
                self._cut_until = time.monotonic() + self._random.random() * _LONGEST_CUT_S
            return fault

    def draw(self, most: float) -> float:
        """A number from 0 to `most`."""
        with self._lock:
            return self._random.random() * most

    def damaged(self, content: bytes) -> bytes:
        """The same with one bit changed."""
        if not content:
            return content
        with self._lock:
            place, bit = self._random.randrange(len(content)), self._random.randrange(8)
        return content[:place] + bytes([content[place] ^ (1 << bit)]) + content[place + 1 :]

    def hold(self, request: tuple[str, str, dict[str, str], bytes]) -> None:
        """Keeps a copy that is delivered after others; the oldest goes out where there are many."""
        with self._lock:
            self._held.append(request)
            late = self._held.pop(0) if len(self._held) > _HELD_AT_MOST else None
        if late is not None:
            self.forward(*late)

    def deliver_held(self) -> None:
        """Delivers what was held back, newest first."""
        while self._held:
            self.forward(*self._held.pop())

    def forward(
        self, method: str, path: str, headers: dict[str, str], body: bytes
    ) -> tuple[int, list[tuple[str, str]], bytes] | None:
        """Return the answer of the API; None while it is unavailable."""
        connection = HTTPConnection("127.0.0.1", self._port, timeout=_TIMEOUT_S)
        try:
            connection.request(method, path, body or None, headers)
            answer = connection.getresponse()
            return answer.status, answer.getheaders(), answer.read()
        except (OSError, HTTPException):
            return None
        finally:
            connection.close()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.deliver_held()
        self.shutdown()
        self.server_close()
