"""Processes that end with their starter: how every server of `make up` is started.

Each process gets a keeper (see `keeper.py`) as its parent, which ends it when the starter stops it, exits or
is killed, `kill -9` included.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

_KEEPER = Path(__file__).with_name("keeper.py")
_KILLED_WITHIN_S = 60.0
"""On a busy machine the kernel takes seconds to end a killed server with hundreds of megabytes."""


class ProcessError(Exception):
    """A process could not be started or did not become ready; the message says what to do."""


class SettingUnusable(ProcessError):
    """A setting prevents the start; the message names it."""


@dataclass(frozen=True, slots=True)
class Identity:
    """The user and group that a process runs as."""

    uid: int
    gid: int


@dataclass(frozen=True, slots=True)
class Specification:
    """A process for the keeper to start, and how to end it."""

    argv: Sequence[str]
    stop: Sequence[tuple[signal.Signals, float]] = ((signal.SIGTERM, 4.0),)
    """Stages of an orderly end: a signal, and the seconds to wait for its effect; then SIGKILL follows."""
    env: Mapping[str, str] | None = None
    """Environment; None: that of the starter."""
    cwd: Path | None = None
    """Working directory; None: that of the starter."""
    identity: Identity | None = None
    """User and group to run as; None: those of the starter."""
    pass_fds: Sequence[int] = ()
    """Descriptors that the process inherits under their own numbers."""
    remove: Sequence[Path] = field(default=())
    """Folders that are deleted after a requested end, or when the starter is gone."""


class SupervisedProcess:
    """A running process and its keeper; `pid`: of the process, `log_path` None: it has no log."""

    def __init__(self, name: str, keeper: "subprocess.Popen[bytes]", pid: int, log_path: Path | None) -> None:
        self.name = name
        self.pid = pid
        self.log_path = log_path
        self._keeper = keeper

    @property
    def output(self) -> IO[bytes]:
        """Standard output of a process started with `capture`. Raise ValueError without it."""
        if self._keeper.stdout is None:
            raise ValueError(f"the output of {self.name} goes to {self.log_path}, not to a pipe")
        return self._keeper.stdout

    def poll(self) -> int | None:
        """Return the exit code, or None while the process runs; 128 + n when signal n ended it."""
        return self._keeper.poll()

    def wait(self, timeout_s: float | None = None) -> int:
        """Wait for the end and return the exit code. Raise TimeoutError after `timeout_s` seconds."""
        try:
            return self._keeper.wait(timeout_s)
        except subprocess.TimeoutExpired as error:
            raise TimeoutError(f"{self.name} still runs after {timeout_s} s") from error

    def request_stop(self) -> None:
        """Ask for an orderly end without waiting for it."""
        self._send(b"stop\n")

    def stop(self, timeout_s: float = 20.0) -> int:
        """Stop the process by the stages of its specification, then SIGKILL; return its exit code.

        Raise TimeoutError if it has not ended after `timeout_s` seconds.
        """
        self.request_stop()
        return self.wait(timeout_s)

    def kill(self) -> int:
        """End the process and its group at once; return its exit code. Raise TimeoutError after 60 s."""
        self.request_kill()
        return self.wait(_KILLED_WITHIN_S)

    def request_kill(self) -> None:
        """Ask for the process and its group to be killed, without waiting for it."""
        self._send(b"kill\n")

    def log_tail(self, lines: int = 15) -> str:
        """Return the last lines of the process's log; empty without a log."""
        return tail(self.log_path, lines) if self.log_path else ""

    def _send(self, command: bytes) -> None:
        if self._keeper.stdin is not None and self._keeper.poll() is None:
            with contextlib.suppress(BrokenPipeError):
                os.write(self._keeper.stdin.fileno(), command)


def start(
    name: str, specification: Specification, *, log_path: Path | None = None, capture: bool = False
) -> SupervisedProcess:
    """Start a process under a keeper and return it. Raise ProcessError if it could not be executed.

    Its output is appended to `log_path`; with `capture`, standard output is a pipe instead.
    """
    status_read, status_write = os.pipe()
    document = {
        "argv": list(specification.argv),
        "stop": [(number.name, seconds) for number, seconds in specification.stop],
        "cwd": str(specification.cwd) if specification.cwd else None,
        "uid": specification.identity.uid if specification.identity else None,
        "gid": specification.identity.gid if specification.identity else None,
        "pass_fds": list(specification.pass_fds),
        "remove": [str(path) for path in specification.remove],
        "status_fd": status_write,
    }
    log = log_path.open("ab") if log_path else None
    try:
        keeper = subprocess.Popen(  # noqa: S603 - our own interpreter and script
            [sys.executable, "-I", "-S", str(_KEEPER), json.dumps(document)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE if capture else (log or subprocess.DEVNULL),
            stderr=log or subprocess.DEVNULL,
            # Inherited, not put into the argument: arguments are open to every user of the machine.
            env=dict(os.environ if specification.env is None else specification.env),
            pass_fds=[*specification.pass_fds, status_write],
            start_new_session=True,
        )
    finally:
        os.close(status_write)
        if log:
            log.close()
    with os.fdopen(status_read) as status:
        word, _, rest = status.readline().strip().partition(" ")
    if word != "started":
        keeper.wait()
        where = f"; see {log_path}" if log_path else ""
        raise ProcessError(f"{name} could not be started: {rest or 'its keeper ended at once'}{where}")
    return SupervisedProcess(name, keeper, int(rest), log_path)


def tail(path: Path, lines: int) -> str:
    """Return the last `lines` lines of a text file; empty if there is no file."""
    try:
        with path.open(errors="replace") as stream:
            return "".join(deque(stream, maxlen=lines)).rstrip()
    except FileNotFoundError:
        return ""
