"""Supervision of Tailroom's processes, which end in the right order within five seconds.

A process that dies is reported with the end of its log and started again with back-off; the others continue.
"""

import contextlib
import os
import shutil
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tailroom.embedded.console import Console
from tailroom.embedded.process import ProcessError, SupervisedProcess

STOP_WITHIN_S = 4.2
_CHECK_EVERY_S = 0.2
_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 30.0
_STEADY_AFTER_S = 60.0
"""A service that has run for longer gets the shortest pause again."""
_LOG_LIMIT_BYTES = 20 * 2**20


@dataclass(slots=True)
class Service:
    """A supervised process, how it is restarted, and when it is stopped."""

    name: str
    process: SupervisedProcess
    restart: Callable[[], SupervisedProcess]
    """Starts the service again and returns its new process. Raises ProcessError."""
    stop_stage: int
    """Lower stages stop first."""
    pause_s: float = _FIRST_PAUSE_S
    """Seconds before the next restart."""
    started_at: float = field(default_factory=time.monotonic)
    """Time of the last start by `time.monotonic`."""
    next_attempt: float | None = None
    """Time of the next restart by `time.monotonic`; None while the service runs."""


class Supervisor:
    """Restarts services that end, in a thread of its own, and stops all in order."""

    def __init__(self, console: Console, log_limit_bytes: int = _LOG_LIMIT_BYTES) -> None:
        self._console = console
        self._log_limit_bytes = log_limit_bytes
        self._services: list[Service] = []
        self._adopted: list[SupervisedProcess] = []
        self._lock = threading.RLock()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def add(
        self,
        name: str,
        process: SupervisedProcess,
        restart: Callable[[], SupervisedProcess],
        *,
        stop_stage: int,
    ) -> None:
        """Supervise a started process; `restart` starts it again. Lower stages stop first."""
        with self._lock:
            self._services.append(Service(name, process, restart, stop_stage))

    def adopt(self, process: SupervisedProcess) -> None:
        """Add a process that is stopped before all services and never restarted."""
        with self._lock:
            self._adopted = [
                *(other_process for other_process in self._adopted if other_process.poll() is None),
                process,
            ]

    def watch(self) -> None:
        """Start the thread that restarts services that end and limits their logs."""
        self._thread = threading.Thread(target=self._watch, name="supervisor", daemon=True)
        self._thread.start()

    def processes(self) -> dict[str, SupervisedProcess]:
        """Return the current process of each service, by its name."""
        with self._lock:
            return {service.name: service.process for service in self._services}

    def require_alive(self, names: Sequence[str]) -> None:
        """Raise ProcessError if one of these services has ended; used before `watch`."""
        for name, process in self.processes().items():
            if name in names and process.poll() is not None:
                raise ProcessError(f"{_exit_message(name, process)}")

    def stop(self, within_s: float = STOP_WITHIN_S) -> None:
        """Stop all services stage by stage within `within_s` seconds; kill those that take too long."""
        self._stopping.set()
        with self._lock:
            deadline = time.monotonic() + within_s
            # An agent reports to the API that it was stopped, so the API must still run.
            stop_together(self._adopted, within_s * 0.4)
            stages = sorted({service.stop_stage for service in self._services})
            for position, stage in enumerate(stages):
                members = [service.process for service in self._services if service.stop_stage == stage]
                share = (deadline - time.monotonic()) * (0.6 if position < len(stages) - 1 else 0.9)
                stop_together(members, share)

    def kill(self) -> None:
        """Have all processes killed at once, without waiting for their end; none is restarted any more."""
        self._stopping.set()
        for process in [*self._adopted, *(service.process for service in self._services)]:
            process.request_kill()

    def _watch(self) -> None:
        """Restart services that have ended and limit logs, every 0.2 s until `stop` or `kill`."""
        while not self._stopping.wait(_CHECK_EVERY_S):
            with self._lock:
                if self._stopping.is_set():
                    return
                for service in self._services:
                    self._restart_if_ended(service)
                    self._limit_log(service)

    def _limit_log(self, service: Service) -> None:
        if (log_path := service.process.log_path) is not None:
            # A full disk must not end the thread that restarts processes.
            with contextlib.suppress(OSError):
                rotate_log(log_path, self._log_limit_bytes)

    def _restart_if_ended(self, service: Service) -> None:
        """Report a service that has ended, and restart it after its pause; double the next pause."""
        now = time.monotonic()
        if service.next_attempt is None:
            if service.process.poll() is None:
                if now - service.started_at > _STEADY_AFTER_S:
                    service.pause_s = _FIRST_PAUSE_S
                return
            service.next_attempt = now + service.pause_s
            self._console.line(_exit_message(service.name, service.process))
            self._console.line(
                f"  starting {service.name} again in {service.pause_s:g} s; the rest keeps running"
            )
            service.pause_s = min(service.pause_s * 2, _LONGEST_PAUSE_S)
        elif now >= service.next_attempt:
            service.next_attempt = None
            service.started_at = now
            try:
                service.process = service.restart()
            except (ProcessError, OSError) as error:  # OSError: its log cannot be opened, no process is left
                service.next_attempt = now + service.pause_s
                service.pause_s = min(service.pause_s * 2, _LONGEST_PAUSE_S)
                self._console.line(f"  {service.name} did not start: {error}")
            else:
                self._console.line(f"  {service.name} runs again")


def stop_together(processes: Sequence[SupervisedProcess], within_s: float) -> None:
    """Stop several processes at once; kill those that still run after `within_s` seconds."""
    deadline = time.monotonic() + within_s
    for process in processes:
        process.request_stop()
    for process in processes:
        try:
            process.wait(max(0.0, deadline - time.monotonic()))
        except TimeoutError:
            process.kill()


def rotate_log(path: Path, limit_bytes: int = _LOG_LIMIT_BYTES) -> None:
    """Move the content of a log larger than `limit_bytes` to a file with `.1` appended to its name.

    The writer has the log open for appending, so it is copied and truncated. Lines written in between are
    lost.
    """
    if path.exists() and path.stat().st_size > limit_bytes:
        shutil.copyfile(path, path.with_suffix(path.suffix + ".1"))
        os.truncate(path, 0)


def _exit_message(name: str, process: SupervisedProcess) -> str:
    code = process.poll()
    outcome = (
        f"was ended by signal {code - 128}"
        if code is not None and code > 128
        else f"ended with exit code {code}"
    )
    shown = "\n".join(f"    {line}" for line in process.log_tail().splitlines())
    return f"! {name} {outcome}; the end of its log ({process.log_path}):\n{shown}"
