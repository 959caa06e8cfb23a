"""Number of processors that this process may use, and threads for calculations that can run in parallel.

Numpy and ISA-L release the interpreter lock. Functions in these threads must not use a database connection.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
_CGROUP = Path("/sys/fs/cgroup")


def usable_cores(cgroup: Path = _CGROUP) -> int:
    """Return the number of processors that this process may use, at least one.

    It is the smaller of the CPU affinity and the container's limit, rounded down. `cgroup`: folder with the
    container's control files.
    """
    cores = len(os.sched_getaffinity(0))
    quota = _container_cores(cgroup)
    return cores if quota is None else max(1, min(cores, int(quota)))


def _container_cores(cgroup: Path) -> float | None:
    """Return how many processors the container may use, such as 1.5; None if not limited or not known."""
    try:
        quota, period = (cgroup / "cpu.max").read_text().split()
        return None if quota == "max" else int(quota) / int(period)
    except (OSError, ValueError):
        pass
    try:
        limit = int((cgroup / "cpu" / "cpu.cfs_quota_us").read_text())
        return None if limit <= 0 else limit / int((cgroup / "cpu" / "cpu.cfs_period_us").read_text())
    except (OSError, ValueError):
        return None


@contextmanager
def calculation_threads(cores: int | None = None) -> Iterator["CalculationThreads"]:
    """Yield `CalculationThreads` with `cores` threads, by default as many as `usable_cores`.

    With one core there are no further threads: functions run in the calling thread.
    """
    count = usable_cores() if cores is None else cores
    if count <= 1:
        yield CalculationThreads(None)
        return
    with ThreadPoolExecutor(count, thread_name_prefix="calculating") as pool:
        yield CalculationThreads(pool)


class CalculationThreads:
    """Runs functions in threads of `pool`; None: in the calling thread, when a result is read."""

    def __init__(self, pool: ThreadPoolExecutor | None) -> None:
        self._pool = pool

    def begin(self, work: Callable[[], _Result]) -> Callable[[], _Result]:
        """Start a function; return a callable that waits for its result or error. Call that once."""
        return work if self._pool is None else self._pool.submit(work).result

    def map(self, work: Callable[[_Item], _Result], items: Sequence[_Item]) -> Iterable[_Result]:
        """Return the results of `work` for the items, in their order; reading a result raises its error."""
        return map(work, items) if self._pool is None else self._pool.map(work, items)

    def all(self, works: Iterable[Callable[[], _Result]]) -> list[_Result]:
        """Run all functions; return their results in order, or raise the first error in that order."""
        return [result() for result in [self.begin(work) for work in works]]
