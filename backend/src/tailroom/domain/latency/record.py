"""The one door of the analysis, whatever was recorded: shares, quantiles and laws, always with both ends.

Three kinds of record exist: exact counts in buckets (`LatencyDist`), statements about the distribution
function such as published percentiles (`KnotsRecord`), and several records of unequal layouts side by side
(`MergedRecord`). Source: docs/method.md sections 0 and 5.1.
"""

from typing import Protocol, runtime_checkable

from tailroom.domain.latency.bounds import Int64s, LatencyBounds
from tailroom.domain.latency.distribution import CountBounds, Misses, TimeBounds


@runtime_checkable
class LatencyRecord(Protocol):
    """What is known of one operation on one clock. Misses count against every SLA: never below a time."""

    @property
    def total(self) -> int | None:
        """Operations with a latency, and misses; none where the source does not say how many there were."""
        ...

    @property
    def misses(self) -> Misses:
        """Errors, time-outs, unfinished operations."""
        ...

    @property
    def mean_ns(self) -> tuple[float, float] | None:
        """Lower and upper end of the mean of the answered operations; none where it has no upper end."""
        ...

    def cdf_bounds(self, time_ns: int) -> tuple[float, float]:
        """Lower and upper end of the share of all operations strictly below a time."""
        ...

    def at_or_over(self, threshold_ns: int) -> CountBounds:
        """Operations at or above a threshold, misses among them. Refused where `total` is none."""
        ...

    def quantile_bounds(self, quantile: float) -> TimeBounds:
        """Where the smallest time lies below or at which at least this share of all operations ended."""
        ...

    def below_each(self, times_ns: Int64s) -> tuple[Int64s, Int64s]:
        """Least and most operations strictly below each time; refused without a count."""
        ...

    def edges_ns(self) -> Int64s:
        """Ascending times at which the record says more than between them."""
        ...

    def bounds(self) -> LatencyBounds:
        """Early, middle and late law."""
        ...
