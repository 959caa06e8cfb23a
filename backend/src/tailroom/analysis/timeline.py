"""A run over time: counts from ticks, percentiles from histograms, both gathered into at most so many points.

Percentiles are never averaged: the histograms of a stretch are added up first. A stretch is a whole number of
intervals, the same number everywhere.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any, TypeAlias

import numpy as np
from sqlalchemy.orm import Session

from tailroom.analysis.limits import limits_of
from tailroom.analysis.reading import Reading
from tailroom.analysis.schemas import (
    LimitOut,
    PercentilePointOut,
    TicksOut,
    TimelineOut,
    TimelineSeriesOut,
)
from tailroom.budgets.service import budgets_shown
from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.interval import COLUMNS, UNKNOWN, Column
from tailroom.domain.latency.many_quantiles import Records, many_quantiles
from tailroom.domain.units import NS_PER_MINUTE
from tailroom.domain.verdicts.budget import Budget
from tailroom.domain.verdicts.validity import ratio_of_ppm
from tailroom.kit.processors import on_processors
from tailroom.records import repository
from tailroom.records.pieces import (
    BucketCounts,
    Int64s,
    SliceColumns,
    Sum,
    added_up,
    joined,
    read_and_added_up,
    sums,
)
from tailroom.records.rollup import layout_of
from tailroom.records.run_record import distribution_of
from tailroom.storage.series import HISTOGRAM, TICK, Series
from tailroom.storage.slices import MINUTE, TEN_MINUTES

COLUMN_OF = {one.name: one for one in COLUMNS}
_MOST_PERCENTILE_POINTS = 300
_QUANTILES = (("p50", 0.5), ("p99", 0.99), ("p999", 0.999))


@dataclass(frozen=True, slots=True)
class Widths:
    """How the time of a series is cut: length of a usual piece, and of a stretch of whole pieces."""

    piece_ns: int
    stretch_ns: int

    def stretch_of(self, start_ns: Int64s) -> Int64s:
        """Number of the stretch in which something begins."""
        return self._number(start_ns, self.stretch_ns)

    def piece_of(self, start_ns: Int64s) -> Int64s:
        """The same for the usual piece."""
        return self._number(start_ns, self.piece_ns)

    def _number(self, start_ns: Int64s, width_ns: int) -> Int64s:
        # Half a piece of leeway: an agent's clock may cut a hair before the boundary.
        return (start_ns + self.piece_ns // 2) // width_ns


_OverTime: TypeAlias = Sequence[tuple[Series, SliceColumns]]
"""Series, each with its pieces in order of time."""
_STORED = ((TEN_MINUTES, 10 * NS_PER_MINUTE, 72), (MINUTE, NS_PER_MINUTE, _MOST_PERCENTILE_POINTS))
"""Stored slices that stand in for intervals, the longest first, and how many a run must have of them: less
would show too little of its course.
"""


@dataclass(frozen=True, slots=True)
class _Read:
    """What is on record of one operation on one clock."""

    operation: str
    clock: str
    counted: _OverTime
    """What the counts are taken from; without buckets."""
    histograms: _OverTime
    slice_ns: int | None
    """Length of the stored slices that histograms are taken from; none for intervals."""


def timeline_of(reading: Reading, max_points: int) -> TimelineOut:
    """Every operation and clock of a run over time. Nothing is worked out while a connection is held."""
    with reading.transactions() as session:
        ticks = repository.series_of_kind(session, reading.run_id, TICK)
        histograms = repository.series_of_kind(session, reading.run_id, HISTOGRAM)
        budgets = budgets_shown(session, reading.run, reading.organisation_id)
    every = sorted([*ticks, *histograms], key=lambda one: (one.operation, one.clock, one.series_no))
    # The next comes from the database while others are worked out.
    with on_processors() as processors:
        begun: list[Callable[[], TimelineSeriesOut]] = []
        for _, group in groupby(every, key=lambda one: (one.operation, one.clock)):
            together = list(group)
            # A series that names no device speaks of all of them.
            together = [one for one in together if one.device is None] or together
            with reading.transactions() as session:
                read = _read(session, together, reading.run.data_through_ns)
            begun.append(processors.begin(partial(_series, budgets, read, max_points)))
        shown = [result() for result in begun]
    return TimelineOut(run_id=reading.run_id, series=shown)


def _read(session: Session, together: Sequence[Series], length_ns: int) -> _Read:
    ticks = [one for one in together if one.kind == TICK]
    histograms = [one for one in together if one.kind == HISTOGRAM]
    slice_ns, stored = _stored(session, histograms, length_ns)
    # Retention removes ticks for good; histograms count the same operations, and of a long run they are a
    # tenth as many rows for the same stretches.
    is_counted_by_ticks = not stored and repository.has_intervals(session, ticks)
    counted = ticks if is_counted_by_ticks else histograms or ticks
    return _Read(
        together[0].operation,
        together[0].clock,
        [(one, _over_time(session, one, with_histograms=False)) for one in counted],
        stored or [(one, _over_time(session, one, with_histograms=True)) for one in histograms],
        slice_ns,
    )


def _stored(session: Session, histograms: Sequence[Series], length_ns: int) -> tuple[int | None, _OverTime]:
    """Slices of a long run, and behind them the intervals that are in none yet; nothing where a series lacks
    some of them.
    """
    for width, width_ns, fewest in _STORED:
        if length_ns < fewest * width_ns:
            continue
        found = [_with_tail(session, one, width) for one in histograms]
        whole = [(one, pieces) for one, pieces in zip(histograms, found, strict=True) if pieces is not None]
        if whole and len(whole) == len(found):
            return width_ns, whole
    return None, []


def _with_tail(session: Session, series: Series, width: str) -> SliceColumns | None:
    """Sequence numbers have no gap inside slices, so these say themselves where they end."""
    through_seq = repository.watermark_of(session, series)
    _, slices = repository.slice_pieces(session, series, width)
    held = int(slices.interval_count.sum())
    if held <= max(through_seq, 0):
        return None
    tail = repository.intervals_between(session, series, held - 1, series.max_seq)
    return joined([slices, tail])


def _series(budgets: Sequence[Budget], read: _Read, max_points: int) -> TimelineSeriesOut:
    thresholds = sorted(set.intersection(*(set(one.pin_thresholds_ns) for one, _ in read.counted)))
    return TimelineSeriesOut.model_validate(
        {
            "operation": read.operation,
            "clock": read.clock,
            "pin_thresholds_ns": thresholds,
            "limits": [
                LimitOut(threshold_ns=one.threshold_ns, limit_ratio=one.ratio)
                for one in limits_of(budgets, read.operation)
            ],
            "ticks": _ticks(read.counted, thresholds, max_points),
            "percentiles": _percentiles(read, min(max_points, _MOST_PERCENTILE_POINTS)),
        }
    )


def _ticks_of_one(
    series: Series, pieces: SliceColumns, thresholds: Sequence[int], max_points: int
) -> dict[str, list[Any]]:
    """The same of one series, column by column."""
    groups = _widths(pieces, max_points).stretch_of(pieces.start_ns)
    _, totals, _ = added_up(pieces, BucketCounts.none(pieces.size), groups)
    counters = [list(series.pin_thresholds_ns).index(at) for at in thresholds]

    def known(name: str) -> list[int | None]:
        unknown = COLUMN_OF[name].kept.unknown
        values = totals.numbers.get(name, np.full(totals.size, unknown)).tolist()
        return [None if value == unknown else value for value in values]

    return {
        **{name: known(name) for name in TicksOut.model_fields if name in COLUMN_OF},
        "busy_ratio": [ratio_of_ppm(one) for one in totals.busy_ppm.tolist()],
        "temperature_celsius": [
            None if one is None else one / 1000 for one in known("temperature_millicelsius")
        ],
        "over": [totals.pins[:, counter].tolist() for counter in counters],
    }


def _ticks(counted: _OverTime, thresholds: Sequence[int], max_points: int) -> TicksOut:
    if len(counted) == 1:
        return TicksOut.model_validate(_ticks_of_one(*counted[0], thresholds, max_points))
    totals: dict[int, list[tuple[Sum, list[int]]]] = {}
    read: list[tuple[SliceColumns, Widths]] = []
    for series, pieces in counted:
        columns = [list(series.pin_thresholds_ns).index(at) for at in thresholds]
        widths = _widths(pieces, max_points)
        read.append((pieces, widths))
        for total in sums(pieces, widths.stretch_of(pieces.start_ns), None):
            totals.setdefault(total.group, []).append((total, columns))
    under_way = _under_way(read)
    out: dict[str, list[Any]] = {name: [] for name in TicksOut.model_fields}
    out["over"] = [[] for _ in thresholds]
    for group in sorted(totals):
        parts = [part for part, _ in totals[group]]
        for name in TicksOut.model_fields:
            if name in COLUMN_OF:
                column = COLUMN_OF[name]
                out[name].append(_together(column, parts) if len(parts) > 1 else parts[0].known(name))
        out["duration_ns"][-1] = max(part.numbers["duration_ns"] for part in parts)
        out["busy_ratio"].append(ratio_of_ppm(max(part.numbers["busy_ppm"] for part in parts)))
        heat = _together(COLUMN_OF["temperature_millicelsius"], parts)
        out["temperature_celsius"].append(None if heat is None else heat / 1000)
        out["in_flight"][-1] = under_way.get(group)
        for position in range(len(thresholds)):
            out["over"][position].append(
                sum(int(part.pins[columns[position]]) for part, columns in totals[group])
            )
    return TicksOut.model_validate(out)


def _together(column: Column, parts: Sequence[Sum]) -> int | None:
    """A number of series that run at the same time."""
    return column.at_once([(part.numbers["count"], part.known(column.name)) for part in parts])


def _under_way(read: Sequence[tuple[SliceColumns, Widths]]) -> dict[int, int | None]:
    """By stretch, the largest sum over the series of what is under way at one moment; a moment is not known
    where one of the series that have it does not say.
    """
    moments: dict[tuple[int, int], list[int]] = {}
    for pieces, widths in read:
        in_flight = pieces.numbers.get("in_flight", np.full(pieces.size, UNKNOWN))
        largest: dict[tuple[int, int], int] = {}
        places = zip(
            widths.stretch_of(pieces.start_ns).tolist(),
            widths.piece_of(pieces.start_ns).tolist(),
            in_flight.tolist(),
            strict=True,
        )
        for stretch, moment, value in places:
            largest[stretch, moment] = max(largest.get((stretch, moment), UNKNOWN), value)
        for place, value in largest.items():
            moments.setdefault(place, []).append(value)
    found: dict[int, int] = {}
    for (stretch, _), values in moments.items():
        together = UNKNOWN if UNKNOWN in values else sum(values)
        found[stretch] = max(found.get(stretch, UNKNOWN), together)
    return {stretch: None if value == UNKNOWN else value for stretch, value in found.items()}


def _percentiles(read: _Read, max_points: int) -> list[PercentilePointOut]:
    if len(read.histograms) == 1 and (points := _percentiles_of_one(read, max_points)) is not None:
        return points
    stretches: dict[int, list[tuple[Sum, Series]]] = {}
    for series, pieces in read.histograms:
        groups = _widths(pieces, max_points, read.slice_ns).stretch_of(pieces.start_ns)
        for total in sums(pieces, groups, layout_of(series)):
            stretches.setdefault(total.group, []).append((total, series))
    return [_percentile_point(stretches[group]) for group in sorted(stretches)]


def _percentiles_of_one(read: _Read, max_points: int) -> list[PercentilePointOut] | None:
    """The same of one series, all stretches at once; none where that cannot be exact."""
    ((series, pieces),) = read.histograms
    layout = layout_of(series)
    if layout.edge_tolerance_ns:
        return None
    groups = _widths(pieces, max_points, read.slice_ns).stretch_of(pieces.start_ns)
    _, totals, buckets = read_and_added_up(pieces, layout, groups)
    found = many_quantiles(
        Records(
            layout,
            buckets.offsets,
            buckets.indices,
            buckets.counts,
            series.pin_thresholds_ns,
            totals.pins,
            totals.misses,
            totals.sum_ns,
            totals.min_ns,
            totals.max_ns,
        ),
        [quantile for _, quantile in _QUANTILES],
    )
    if found is None:
        return None
    columns: dict[str, list[int | None]] = {
        "start_ns": totals.start_ns.tolist(),
        "duration_ns": totals.duration_ns.tolist(),
        "count": np.where(found.is_consistent, found.count, totals.count).tolist(),
        "max_ns": _known(np.where(found.is_consistent, totals.max_ns, UNKNOWN)),
    }
    for row, (name, _) in enumerate(_QUANTILES):
        columns |= {
            f"{name}_lower_ns": _known(found.lower_ns[row]),
            f"{name}_upper_ns": _known(found.upper_ns[row]),
        }
    rows = zip(*columns.values(), strict=True)
    return [PercentilePointOut.model_validate(dict(zip(columns, row, strict=True))) for row in rows]


def _known(column: Int64s) -> list[int | None]:
    return [None if value == UNKNOWN else value for value in column.tolist()]


def _percentile_point(parts: Sequence[tuple[Sum, Series]]) -> PercentilePointOut:
    dist = _together_dist(parts)
    start_ns = min(total.numbers["start_ns"] for total, _ in parts)
    bounds: dict[str, int | None] = {}
    for name, quantile in _QUANTILES:
        found = None
        # Fewer operations than 1/(1 − q) cannot show the quantile: the largest of them would stand in for it.
        if dist is not None and dist.total * (1.0 - quantile) >= 1.0 - 1e-9:
            found = dist.quantile_bounds(quantile)
        bounds[f"{name}_lower_ns"] = found.lower_ns if found else None
        bounds[f"{name}_upper_ns"] = found.upper_ns if found else None
    return PercentilePointOut(
        start_ns=start_ns,
        duration_ns=max(total.numbers["duration_ns"] for total, _ in parts),
        count=dist.count if dist is not None else sum(total.numbers["count"] for total, _ in parts),
        max_ns=dist.max_ns if dist is not None else None,
        **bounds,
    )


def _together_dist(parts: Sequence[tuple[Sum, Series]]) -> LatencyDist | None:
    """Of all parts together; none where their sums, ends and buckets contradict each other."""
    try:
        dists = [
            distribution_of(total, layout_of(series), series.pin_thresholds_ns) for total, series in parts
        ]
        dist = dists[0]
        for other in dists[1:]:
            dist = dist.merged_with(other)
        dist.cells  # noqa: B018 - whether there are any
    except DomainError:
        return None
    return dist


def _over_time(session: Session, series: Series, *, with_histograms: bool) -> SliceColumns:
    """Intervals of a series; its minutes where retention has removed the intervals."""
    pieces = repository.intervals_between(
        session, series, -1, series.max_seq, with_histograms=with_histograms
    )
    if pieces.size < series.received and series.kind == HISTOGRAM:
        return repository.slice_pieces(session, series, MINUTE)[1]
    return pieces


def _widths(pieces: SliceColumns, max_points: int, slice_ns: int | None = None) -> Widths:
    """Equal lengths in time, so that several series fall together."""
    if pieces.size == 0:
        return Widths(1, 1)
    length = int(pieces.end_ns.max())
    if slice_ns is not None:
        # An interval belongs to the slice in which it begins, to the nanosecond.
        return Widths(1, slice_ns * max(1, math.ceil(length / slice_ns / max_points)))
    piece_ns = max(1, int(np.median(pieces.duration_ns)))
    return Widths(piece_ns, piece_ns * max(1, math.ceil(length / piece_ns / max_points)))
