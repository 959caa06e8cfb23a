"""Serve the application in one process: event loop, signals, garbage collection."""

import asyncio
import gc
import socket
import sys
from types import FrameType

import uvicorn
from fastapi import FastAPI

from tailroom.api.app import create_app
from tailroom.api.http_protocol import HttpProtocol
from tailroom.campaigns.waiting import WaitingAgents
from tailroom.kit.logging import configure_logging
from tailroom.kit.memory import retain_freed_memory
from tailroom.kit.settings import Settings
from tailroom.live.hub import Hub

_SHUTDOWN_S = 2
_KEEP_ALIVE_S = 75
_FREED_MIB = 16
"""Freed memory that stays in the process."""
_SWITCH_S = 0.001
"""Longest time a calculating thread holds the interpreter while another waits; Python's default is 5 ms.

A batch releases it at each statement, and would wait five times as long to get it back.
"""
_GARBAGE_AFTER = (20_000, 20, 50)
"""Thresholds of the garbage collector; at Python's default of 700 requests pay for too many traversals."""


class Server(uvicorn.Server):
    """A server that ends live streams and waiting agents at once when asked to stop, not at the time-out."""

    _loop: asyncio.AbstractEventLoop | None = None
    lifeline: int | None = None
    """Read end of a pipe that becomes readable when the parent process has ended."""

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until asked to stop, or until the parent process has ended (`lifeline`)."""
        self._loop = asyncio.get_running_loop()
        if self.lifeline is not None:
            self._loop.add_reader(self.lifeline, self._end_orphan)
        gc.collect()
        gc.freeze()  # loaded modules are never collected
        gc.set_threshold(*_GARBAGE_AFTER)
        await super().serve(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End streams, then the server, on SIGTERM and SIGINT."""
        self._end_streams()
        super().handle_exit(sig, frame)

    def end(self) -> None:
        """Ask the server to stop; from any thread."""
        self._end_streams()
        self.should_exit = True

    def _end_orphan(self) -> None:
        assert self._loop is not None  # noqa: S101 - serving
        assert self.lifeline is not None  # noqa: S101 - it is what was read
        self._loop.remove_reader(self.lifeline)
        self.end()

    def _end_streams(self) -> None:
        """End live streams and waiting agents, from any thread; do nothing before the server runs."""
        app = self.config.app
        if not isinstance(app, FastAPI) or self._loop is None or self._loop.is_closed():
            return
        if isinstance(hub := getattr(app.state, "hub", None), Hub):
            self._loop.call_soon_threadsafe(hub.end_streams)
        if isinstance(waiting := getattr(app.state, "waiting_agents", None), WaitingAgents):
            self._loop.call_soon_threadsafe(waiting.end)


def server_config(app: FastAPI, host: str, port: int) -> uvicorn.Config:
    """Return the configuration of uvicorn, and let the application warm up when it starts."""
    app.state.warms_up = True
    return uvicorn.Config(
        app,
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,  # `api.forwarded` handles them, for trusted proxies only
        timeout_graceful_shutdown=_SHUTDOWN_S,
        timeout_keep_alive=_KEEP_ALIVE_S,
        http=HttpProtocol,
    )


def prepare() -> None:
    """Configure logging and the interpreter before serving."""
    configure_logging()
    sys.setswitchinterval(_SWITCH_S)
    retain_freed_memory(_FREED_MIB)


def run(settings: Settings, host: str, port: int, sockets: list[socket.socket]) -> None:
    """Serve in this process on bound sockets until asked to stop."""
    prepare()
    Server(server_config(create_app(settings), host, port)).run(sockets)
