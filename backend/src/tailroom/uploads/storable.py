"""Rows of a run that an importer has read: series, intervals in their own buckets, statements.

Nothing is converted to other buckets (storage/interval.py). Thresholds at bucket edges are counted exactly.
Intervals of long runs are merged, each the exact sum of its parts. A record without intervals is stored as a
statement, which is the distribution as a document.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import numpy as np
import numpy.typing as npt

from tailroom.domain import act
from tailroom.domain.errors import DomainError
from tailroom.domain.latency.document import Distribution, distribution_of, document_of
from tailroom.domain.latency.document_schema import NothingStated
from tailroom.domain.latency.histogram import MAX_COUNT, encode_many, payload_layout
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import (
    BucketLayout,
    ExplicitLayout,
    HdrLayout,
    Pow2Layout,
    layout_document,
)
from tailroom.domain.rating.load_search import probe_of
from tailroom.domain.units import ceil_div, duration_text
from tailroom.importers.agent_result.importer import TOOL as TAILROOM_AGENT
from tailroom.importers.disclosure import workload_of_tool
from tailroom.importers.parsed_run import (
    Claim,
    EndState,
    MachineCourse,
    ParsedRun,
    ParsedSeries,
    Problem,
    Severity,
    printed_by_operation,
    printed_of,
)
from tailroom.kit.deadlines import check
from tailroom.kit.limits import run_size_problem
from tailroom.kit.outside_types import clean_line
from tailroom.records.columns import columns_of_records
from tailroom.uploads.texts import sentence, storable_json

Int64s = npt.NDArray[np.int64]

MOST_SLICES = 10_000
"""Most intervals of a stored series. A measured day has 8,640 intervals of ten seconds."""
_MERGE_FACTORS = (10, 60, 600, 3_600)
_EXACT_AT_NS = (act.LIMITS_NS, act.NEAR_US_NS)
"""Thresholds (ns) that are counted exactly: limits of ACT, else those of its script for logs in µs."""
_LATEST_NS = 1 << 61
_CLAIMS_MAX = 1_000
_PERIODS_MAX = 5_000
_PRINTED_MAX = 200
_PERIOD_QUANTILES = {"p50": 0.5, "p99": 0.99, "p999": 0.999}
_CLAIM_FIELDS = ("operation", "quantity", "printed", "lower", "upper", "quantile", "line")
_COURSE_FIELDS = ("subject", "quantity", "start_ns", "duration_ns", "values")
_PRINTED_FIELDS = ("quantity", "printed", "quantile", "line")
_OUTCOMES = {
    EndState.FINISHED: "completed",
    EndState.DEVICE_TOO_SLOW: "failed",
    EndState.GENERATOR_TOO_SLOW: "failed",
    EndState.FAILED: "failed",
    EndState.KILLED: "interrupted",
    EndState.GROWING: "interrupted",
}


class RunNotStorable(DomainError):
    """The run cannot be stored: numbers too large to be added exactly, or times out of range."""


@dataclass(frozen=True, slots=True, eq=False)
class StorableSeries:
    """Column values of a series, and its intervals, or None if `statement` has its distribution instead."""

    values: dict[str, Any]
    intervals: IntervalRecords | None

    @property
    def size(self) -> int:
        """Number of intervals."""
        return 0 if self.intervals is None else self.intervals.size


Rows = tuple[dict[str, Int64s], list[bytes], list[bytes | None]]
"""Columns of a series by interval: numbers, packed pins (exact counts at thresholds), packed histograms."""


@dataclass(frozen=True, slots=True, eq=False)
class StorableRun:
    """Values of the run's columns, its start (None: not stated), and its series in order of their numbers."""

    values: dict[str, Any]
    started_at: datetime | None
    series: tuple[StorableSeries, ...]
    _rows: list[Rows] = field(default_factory=list)

    def prepare(self) -> list[Rows]:
        """Return the rows of each series with intervals, in order, computed at the first call."""
        if not self._rows:
            self._rows.extend(
                (*columns_of_records(series.intervals, number), payloads(series.intervals))
                for number, series in enumerate(self.series)
                if series.intervals is not None
            )
        return self._rows

    @property
    def data_through_ns(self) -> int:
        """End of the last interval since the start of the run; 0 without intervals."""
        return max(
            (series.intervals.end_ns for series in self.series if series.intervals is not None), default=0
        )


