"""Intervals of a run as columns, from rows of interval, bucket and count."""

import numpy as np
import numpy.typing as npt

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.interval import UNKNOWN
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import BucketLayout


def narrowed(counts: Int64s) -> npt.NDArray[np.integer]:
    """Return the counts as 32-bit integers if all are below 2^31, else unchanged."""
    return counts.astype(np.int32) if not counts.size or int(counts.max()) < 1 << 31 else counts


def interval_records(
    layout: BucketLayout,
    start_ns: Int64s,
    duration_ns: Int64s,
    rows: tuple[Int64s, Int64s, Int64s],
    *,
    errors: Int64s | None = None,
    timeouts: Int64s | None = None,
) -> IntervalRecords:
    """Return intervals from `rows`: arrays of interval number (from 0), bucket index and count, in any order.

    Counts of the same interval and bucket are added up; everything else is as in `columns`.
    """
    interval_no, indices, counts = rows
    if not _ascends(interval_no, indices):
        order = np.lexsort((indices, interval_no))
        interval_no, indices, counts = interval_no[order], indices[order], counts[order]
        differs = np.ones(interval_no.size, dtype=bool)
        differs[1:] = (interval_no[1:] != interval_no[:-1]) | (indices[1:] != indices[:-1])
        first = np.flatnonzero(differs)
        counts = np.add.reduceat(counts, first) if first.size else counts
        interval_no, indices = interval_no[first], indices[first]
    offsets = np.searchsorted(interval_no, np.arange(start_ns.size + 1)).astype(np.int64)
    return columns(
        layout, start_ns, duration_ns, (offsets, indices, counts), errors=errors, timeouts=timeouts
    )


def columns(
    layout: BucketLayout,
    start_ns: Int64s,
    duration_ns: Int64s,
    buckets: tuple[Int64s, Int64s, Int64s],
    *,
    errors: Int64s | None = None,
    timeouts: Int64s | None = None,
) -> IntervalRecords:
    """Return intervals from `buckets`: offsets, and indices and counts of filled buckets of all intervals.

    An interval's buckets begin at its offset; the last offset is their number. Omitted errors and time-outs
    are zero; sums and extremes of latencies are unknown.
    """
    offsets, indices, counts = buckets
    size = start_ns.size
    zeros, unknown = np.zeros(size, dtype=np.int64), np.full(size, UNKNOWN, dtype=np.int64)
    return IntervalRecords(
        layout=layout,
        start_ns=start_ns,
        duration_ns=duration_ns,
        offsets=offsets,
        indices=indices,
        counts=counts,
        errors=zeros if errors is None else errors,
        timeouts=zeros if timeouts is None else timeouts,
        unfinished=zeros,
        sum_ns=unknown,
        min_ns=unknown,
        max_ns=unknown,
    )


def _ascends(interval_no: Int64s, indices: Int64s) -> bool:
    """Return whether rows ascend by interval and bucket, without duplicates."""
    later, same = interval_no[1:] > interval_no[:-1], interval_no[1:] == interval_no[:-1]
    return bool((later | (same & (indices[1:] > indices[:-1]))).all())
