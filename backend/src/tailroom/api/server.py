"""How the application is served by one process: its loop, its signals, its garbage."""

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
from tailroom.kit.memory import keep_freed
from tailroom.kit.settings import Settings
from tailroom.live.hub import Hub

_SHUTDOWN_S = 2
_KEEP_ALIVE_S = 75
_FREED_MIB = 16
_SWITCH_S = 0.001
"""How long a thread that calculates keeps the interpreter to itself when another waits for it: a batch gives
it up at each statement, and would wait five times as long for it at Python's default of 5 ms.
"""
_GARBAGE_AFTER = (20_000, 20, 50)
"""Allocations before garbage is looked for, and how many looks before older objects are looked at: an answer
allocates thousands of objects that need no looking for, and at Python's 700 every burst of requests pays
for looks at everything that the process has loaded.
"""


class Server(uvicorn.Server):
    """Ends live streams, and answers agents that wait, at once when asked to stop; otherwise each would keep
    the server up until the time-out.
    """

    _loop: asyncio.AbstractEventLoop | None = None
    lifeline: int | None = None
    """A pipe that is readable, at its end, as soon as the process that watches over this one has gone."""

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serves until asked to stop."""
        self._loop = asyncio.get_running_loop()
        if self.lifeline is not None:
            self._loop.add_reader(self.lifeline, self._orphaned)
        gc.collect()
        gc.freeze()  # what is loaded by now stays for ever
        gc.set_threshold(*_GARBAGE_AFTER)
        await super().serve(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Called on SIGTERM and SIGINT."""
        self._end_streams()
        super().handle_exit(sig, frame)

    def end(self) -> None:
        """Asks the server to stop, from any thread."""
        self._end_streams()
        self.should_exit = True

    def _orphaned(self) -> None:
        assert self._loop is not None  # noqa: S101 - serving
        assert self.lifeline is not None  # noqa: S101 - it is what was read
        self._loop.remove_reader(self.lifeline)
        self.end()

    def _end_streams(self) -> None:
        app = self.config.app
        if not isinstance(app, FastAPI) or self._loop is None or self._loop.is_closed():
            return
        if isinstance(hub := getattr(app.state, "hub", None), Hub):
            self._loop.call_soon_threadsafe(hub.end_streams)
        if isinstance(waiting := getattr(app.state, "waiting_agents", None), WaitingAgents):
            self._loop.call_soon_threadsafe(waiting.end)


def server_config(app: FastAPI, host: str, port: int) -> uvicorn.Config:
    """How the application is served: to readers who may all come at once."""
    app.state.warms_up = True
    return uvicorn.Config(
        app,
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,  # `api.forwarded` believes addresses alone, and whom the settings name
        timeout_graceful_shutdown=_SHUTDOWN_S,
        timeout_keep_alive=_KEEP_ALIVE_S,
        http=HttpProtocol,
    )


def prepare() -> None:
    """What the process is told once, before it serves."""
    configure_logging()
    sys.setswitchinterval(_SWITCH_S)
    keep_freed(_FREED_MIB)


def run(settings: Settings, host: str, port: int) -> None:
    """Serves in this process until it is asked to stop."""
    prepare()
    Server(server_config(create_app(settings), host, port)).run()
