"""Latencies of a run over time as cells: a stretch of time by a range of latencies.

Buckets are added up, never split: an edge of a range is an edge of a bucket, so every count is exact. Long
stretches are read from minutes, short ones from intervals, so that a day takes no longer than a minute.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sqlalchemy.orm import Session

from tailroom.analysis.reading import Reading
from tailroom.analysis.schemas import HeatmapColumnOut, HeatmapOut, HeatmapRowOut
from tailroom.analysis.timeline import Widths
from tailroom.domain.latency.layouts import NEVER_NS, Layout
from tailroom.domain.verdicts.budget_kinds import CLOCKS, Clock
from tailroom.records import repository
from tailroom.records.pieces import Int64s, SliceColumns, Sum, sums
from tailroom.records.rollup import layout_of
from tailroom.storage.series import HISTOGRAM, Series
from tailroom.storage.slices import MINUTE

HEATMAP_COLUMNS = 600
HEATMAP_ROWS = 80
_MOST_INTERVALS = 6_000
"""More than these are read as minutes: reading and adding up so many takes about half a second."""


@dataclass(frozen=True, slots=True)
class Extent:
    """What is asked for: `[from_ns, to_ns)` since the start of the run, all of it where there is no end."""

    from_ns: int = 0
    to_ns: int | None = None


def first_heatmap_of(reading: Reading) -> HeatmapOut:
    """The whole run, of the operation that it names first, by response time where it has one: what its page
    begins with. Without columns where it has no histograms.
    """
    with reading.transactions() as session:
        series = repository.series_of_kind(session, reading.run_id, HISTOGRAM)
    if not series:
        return HeatmapOut(
            run_id=reading.run_id,
            operation="",
            clock="response",
            from_ns=0,
            to_ns=0,
            rows=[],
            columns=[],
        )
    operation = series[0].operation
    measured = {one.clock for one in series if one.operation == operation}
    clock = next(one for one in CLOCKS if one in measured)
    return heatmap_of(reading, operation, clock, Extent())


def heatmap_of(
    reading: Reading, operation: str, clock: Clock, extent: Extent, max_columns: int = HEATMAP_COLUMNS
) -> HeatmapOut:
    """Cells of one operation on one clock; without columns where it has no histograms there.

    At most `max_columns` stretches of equal length and `HEATMAP_ROWS` ranges. Nothing is worked out while a
    connection is held.
    """
    with reading.transactions() as session:
        every = repository.series_of_kind(session, reading.run_id, HISTOGRAM)
        asked = [one for one in every if (one.operation, one.clock) == (operation, clock)]
        # A series that names no device speaks of all of them.
        asked = [one for one in asked if one.device is None] or asked
        read = [(layout_of(one), _pieces(session, one, extent)) for one in asked]
    read = [(layout, pieces) for layout, pieces in read if pieces.size]
    ends_ns = [int(pieces.end_ns.max()) for _, pieces in read]
    end_ns = max(ends_ns, default=extent.from_ns) if extent.to_ns is None else extent.to_ns
    widths = _widths([pieces for _, pieces in read], extent.from_ns, end_ns, max_columns)
    summed = [
        (layout, total)
        for layout, pieces in read
        for total in sums(pieces, widths.stretch_of(pieces.start_ns), layout)
    ]
    edges = _edges_ns(summed)
    return HeatmapOut(
        run_id=reading.run_id,
        operation=operation,
        clock=clock,
        from_ns=extent.from_ns,
        to_ns=end_ns,
        rows=_rows(edges, summed),
        columns=_columns(summed, edges),
    )


def _pieces(session: Session, series: Series, extent: Extent) -> SliceColumns:
    """Intervals that begin in the extent; minutes where these are too many, or have been removed."""
    found = repository.interval_span(session, series, extent.from_ns, extent.to_ns)
    if found.stored >= series.received and found.inside <= _MOST_INTERVALS:
        return repository.intervals_between(session, series, found.after_seq, found.last_seq)
    _, minutes = repository.slice_pieces(session, series, MINUTE)
    inside = minutes.end_ns > extent.from_ns
    if extent.to_ns is not None:
        inside &= minutes.start_ns < extent.to_ns
    return minutes.at(np.flatnonzero(inside))


def _widths(pieces: Sequence[SliceColumns], from_ns: int, end_ns: int, max_columns: int) -> Widths:
    lengths = [np.median(one.duration_ns) for one in pieces]
    piece_ns = max(1, int(max(lengths, default=1)))
    # Stretches lie on a grid from offset 0, so the extent may cut one more than its length holds.
    most = max(1, max_columns - 1)
    return Widths(piece_ns, piece_ns * max(1, math.ceil((end_ns - from_ns) / piece_ns / most)))


def _filled_ns(summed: Sequence[tuple[Layout, Sum]]) -> tuple[Int64s, Int64s]:
    """Lower and upper edges of all buckets that hold something, each once, ascending."""
    by_layout: dict[Layout, list[Int64s]] = {}
    for layout, total in summed:
        by_layout.setdefault(layout, []).append(total.counts.indices)
    lower, upper = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for layout, indices in by_layout.items():
        ends = layout.edges_ns(np.unique(np.concatenate(indices)))
        lower.append(ends[0])
        upper.append(ends[1])
    both = np.unique(np.stack((np.concatenate(lower), np.concatenate(upper))), axis=1)
    return both[0], both[1]


def _edges_ns(summed: Sequence[tuple[Layout, Sum]]) -> Int64s:
    """Ascending edges of the ranges, one more than there are ranges; none of them cuts a filled bucket."""
    lower, upper = _filled_ns(summed)
    if not lower.size:
        return np.empty(0, np.int64)
    candidates = np.union1d(lower, upper)
    # A bucket of another layout may reach over an edge.
    reach = np.maximum.accumulate(upper)
    begun = np.searchsorted(lower, candidates, side="left")
    cut = (begun > 0) & (reach[np.maximum(begun - 1, 0)] > candidates)
    edges = candidates[~cut]
    if edges.size <= HEATMAP_ROWS + 1:
        return edges
    closed = edges[edges != NEVER_NS]
    aims = np.geomspace(max(1, int(closed[0]) or int(closed[1])), closed[-1], HEATMAP_ROWS - 1)
    nearest = np.minimum(np.searchsorted(closed, aims), closed.size - 1)
    return np.unique(np.concatenate((closed[:1], closed[nearest], closed[-1:], edges[-1:])))


def _rows(edges: Int64s, summed: Sequence[tuple[Layout, Sum]]) -> list[HeatmapRowOut]:
    counts = np.zeros(max(0, edges.size - 1), np.int64)
    for layout, total in summed:
        counts += _counted(layout, total, edges)
    ends = [None if end == NEVER_NS else end for end in edges.tolist()]
    return [
        HeatmapRowOut(lower_ns=int(lower), upper_ns=upper, count=count)
        for lower, upper, count in zip(edges[:-1].tolist(), ends[1:], counts.tolist(), strict=True)
    ]


def _counted(layout: Layout, total: Sum, edges: Int64s) -> Int64s:
    """Operations in each range."""
    lower, _ = layout.edges_ns(total.counts.indices)
    row = np.searchsorted(edges, lower, side="right") - 1
    found = np.zeros(max(0, edges.size - 1), np.int64)
    np.add.at(found, row, total.counts.counts)
    return found


def _columns(summed: Sequence[tuple[Layout, Sum]], edges: Int64s) -> list[HeatmapColumnOut]:
    groups: dict[int, list[tuple[Layout, Sum]]] = {}
    for layout, total in summed:
        groups.setdefault(total.group, []).append((layout, total))
    return [_column(groups[group], edges) for group in sorted(groups)]


def _column(parts: Sequence[tuple[Layout, Sum]], edges: Int64s) -> HeatmapColumnOut:
    counts = np.sum([_counted(layout, total, edges) for layout, total in parts], axis=0)
    filled = np.flatnonzero(counts)
    first, last = (int(filled[0]), int(filled[-1]) + 1) if filled.size else (0, 0)
    numbers = [total.numbers for _, total in parts]
    return HeatmapColumnOut(
        start_ns=min(one["start_ns"] for one in numbers),
        duration_ns=max(one["duration_ns"] for one in numbers),
        count=int(counts.sum()),
        miss_count=sum(one["errors"] + one["timeouts"] + one["unfinished"] for one in numbers),
        first_row=first,
        counts=counts[first:last].tolist(),
    )
