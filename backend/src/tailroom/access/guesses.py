"""Decides when tokens that do not exist are too many: a bucket of guesses that refills. It slows down nobody
who has a token, because a guess is only counted after it was looked up in vain.
"""

import time

BURST = 100
PER_S = 10.0


class Guesses:
    """What is left of the guesses of one process."""

    def __init__(self) -> None:
        self._left = float(BURST)
        self._at = time.monotonic()

    def are_too_many(self) -> bool:
        """Counts one more; whether there are more than anybody mistypes."""
        now = time.monotonic()
        self._left = min(float(BURST), self._left + (now - self._at) * PER_S)
        self._at = now
        if self._left < 1.0:
            return True
        self._left -= 1.0
        return False
