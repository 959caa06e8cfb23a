"""Answers of Prometheus' query API: instant and range queries, classic buckets and native histograms.

A range of raw counters (`name_bucket[30d]`, or `query_range` of `name_bucket`) holds a state of each bucket
by time; the differences are what was counted. `rate()` and `increase()` extrapolate: their values are no
counts. Native histograms stand as buckets with their rule for edges: 0 holds the upper, 1 the lower, 3 both.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tailroom.domain.latency.bounds import Floats, Int64s
from tailroom.domain.units import count_text
from tailroom.importers.metric_choice import MetricChoice
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.problems import Problems
from tailroom.importers.production.answer_scan import AnsweredSeries, series_of
from tailroom.importers.production.classic import WHY_NOT, EdgesInvalid, buckets_of, edges_of, has_fractions
from tailroom.importers.production.counts_per_period import States
from tailroom.importers.production.metrics import Metric, OfFile, add, is_chosen, labels_text, runs_of
from tailroom.importers.production.native import NativeRow, common_buckets, native_row
from tailroom.importers.production.units import unit_of
from tailroom.importers.source import Source

FORM = "prometheus-answer"
TOOL = "prometheus"
_UNNAMED = "histogram"
_PROCESS = "instance"
_SHOWN = 80


@dataclass(slots=True)
class _Group:
    """The series of a histogram. Each answer in the file that holds a series adds a pair of times (ns since
    1970) and values.

    `buckets`: cumulative counts by the text of `le`; `native`: times and histograms as the API writes them.
    """

    labels: Mapping[str, str]
    buckets: dict[str, list[tuple[Int64s, Floats]]] = field(default_factory=dict)
    sums: list[tuple[Int64s, Floats]] = field(default_factory=list)
    native: list[tuple[int, Mapping[str, Any]]] = field(default_factory=list)


@dataclass(slots=True)
class AnswerReader:
    """Collects the series of answers of the Prometheus query API."""

    source: Source
    of_file: OfFile = field(default_factory=OfFile)
    groups: dict[tuple[str, str], _Group] = field(default_factory=dict)
    """By name of the metric, and its labels as text."""
    others: int = 0
    """How many series are neither buckets nor sums."""

    def read(self) -> list[ParsedRun]:
        """Return the runs of the file. Raise ContentUnreadable where it holds no histogram of times."""
        for series in series_of(self.source):
            self._take(series)
        if self.others:
            self.problems.add(
                "others",
                f"{count_text(self.others)} series that are no buckets were not read",
                None,
                note=True,
            )
        return runs_of(self._metrics(), self.source, self.of_file, FORM, TOOL)

    @property
    def problems(self) -> Problems:
        """Problems of the file as a whole."""
        return self.of_file.problems

    def _take(self, series: AnsweredSeries) -> None:
        """Add a series to its histogram if that was requested; report a damaged series, and count a series of
        another kind.
        """
        labels = dict(series.labels)
        name, edge = labels.pop("__name__", ""), labels.pop("le", None)
        shown = f"{name}{{{labels_text(series.labels)[:_SHOWN]}}}"
        if series.problem is not None:
            self.problems.add("series", f"{shown} was left out: {series.problem}", None, error=True)
            return
        metric = name.removesuffix("_bucket") or _UNNAMED
        is_sum = edge is None and name.endswith("_sum") and not series.histograms
        if is_sum:
            metric = name.removesuffix("_sum")
        if edge is None and not is_sum and not series.histograms:
            self.others += 1
            return
        self.of_file.names[metric] = None
        if not is_chosen(self.source.metric if name else _without_name(self.source), metric, labels):
            return
        group = self.groups.setdefault((metric, labels_text(labels)), _Group(labels))
        if series.histograms:
            group.native.extend(series.histograms)
        elif is_sum:
            group.sums.append((series.at_ns, series.values))
        elif edge is not None:
            group.buckets.setdefault(edge, []).append((series.at_ns, series.values))

    def _metrics(self) -> Iterator[Metric]:
        metrics: dict[str, Metric] = {}
        for (name, _), group in self.groups.items():
            if not group.buckets and not group.native:
                continue
            metric = metrics.get(name)
            if metric is None:
                metric = metrics[name] = Metric(name, unit_of(name, None, self.source.stated_unit_ns))
            is_sum = _PROCESS not in group.labels
            if is_sum:
                metric.problems.add(
                    "sum over processes",
                    "without the label `instance` these may be sums over processes: where one started "
                    "again, its counts hide in the others",
                    None,
                    note=True,
                )
            shown = f"{name}{{{labels_text(group.labels)[:_SHOWN]}}}"
            for states in (_classic(group, metric, shown, is_sum=is_sum), _natives(group, metric, shown)):
                if states is not None:
                    add(states.stretches(), metric, group.labels)
        yield from metrics.values()


def _without_name(source: Source) -> MetricChoice | None:
    """Return the requested choice without its name, for series whose name a function of PromQL took away."""
    return None if source.metric is None else replace(source.metric, name=None)


def _joined(parts: Sequence[tuple[Int64s, Floats]]) -> tuple[Int64s, Floats]:
    """Return times in ascending order, each once, and their values; of equal times the first value."""
    at_ns = np.concatenate([one for one, _ in parts])
    values = np.concatenate([one for _, one in parts])
    if at_ns.size > 1 and (np.diff(at_ns) <= 0).any():
        at_ns, first = np.unique(at_ns, return_index=True)
        values = values[first]
    return at_ns, values


def _classic(group: _Group, metric: Metric, shown: str, *, is_sum: bool) -> States | None:
    """Return the valid states of the buckets with an edge `le`, and report the others; None without any.

    `shown`: name and labels for messages; `is_sum`: whether counts may be sums over processes.
    """
    if not group.buckets:
        return None
    try:
        edges = edges_of(tuple(group.buckets), metric.unit.ns)
    except EdgesInvalid as error:
        metric.problems.add("edges", f"{shown} was left out: {error}", None, error=True)
        return None
    columns = [_joined(parts) for parts in group.buckets.values()]
    group.buckets = {}
    common = columns[0][0]
    for at_ns, _ in columns[1:]:
        if at_ns.size != common.size or not np.array_equal(at_ns, common):
            common = np.intersect1d(common, at_ns, assume_unique=True)
    lost = max(at_ns.size for at_ns, _ in columns) - common.size
    if lost:
        metric.problems.add(
            "times", f"{shown}: {count_text(lost)} times have not every bucket and were left out", None
        )
    if not common.size:
        return None
    cumulative = np.empty((common.size, len(columns)), np.float64)
    for column, (at_ns, values) in enumerate(columns):
        cumulative[:, column] = values if at_ns.size == common.size else values[np.isin(at_ns, common)]
    columns.clear()
    counts, right = buckets_of(edges, cumulative)
    if not right.all():
        why = WHY_NOT if has_fractions(cumulative) else "its buckets fall, or are no counts"
        if why is WHY_NOT:
            right[:] = False
        metric.problems.add(
            "counts",
            f"{shown}: {why}; {count_text(int((~right).sum()))} times were left out",
            None,
            error=True,
        )
        counts, common = counts[right], common[right]
    if not common.size:
        return None
    metric.parameters["scrapes"] = max(int(metric.parameters.get("scrapes") or 0), int(common.size))
    sums_ns = None
    if group.sums:
        at_ns, sums = _joined(group.sums)
        if np.isin(common, at_ns).all() and np.isfinite(sums).all():
            sums_ns = sums[np.isin(at_ns, common)] * metric.unit.ns
    return States(edges.ladder, counts, common, sums_ns, is_sum=is_sum)


def _natives(group: _Group, metric: Metric, shown: str) -> States | None:
    """Return the valid states of native histograms, and report the others; None without any. `shown`: name
    and labels for messages.
    """
    rows: list[NativeRow] = []
    times: list[int] = []
    for at_ns, value in sorted(dict(group.native).items()):
        row = native_row(value, metric.unit.ns)
        if isinstance(row, str):
            metric.problems.add("native", f"{shown}: {row}; left out", None, error=True)
        else:
            rows.append(row)
            times.append(at_ns)
    if not rows:
        return None
    ladder, counts = common_buckets([row.buckets for row in rows])
    sums_ns = np.array([row.sum for row in rows], np.float64) * metric.unit.ns
    metric.parameters["scrapes"] = max(int(metric.parameters.get("scrapes") or 0), len(rows))
    return States(
        ladder,
        counts,
        np.array(times, np.int64),
        sums_ns if np.isfinite(sums_ns).all() else None,
        is_sum=_PROCESS not in group.labels,
    )
