"""Several processes behind one port: what they need is loaded once, then they are forked, so that they share
the memory of it.

Each has a listening socket of its own, among which the kernel deals new connections out. The parent keeps
them all: what waits at the socket of a process that has died is taken by the one that replaces it. It serves
nothing, starts no thread and opens no connection, so that it can fork at any time.
"""

import gc
import os
import signal
import socket
from collections.abc import Callable, Sequence
from types import FrameType

import structlog

from tailroom.api.app import create_app
from tailroom.api.server import Server, prepare, server_config
from tailroom.kit import metrics
from tailroom.kit.settings import Settings

_BACKLOG = 2048
_log = structlog.get_logger(__name__)


def run_several(settings: Settings, host: str, port: int, sockets: Sequence[socket.socket]) -> int:
    """Serves with a process for each socket until asked to stop; the exit code."""
    prepare()
    app = create_app(settings, len(sockets))
    config = server_config(app, host, port)
    lifeline, held = os.pipe()

    def serve(number: int, own: socket.socket) -> None:
        os.close(held)
        app.state.port.begin(number)
        server = Server(config)
        server.lifeline = lifeline
        server.run([own])

    gc.collect()
    gc.freeze()
    for one in sockets:
        one.listen(_BACKLOG)
    return _Parent(sockets, serve).run()


class _Parent:
    """Watches over the processes: one that was killed is replaced; one that cannot serve ends them all."""

    def __init__(self, sockets: Sequence[socket.socket], serve: Callable[[int, socket.socket], None]) -> None:
        self._serve = serve
        self._sockets = sockets
        self._children: dict[int, int] = {}
        """Process ids, each with the number of its process."""
        self._is_ending = False

    def run(self) -> int:
        """Until the last has ended; the exit code of one that could not serve, or 0."""
        code = 0
        for one in (signal.SIGTERM, signal.SIGINT):
            signal.signal(one, self._end)
        for number in range(len(self._sockets)):
            self._fork(number)
        while self._children:
            pid, status = os.wait()
            number = self._children.pop(pid)
            metrics.end(number)
            if self._is_ending:
                continue
            if (exited := os.waitstatus_to_exitcode(status)) > 0:
                code = exited
                self._end()
            else:
                _log.warning("api_process_replaced", pid=pid, status=status)
                self._fork(number)
        return code

    def _fork(self, number: int) -> None:
        pid = os.fork()
        if pid:
            self._children[pid] = number
            if self._is_ending:  # asked to while this one began
                os.kill(pid, signal.SIGTERM)
            return
        code = 1
        try:
            for one in (signal.SIGTERM, signal.SIGINT):
                signal.signal(one, signal.SIG_DFL)
            self._serve(number, self._sockets[number])
            code = 0
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 1
        finally:
            os._exit(code)

    def _end(self, _number: int = 0, _frame: FrameType | None = None) -> None:
        self._is_ending = True
        for pid in self._children:
            os.kill(pid, signal.SIGTERM)
