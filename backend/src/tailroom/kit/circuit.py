"""Circuit breaker: after one failure of a service, its callers continue without it for a while."""

import threading
import time
from collections.abc import Callable


class CircuitBreaker:
    """Open (closed to traffic) for `pause_s` seconds after a failure; then one attempt decides again.
    Thread-safe.
    """

    def __init__(self, pause_s: float, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._pause_s = pause_s
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._open_until = float("-inf")
        self._failing = False

    def allows(self) -> bool:
        """Whether to try. While the service is away, one caller in each pause gets True and finds out."""
        if not self._failing:
            return True
        with self._lock:
            now = self._monotonic()
            if now < self._open_until:
                return False
            self._open_until = now + self._pause_s
            return True

    def succeeded(self) -> bool:
        """Notes that the service answered. True when it had been away."""
        if not self._failing:
            return False
        with self._lock:
            was_failing, self._failing = self._failing, False
            return was_failing

    def failed(self) -> bool:
        """Notes that the service did not answer. True when it had been there."""
        with self._lock:
            was_failing, self._failing = self._failing, True
            self._open_until = self._monotonic() + self._pause_s
            return not was_failing
