"""An API that listens, for tests of commands and of whoever speaks HTTP."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from tailroom.api.app import create_app
from tailroom.kit.settings import Settings


@contextmanager
def listening(settings: Settings, host: str = "127.0.0.1") -> Iterator[str]:
    """An API on a free port of an address of this machine."""
    running = uvicorn.Server(
        uvicorn.Config(create_app(settings), host=host, port=0, log_level="warning", ws="none")
    )
    thread = threading.Thread(target=running.run, daemon=True)
    thread.start()
    while not running.started:
        assert thread.is_alive()
        time.sleep(0.02)
    port = running.servers[0].sockets[0].getsockname()[1]
    yield f"http://{host}:{port}"
    running.should_exit = True
    thread.join(timeout=10)
