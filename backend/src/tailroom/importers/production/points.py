"""Histogram points of OpenTelemetry, of JSON or protobuf, as counts by period.

A point of delta temporality counts what was between its two times. A cumulative point counts since its
start: the first of a file from there, each other since the previous point. A start that moves, or counts
that fall, is a new start. Explicit buckets hold their upper edge, exponential ones too; a zero bucket
reaches to its threshold. Source: the data model of OpenTelemetry metrics.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import pairwise

import numpy as np

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.units import count_text
from tailroom.importers.printed import MAX_COUNT
from tailroom.importers.production.counts_per_period import CounterStates, PeriodCounts, sums_in_ns
from tailroom.importers.production.ladders import MAX_EDGE_NS, exponential_edge_ns, floor_ns
from tailroom.importers.production.metrics import Metric, MetricFile, labels_text
from tailroom.importers.production.native import OPEN_NS, Bucket, common_buckets

CUMULATIVE, DELTA = 2, 1
"""Numbers of the temporalities in OTLP."""
_IDENTIFYING = ("service.name", "service.namespace", "service.instance.id", "host.name", "k8s.pod.name")
"""Attributes of a resource that are shown among the labels."""
_SCALES = range(-10, 21)
_MOST_BUCKETS = 20_000
_INDICES = 1 << 31


@dataclass(frozen=True, slots=True)
class Point:
    """A point in the unit of the metric; `offset` is the index of the first exponential bucket, if any."""

    start_ns: int
    """Start in ns since 1970; 0 if not stated."""
    at_ns: int
    """Time of the point in ns since 1970."""
    count: int
    sum: float | None
    """Sum of the latencies; None if not stated."""
    counts: Sequence[int]
    """Number of operations in each bucket, without the bucket of zeros and those of negative values."""
    bounds: Sequence[float] | None = None
    """Upper edges of explicit buckets, without infinity; None for exponential buckets."""
    scale: int = 0
    offset: int = 0
    zeros: int = 0
    """Operations in the bucket of zeros."""
    zero_threshold: float = 0.0
    negative: int = 0
    """Operations in buckets of negative values."""


@dataclass(frozen=True, slots=True)
class Stream:
    """A series of points: `identity` has all attributes that separate it, `labels` those that are shown."""

    metric: str
    unit: str
    temporality: int
    """`CUMULATIVE`, `DELTA`, or 0 if it is not stated."""
    identity: str
    labels: Mapping[str, str] = field(hash=False, compare=False)


@dataclass(slots=True)
class Points(MetricFile):
    """The requested points of a file, by stream."""

    streams: dict[Stream, list[Point]] = field(default_factory=dict)

    def add(self, stream: Stream, point: Point) -> None:
        """Store a point if its metric and labels are requested, and the name of its metric in any case."""
        self.names[stream.metric] = None
        if self.is_chosen(stream.metric, stream.labels):
            self.streams.setdefault(stream, []).append(point)

    def report_other_metrics(self, others: int) -> None:
        """Report the number of metrics that are no histograms, unless it is 0."""
        if others:
            self.problems.note(
                "others",
                f"{count_text(others)} metrics that are no histograms were not read (summaries have no "
                "certain ends)",
            )

    def add_up(self) -> None:
        """Add the counts of all points to their metrics, none to a metric whose unit is no time.

        Report and leave out invalid points, and streams without a valid temporality.
        """
        for stream, points in self.streams.items():
            metric = self.metric(stream.metric, stream.unit)
            if not metric.unit.is_time:
                metric.add(_NOTHING, stream.labels)
                continue
            shown = f"{stream.metric}{{{labels_text(stream.labels)[:80]}}}"
            if stream.temporality not in (CUMULATIVE, DELTA):
                reason = f"{shown} does not say whether its counts are since its start"
                metric.problems.error("temporality", reason)
                continue
            counts = _period_counts(stream, points, metric, shown)
            if counts is not None:
                metric.add(counts, stream.labels)


def stream_of(
    name: str,
    unit: str,
    temporality: int,
    attributes: tuple[Mapping[str, str], Mapping[str, str]],
    scope: str,
) -> Stream:
    """Return the stream of a point by attributes (of its resource, its own) and instrumentation scope."""
    of_resource, of_point = attributes
    labels = {key: of_resource[key] for key in _IDENTIFYING if key in of_resource} | dict(of_point)
    identity = repr((sorted(of_resource.items()), scope, sorted(of_point.items())))
    return Stream(name, unit, temporality, identity, labels)


def shown_value(value: object) -> str:
    """Return the value of an attribute as text; truth values in lower case."""
    return str(value).lower() if isinstance(value, bool) else str(value)


_NOTHING = PeriodCounts(common_buckets([])[0], np.zeros((0, 1), np.int64), None, None)


def _period_counts(
    stream: Stream, points: Sequence[Point], metric: Metric, shown: str
) -> PeriodCounts | None:
    """Return the counts of a stream's valid points by period; None without any."""
    rows: list[tuple[Point, Sequence[Bucket]]] = []
    for point in sorted(points, key=lambda point: (point.at_ns, point.start_ns)):
        buckets = buckets_of_point(point, metric.unit.ns)
        if isinstance(buckets, str):
            metric.problems.error("point", f"{shown}: {buckets}; the point was left out")
        elif rows and (rows[-1][0].at_ns, rows[-1][0].start_ns) == (point.at_ns, point.start_ns):
            if rows[-1][0] != point:
                reason = f"{shown}: two points have the same times; the second was left out"
                metric.problems.error("twice", reason)
        else:
            rows.append((point, buckets))
    if not rows:
        return None
    layout, counts = common_buckets([buckets for _, buckets in rows])
    used = [point for point, _ in rows]
    begun = np.array([point.start_ns for point in used], np.int64)
    at_ns = np.array([point.at_ns for point in used], np.int64)
    sums_ns = sums_in_ns(np.array([point.sum for point in used], np.float64), metric.unit.ns)
    metric.parameters["points"] = int(metric.parameters.get("points") or 0) + len(used)
    states = CounterStates(layout, counts, at_ns, sums_ns, begun)
    if stream.temporality == DELTA:
        return _delta_periods(states, begun, at_ns, metric, shown)
    return _cumulative_periods(states, begun, at_ns)


