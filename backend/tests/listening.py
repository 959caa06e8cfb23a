"""The API behind a socket, for tests of commands and of whoever speaks HTTP."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from backend.tests.waiting import until

from tailroom.api.app import create_app
from tailroom.api.server import Server, server_config
from tailroom.kit.settings import Settings


@contextmanager
def serving(settings: Settings, host: str = "127.0.0.1", port: int = 0) -> Iterator[tuple[str, Server]]:
    """The product's own server in a thread, by default on a free port of an address of this machine."""
    server = Server(server_config(create_app(settings), host, port))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until(lambda: server.started or not thread.is_alive(), every_s=0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://{host}:{port}", server
    finally:
        server.end()
        thread.join(30)
        assert not thread.is_alive()


@contextmanager
def listening(settings: Settings, host: str = "127.0.0.1") -> Iterator[str]:
    """Where it is, for whoever needs nothing else."""
    with serving(settings, host) as (url, _):
        yield url
