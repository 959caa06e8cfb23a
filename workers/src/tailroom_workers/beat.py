"""Beat in several copies: the holder of the lease sends tasks, the other copies wait."""

from typing import Any

from celery.beat import Scheduler

from tailroom.kit.lease import Lease
from tailroom.kit.settings import get_settings
from tailroom.kit.valkey import make_client

_HOLDS_S = 5.0
"""Seconds after which a lease that is not renewed ends."""
_LOOK_EVERY_S = 1.0
"""Seconds between attempts to get or renew the lease."""


class LeasedScheduler(Scheduler):  # type: ignore[misc]  # Celery has no types
    """Celery's scheduler, which sends tasks only while this process has the lease."""

    def __init__(self, *args: Any, **options: Any) -> None:
        """Create a scheduler with a lease that it does not have yet."""
        self._lease = Lease(make_client(get_settings().redis_url), "beat", _HOLDS_S)
        super().__init__(*args, **options)

    def tick(self, *args: Any, **options: Any) -> float:
        """Send the due tasks if this process has the lease; return the seconds until the next check."""
        if not self._lease.hold():
            return _LOOK_EVERY_S
        wait_s: float = super().tick(*args, **options)
        return min(_LOOK_EVERY_S, wait_s)

    def close(self) -> None:
        """Release the lease, so that another copy takes over at once, and close the scheduler."""
        self._lease.release()
        super().close()