def _delta_periods(
    states: CounterStates, begun: Int64s, at_ns: Int64s, metric: Metric, shown: str
) -> PeriodCounts:
    """Return a period for each delta point, without times if a point has no start; report overlaps."""
    overlaps = int((begun[1:] < at_ns[:-1]).sum())
    if overlaps:
        metric.problems.add(
            "overlap", f"{shown}: {count_text(overlaps)} points begin before the one before them ends"
        )
    has_times = bool((begun > 0).all() and (begun < at_ns).all())
    return PeriodCounts(
        states.layout,
        states.counts,
        begun if has_times else None,
        at_ns if has_times else None,
        states.sums_ns,
    )


def _cumulative_periods(states: CounterStates, begun: Int64s, at_ns: Int64s) -> PeriodCounts:
    """Return the counts between cumulative points, the first since its start if that is stated."""
    if not 0 < int(begun[0]) < int(at_ns[0]):
        return states.period_counts()
    nothing = np.zeros((1, states.layout.index_limit), np.int64)
    # The counters held nothing at their start, which is a state like any other.
    sums_ns = None if states.sums_ns is None else np.concatenate((np.zeros(1), states.sums_ns))
    return CounterStates(
        states.layout,
        np.concatenate((nothing, states.counts)),
        np.concatenate((begun[:1], at_ns)),
        sums_ns,
        np.concatenate((begun[:1], begun)),
    ).period_counts()


def buckets_of_point(point: Point, unit_ns: int) -> list[Bucket] | str:
    """Return the buckets of a point with edges in ns; the reason as text if it is invalid."""
    if point.negative:
        return f"it counts {count_text(point.negative)} negative values, which are no times"
    amounts = [*point.counts, point.zeros]
    if len(amounts) > _MOST_BUCKETS or any(not 0 <= amount <= MAX_COUNT for amount in amounts):
        return "it holds numbers that are no counts"
    if sum(amounts) != point.count:
        return f"its count {point.count} is not the sum of its buckets"
    if not 0 <= point.start_ns < (1 << 62) or not 0 < point.at_ns < (1 << 62):
        return "its times are none since 1970"
    return (
        _explicit_buckets(point, unit_ns)
        if point.bounds is not None
        else _exponential_buckets(point, unit_ns)
    )


def _explicit_buckets(point: Point, unit_ns: int) -> list[Bucket] | str:
    """Return the buckets of a point with explicit bounds; the reason as text if it is invalid."""
    bounds = point.bounds or ()
    if not all(np.isfinite(bound) for bound in bounds):
        return "its bounds are no numbers"
    edges = [Decimal(repr(float(bound))) for bound in bounds]
    if any(before >= after for before, after in pairwise(edges)) or len(point.counts) != len(edges) + 1:
        return "its buckets and bounds do not fit each other"
    if any(count for edge, count in zip(edges, point.counts, strict=False) if edge < 0):
        return "it counts negative values, which are no times"
    floors = [min(floor_ns(max(edge, Decimal(0)), unit_ns), OPEN_NS) for edge in edges]
    lowers = [0, *floors]
    return [
        (min(lower, MAX_EDGE_NS), upper, count)
        for lower, upper, count in zip(lowers, [*floors, OPEN_NS], point.counts, strict=True)
        if upper > lower or count
    ]


def _exponential_buckets(point: Point, unit_ns: int) -> list[Bucket] | str:
    """Return the filled buckets of a point with exponential buckets; the reason as text if it is invalid."""
    last = point.offset + len(point.counts)
    if point.scale not in _SCALES or not -_INDICES < point.offset <= last < _INDICES:
        return f"scale {point.scale} and offset {point.offset} name no buckets"
    if not np.isfinite(point.zero_threshold) or point.zero_threshold < 0:
        return "its zero threshold is no time"
    buckets: list[Bucket] = []
    if point.zeros:
        reach = min(floor_ns(Decimal(repr(float(point.zero_threshold))), unit_ns), MAX_EDGE_NS)
        buckets.append((0, max(1, reach), point.zeros))
    for at, count in enumerate(point.counts):
        if not count:
            continue
        lower, upper = (
            min(exponential_edge_ns(point.offset + at + more, point.scale, unit_ns), OPEN_NS)
            for more in (0, 1)
        )
        buckets.append((min(lower, MAX_EDGE_NS), max(upper, 1), count))
    return buckets
