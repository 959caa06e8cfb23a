"""The keeper: a tiny parent for one server process that ends it when its own starter is gone.

Run as a script with the interpreter's `-I -S` (standard library only, no site packages). Standard input is a
pipe whose only writing end is open in the starter: `stop` requests an orderly end, `kill` an immediate one,
and the end of the file (the starter has died) counts as `stop`. The parent-death signal of Linux alone is not
sufficient: it is tied to the *thread* that started the child, and cleared when the child changes its user. It
is set as well, for the case that the keeper itself is killed.

The first argument is `Specification` in `process.py` as a JSON object.
"""

import ctypes
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from typing import Any

PR_SET_PDEATHSIG = 1
ORPHAN_EXIT = 125
"""Exit code of a child whose keeper died before the child could bind itself to it."""


def main() -> int:
    """Start the process of the specification, wait for its end or a request to end, and kill its group.

    Return its exit code, 128 + n for signal n, 127 if it could not be started. The folders to remove are
    deleted unless it ended by itself: it may then be started again in them.
    """
    spec: dict[str, Any] = json.loads(sys.argv[1])
    wake_read, wake_write = os.pipe()
    os.set_blocking(wake_write, False)
    signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        # Handlers, not SIG_IGN: the server would inherit an ignored signal.
        signal.signal(number, lambda _number, _frame: None)
    try:
        child = _start(spec)
    except OSError as error:
        _report(spec, f"failed {error}")
        _remove(spec["remove"])
        return 127
    _report(spec, f"started {child.pid}")
    _close_passed(spec)
    signal_number = _wait(
        child, wake_read, [(signal.Signals[name], seconds) for name, seconds in spec["stop"]]
    )
    _kill_group(child.pid)
    if signal_number:  # a server that ended by itself may be started again in the same place
        _remove(spec["remove"])
    return child.returncode if child.returncode >= 0 else 128 - child.returncode


def _start(spec: dict[str, Any]) -> "subprocess.Popen[bytes]":
    """Start the process of the specification; it gets its first stop signal if the keeper dies."""
    keeper = os.getpid()
    libc = ctypes.CDLL(None, use_errno=True)

    def bind_to_keeper() -> None:
        libc.prctl(PR_SET_PDEATHSIG, signal.Signals[spec["stop"][0][0]], 0, 0, 0)
        if os.getppid() != keeper:
            os._exit(ORPHAN_EXIT)

    options: dict[str, Any] = {}
    if spec["uid"] is not None:
        options = {"user": spec["uid"], "group": spec["gid"], "extra_groups": []}
    return subprocess.Popen(  # noqa: S603 - the specification comes from our own process.py
        spec["argv"],
        stdin=subprocess.DEVNULL,
        cwd=spec["cwd"],
        umask=0o077,
        pass_fds=spec["pass_fds"],
        start_new_session=True,
        preexec_fn=bind_to_keeper,  # noqa: PLW1509 - the keeper has a single thread
        **options,
    )


def _wait(
    child: "subprocess.Popen[bytes]", wake_read: int, stages: list[tuple[signal.Signals, float]]
) -> bool:
    """Wait for the child; return whether it was ended on request, or because the starter is gone."""
    control = sys.stdin.fileno()
    watched = [control, wake_read]
    remaining = [*stages, (signal.SIGKILL, 3600.0)]
    deadline: float | None = None
    while child.poll() is None:
        timeout = None if deadline is None else max(0.0, deadline - time.monotonic())
        ready, _, _ = select.select(watched, [], [], timeout)
        escalate = deadline is not None and time.monotonic() >= deadline
        if wake_read in ready and any(number != signal.SIGCHLD for number in os.read(wake_read, 64)):
            escalate = escalate or deadline is None
        if control in ready:
            commands = os.read(control, 64)
            if b"kill" in commands:
                remaining = remaining[-1:]
                escalate = True
            elif deadline is None:
                escalate = True
            if not commands:
                watched.remove(control)
        if escalate and child.poll() is None:
            number, seconds = remaining.pop(0) if len(remaining) > 1 else remaining[0]
            if number == signal.SIGKILL:
                _kill_group(child.pid)
            child.send_signal(number)
            deadline = time.monotonic() + seconds
    return deadline is not None or not _still_held(control)


def _still_held(control: int) -> bool:
    """Return whether the starter is alive and has requested nothing more: its pipe is open and empty."""
    ready, _, _ = select.select([control], [], [], 0)
    return not ready


def _kill_group(group: int) -> None:
    """Kill a process group; no error if the group is gone or not ours."""
    try:
        os.killpg(group, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _report(spec: dict[str, Any], line: str) -> None:
    """Send the starter one line about the start, `started PID` or `failed REASON`, and close that pipe."""
    try:
        os.write(spec["status_fd"], f"{line}\n".encode())
    except OSError:
        return  # the starter is gone already; its pipe says so in a moment
    finally:
        os.close(spec["status_fd"])


def _close_passed(spec: dict[str, Any]) -> None:
    """Close the descriptors that were passed to the server, and the keeper's copy of its output."""
    for descriptor in spec["pass_fds"]:
        os.close(descriptor)
    # The server's output belongs to the server: let its reader see the end of the file when the server ends.
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.close(null)


def _remove(paths: list[str]) -> None:
    for path in paths:
        shutil.rmtree(path, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
