"""Answers of Prometheus' query API: instant and range queries, classic buckets and native histograms.

A range of raw counters (`name_bucket[30d]`, or `query_range` of `name_bucket`) holds a state of each bucket
by time; the differences are what was counted. `rate()` and `increase()` extrapolate: their values are no
counts. A native bucket begins with a rule for its edges: 0 includes the upper, 1 the lower, 3 both.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tailroom.domain.latency.bounds import Floats, Int64s
from tailroom.domain.units import count_text
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.production.answer_scan import AnsweredSeries, series_of
from tailroom.importers.production.counts_per_period import CounterStates, sums_in_ns
from tailroom.importers.production.metrics import Metric, MetricFile, labels_text
from tailroom.importers.production.native import (
    EXTRAPOLATED,
    Bucket,
    EdgesInvalid,
    buckets_of,
    common_buckets,
    edges_of,
    has_fractions,
    native_row,
)

FORM = "prometheus-answer"
TOOL = "prometheus"
_UNNAMED = "histogram"
_PROCESS = "instance"
_SHOWN = 80


@dataclass(slots=True)
class _AnsweredHistogram:
    """A histogram by labels without `le`. Each series is a pair of times (ns since 1970) and values."""

    labels: Mapping[str, str]
    buckets: dict[str, list[tuple[Int64s, Floats]]] = field(default_factory=dict)
    """Cumulative counts by the text of `le`."""
    sums: list[tuple[Int64s, Floats]] = field(default_factory=list)
    """Sum of all latencies since the counters began, in the unit of the metric."""
    native: list[tuple[int, Mapping[str, Any]]] = field(default_factory=list)
    """Times and histograms, as the API writes them."""


@dataclass(slots=True)
class AnswerReader(MetricFile):
    """Reader of a file of answers of the Prometheus query API, grouped by histogram."""

    groups: dict[tuple[str, str], _AnsweredHistogram] = field(default_factory=dict)
    """By name of the metric, and its labels as text."""
    others: int = 0
    """Number of series that are neither bucket, sum nor native histogram; they are not read."""

    def read(self) -> list[ParsedRun]:
        """Return runs of the requested metrics of time, 500 at most. Raise ContentUnreadable without any."""
        for series in series_of(self.source):
            self._add(series)
        if self.others:
            self.problems.note(
                "others", f"{count_text(self.others)} series that are no buckets were not read"
            )
        self._add_up()
        return self.runs(FORM, TOOL)

    def _add(self, series: AnsweredSeries) -> None:
        """Add a requested series to its histogram; report a damaged series, and count other kinds."""
        labels = dict(series.labels)
        name, edge = labels.pop("__name__", ""), labels.pop("le", None)
        shown = f"{name}{{{labels_text(series.labels)[:_SHOWN]}}}"
        if series.problem is not None:
            self.problems.error("series", f"{shown} was left out: {series.problem}")
            return
        metric = name.removesuffix("_bucket") or _UNNAMED
        is_sum = edge is None and name.endswith("_sum") and not series.histograms
        if is_sum:
            metric = name.removesuffix("_sum")
        if edge is None and not is_sum and not series.histograms:
            self.others += 1
            return
        self.names[metric] = None
        choice = self.source.metric
        # PromQL removes names: only the labels of such series are compared.
        if not (self.is_chosen(metric, labels) if name else choice is None or choice.fits(labels)):
            return
        group = self.groups.setdefault((metric, labels_text(labels)), _AnsweredHistogram(labels))
        if series.histograms:
            group.native.extend(series.histograms)
        elif is_sum:
            group.sums.append((series.at_ns, series.values))
        elif edge is not None:
            group.buckets.setdefault(edge, []).append((series.at_ns, series.values))

    def _add_up(self) -> None:
        """Add the counts of the histograms that have buckets to their metrics."""
        for (name, _), group in self.groups.items():
            if not group.buckets and not group.native:
                continue
            metric = self.metric(name, None)
            is_sum = _PROCESS not in group.labels
            if is_sum:
                metric.problems.note(
                    "sum over processes",
                    "without the label `instance` these may be sums over processes: where one started "
                    "again, its counts hide in the others",
                )
            shown = f"{name}{{{labels_text(group.labels)[:_SHOWN]}}}"
            for states in (
                _classic_states(group, metric, shown, is_sum=is_sum),
                _native_states(group, metric, shown),
            ):
                if states is not None:
                    metric.add(states.period_counts(), group.labels)


def _join_parts(parts: Sequence[tuple[Int64s, Floats]]) -> tuple[Int64s, Floats]:
    """Return times in ascending order, each once, and their values; of equal times the first value."""
    at_ns = np.concatenate([times for times, _ in parts])
    values = np.concatenate([values for _, values in parts])
    if at_ns.size > 1 and (np.diff(at_ns) <= 0).any():
        at_ns, first = np.unique(at_ns, return_index=True)
        values = values[first]
    return at_ns, values


def _classic_states(
    group: _AnsweredHistogram, metric: Metric, shown: str, *, is_sum: bool
) -> CounterStates | None:
    """Return the states at the times that all buckets have, else None; empty the buckets of `group`."""
    if not group.buckets:
        return None
    try:
        edges = edges_of(tuple(group.buckets), metric.unit.ns)
    except EdgesInvalid as error:
        metric.problems.error("edges", f"{shown} was left out: {error}")
        return None
    columns = [_join_parts(parts) for parts in group.buckets.values()]
    group.buckets = {}
    common = columns[0][0]
    for at_ns, _ in columns[1:]:
        if at_ns.size != common.size or not np.array_equal(at_ns, common):
            common = np.intersect1d(common, at_ns, assume_unique=True)
    lost = max(at_ns.size for at_ns, _ in columns) - common.size
    if lost:
        metric.problems.add(
            "times", f"{shown}: {count_text(lost)} times have not every bucket and were left out"
        )
    if not common.size:
        return None
    cumulative = np.empty((common.size, len(columns)), np.float64)
    for column, (at_ns, values) in enumerate(columns):
        cumulative[:, column] = values if at_ns.size == common.size else values[np.isin(at_ns, common)]
    columns.clear()
    counts, is_valid = buckets_of(edges, cumulative)
    if not is_valid.all():
        why = EXTRAPOLATED if has_fractions(cumulative) else "its buckets fall, or are no counts"
        if why is EXTRAPOLATED:
            is_valid[:] = False
        metric.problems.error(
            "counts", f"{shown}: {why}; {count_text(int((~is_valid).sum()))} times were left out"
        )
        counts, common = counts[is_valid], common[is_valid]
    if not common.size:
        return None
    metric.note_scrapes(common.size)
    sums_ns = None
    if group.sums:
        at_ns, sums = _join_parts(group.sums)
        if np.isin(common, at_ns).all():
            sums_ns = sums_in_ns(sums[np.isin(at_ns, common)], metric.unit.ns)
    return CounterStates(edges.layout, counts, common, sums_ns, is_sum=is_sum)


def _native_states(group: _AnsweredHistogram, metric: Metric, shown: str) -> CounterStates | None:
    """Return the valid states in order of time, of equal times the last; None without any."""
    rows: list[tuple[list[Bucket], float]] = []
    times: list[int] = []
    for at_ns, value in sorted(dict(group.native).items()):
        row = native_row(value, metric.unit.ns)
        if isinstance(row, str):
            metric.problems.error("native", f"{shown}: {row}; left out")
        else:
            rows.append(row)
            times.append(at_ns)
    if not rows:
        return None
    layout, counts = common_buckets([buckets for buckets, _ in rows])
    metric.note_scrapes(len(rows))
    return CounterStates(
        layout,
        counts,
        np.array(times, np.int64),
        sums_in_ns(np.array([sum_ for _, sum_ in rows], np.float64), metric.unit.ns),
        is_sum=_PROCESS not in group.labels,
    )
