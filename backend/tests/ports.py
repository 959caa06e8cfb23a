"""TCP ports for servers that tests start as processes of their own."""

import fcntl
import socket
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import IO

_FIRST, _LAST = 20_000, 29_999
"""Below the ports that kernels give to outgoing connections and to sockets without a number."""

_held: list[IO[bytes]] = []


def reserve_port() -> int:
    """Return a free loopback port that no other test process gets while this one lives."""
    return next(_ports)


def _reserved() -> Iterator[int]:
    folder = Path(tempfile.gettempdir()) / "tailroom-test-ports"
    folder.mkdir(exist_ok=True)
    for number in count():
        port = _FIRST + number % (_LAST - _FIRST + 1)
        lock = (folder / str(port)).open("ab")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with socket.create_server(("127.0.0.1", port)):
                pass
        except OSError:
            lock.close()
            continue
        _held.append(lock)
        yield port


_ports = _reserved()
