"""A run over time: counts from ticks, percentiles from histograms, both gathered into at most so many points.

Percentiles are never averaged: the histograms of a stretch are added up first. A stretch is a whole number of
intervals, the same number everywhere.
"""

import math
from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby

import numpy as np
from sqlalchemy.orm import Session

from tailroom.analysis import repository
from tailroom.analysis.conditions import NOTHING_KNOWN, Widths, conditions_over_time, largest_known
from tailroom.analysis.limits import limits_of
from tailroom.analysis.pieces import UNKNOWN, Int64s, Pieces, Sum, sums
from tailroom.analysis.record import distribution_of
from tailroom.analysis.rollup import layout_of
from tailroom.analysis.schemas import (
    LimitOut,
    PercentilePointOut,
    TicksOut,
    TimelineOut,
    TimelineSeriesOut,
)
from tailroom.budgets.service import budgets_for_runs
from tailroom.domain.verdicts.budget import Budget
from tailroom.domain.verdicts.validity import ratio_of_ppm
from tailroom.storage.run import Run
from tailroom.storage.series import HISTOGRAM, TICK, Series
from tailroom.storage.slices import MINUTE

_MOST_PERCENTILE_POINTS = 300
_QUANTILES = (("p50", 0.5), ("p99", 0.99), ("p999", 0.999))


def timeline_of(session: Session, run: Run, max_points: int) -> TimelineOut:
    """Every operation and clock of a run over time."""
    ticks = repository.series_of_kind(session, run.run_id, TICK)
    histograms = repository.series_of_kind(session, run.run_id, HISTOGRAM)
    every = sorted([*ticks, *histograms], key=lambda one: (one.operation, one.clock, one.series_no))
    shown: list[TimelineSeriesOut] = []
    budgets = budgets_for_runs(session, run.organisation_id, run.workload).budgets
    for _, group in groupby(every, key=lambda one: (one.operation, one.clock)):
        together = list(group)
        # A series that names no device speaks of all of them.
        together = [one for one in together if one.device is None] or together
        shown.append(_series(session, budgets, together, max_points))
    return TimelineOut(run_id=run.run_id, series=shown)


def _series(
    session: Session, budgets: Sequence[Budget], together: Sequence[Series], max_points: int
) -> TimelineSeriesOut:
    ticks = [one for one in together if one.kind == TICK]
    histograms = [one for one in together if one.kind == HISTOGRAM]
    # Retention removes ticks for good; minutes of the histograms count the same operations.
    counted = ticks if repository.has_intervals(session, ticks) else histograms or ticks
    thresholds = sorted(set.intersection(*(set(one.pin_thresholds_ns) for one in counted)))
    return TimelineSeriesOut.model_validate(
        {
            "operation": together[0].operation,
            "clock": together[0].clock,
            "pin_thresholds_ns": thresholds,
            "limits": [
                LimitOut(threshold_ns=one.threshold_ns, limit_ratio=one.ratio)
                for one in limits_of(budgets, together[0].operation)
            ],
            "ticks": _ticks(session, counted, thresholds, max_points),
            "percentiles": _percentiles(session, histograms, min(max_points, _MOST_PERCENTILE_POINTS)),
        }
    )


