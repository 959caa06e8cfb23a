"""The interface of all records of latencies: shares, quantiles and distributions, always with bounds.

Three kinds of record exist: exact counts in buckets (`LatencyDist`), statements about the distribution
function such as published percentiles (`KnotsRecord`), and several records of unequal layouts side by side
(`MergedRecord`). Source: docs/method.md sections 0 and 5.1.
"""

from typing import Protocol, runtime_checkable

from tailroom.domain.latency.bounds import Int64s, LatencyBounds
from tailroom.domain.latency.distribution import CountBounds, Misses, TimeBounds


@runtime_checkable
class LatencyRecord(Protocol):
    """Latencies of an operation on one clock (response or service time, for example).

    A miss (error, time-out, unfinished operation) counts against every SLA: it is below no time.
    """

    @property
    def total(self) -> int | None:
        """Number of operations with a latency, plus misses; None if the source does not state it."""
        ...

    @property
    def misses(self) -> Misses:
        """Number of errors, time-outs and unfinished operations."""
        ...

    @property
    def mean_ns(self) -> tuple[float, float] | None:
        """Bounds in ns of the mean of the answered operations; None without answered operations or an upper
        bound.
        """
        ...

    def cdf_bounds(self, time_ns: int) -> tuple[float, float]:
        """Return the bounds of the share of all operations, with misses, strictly below a time.

        Raise DistributionEmpty without operations.
        """
        ...

    def at_or_over(self, threshold_ns: int) -> CountBounds:
        """Return bounds of the number of operations at or above a threshold, with misses.

        Raise CountsUnknown without a `total`.
        """
        ...

    def quantile_bounds(self, quantile: float) -> TimeBounds:
        """Return bounds in ns of the smallest time at or below which at least this share of operations,
        misses included, ended; no upper bound if the quantile is a miss or the record does not limit it.

        Raise a DomainError for a quantile outside 0 to 1, and without operations, unless the record is a
        `KnotsRecord`.
        """
        ...

    def below_each(self, times_ns: Int64s) -> tuple[Int64s, Int64s]:
        """Return the lower and the upper bounds of the number of operations strictly below each time.

        Raise CountsUnknown without a `total`.
        """
        ...

    def edges_ns(self) -> Int64s:
        """Return the ascending times in ns at which the bounds of the share may change."""
        ...

    def bounds(self) -> LatencyBounds:
        """Return the early, middle and late distribution. Raise DistributionEmpty without operations."""
        ...
