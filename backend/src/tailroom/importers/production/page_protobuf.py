"""A page that a program shows to Prometheus in protobuf, with classic and native histograms.

Its messages are a metric family each, behind its length (`io.prometheus.client`). A native bucket `i` of
schema `s` holds what is over `2^((i - 1) / 2^s)` and at most `2^(i / 2^s)`, the bucket of zeros what is at
most its threshold. A histogram with native and classic buckets counts the same observations in both, so that
the number below each edge of either is known.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import pairwise
from math import inf, isfinite
from typing import Any

import numpy as np
from google.protobuf.message import DecodeError

from tailroom.domain.units import NS_PER_MS, NS_PER_S, count_text
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.printed import MAX_COUNT
from tailroom.importers.problems import Problems
from tailroom.importers.production.counts_per_period import CounterStates, sums_in_ns
from tailroom.importers.production.ladders import MAX_EDGE_NS, exponential_edge_ns, floor_ns
from tailroom.importers.production.metrics import Metric, MetricFile, labels_text
from tailroom.importers.production.native import OPEN_NS, Bucket, common_buckets
from tailroom.importers.production.protobuf_class import message_class
from tailroom.importers.production.protobuf_fields import varint
from tailroom.importers.source import Source

SUMMARY, HISTOGRAM, GAUGE_HISTOGRAM = 2, 4, 5
_NOT_READ = {
    SUMMARY: "summaries were not read: their quantiles have no certain ends",
    GAUGE_HISTOGRAM: "gauge histograms were not read: their counts may fall",
    None: "counters, gauges and the like were not read",
}
_MOST_BYTES = 32 << 20
_FIELDS = {
    "LabelPair": ("string name = 1", "string value = 2"),
    "Timestamp": ("int64 seconds = 1", "int32 nanos = 2"),
    "BucketSpan": ("sint32 offset = 1", "uint32 length = 2"),
    "Bucket": (
        "uint64 cumulative_count = 1",
        "double upper_bound = 2",
        "double cumulative_count_float = 4",
    ),
    "Histogram": (
        "uint64 sample_count = 1",
        "double sample_sum = 2",
        "repeated Bucket bucket = 3",
        "double sample_count_float = 4",
        "sint32 schema = 5",
        "double zero_threshold = 6",
        "uint64 zero_count = 7",
        "double zero_count_float = 8",
        "repeated BucketSpan negative_span = 9",
        "repeated sint64 negative_delta = 10",
        "repeated BucketSpan positive_span = 12",
        "repeated sint64 positive_delta = 13",
        "repeated double positive_count = 14",
        "Timestamp created_timestamp = 15",
    ),
    "Metric": (
        "repeated LabelPair label = 1",
        "int64 timestamp_ms = 6",
        "Histogram histogram = 7",
    ),
    "MetricFamily": (
        "string name = 1",
        "string help = 2",
        "int32 type = 3",
        "repeated Metric metric = 4",
        "string unit = 5",
    ),
}
MetricFamily = message_class("io.prometheus.client", _FIELDS, "MetricFamily")
_SCHEMAS = range(-4, 9)
_MOST_BUCKETS = 20_000
_INDICES = 1 << 31
_LATEST_NS = 1 << 62

Below = dict[int, int]
"""Number of operations that took at most an edge, by edges in whole nanoseconds."""


def families(source: Source, problems: Problems) -> Iterator[Any]:
    """Yield metric families in order; report invalid and cut messages. Raise SourceTooLarge over 32 MiB."""
    data = source.whole_binary(_MOST_BYTES)
    at = 0
    while at < len(data):
        prefix = varint(data, at)
        if prefix is None or sum(prefix) > len(data):
            problems.error("cut", "the last message of the page is cut and was left out")
            return
        begin, at = prefix[0], sum(prefix)
        try:
            yield MetricFamily.FromString(data[begin:at])
        except DecodeError as error:
            problems.error("message", f"a message of the page cannot be read: {error}")


@dataclass(frozen=True, slots=True)
class _ScrapedState:
    """A scraped histogram: times in ns since 1970 (0 if not stated), `sum` in the unit of the metric."""

    buckets: tuple[Bucket, ...]
    sum: float
    at_ns: int
    begun_ns: int


@dataclass(slots=True)
class ProtobufPageReader(MetricFile):
    """Parser of a file of metric families, of one or several pages; call `read` once."""

    states: dict[str, dict[str, tuple[Mapping[str, str], list[_ScrapedState]]]] = field(default_factory=dict)
    """By name of the metric and text of the labels: the labels, and the states in the order of the file."""

    def read(self, form: str, tool: str) -> list[ParsedRun]:
        """Return a run per metric. Raise ContentUnreadable if none is of time, SourceTooLarge over 32 MiB."""
        others = Counter[int | None]()
        for family in families(self.source, self.problems):
            if family.type == HISTOGRAM:
                self._add(family)
            else:
                others[family.type if family.type in _NOT_READ else None] += 1
        for kind, words in _NOT_READ.items():
            if others[kind]:
                self.problems.note("kinds", f"{count_text(others[kind])} {words}")
        for name, metric in self.metrics.items():
            for labels, states in self.states.get(name, {}).values():
                metric.add(_counter_states(states, metric).period_counts(), labels)
        return self.runs(form, tool)

    def _add(self, family: Any) -> None:
        """Add the states of a family's requested histograms; report invalid histograms."""
        name = family.name
        self.names[name] = None
        for labelled in family.metric:
            labels = {pair.name: pair.value for pair in labelled.label}
            if not labelled.HasField("histogram") or not self.is_chosen(name, labels):
                continue
            metric = self.metric(name, family.unit)
            text = labels_text(labels)
            state = _state(labelled, metric, f"{name}{{{text[:80]}}}")
            if isinstance(state, str):
                metric.problems.error("histogram", f"{name}{{{text[:80]}}}: {state}; left out")
            else:
                self.states.setdefault(name, {}).setdefault(text, (labels, []))[1].append(state)


