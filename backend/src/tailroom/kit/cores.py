"""Number of processors of this process: its CPU affinity, and in a container its share."""

import os
from pathlib import Path

_CGROUP = Path("/sys/fs/cgroup")


def usable_cores(cgroup: Path = _CGROUP) -> int:
    """Return the number of whole processors that this process may use, at least one.

    `cgroup`: folder with the limits of the container.
    """
    cores = len(os.sched_getaffinity(0))
    share = _share(cgroup)
    return cores if share is None else max(1, min(cores, int(share)))


def _share(cgroup: Path) -> float | None:
    """Return how many processors the container may use, such as 1.5; None without a limit."""
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