def storable(run: ParsedRun, file_name: str) -> StorableRun:
    """Return the rows of a run; a series that cannot be stored is left out and becomes a problem of the run.

    The duration is limited to 0 to 2^61 ns. Raise RunNotStorable if no series can be stored, or the run
    exceeds the limits of series, operations or phases.
    """
    operations = {(parsed.operation, parsed.clock) for parsed in run.series}
    phases = {parsed.phase for parsed in run.series}
    if (too_large := run_size_problem(len(run.series), len(operations), len(phases))) is not None:
        raise RunNotStorable(
            f"the run is too large to be stored: {too_large}; send the parts that matter by themselves"
        )
    problems = list(run.problems)
    series: list[StorableSeries] = []
    printed = printed_by_operation(run)
    for parsed in run.series:
        check()
        try:
            series.append(_series(parsed, printed_of(parsed, printed), problems))
        except DomainError as error:
            parts = (parsed.operation, f"{parsed.clock} time", parsed.device, parsed.phase)
            label = ", ".join(part for part in parts if part)
            problems.append(Problem(f"{label} cannot be stored: {error}", None, Severity.ERROR))
    if run.series and not series:
        raise RunNotStorable(problems[-1].reason)
    rows = StorableRun(_run_values(run, file_name, problems), run.started_at, tuple(series))
    duration_ns = run.duration_ns if run.duration_ns is not None else rows.data_through_ns
    duration_ns = min(max(int(duration_ns), 0), _LATEST_NS)
    rows.values.update(planned_duration_ns=duration_ns, measured_duration_ns=duration_ns)
    rows.values["finish"] = {
        "outcome": rows.values["outcome"],
        "reason": rows.values["outcome_reason"],
        "duration_ns": duration_ns,
        "last_seq": {str(number): stored.size - 1 for number, stored in enumerate(series) if stored.size},
    }
    return rows


def payloads(records: IntervalRecords) -> list[bytes | None]:
    """Return the packed buckets of each interval; None for an interval without counts."""
    layout = payload_layout(records.layout)
    return encode_many(records.offsets, records.indices, records.counts, layout)


def problem_document(problem: Problem, file_name: str | None = None) -> dict[str, Any]:
    """Return a problem as stored with its run or file; `file_name` is used if the problem names no file."""
    return {
        "file": clean_line(problem.file or file_name or "") or None,
        "line": problem.line,
        "reason": sentence(problem.reason),
        "severity": problem.severity.value,
    }