def _counter_states(states: Sequence[_ScrapedState], metric: Metric) -> CounterStates:
    """Return the states in order of time and each time once; in the file's order if a time is missing."""
    if all(state.at_ns for state in states):
        ordered = sorted(states, key=lambda state: state.at_ns)
        states = ordered[:1] + [after for before, after in pairwise(ordered) if before.at_ns < after.at_ns]
    elif len(states) > 1 and all(state == states[0] for state in states):
        metric.problems.note("copy", "the same page stands in the file more than once")
        states = states[:1]
    layout, counts = common_buckets([state.buckets for state in states])
    at_ns = np.array([state.at_ns for state in states], np.int64)
    sums = np.array([state.sum for state in states], np.float64)
    metric.note_scrapes(len(states))
    return CounterStates(
        layout,
        counts,
        at_ns if at_ns.all() else None,
        sums_in_ns(sums, metric.unit.ns),
        np.array([state.begun_ns for state in states], np.int64),
    )


def _state(of_metric: Any, metric: Metric, shown: str) -> _ScrapedState | str:
    """Return the state of a histogram (`shown` in messages); the reason as text if it is invalid."""
    histogram, unit_ns = of_metric.histogram, metric.unit.ns
    if histogram.sample_count_float or histogram.zero_count_float or histogram.positive_count:
        return "its counts are not whole, as those of rate() are, which extrapolates"
    total = histogram.sample_count
    if total > MAX_COUNT:
        return f"{total} is no count"
    has_spans = bool(histogram.positive_span or histogram.negative_span)
    is_native = has_spans or bool(histogram.zero_threshold or histogram.zero_count)
    native = _native(histogram, unit_ns) if is_native else {}
    classic = _classic(histogram, unit_ns)
    if isinstance(native, str) or isinstance(classic, str):
        return native if isinstance(native, str) else str(classic)
    below = {**native, **classic}
    agree = all(native.get(edge, count) == count for edge, count in classic.items())
    if is_native and not (agree and _ascends(below, total)):
        metric.problems.add(
            "both", f"{shown}: native and classic buckets contradict each other; the classic were taken"
        )
        below, is_native = classic, False
    if not below and not is_native:
        return "it has no buckets"
    if not _ascends(below, total):
        return "its buckets fall, or hold other numbers than its count"
    buckets = _buckets(below, total, keeps_empty=not is_native)
    at_ns, created = of_metric.timestamp_ms * NS_PER_MS, histogram.created_timestamp
    begun_ns = created.seconds * NS_PER_S + created.nanos
    return _ScrapedState(
        tuple(buckets),
        histogram.sample_sum,
        at_ns if 0 < at_ns < _LATEST_NS else 0,
        begun_ns if 0 < begun_ns < _LATEST_NS else 0,
    )


