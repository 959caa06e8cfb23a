"""Latencies of a run over time: counts by time column and latency range.

Buckets are added, never split: the edge of a range is an edge of a bucket, so every count is exact. Long
extents are read from minutes, short extents from intervals.
"""

import math
from collections.abc import Sequence

import numpy as np
from sqlalchemy.orm import Session

from tailroom.analysis.run_reader import RunReader
from tailroom.analysis.schemas import HeatmapColumnOut, HeatmapOut, HeatmapRowOut
from tailroom.analysis.timeline import Widths
from tailroom.domain.latency.layouts import NEVER_NS, BucketLayout
from tailroom.domain.verdicts.budget_kinds import CLOCKS, Clock
from tailroom.records import repository
from tailroom.records.rollup import layout_of
from tailroom.records.slice_columns import Int64s, SliceColumns, Sum, sums
from tailroom.storage.series import HISTOGRAM, Series
from tailroom.storage.slices import MINUTE

HEATMAP_COLUMNS = 600
"""Most columns (spans of time) of a heat map."""
HEATMAP_ROWS = 80
"""Most latency ranges of a heat map."""
_MOST_INTERVALS = 6_000
"""Extents with more intervals are read from minutes: adding this many takes about half a second."""


def first_heatmap_of(reader: RunReader) -> HeatmapOut:
    """Return the heat map of the whole run that its page shows first: of the operation of the first series,
    by response time if available.
    """
    with reader.transactions() as session:
        series = repository.series_of_kind(session, reader.run_id, HISTOGRAM)
    if not series:
        return heatmap_of(reader, "", "response")
    operation = series[0].operation
    measured = {row.clock for row in series if row.operation == operation}
    clock = next(clock for clock in CLOCKS if clock in measured)
    return heatmap_of(reader, operation, clock)


def heatmap_of(
    reader: RunReader,
    operation: str,
    clock: Clock,
    *,
    from_ns: int = 0,
    to_ns: int | None = None,
    max_columns: int = HEATMAP_COLUMNS,
) -> HeatmapOut:
    """Return the heat map of one operation by one clock, with at most `max_columns` columns of equal length
    and `HEATMAP_ROWS` latency ranges. No connection is held during the computation.
    """
    with reader.transactions() as session:
        every = repository.series_of_kind(session, reader.run_id, HISTOGRAM)
        chosen = [row for row in every if (row.operation, row.clock) == (operation, clock)]
        # A series without a device covers all devices.
        chosen = [row for row in chosen if row.device is None] or chosen
        read = [(layout_of(row), _intervals_in(session, row, from_ns, to_ns)) for row in chosen]
    read = [(layout, intervals) for layout, intervals in read if intervals.size]
    ends_ns = [int(intervals.end_ns.max()) for _, intervals in read]
    end_ns = max(ends_ns, default=from_ns) if to_ns is None else to_ns
    widths = _widths([intervals for _, intervals in read], from_ns, end_ns, max_columns)
    summed = [
        (layout, total)
        for layout, intervals in read
        for total in sums(intervals, widths.span_of(intervals.start_ns), layout)
    ]
    edges = range_edges_ns(*_filled_ns(summed))
    return HeatmapOut(
        run_id=reader.run_id,
        operation=operation,
        clock=clock,
        from_ns=from_ns,
        to_ns=end_ns,
        rows=_rows(edges, summed),
        columns=_columns(summed, edges),
    )


def _intervals_in(session: Session, series: Series, from_ns: int, to_ns: int | None) -> SliceColumns:
    """Return the intervals of a series that begin in the extent, with buckets; the minutes that overlap it if
    these are over `_MOST_INTERVALS` or any was removed.
    """
    span = repository.interval_span(session, series, from_ns, to_ns)
    if span.stored >= series.received and span.inside <= _MOST_INTERVALS:
        return repository.intervals_between(session, series, span.after_seq, span.last_seq)
    _, minutes = repository.load_slice_columns(session, series, MINUTE)
    inside = minutes.end_ns > from_ns
    if to_ns is not None:
        inside &= minutes.start_ns < to_ns
    return minutes.take(np.flatnonzero(inside))


def _widths(intervals: Sequence[SliceColumns], from_ns: int, end_ns: int, max_columns: int) -> Widths:
    """Return the widths of time columns of which at most `max_columns` touch the extent."""
    lengths = [np.median(columns.duration_ns) for columns in intervals]
    interval_ns = max(1, int(max(lengths, default=1)))
    # The grid begins at the start of the run, so the extent may touch one more column than its length holds.
    most = max(1, max_columns - 1)
    return Widths(interval_ns, interval_ns * max(1, math.ceil((end_ns - from_ns) / interval_ns / most)))


