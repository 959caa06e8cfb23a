"""Circuit breaker: after a failure of a service, callers continue without it for a while."""

import threading
import time
from collections.abc import Callable


class CircuitBreaker:
    """State of a service: after a failure one caller tries it each `pause_s` seconds. Thread-safe."""

    def __init__(self, pause_s: float, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._pause_s = pause_s
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._open_until = float("-inf")
        self._failing = False

    def allows(self) -> bool:
        """Return whether to try the service now; after a failure only for one caller in each `pause_s`."""
        if not self._failing:
            return True
        with self._lock:
            now = self._monotonic()
            if now < self._open_until:
                return False
            self._open_until = now + self._pause_s
            return True

    def record_success(self) -> bool:
        """Record that the service answered; return whether this ended an outage."""
        if not self._failing:
            return False
        with self._lock:
            was_failing, self._failing = self._failing, False
            return was_failing

    def failed(self) -> bool:
        """Record no answer, and begin a pause of `pause_s` s; return whether it was available until now."""
        with self._lock:
            was_failing, self._failing = self._failing, True
            self._open_until = self._monotonic() + self._pause_s
            return not was_failing
