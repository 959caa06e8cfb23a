"""Watching processes come and go."""

import time
from collections.abc import Callable

import psutil


def eventually(condition: Callable[[], bool], within_s: float = 5.0) -> bool:
    """Whether the condition came true in time."""
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.01)
    return condition()


def is_gone(pid: int) -> bool:
    """Whether no such process runs; one that waits to be collected by its parent does not run."""
    try:
        return bool(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True