def _filled_ns(summed: Sequence[tuple[BucketLayout, Sum]]) -> tuple[Int64s, Int64s]:
    """Return the lower and upper edges (ns) of all filled buckets, distinct and ascending."""
    by_layout: dict[BucketLayout, list[Int64s]] = {}
    for layout, total in summed:
        by_layout.setdefault(layout, []).append(total.counts.indices)
    lower, upper = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for layout, indices in by_layout.items():
        edges = layout.edges_ns(np.unique(np.concatenate(indices)))
        lower.append(edges[0])
        upper.append(edges[1])
    both = np.unique(np.stack((np.concatenate(lower), np.concatenate(upper))), axis=1)
    return both[0], both[1]


def range_edges_ns(lower: Int64s, upper: Int64s) -> Int64s:
    """Return the edges (ns) of at most `HEATMAP_ROWS` latency ranges, none of which cuts a filled bucket: if
    there are too many, those nearest to evenly spaced logarithms.

    `lower` and `upper` are the edges of the filled buckets, ascending by the lower.
    """
    if not lower.size:
        return np.empty(0, np.int64)
    candidates = np.union1d(lower, upper)
    # A bucket of another layout may extend over an edge.
    reach = np.maximum.accumulate(upper)
    begun = np.searchsorted(lower, candidates, side="left")
    cut = (begun > 0) & (reach[np.maximum(begun - 1, 0)] > candidates)
    edges = candidates[~cut]
    if edges.size <= HEATMAP_ROWS + 1:
        return edges
    closed = edges[edges != NEVER_NS]
    aims = np.geomspace(max(1, int(closed[0]) or int(closed[1])), closed[-1], HEATMAP_ROWS - 1)
    # Rounding may put an aim beyond the last edge.
    nearest = np.minimum(np.searchsorted(closed, aims), closed.size - 1)
    return np.unique(np.concatenate((closed[:1], closed[nearest], closed[-1:], edges[-1:])))


def _rows(edges: Int64s, summed: Sequence[tuple[BucketLayout, Sum]]) -> list[HeatmapRowOut]:
    """Return the latency ranges between neighbouring edges (ns), each with its number of operations."""
    counts = _range_counts(summed, edges)
    upper_edges = [None if edge == NEVER_NS else edge for edge in edges.tolist()]
    return [
        HeatmapRowOut(lower_ns=int(lower), upper_ns=upper, count=count)
        for lower, upper, count in zip(edges[:-1].tolist(), upper_edges[1:], counts.tolist(), strict=True)
    ]


def _range_counts(summed: Sequence[tuple[BucketLayout, Sum]], edges: Int64s) -> Int64s:
    """Return the number of operations in each range between neighbouring `edges` (ns), of all sums."""
    counts = np.zeros(max(0, edges.size - 1), np.int64)
    for layout, total in summed:
        lower, _ = layout.edges_ns(total.counts.indices)
        np.add.at(counts, np.searchsorted(edges, lower, side="right") - 1, total.counts.counts)
    return counts


def _columns(summed: Sequence[tuple[BucketLayout, Sum]], edges: Int64s) -> list[HeatmapColumnOut]:
    """Return a column for each span of time that has an interval, in order of time."""
    groups: dict[int, list[tuple[BucketLayout, Sum]]] = {}
    for layout, total in summed:
        groups.setdefault(total.group, []).append((layout, total))
    return [_column(groups[group], edges) for group in sorted(groups)]


def _column(parts: Sequence[tuple[BucketLayout, Sum]], edges: Int64s) -> HeatmapColumnOut:
    """Return one column from the sums of all series in its span of time; `counts` begins at `first_row`."""
    counts = _range_counts(parts, edges)
    filled = np.flatnonzero(counts)
    first, last = (int(filled[0]), int(filled[-1]) + 1) if filled.size else (0, 0)
    numbers = [total.numbers for _, total in parts]
    return HeatmapColumnOut(
        start_ns=min(part["start_ns"] for part in numbers),
        duration_ns=max(part["duration_ns"] for part in numbers),
        count=int(counts.sum()),
        miss_count=sum(part["errors"] + part["timeouts"] + part["unfinished"] for part in numbers),
        first_row=first,
        counts=counts[first:last].tolist(),
    )