def _ascends(below: Below, total: int) -> bool:
    """Return whether counts do not fall from edge to edge, nor exceed the total (0 to `total`)."""
    counts = [count for _, count in sorted(below.items())]
    return all(before <= after for before, after in pairwise([0, *counts, total]))


def _buckets(below: Below, total: int, *, keeps_empty: bool) -> Iterable[Bucket]:
    """Yield the buckets between edges and beyond the last; empty buckets only with `keeps_empty`."""
    lower = counted = 0
    for edge, count in [*sorted(below.items()), (OPEN_NS, total)]:
        if count > counted or (keeps_empty and edge > lower):
            yield min(lower, MAX_EDGE_NS), max(edge, 1), count - counted
        lower, counted = edge, count


def _classic(histogram: Any, unit_ns: int) -> Below | str:
    """Return the counts up to each finite edge of the classic buckets; the reason as text if invalid."""
    below: Below = {}
    for bucket in histogram.bucket:
        bound, count = bucket.upper_bound, bucket.cumulative_count
        if bucket.cumulative_count_float:
            return "its counts are not whole"
        if bound == inf:
            if count != histogram.sample_count:
                return "its last bucket and its count differ"
        elif not isfinite(bound):
            return "an edge is no number"
        elif bound < 0:
            if count:
                return "it counts negative values, which are no times"
        else:
            edge = min(floor_ns(Decimal(repr(float(bound))), unit_ns), OPEN_NS)
            if below.get(edge, count) != count:
                return "two buckets have the same edge"
            below[edge] = count
    below.pop(OPEN_NS, None)
    return below


def _native(histogram: Any, unit_ns: int) -> Below | str:  # noqa: PLR0911 - a reason each
    """Return the counts up to each finite edge of filled native buckets; the reason as text if invalid."""
    if histogram.schema not in _SCHEMAS:
        return f"schema {histogram.schema} is not known"
    if any(_counts(histogram.negative_delta)):
        return "it counts negative values, which are no times"
    threshold = histogram.zero_threshold
    if not isfinite(threshold) or threshold < 0:
        return "its zero threshold is no time"
    counts, indices = _counts(histogram.positive_delta), _indices(histogram.positive_span)
    if isinstance(indices, str):
        return indices
    if len(counts) != len(indices) or any(not 0 <= count <= MAX_COUNT for count in counts):
        return "its spans and counts do not fit each other"
    zero_ns = min(floor_ns(Decimal(repr(float(threshold))), unit_ns), MAX_EDGE_NS)
    counted = histogram.zero_count
    below: Below = {zero_ns: counted} if counted else {}
    for index, count in zip(indices, counts, strict=True):
        if not count:
            continue
        lower, upper = (
            min(exponential_edge_ns(edge, histogram.schema, unit_ns), OPEN_NS) for edge in (index - 1, index)
        )
        # If buckets lie inside of one nanosecond, its edge holds all of them.
        below[max(lower, zero_ns)] = counted
        counted += count
        below[max(upper, zero_ns)] = counted
    if counted != histogram.sample_count:
        return "its native buckets do not add up to its count"
    below.pop(OPEN_NS, None)
    return below


def _counts(deltas: Iterable[int]) -> list[int]:
    """Return the count of each bucket; a delta is the difference from the bucket before."""
    return np.cumsum(np.array(list(deltas), dtype=object)).tolist()  # type: ignore[no-any-return]


def _indices(spans: Sequence[Any]) -> list[int] | str:
    """Return the index of each bucket of spans; the reason as text if they overlap or are too many."""
    indices: list[int] = []
    at = 0
    for span in spans:
        at += span.offset
        if len(indices) + span.length > _MOST_BUCKETS or abs(at) > _INDICES:
            return "its spans name more buckets than a histogram has"
        indices += range(at, at + span.length)
        at += span.length
    return indices if indices == sorted(set(indices)) else "its spans overlap"