def _ticks(
    session: Session, counted: Sequence[Series], thresholds: Sequence[int], max_points: int
) -> TicksOut:
    totals: dict[int, list[tuple[Sum, list[int]]]] = {}
    cuts: list[tuple[Series, Widths]] = []
    for series in counted:
        pieces = _over_time(session, series, with_histograms=False)
        columns = [list(series.pin_thresholds_ns).index(at) for at in thresholds]
        widths = _widths(pieces, max_points)
        cuts.append((series, widths))
        for total in sums(pieces, _stretches(pieces, widths), None):
            totals.setdefault(total.group, []).append((total, columns))
    out = TicksOut(
        start_ns=[],
        duration_ns=[],
        count=[],
        errors=[],
        timeouts=[],
        target_count=[],
        min_ns=[],
        max_ns=[],
        over=[[] for _ in thresholds],
        lateness_p99_ns=[],
        busy_ratio=[],
        in_flight=[],
        oldest_in_flight_ns=[],
        temperature_celsius=[],
    )
    conditions = conditions_over_time(session, cuts)
    for group in sorted(totals):
        parts = [part for part, _ in totals[group]]
        out.start_ns.append(min(part.numbers["start_ns"] for part in parts))
        out.duration_ns.append(max(part.numbers["duration_ns"] for part in parts))
        for name in ("count", "errors", "timeouts"):
            getattr(out, name).append(sum(part.numbers[name] for part in parts))
        targets = [part.known("target_count") for part in parts]
        known = [target for target in targets if target is not None]
        out.target_count.append(sum(known) if len(known) == len(targets) else None)
        filled = [part for part in parts if part.numbers["count"]]
        least = [part.numbers["min_ns"] for part in filled]
        out.min_ns.append(None if UNKNOWN in least else min(least, default=None))
        most = [part.numbers["max_ns"] for part in filled]
        out.max_ns.append(None if UNKNOWN in most else max(most, default=None))
        for position in range(len(thresholds)):
            out.over[position].append(
                sum(int(part.pins[columns[position]]) for part, columns in totals[group])
            )
        out.lateness_p99_ns.append(largest_known(part.known("lateness_p99_ns") for part in parts))
        out.busy_ratio.append(ratio_of_ppm(max(part.numbers["busy_ppm"] for part in parts)))
        for name, value in asdict(conditions.get(group, NOTHING_KNOWN)).items():
            getattr(out, name).append(value)
    return out


def _percentiles(session: Session, histograms: Sequence[Series], max_points: int) -> list[PercentilePointOut]:
    stretches: dict[int, list[tuple[Sum, Series]]] = {}
    for series in histograms:
        pieces = _over_time(session, series, with_histograms=True)
        stretches_of = _stretches(pieces, _widths(pieces, max_points))
        for total in sums(pieces, stretches_of, layout_of(series)):
            stretches.setdefault(total.group, []).append((total, series))
    return [_percentile_point(stretches[group]) for group in sorted(stretches)]


def _percentile_point(parts: Sequence[tuple[Sum, Series]]) -> PercentilePointOut:
    dists = [distribution_of(total, layout_of(series), series.pin_thresholds_ns) for total, series in parts]
    dist = dists[0]
    for other in dists[1:]:
        dist = dist.merged_with(other)
    start_ns = min(total.numbers["start_ns"] for total, _ in parts)
    bounds: dict[str, int | None] = {}
    for name, quantile in _QUANTILES:
        # Fewer operations than 1/(1 − q) cannot show the quantile: the largest of them would stand in for it.
        found = dist.quantile_bounds(quantile) if dist.total * (1.0 - quantile) >= 1.0 - 1e-9 else None
        bounds[f"{name}_lower_ns"] = found.lower_ns if found else None
        bounds[f"{name}_upper_ns"] = found.upper_ns if found else None
    return PercentilePointOut(
        start_ns=start_ns,
        duration_ns=max(total.numbers["duration_ns"] for total, _ in parts),
        count=dist.count,
        max_ns=dist.max_ns,
        **bounds,
    )


def _over_time(session: Session, series: Series, *, with_histograms: bool) -> Pieces:
    """Intervals of a series; its minutes where retention has removed the intervals."""
    pieces = repository.intervals_between(
        session, series, -1, series.max_seq, with_histograms=with_histograms
    )
    if pieces.size < series.received and series.kind == HISTOGRAM:
        return repository.slice_pieces(session, series, MINUTE)[1]
    return pieces


def _widths(pieces: Pieces, max_points: int) -> Widths:
    """Equal lengths in time, so that several series fall together."""
    if pieces.size == 0:
        return Widths(1, 1)
    piece_ns = max(1, int(np.median(pieces.duration_ns)))
    length = int(pieces.end_ns.max())
    return Widths(piece_ns, piece_ns * max(1, math.ceil(length / piece_ns / max_points)))


def _stretches(pieces: Pieces, widths: Widths) -> Int64s:
    """Number of the stretch of each piece."""
    # Half a piece of leeway: an agent's clock may cut a hair before the boundary.
    numbers: Int64s = (pieces.start_ns + widths.piece_ns // 2) // widths.stretch_ns
    return numbers
