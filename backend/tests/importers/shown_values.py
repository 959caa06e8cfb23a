"""The numbers that runs of counts in buckets show: counts, edges, times, and what stands beside them."""

import json
import re
from collections.abc import Iterator

import numpy as np

from tailroom.domain.latency.distribution import LatencyDist, LatencyRecord
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.units import NS_PER_MS, NS_PER_S, NS_PER_US
from tailroom.importers.parsed_run import ParsedRun, ParsedSeries

NUMBER = re.compile(r"\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_SECONDS_SLACK = 1e-9
"""Edges are stored in whole nanoseconds."""


def is_shown(number: float, shown: np.ndarray) -> bool:
    """Return whether a number stands among those that are shown."""
    return bool(np.isclose(shown, number, rtol=1e-12, atol=_SECONDS_SLACK if number < 1 else 0.0).any())


def shown_values(run: ParsedRun) -> Iterator[float]:
    """Yield every number that a run shows, times in each unit."""
    texts: list[object] = [run.tool_version, json.dumps(run.host), *run.parameters.values()]
    for claim in [*run.claims, *(claim for series in run.series for claim in series.printed)]:
        texts += [claim.printed, claim.operation]
        yield from _times_known(claim.start_ns, claim.duration_ns)
    for text in texts:
        yield from map(float, NUMBER.findall(str(text)))
    begun_ns = 0.0 if run.started_at is None else run.started_at.timestamp() * NS_PER_S
    yield from _times_known(begun_ns, run.duration_ns, begun_ns + (run.duration_ns or 0))
    for course in run.courses:
        yield from course.values
        if course.quantity == "cpu_busy_percent":
            yield from (round(100 - value, 4) for value in course.values)
    for series in run.series:
        yield from _of_series(series)


def _of_series(series: ParsedSeries) -> Iterator[float]:
    yield from map(float, NUMBER.findall(f"{series.device} {series.source_name}"))
    yield series.target_count or 0
    yield from _of_record(series.record)
    for period in series.periods:
        yield from _times(period.duration_ns)
        yield from _of_record(period.record)
    if series.intervals is not None:
        yield from _of_intervals(series.intervals)


def _of_intervals(intervals: IntervalRecords) -> Iterator[float]:
    yield from _times_known(*intervals.thresholds_ns)
    times = (intervals.start_ns, intervals.duration_ns, intervals.sum_ns, intervals.min_ns, intervals.max_ns)
    for column in (*times, *intervals.optional_columns.values()):
        for time_ns in column.tolist():
            yield from _times(time_ns)
    counts = (intervals.errors, intervals.timeouts, intervals.unfinished, intervals.counts, intervals.count)
    for column in (*counts, intervals.totals, intervals.pins.ravel()):
        yield from column.tolist()


def _of_record(record: LatencyRecord) -> Iterator[float]:
    yield record.total or 0
    if isinstance(record, LatencyDist):
        yield from record.counts.counts.tolist()
        yield from np.cumsum(record.counts.counts).tolist()
        yield from (record.misses.errors, record.misses.timeouts, record.misses.unfinished)
        yield from _times_known(*record.edges_ns().tolist(), record.sum_ns, record.min_ns, record.max_ns)
    elif isinstance(record, KnotsRecord):
        yield from _of_knots(record)


def _of_knots(record: KnotsRecord) -> Iterator[float]:
    for time_ns, lower, upper in record.knots:
        yield from _times(time_ns)
        yield from (lower, upper, round((1 - (lower + upper) / 2) * 100, 4))
        yield lower * (record.count or 0)
    below = [round(lower * (record.count or 0)) for _, lower, _ in record.knots]
    yield from np.diff([*below, record.count or 0]).tolist()
    for share, time_ns in record.quantiles:
        yield share
        yield from _times(time_ns)
    if record.mean_limits_ns is not None:
        yield from _times(sum(record.mean_limits_ns) / 2)


def _times_known(*times_ns: float | None) -> Iterator[float]:
    for time_ns in times_ns:
        if time_ns is not None:
            yield from _times(time_ns)


def _times(time_ns: float) -> Iterator[float]:
    """Yield a time in each unit; edges also as the last unit before them, which tools print."""
    for unit_ns in (1, NS_PER_US, NS_PER_MS, NS_PER_S):
        yield from ((time_ns - before_ns) / unit_ns for before_ns in (NS_PER_US, 1, 0, -1))
    yield round((time_ns - 1) / NS_PER_MS, 3)