def over_time(records: IntervalRecords) -> IntervalRecords:
    """Return the records, with neighbours merged into at most `MOST_SLICES` intervals if there are more.

    Each merged interval is the exact sum of its parts: of 10, 60, 600 or 3,600 median lengths, the fewest
    that suffice, else of equally many neighbours.
    """
    if records.size <= MOST_SLICES:
        return records
    usual_ns = max(1, int(np.median(records.duration_ns)))
    for times in _MERGE_FACTORS:
        groups = (records.start_ns + usual_ns // 2) // (usual_ns * times)
        if np.unique(groups).size <= MOST_SLICES:
            return records.grouped(groups)
    group_size = ceil_div(records.size, MOST_SLICES)
    return records.grouped(np.arange(records.size, dtype=np.int64) // group_size)


def _series(series: ParsedSeries, printed: Sequence[Claim], problems: list[Problem]) -> StorableSeries:
    """Return the rows of a series with at most the first 200 of `printed`, its figures in the file.

    Without intervals it is stored as a statement (its distribution as a document). Notes are appended to
    `problems`. Raise DomainError if it cannot be stored.
    """
    values: dict[str, Any] = {
        "operation": sentence(series.operation),
        "clock": series.clock,
        "phase": sentence(series.phase or "main"),
        "host": "",
        "device": None if series.device is None else sentence(series.device),
        "semantics": sentence(series.semantics) or None,
        "source_name": sentence(series.source_name) or None,
        "layout": None,
        "pin_thresholds_ns": [],
        "statement": None,
        "target_count": series.target_count,
        "missing_intervals": series.missing_intervals,
        "printed": [_document(claim, _PRINTED_FIELDS) for claim in printed[:_PRINTED_MAX]],
        "periods": _periods(series, problems) or None,
    }
    if series.intervals is not None and series.intervals.size:
        stored = over_time(_check_range(series.intervals))
        if stored.size < series.intervals.size:
            before, after = (int(np.median(part.duration_ns)) for part in (series.intervals, stored))
            note = (
                f"{series.operation} ({series.clock}) is stored in stretches of {duration_text(after)}, each"
                f" the exact sum of those of {duration_text(before)} in the file"
            )
            problems.append(Problem(note, None, Severity.NOTE))
        stored = _count_at_limits(stored)
        values |= {
            "kind": "histogram",
            "layout": _layout_values(stored.layout),
            "pin_thresholds_ns": list(stored.thresholds_ns),
        }
        return StorableSeries(values, stored)
    document = document_of(Distribution("read", "operation", series.record))
    # A document that cannot be read must be refused now.
    try:
        distribution_of(document)
    except NothingStated as error:
        raise RunNotStorable(
            "the file states no count, mean, percentile or extreme of its latencies in the whole run"
        ) from error
    return StorableSeries(values | {"kind": "statement", "statement": document}, None)


def _periods(series: ParsedSeries, problems: list[Problem]) -> list[dict[str, Any]]:
    """Return the first `_PERIODS_MAX` periods of a series with bounds of p50, p99 and p99.9 in ns, as stored.

    Contradictory periods are left out. If there are more, a note is appended to `problems`.
    """
    if len(series.periods) > _PERIODS_MAX:
        note = f"of {len(series.periods)} periods of {series.operation} the first {_PERIODS_MAX} are stored"
        problems.append(Problem(note, None, Severity.NOTE))
    periods: list[dict[str, Any]] = []
    for period in series.periods[:_PERIODS_MAX]:
        try:
            bounds = {name: period.record.quantile_bounds(at) for name, at in _PERIOD_QUANTILES.items()}
        except DomainError:
            continue  # The importer has reported the contradiction.
        values = {
            "start_ns": period.start_ns,
            "duration_ns": period.duration_ns,
            "count": period.record.total,
        }
        for name, interval in bounds.items():
            values |= {f"{name}_lower_ns": interval.lower_ns, f"{name}_upper_ns": interval.upper_ns}
        periods.append(values)
    return periods


def _check_range(records: IntervalRecords) -> IntervalRecords:
    """Return the records unchanged. Raise RunNotStorable for numbers beyond what can be stored exactly."""
    if float(records.counts.astype(np.float64).sum()) >= MAX_COUNT:
        raise RunNotStorable("it counts 2**53 operations or more, which cannot be added exactly")
    misses = records.misses.astype(np.float64)
    if float(misses.sum()) >= MAX_COUNT or float(records.pins.astype(np.float64).sum()) >= MAX_COUNT:
        raise RunNotStorable("it counts 2**53 misses or more, which cannot be added exactly")
    if int(records.start_ns.min()) < 0 or int(records.duration_ns.min()) < 0:
        raise RunNotStorable("a piece begins before the run, or ends before it begins")
    if float(records.start_ns.max()) + float(records.duration_ns.max()) >= _LATEST_NS:
        raise RunNotStorable("a piece lies more than 70 years after the start of the run")
    if records.indices.size and int(records.indices.max()) >= payload_layout(records.layout).index_limit:
        raise RunNotStorable("it has more different buckets than can be stored")
    return records


def _count_at_limits(records: IntervalRecords) -> IntervalRecords:
    """Return the records with exact counts of answered operations at or over ACT's limits at bucket edges.

    If no limit is an edge, those of ACT's script for logs in µs are used; without any there are no
    thresholds. Records with own thresholds stay unchanged: the tolerated lateness depends on the smallest.
    """
    if records.thresholds_ns:
        return records
    exact: dict[int, Int64s] = {}
    edges = [[at for at in limits if _is_edge(records.layout, at)] for limits in _EXACT_AT_NS]
    misses = records.misses
    for at in edges[0] or edges[1]:
        exact[at] = records.over(at)[1] - misses
    thresholds = tuple(sorted(exact))
    pins = [exact[at] for at in thresholds]
    none = np.empty((records.size, 0), np.int64)
    return replace(records, thresholds_ns=thresholds, pins=np.stack(pins, axis=1) if pins else none)


def _is_edge(layout: BucketLayout, at_ns: int) -> bool:
    """Return whether a bucket begins exactly at a time (ns); False for tolerant edges and other layouts."""
    if isinstance(layout, ExplicitLayout):
        return at_ns in layout.edges and not layout.edge_tolerance_ns
    if isinstance(layout, Pow2Layout):
        units, rest = divmod(at_ns, layout.unit_ns)
        return rest == 0 and units > 0 and units & (units - 1) == 0
    if isinstance(layout, HdrLayout):
        units, rest = divmod(at_ns, layout.unit_ns)
        index = layout.index_of(np.array([units], np.int64))
        return rest == 0 and int(layout.edges_ns(index)[0][0]) == at_ns
    return False


def _layout_values(layout: BucketLayout) -> dict[str, Any]:
    if isinstance(layout, HdrLayout):
        return {
            "t": "hdr",
            "unit_ns": layout.unit_ns,
            "significant_digits": layout.significant_digits,
        }
    return layout_document(layout)


def _run_values(run: ParsedRun, file_name: str, problems: Sequence[Problem]) -> dict[str, Any]:
    """Return the values of the run's columns, without its times."""
    state = run.state
    words = sentence(run.state_text) or None
    if state in {EndState.KILLED, EndState.GROWING} and words is None:
        words = "the file has no end mark: the run was stopped, or still went on when the file was copied"
    version = f" {run.tool_version}" if run.tool_version else ""
    return {
        "title": sentence(_announced_text(run, "title") or f"{run.tool}{version}: {file_name}"),
        "workload": workload_of(run),
        "state": "finished",
        "outcome": _OUTCOMES.get(state),
        "outcome_reason": words if state is not EndState.FINISHED else None,
        "agent": {},
        "host": storable_json(dict(run.host)),
        "plan": {"parameters": storable_json(dict(run.parameters))} | _search_place(run),
        "source": "upload",
        "tool": sentence(run.tool),
        "tool_version": None if run.tool_version is None else sentence(run.tool_version),
        "format": sentence(run.format),
        "end_state": state.value,
        "closed_loop": run.closed_loop,
        "problems": [problem_document(problem, file_name) for problem in problems],
        "missing": [sentence(name) for name in run.missing],
        "claims": [
            _document(claim, _CLAIM_FIELDS) for claim in run.claims[:_CLAIMS_MAX] if claim.start_ns is None
        ],
        "courses": [_document(course, _COURSE_FIELDS) for course in run.courses],
    }


def _search_place(run: ParsedRun) -> dict[str, Any]:
    """Return a run's place in a search for the highest load, by its plan; empty for other runs."""
    place = {"ladder": dict(run.ladder)}
    return {} if probe_of(place) is None else dict(storable_json(place))


def workload_of(run: ParsedRun) -> str:
    """Return the announced workload, else ACT's format, else the tool; it selects the rules of judging."""
    return sentence(_announced_text(run, "workload") or workload_of_tool(run.tool, run.format))


def _announced_text(run: ParsedRun, name: str) -> str | None:
    text = run.parameters.get(name) if run.tool == TAILROOM_AGENT else None
    return text if isinstance(text, str) and text.strip() else None


def _document(source: Claim | MachineCourse, fields: Sequence[str]) -> dict[str, Any]:
    document: dict[str, Any] = storable_json({name: getattr(source, name) for name in fields})
    return document
