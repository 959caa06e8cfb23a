"""Run several processes behind one port, forked after loading, so that they share that memory.

A process that loads the application by itself takes 180 MB and 2 to 3 s of processor time; two forked
processes and their parent take 182 MB together (docs/performance.md bounds the API).

Each has its own listening socket; the kernel distributes new connections among them. The parent holds all
sockets, so that connections that wait at the socket of a dead process are accepted by its replacement. The
parent serves nothing, starts no thread and opens no connection, so that it can fork at any time.
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
    """Serve with a process for each socket until asked to stop; return the exit code (see `_Parent.run`)."""
    prepare()
    app = create_app(settings, len(sockets))
    config = server_config(app, host, port)
    lifeline, parent_end = os.pipe()

    def serve(number: int, listener: socket.socket) -> None:
        os.close(parent_end)
        app.state.port.begin(number)
        server = Server(config)
        server.lifeline = lifeline
        server.run([listener])

    gc.collect()
    gc.freeze()
    for listener in sockets:
        listener.listen(_BACKLOG)
    return _Parent(sockets, serve).run()


class _Parent:
    """Supervise the processes: replace a process that was killed, end all if one cannot serve."""

    def __init__(self, sockets: Sequence[socket.socket], serve: Callable[[int, socket.socket], None]) -> None:
        self._serve = serve
        self._sockets = sockets
        self._children: dict[int, int] = {}
        """Number of each process (the index of its socket), by process id."""
        self._is_ending = False

    def run(self) -> int:
        """Run until the last process has ended; return the exit code, 0 after SIGTERM or SIGINT.

        Until then a process that was killed, or that ended with 0, is replaced. Any other exit code ends all
        processes and is returned.
        """
        code = 0
        for signal_number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(signal_number, self._end)
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
        """Fork process `number`; the child serves and never returns."""
        pid = os.fork()
        if pid:
            self._children[pid] = number
            if self._is_ending:  # asked to stop while this process began
                os.kill(pid, signal.SIGTERM)
            return
        code = 1
        try:
            for signal_number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(signal_number, signal.SIG_DFL)
            self._serve(number, self._sockets[number])
            code = 0
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 1
        finally:
            os._exit(code)

    def _end(self, _number: int = 0, _frame: FrameType | None = None) -> None:
        """End all processes by SIGTERM and replace none of them."""
        self._is_ending = True
        for pid in self._children:
            os.kill(pid, signal.SIGTERM)
