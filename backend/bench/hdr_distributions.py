"""Distributions in HdrHistogram buckets, for benchmarks and tests."""

from tailroom.domain.latency.distribution import LatencyDist, Misses
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.layouts import HdrLayout


def hdr_distribution(
    counts: Counts,
    *,
    layout: HdrLayout | None = None,
    pins: dict[int, int] | None = None,
    misses: Misses | None = None,
    sum_ns: int | None = None,
    min_ns: int | None = None,
    max_ns: int | None = None,
) -> LatencyDist:
    """Return a distribution in HdrHistogram buckets (by default unit 1 µs, three significant digits)."""
    return LatencyDist(layout or HdrLayout(), counts, pins or {}, misses or Misses(), sum_ns, min_ns, max_ns)
