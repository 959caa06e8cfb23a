"""A metric of nosqlbench: a name, a unit, and its reports.

Histograms are emptied at each report, so that every state covers the time since the previous state. Their
values are whole nanoseconds in an HdrHistogram of three digits or more. `count` depends on the version: up to
5.21 (Dropwizard Metrics) it covers all operations since the beginning, since 5.25 those of the interval.
Source: `DeltaHdrHistogramReservoir`, `CsvReporter`, `MetricsView.createSummarySample`.
"""

import re
from collections.abc import ItemsView, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from statistics import median

from tailroom.domain.units import NS_PER_MS, NS_PER_S, NS_PER_US
from tailroom.importers.printed import Printed, printed, whole
from tailroom.importers.summaries import THREE_DIGITS, Summary, Time, rounded

UNITS = {
    "nanoseconds": (1, "ns"),
    "microseconds": (NS_PER_US, "µs"),
    "milliseconds": (NS_PER_MS, "ms"),
    "seconds": (NS_PER_S, "s"),
}
_QUANTILE = re.compile(r"p(\d{2,5})")
_INSTRUMENT = re.compile(
    r"(?:(.{1,400})[._])??(cycles|strides|phases|bind|execute|result[-_]success|result[-_]error|result|"
    r"read[-_]input)(?:[._-](servicetime|responsetime|waittime))?"
)
_OF_OPERATION = re.compile(r"(?:(.{1,400})[._])?([\w-]{1,100})[-_](success|error)")
_CLOCKS = {"servicetime": "service", "responsetime": "response", "waittime": "queue"}
_FROM_SENDING = ("execute", "result", "result-success", "result-error")


class MetricCells(Mapping[str, str]):
    """The cells of a row of the CSV by column, stored as text: dictionaries are five times as large."""

    __slots__ = ("_columns", "_text")

    def __init__(self, columns: Mapping[str, int], text: str) -> None:
        self._columns, self._text = columns, text

    def __getitem__(self, name: str) -> str:
        return self._text.split(",")[self._columns[name]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def items(self) -> ItemsView[str, str]:
        """Return names and values of the text, read in one pass."""
        return dict(zip(self._columns, self._text.split(","), strict=True)).items()


@dataclass(frozen=True, slots=True)
class State:
    """One report of a metric; `fields` are printed texts by column of the CSV: `count`, `max`, `p999`, …"""

    line: int
    fields: Mapping[str, str]
    at_ns: int | None = None
    """Time on the clock of the file; None if the file has no clock."""
    length_ns: int | None = None
    """Length of the interval that the report covers; None if the file does not state it."""

    @property
    def count(self) -> int | None:
        """The number of operations, printed as `count`; None if it is no number."""
        return whole(self.fields.get("count", ""))

    @property
    def rate(self) -> Printed | None:
        """Operations per second since the beginning, printed as `mean_rate`; None if it is no number."""
        return printed(self.fields.get("mean_rate", ""))

    @property
    def is_empty(self) -> bool:
        """Whether nothing was measured: the count is 0, or the largest time is missing or not over 0."""
        most = printed(self.fields.get("max", ""))
        return self.count == 0 or most is None or most.value <= 0


@lru_cache(256)
def _share_of(key: str) -> Fraction | None:
    """Return a percentile as a ratio: `p999` is 0.999; None for a name that is no percentile."""
    match = _QUANTILE.fullmatch(key)
    return None if match is None else Fraction(int(match[1]), 10 ** len(match[1]))


@dataclass(slots=True)
class NosqlbenchMetric:
    """A timer with its reports (`states`); `unit_ns` and `unit` are the unit of its times."""

    name: str
    unit_ns: int
    unit: str
    states: list[State] = field(default_factory=list)
    is_nosqlbench: bool = True
    """False if another program with Dropwizard Metrics wrote it, whose percentiles are of a sample."""
    exact_counts: bool = False
    """Whether the count is that of the histogram which the percentiles are of."""

    @property
    def instrument(self) -> tuple[str | None, str, str] | None:
        """Activity (None if not named), operation, and measured time (`service`, …) by name; else None."""
        match = _INSTRUMENT.fullmatch(self.name)
        if match is not None:
            operation = match[2].replace("_", "-")
            default = "service" if operation in _FROM_SENDING else "operation"
            return match[1], operation, _CLOCKS.get(match[3] or "", default)
        of_operation = _OF_OPERATION.fullmatch(self.name)
        if of_operation is not None:
            return of_operation[1], f"{of_operation[2]}-{of_operation[3]}".lower(), "service"
        return None

    def counts(self) -> str:
        """Return the scope of the printed counts: `interval`, `total` (since the beginning) or `unknown`.

        The count over the mean rate is the time since a fixed beginning, or since the previous report.
        Unknown if fewer than two reports have time, count and rate, or if they fit neither.
        """
        if self.exact_counts:
            return "interval"
        begins: list[tuple[float, float]] = []
        for state in self.states:
            if state.count and state.rate is not None and state.rate.value > 0 and state.at_ns is not None:
                at_s = state.at_ns / NS_PER_S
                begins.append((at_s, at_s - state.count / float(state.rate.value)))
        pairs = list(pairwise(begins))
        steps = [
            (later[0] - earlier[0], abs(later[1] - earlier[1]))
            for earlier, later in pairs
            if later[0] > earlier[0]
        ]
        if not steps:
            return "unknown"
        apart = median(moved / step for step, moved in steps)
        return "total" if apart < 0.25 else "interval" if apart > 0.5 else "unknown"

    def summary(self, state: State, count: int | None) -> Summary:
        """Return the printed numbers of a state with their bounds; `count` operations, None if unknown."""
        summary = Summary(self.name, state.line, count=count, name=self.name)
        summary.mean = self._time(state.fields.get("mean", ""))
        summary.least = self._time(state.fields.get("min", ""))
        summary.most = self._time(state.fields.get("max", ""))
        for key, text in state.fields.items():
            share = _share_of(key)
            time = self._time(text) if share is not None else None
            if share is not None and time is not None:
                summary.quantiles.append((share, time))
        return summary

    def _time(self, text: str) -> Time | None:
        """Return a time in ns, widened to its three-digit bucket; None for a text that is no time."""
        time = rounded(text, self.unit_ns, self.unit)
        return None if time is None else time.widened(THREE_DIGITS)
