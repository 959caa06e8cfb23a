"""Between which times a quantile lies, given a sample in buckets.

Order statistics need no assumption on the law: with a chance of at least 1 − error the true quantile lies
between two ranks of the sample. A rank is known to the bucket that holds it, so the interval goes from the
lower edge of one bucket to the upper edge of another. Source: docs/method.md 2.2, 2.5.
"""

from collections.abc import Callable

from tailroom.domain.confidence.effective_samples import DesignEffect
from tailroom.domain.confidence.shares import quantile_ranks_effective
from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import LatencyDist, TimeBounds
from tailroom.domain.latency.record import LatencyRecord


class SampleSizeUnknown(DomainError):
    """Confidence limits need the number of operations, which the source does not state."""


def quantile_interval(
    record: LatencyRecord,
    quantile: float,
    *,
    error: float = 0.05,
    effect_at: Callable[[int], DesignEffect] | None = None,
) -> TimeBounds:
    """Return two-sided limits of a quantile in ns; misses count as slower than any latency.

    `upper_ns` is None if the sample or the record has no upper limit, `lower_ns` 0 if there is no lower
    limit. `effect_at` gives the design effect at a time in ns, by which clumped operations count as fewer:
    the larger of the effects at both ends of the bucket that holds the quantile counts. Raise
    `SampleSizeUnknown` if the number of operations is unknown, another `DomainError` if it is 0.
    """
    total = known_total(record)
    factor = 1.0
    if effect_at is not None:
        at = record.quantile_bounds(quantile)
        factor = max(effect_at(end).factor for end in (at.lower_ns, at.upper_ns) if end is not None)
    ranks = quantile_ranks_effective(total, quantile, error, factor)
    lower_ns = rank_bounds(record, ranks.lower).lower_ns if ranks.lower else 0
    upper_ns = None if ranks.upper is None else rank_bounds(record, ranks.upper).upper_ns
    return TimeBounds(lower_ns, upper_ns)


def rank_bounds(record: LatencyRecord, rank: int) -> TimeBounds:
    """Return bounds in ns of the latency with this rank (1 = fastest; misses rank last).

    `upper_ns` is None for a miss or without an upper bound. Raise `SampleSizeUnknown` if the number of
    operations is unknown, another `DomainError` for a rank below 1 or over that number; `ZeroDivisionError`
    without operations, unless the record is a `LatencyDist`.
    """
    if isinstance(record, LatencyDist):
        return record.rank_bounds(rank)
    # Half a rank less asks for the same operation, and cannot be rounded up to the next one.
    return record.quantile_bounds((rank - 0.5) / known_total(record))


def known_total(record: LatencyRecord) -> int:
    """Return the number of operations, misses included. Raise `SampleSizeUnknown` if it is not stated."""
    if record.total is None:
        raise SampleSizeUnknown("the source does not say how many operations there were: no limits")
    return record.total
