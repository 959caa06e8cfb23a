"""A run over time: counts from ticks, percentiles from histograms, merged to a maximum number of points.

Percentiles are never averaged: the histograms of a point's time span are added first.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any, TypeAlias

import numpy as np
from sqlalchemy.orm import Session

from tailroom.analysis.limits import limits_of
from tailroom.analysis.run_reader import RunReader
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
from tailroom.domain.units import NS_PER_MINUTE, ceil_div
from tailroom.domain.verdicts.budget_kinds import Budget
from tailroom.domain.verdicts.validity import ratio_of_ppm
from tailroom.kit.processors import calculation_threads
from tailroom.records import repository
from tailroom.records.rollup import layout_of
from tailroom.records.series_record import distribution_of
from tailroom.records.slice_columns import (
    BucketCounts,
    Int64s,
    SliceColumns,
    Sum,
    concatenate,
    decode_and_sum_groups,
    sum_groups,
    sums,
)
from tailroom.storage.series import HISTOGRAM, TICK, Series
from tailroom.storage.slices import MINUTE, TEN_MINUTES

COLUMN_OF = {column.name: column for column in COLUMNS}
_MOST_PERCENTILE_POINTS = 300
_QUANTILES = (("p50", 0.5), ("p99", 0.99), ("p999", 0.999))


@dataclass(frozen=True, slots=True)
class Widths:
    """Widths by which a run's time is divided: of an interval, and of a point, which has whole intervals."""

    interval_ns: int
    span_ns: int

    def span_of(self, start_ns: Int64s, width_ns: int | None = None) -> Int64s:
        """Return for each start the number of the point, or period of `width_ns`, in which it lies."""
        # Half an interval of tolerance: an agent's clock may cut slightly before the boundary.
        return (start_ns + self.interval_ns // 2) // (width_ns or self.span_ns)


_OverTime: TypeAlias = Sequence[tuple[Series, SliceColumns]]
"""Series, each with its intervals or slices in order of time."""
_STORED_WIDTHS = ((TEN_MINUTES, 10 * NS_PER_MINUTE, 72), (MINUTE, NS_PER_MINUTE, _MOST_PERCENTILE_POINTS))
"""Stored slices that replace intervals, the longest first: name, length, and the fewest that are used."""


@dataclass(frozen=True, slots=True)
class _OperationData:
    """Data of one operation by one clock (kind of time): each series with its intervals or slices."""

    operation: str
    clock: str
    counted: _OverTime
    """Series from which counts are taken, without buckets: ticks (live counts), else histograms."""
    histograms: _OverTime
    """Series from which percentiles are computed, with buckets."""
    slice_ns: int | None
    """Length of the stored slices in `histograms`; None for intervals."""


def timeline_of(reader: RunReader, max_points: int) -> TimelineOut:
    """Return every operation and clock of a run, in at most `max_points` periods each (percentiles: 300). No
    connection is held during the computation.
    """
    with reader.transactions() as session:
        ticks = repository.series_of_kind(session, reader.run_id, TICK)
        histograms = repository.series_of_kind(session, reader.run_id, HISTOGRAM)
        budgets = budgets_shown(session, reader.run, reader.organisation_id)
    every = sorted(
        [*ticks, *histograms], key=lambda series: (series.operation, series.clock, series.series_no)
    )
    # The next operation is read from the database while others are computed.
    with calculation_threads() as processors:
        pending: list[Callable[[], TimelineSeriesOut]] = []
        for _, group in groupby(every, key=lambda series: (series.operation, series.clock)):
            chosen = list(group)
            # A series without a device covers all devices.
            chosen = [series for series in chosen if series.device is None] or chosen
            with reader.transactions() as session:
                data = _read(session, chosen, reader.run.data_through_ns)
            pending.append(processors.begin(partial(_series, budgets, data, max_points)))
        timelines = [result() for result in pending]
    return TimelineOut(run_id=reader.run_id, series=timelines)


def _read(session: Session, series: Sequence[Series], length_ns: int) -> _OperationData:
    """Return the data of one operation by one clock (kind of time); `length_ns` is the time with data."""
    ticks = [row for row in series if row.kind == TICK]
    histograms = [row for row in series if row.kind == HISTOGRAM]
    slice_ns, stored = _long_slices(session, histograms, length_ns)
    # Histograms count the same operations as ticks, in a tenth of the rows, and retention leaves their sums.
    is_counted_by_ticks = not stored and repository.has_intervals(session, ticks)
    counted = ticks if is_counted_by_ticks else histograms or ticks
    return _OperationData(
        series[0].operation,
        series[0].clock,
        [(row, _intervals_or_minutes(session, row, with_histograms=False)) for row in counted],
        stored
        or [
            (histogram, _intervals_or_minutes(session, histogram, with_histograms=True))
            for histogram in histograms
        ],
        slice_ns,
    )


def _long_slices(
    session: Session, histograms: Sequence[Series], length_ns: int
) -> tuple[int | None, _OverTime]:
    """Return the length (ns) of stored slices, and each series with these slices and its later intervals;
    `(None, [])` for a short run, or if slices of any series are missing.
    """
    for width, width_ns, fewest in _STORED_WIDTHS:
        if length_ns < fewest * width_ns:
            continue
        slices = [_slices_and_tail(session, histogram, width) for histogram in histograms]
        complete = [columns for columns in slices if columns is not None]
        if complete and len(complete) == len(slices):
            return width_ns, list(zip(histograms, complete, strict=True))
    return None, []


def _slices_and_tail(session: Session, series: Series, width: str) -> SliceColumns | None:
    """Return the slices of a series, followed by the intervals that are in no slice yet; None if slices are
    missing. Slices have no gap, so the first interval after them has the number of intervals in them.
    """
    through_seq = repository.watermark_of(session, series)
    _, slices = repository.load_slice_columns(session, series, width)
    in_slices = int(slices.interval_count.sum())
    if in_slices <= max(through_seq, 0):
        return None
    tail = repository.intervals_between(session, series, in_slices - 1, series.max_seq)
    return concatenate([slices, tail])


def _series(budgets: Sequence[Budget], data: _OperationData, max_points: int) -> TimelineSeriesOut:
    """Return the timeline of one operation by one clock (kind of time), with thresholds of all its series."""
    thresholds = sorted(set.intersection(*(set(series.pin_thresholds_ns) for series, _ in data.counted)))
    return TimelineSeriesOut.model_validate(
        {
            "operation": data.operation,
            "clock": data.clock,
            "pin_thresholds_ns": thresholds,
            "limits": [
                LimitOut(threshold_ns=limit.threshold_ns, limit_ratio=limit.ratio)
                for limit in limits_of(budgets, data.operation)
            ],
            "ticks": _ticks(data.counted, thresholds, max_points),
            "percentiles": _percentiles(data, min(max_points, _MOST_PERCENTILE_POINTS)),
        }
    )


def _ticks_of_series(
    series: Series, slices: SliceColumns, thresholds: Sequence[int], max_points: int
) -> dict[str, list[Any]]:
    """Return the counts of a single series in at most `max_points` periods, by column of `TicksOut`."""
    groups = _widths(slices, max_points).span_of(slices.start_ns)
    _, totals, _ = sum_groups(slices, BucketCounts.none(slices.size), groups)
    counters = [list(series.pin_thresholds_ns).index(at) for at in thresholds]

    def column_values(name: str) -> list[int | None]:
        """Return the values of a column, with None for unknown ones."""
        unknown = COLUMN_OF[name].storage.unknown
        values = totals.numbers.get(name, np.full(totals.size, unknown)).tolist()
        return [None if value == unknown else value for value in values]

    return {
        **{name: column_values(name) for name in TicksOut.model_fields if name in COLUMN_OF},
        "busy_ratio": [ratio_of_ppm(ppm) for ppm in totals.busy_ppm.tolist()],
        "temperature_celsius": [
            None if value is None else value / 1000 for value in column_values("temperature_millicelsius")
        ],
        "over": [totals.pins[:, counter].tolist() for counter in counters],
    }


def _ticks(counted: _OverTime, thresholds: Sequence[int], max_points: int) -> TicksOut:
    """Return the counts over time, column by column; several series (devices) are added up in each period."""
    if len(counted) == 1:
        return TicksOut.model_validate(_ticks_of_series(*counted[0], thresholds, max_points))
    totals: dict[int, list[tuple[Sum, list[int]]]] = {}
    read: list[tuple[SliceColumns, Widths]] = []
    for series, slices in counted:
        columns = [list(series.pin_thresholds_ns).index(at) for at in thresholds]
        widths = _widths(slices, max_points)
        read.append((slices, widths))
        for total in sums(slices, widths.span_of(slices.start_ns), None):
            totals.setdefault(total.group, []).append((total, columns))
    in_flight = _most_in_flight(read)
    out: dict[str, list[Any]] = {name: [] for name in TicksOut.model_fields}
    out["over"] = [[] for _ in thresholds]
    for group in sorted(totals):
        parts = [part for part, _ in totals[group]]
        for name in TicksOut.model_fields:
            if name in COLUMN_OF:
                column = COLUMN_OF[name]
                out[name].append(_combine(column, parts) if len(parts) > 1 else parts[0].get(name))
        out["duration_ns"][-1] = max(part.numbers["duration_ns"] for part in parts)
        out["busy_ratio"].append(ratio_of_ppm(max(part.numbers["busy_ppm"] for part in parts)))
        millicelsius = _combine(COLUMN_OF["temperature_millicelsius"], parts)
        out["temperature_celsius"].append(None if millicelsius is None else millicelsius / 1000)
        out["in_flight"][-1] = in_flight.get(group)
        for position in range(len(thresholds)):
            out["over"][position].append(
                sum(int(part.pins[columns[position]]) for part, columns in totals[group])
            )
    return TicksOut.model_validate(out)


def _combine(column: Column, parts: Sequence[Sum]) -> int | None:
    """Return a column's value for series that ran at the same time, by the column's rule; None if unknown."""
    return column.at_once([(part.numbers["count"], part.get(column.name)) for part in parts])


def _most_in_flight(read: Sequence[tuple[SliceColumns, Widths]]) -> dict[int, int | None]:
    """Return by period the most operations in flight at one moment over all series, None if unknown. A moment
    does not count if a series with intervals there does not state the number.
    """
    moments: dict[tuple[int, int], list[int]] = {}
    for slices, widths in read:
        in_flight = slices.numbers.get("in_flight", np.full(slices.size, UNKNOWN))
        largest: dict[tuple[int, int], int] = {}
        moments_of_series = zip(
            widths.span_of(slices.start_ns).tolist(),
            widths.span_of(slices.start_ns, widths.interval_ns).tolist(),
            in_flight.tolist(),
            strict=True,
        )
        for span, moment, value in moments_of_series:
            largest[span, moment] = max(largest.get((span, moment), UNKNOWN), value)
        for moment_of_span, value in largest.items():
            moments.setdefault(moment_of_span, []).append(value)
    most: dict[int, int] = {}
    for (span, _), values in moments.items():
        total = UNKNOWN if UNKNOWN in values else sum(values)
        most[span] = max(most.get(span, UNKNOWN), total)
    return {span: None if value == UNKNOWN else value for span, value in most.items()}


def _percentiles(data: _OperationData, max_points: int) -> list[PercentilePointOut]:
    """Return the percentiles over time, from the sum of all series in each period that has data."""
    if len(data.histograms) == 1 and (points := _percentiles_of_series(data, max_points)) is not None:
        return points
    spans: dict[int, list[tuple[Sum, Series]]] = {}
    for series, slices in data.histograms:
        groups = _widths(slices, max_points, data.slice_ns).span_of(slices.start_ns)
        for total in sums(slices, groups, layout_of(series)):
            spans.setdefault(total.group, []).append((total, series))
    return [_percentile_point(spans[group]) for group in sorted(spans)]


def _percentiles_of_series(data: _OperationData, max_points: int) -> list[PercentilePointOut] | None:
    """Return the percentiles of a single series for all periods at once; None if they must be computed one by
    one: with tolerant edges, or if `many_quantiles` cannot compute them.
    """
    ((series, slices),) = data.histograms
    layout = layout_of(series)
    if layout.edge_tolerance_ns:
        return None
    groups = _widths(slices, max_points, data.slice_ns).span_of(slices.start_ns)
    _, totals, buckets = decode_and_sum_groups(slices, layout, groups)
    quantiles = many_quantiles(
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
    if quantiles is None:
        return None
    columns: dict[str, list[int | None]] = {
        "start_ns": totals.start_ns.tolist(),
        "duration_ns": totals.duration_ns.tolist(),
        "count": np.where(quantiles.is_consistent, quantiles.count, totals.count).tolist(),
        "max_ns": _nullable(np.where(quantiles.is_consistent, totals.max_ns, UNKNOWN)),
    }
    for row, (name, _) in enumerate(_QUANTILES):
        columns |= {
            f"{name}_lower_ns": _nullable(quantiles.lower_ns[row]),
            f"{name}_upper_ns": _nullable(quantiles.upper_ns[row]),
        }
    rows = zip(*columns.values(), strict=True)
    return [PercentilePointOut.model_validate(dict(zip(columns, row, strict=True))) for row in rows]


def _nullable(column: Int64s) -> list[int | None]:
    """Return the numbers of a column, with None for unknown ones."""
    return [None if value == UNKNOWN else value for value in column.tolist()]


def _percentile_point(parts: Sequence[tuple[Sum, Series]]) -> PercentilePointOut:
    """Return the percentiles of a period from the sums of all series in it; all None if these contradict each
    other.
    """
    dist = _merge_distributions(parts)
    bounds: dict[str, int | None] = {}
    for name, quantile in _QUANTILES:
        interval = None
        # Of fewer operations than 1/(1 − q), the largest would be returned as the quantile.
        if dist is not None and dist.total * (1.0 - quantile) >= 1.0 - 1e-9:
            interval = dist.quantile_bounds(quantile)
        bounds[f"{name}_lower_ns"] = interval.lower_ns if interval else None
        bounds[f"{name}_upper_ns"] = interval.upper_ns if interval else None
    return PercentilePointOut(
        start_ns=min(total.numbers["start_ns"] for total, _ in parts),
        duration_ns=max(total.numbers["duration_ns"] for total, _ in parts),
        count=dist.count if dist is not None else sum(total.numbers["count"] for total, _ in parts),
        max_ns=dist.max_ns if dist is not None else None,
        **bounds,
    )


def _merge_distributions(parts: Sequence[tuple[Sum, Series]]) -> LatencyDist | None:
    """Return the distribution of all parts; None if layouts differ or their data contradict each other."""
    try:
        dists = [
            distribution_of(total, layout_of(series), series.pin_thresholds_ns) for total, series in parts
        ]
        dist = dists[0]
        for part in dists[1:]:
            dist = dist.merged_with(part)
        dist.cells  # noqa: B018 - raises where the buckets contradict the sums
    except DomainError:
        return None
    return dist


def _intervals_or_minutes(session: Session, series: Series, *, with_histograms: bool) -> SliceColumns:
    """Return the intervals of a series, or its minutes with histograms if any interval is missing."""
    intervals = repository.intervals_between(
        session, series, -1, series.max_seq, with_histograms=with_histograms
    )
    if intervals.size < series.received and series.kind == HISTOGRAM:
        return repository.load_slice_columns(session, series, MINUTE)[1]
    return intervals


def _widths(intervals: SliceColumns, max_points: int, slice_ns: int | None = None) -> Widths:
    """Return the widths of at most `max_points` points of a series; `slice_ns` is None for intervals."""
    if intervals.size == 0:
        return Widths(1, 1)
    # An interval belongs to the slice in which it begins, to the nanosecond, so slices need no tolerance.
    interval_ns = 1 if slice_ns is not None else max(1, int(np.median(intervals.duration_ns)))
    widths = Widths(interval_ns, slice_ns or interval_ns)
    count = int(widths.span_of(intervals.start_ns).max()) + 1
    return Widths(interval_ns, widths.span_ns * ceil_div(count, max_points))
