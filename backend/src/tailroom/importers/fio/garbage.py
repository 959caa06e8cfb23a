"""Which numbers fio prints of a latency that it did not measure, as with `disable_clat`, `disable_slat`."""

from collections.abc import Sequence

from tailroom.domain.units import NS_PER_MS
from tailroom.importers.statements import MAX_TIME_NS

_SLACK_MS = 60_000
"""Operations that began before the end may end behind it."""
_MANY = 10


def latency_garbage(times_ns: Sequence[float], runtime_ms: int) -> bool:
    """Return whether a printed latency is impossible: too long for any latency, or for this run.

    `times_ns` begin with the smallest latency, which is garbage if it is longer than ten times the run and a
    minute.
    """
    if any(time_ns >= MAX_TIME_NS for time_ns in times_ns):
        return True
    longest_ns = _MANY * (runtime_ms + _SLACK_MS) * NS_PER_MS
    return runtime_ms > 0 and bool(times_ns) and times_ns[0] > longest_ns
