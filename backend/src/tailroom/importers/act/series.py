"""Columns of one histogram as a series: exact counts since 2.0, bounds of shares before.

Before 2.0 ACT counts whole milliseconds between two clock readings. Bucket n holds differences of 2^n to
below 2^(n+1) ms (bucket 00 those of 0 and 1), and a difference of d means a latency between d − 1 and d + 1
ms. Neighbouring buckets overlap by a millisecond, which no exact buckets can express. Source: docs/method.md
5.1, `pow2-legacy`.
"""

import numpy as np

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.distribution import Misses
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.latency.layouts import Pow2Layout
from tailroom.domain.units import NS_PER_MS, NS_PER_S, ceil_div
from tailroom.importers.act.configuration import Configuration
from tailroom.importers.act.counters import HistogramIntervals
from tailroom.importers.act.generations import ActLogGeneration, Tag, bucket_description, clock_description
from tailroom.importers.columns import columns
from tailroom.importers.parsed_run import ParsedSeries, Period

PERIODS_MAX = 1500
"""Most periods of a run before 2.0: bounds take memory, so that a day is stored by the minute."""

_LENGTHS_S = (1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600)


def parsed_series(
    tag: Tag, name: str, histogram: HistogramIntervals, errors: Int64s, head: Configuration
) -> ParsedSeries:
    """Return the series: intervals since 2.0, periods before; `errors`: failed operations by interval."""
    unit_ns = head.unit_ns or NS_PER_MS
    clock = clock_description(tag, head.generation, head.kind)
    semantics = f"{clock}; {bucket_description(head.generation, unit_ns)}"
    intervals = _records(Pow2Layout(unit_ns), histogram, errors)
    if head.generation is ActLogGeneration.LEGACY:
        # The edges of this layout are not those of the buckets: only the counts are used.
        return _legacy_series(tag, name, intervals, semantics)
    return ParsedSeries(
        operation=tag.operation,
        clock=tag.clock,
        record=intervals.total(),
        device=tag.device,
        intervals=intervals,
        semantics=semantics,
        source_name=name,
    )


def _records(layout: Pow2Layout, histogram: HistogramIntervals, errors: Int64s) -> IntervalRecords:
    """Return the counts of `histogram`, with `errors`, as intervals that follow each other from 0 on."""
    end_s, lengths, buckets, counts = histogram.columns()
    end_ns = end_s * NS_PER_S
    start_ns = np.concatenate((np.zeros(1, np.int64), end_ns[:-1]))
    offsets = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths)))
    return columns(
        layout, start_ns, end_ns - start_ns, (offsets, buckets.astype(np.int64), counts), errors=errors
    )


def _legacy_series(tag: Tag, name: str, records: IntervalRecords, semantics: str) -> ParsedSeries:
    """Return the series with bounds of its distribution, of the whole run and in up to 1,500 periods."""
    total = records.grouped(np.zeros(records.size, np.int64))
    intervals = records.grouped(_groups(records))
    return ParsedSeries(
        operation=tag.operation,
        clock=tag.clock,
        record=_statements(total, 0, semantics),
        device=tag.device,
        semantics=semantics,
        source_name=name,
        periods=tuple(
            Period(start_ns, duration_ns, _statements(intervals, position, semantics))
            for position, (start_ns, duration_ns) in enumerate(
                zip(intervals.start_ns.tolist(), intervals.duration_ns.tolist(), strict=True)
            )
        ),
    )


def _groups(records: IntervalRecords) -> Int64s:
    """Return a group number for each interval: groups of the shortest length that makes 1,500 at most.

    If groups of an hour are too many, there are 1,500 groups with equal numbers of intervals.
    """
    usual_s = max(1, int(np.median(records.duration_ns)) // NS_PER_S)
    for length_s in _LENGTHS_S:
        groups: Int64s = records.start_ns // (ceil_div(length_s, usual_s) * usual_s * NS_PER_S)
        if np.unique(groups).size <= PERIODS_MAX:
            return groups
    return np.arange(records.size) * PERIODS_MAX // records.size


def _statements(records: IntervalRecords, position: int, semantics: str) -> KnotsRecord:
    """Return the record of the interval at `position`: bounds of its distribution at its buckets' edges.

    Operations up to bucket b are certainly below 2^(b+1) ms, those beyond it certainly over 2^(b+1) − 1 ms.
    """
    begin, end = int(records.offsets[position]), int(records.offsets[position + 1])
    buckets, counts = records.indices[begin:end], records.counts[begin:end]
    size = int(buckets[-1]) + 1 if buckets.size else 0
    below = np.zeros(size, np.int64)
    below[buckets] = counts
    below = np.cumsum(below)
    total = int(below[-1]) if size else 0
    shares = (below / max(total, 1)).tolist()
    knots = []
    for bucket, share in enumerate(shares):
        limit_ns = (2 << bucket) * NS_PER_MS
        knots.append((limit_ns - NS_PER_MS + 1, shares[bucket - 1] if bucket else 0.0, share))
        knots.append((limit_ns, share, shares[min(bucket + 1, size - 1)]))
    misses = Misses(errors=int(records.errors[position]))
    return KnotsRecord(tuple(knots), total, misses=misses, semantics=semantics)
