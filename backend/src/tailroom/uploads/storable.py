"""How a run that an importer has read becomes rows: series, intervals in their own buckets, statements.

Nothing is converted into other buckets: an interval holds counts by bucket number of the layout of its series
(storage/interval.py). Thresholds that are edges of buckets are counted exactly, as agents count theirs. Long
runs are kept in as many stretches over time as a measured day has, each the exact sum of what it covers; the
file itself keeps the finer ones. A record that has no pieces is kept as the statement that it is.
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
from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.latency.histogram import MAX_COUNT, encode_many, payload_layout
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import ExplicitLayout, Layout, Pow2Layout, layout_document
from tailroom.domain.units import duration_text
from tailroom.importers.agent_result.importer import TOOL as TAILROOM_AGENT
from tailroom.importers.parsed_run import (
    Claim,
    Course,
    EndState,
    ParsedRun,
    ParsedSeries,
    Problem,
    Severity,
    printed_by_operation,
    printed_of,
)
from tailroom.kit.deadlines import check
from tailroom.kit.limits import run_size_problem
from tailroom.records.columns import columns_of_records
from tailroom.storage.run import FINISHED
from tailroom.uploads.texts import clean, keepable, sentence

Int64s = npt.NDArray[np.int64]

MOST_PIECES = 10_000
"""A measured day has 8,640 intervals of ten seconds."""
_STRETCHES = (10, 60, 600, 3_600)
_EXACT_AT_NS = (act.LIMITS_NS, act.NEAR_US_NS)
"""Limits of ACT in milliseconds, else where its own script judges logs in microseconds."""
_LATEST_NS = 1 << 61
_MOST_CLAIMS = 1_000
_MOST_PERIODS = 5_000
_MOST_PRINTED = 200
_PERIOD_QUANTILES = {"p50": 0.5, "p99": 0.99, "p999": 0.999}
_OUTCOMES = {
    EndState.FINISHED: "completed",
    EndState.DEVICE_TOO_SLOW: "failed",
    EndState.GENERATOR_TOO_SLOW: "failed",
    EndState.FAILED: "failed",
    EndState.KILLED: "interrupted",
    EndState.GROWING: "interrupted",
}


class RunNotStorable(DomainError):
    """What was read cannot be kept: numbers beyond what can be added exactly, times beyond all clocks."""


@dataclass(frozen=True, slots=True, eq=False)
class StorableSeries:
    """A series with its columns; without intervals its statement is all there is."""

    values: dict[str, Any]
    intervals: IntervalRecords | None

    @property
    def size(self) -> int:
        """Intervals."""
        return 0 if self.intervals is None else self.intervals.size


Rows = tuple[dict[str, Int64s], list[bytes], list[bytes | None]]
"""Columns of numbers, pins and payloads of the intervals of a series."""


@dataclass(frozen=True, slots=True, eq=False)
class StorableRun:
    """Values of the run's columns, those that depend on the reading, and its series by number."""

    values: dict[str, Any]
    started_at: datetime | None
    series: tuple[StorableSeries, ...]
    _rows: list[Rows] = field(default_factory=list)

    def prepare(self) -> list[Rows]:
        """Rows of the intervals of each series that has any, as they are inserted. Takes time the first time,
        which no transaction should spend.
        """
        if not self._rows:
            self._rows.extend(
                (*columns_of_records(one.intervals, number), payloads(one.intervals))
                for number, one in enumerate(self.series)
                if one.intervals is not None
            )
        return self._rows

    @property
    def data_through_ns(self) -> int:
        """Where the last interval ends."""
        return max((one.intervals.end_ns for one in self.series if one.intervals is not None), default=0)


def storable(run: ParsedRun, file_name: str) -> StorableRun:
    """The rows of a run. Series that cannot be kept become problems; raises RunNotStorable where all do, and
    for a run of more series, operations or phases than one may have.
    """
    operations, phases = {(one.operation, one.clock) for one in run.series}, {one.phase for one in run.series}
    if (too_large := run_size_problem(len(run.series), len(operations), len(phases))) is not None:
        raise RunNotStorable(
            f"the run is too large to be stored: {too_large}; send the parts that matter by themselves"
        )
    problems = list(run.problems)
    series: list[StorableSeries] = []
    printed = printed_by_operation(run)
    for one in run.series:
        check()
        try:
            series.append(_series(one, printed_of(one, printed), problems))
        except DomainError as error:
            label = "/".join(part for part in (one.operation, one.clock, one.device, one.phase) if part)
            problems.append(Problem(f"{label} cannot be stored: {error}", None, Severity.ERROR))
    if run.series and not series:
        raise RunNotStorable(problems[-1].reason)
    made = StorableRun(_run_values(run, file_name, problems), run.started_at, tuple(series))
    lasted_ns = run.duration_ns if run.duration_ns is not None else made.data_through_ns
    lasted_ns = min(max(int(lasted_ns), 0), _LATEST_NS)
    made.values.update(planned_duration_ns=lasted_ns, measured_duration_ns=lasted_ns)
    made.values["finish"] = {
        "outcome": made.values["outcome"],
        "reason": made.values["outcome_reason"],
        "duration_ns": lasted_ns,
        "last_seq": {str(number): one.size - 1 for number, one in enumerate(series) if one.size},
    }
    return made


def payloads(records: IntervalRecords) -> list[bytes | None]:
    """Buckets of the intervals of a series as they are stored."""
    layout = payload_layout(records.layout)
    return encode_many(records.offsets, records.indices, records.counts, layout)


def problem_document(one: Problem, file_name: str | None = None) -> dict[str, Any]:
    """A problem as it is stored and shown."""
    return {
        "file": clean(one.file or file_name or "") or None,
        "line": one.line,
        "reason": sentence(one.reason),
        "severity": one.severity.value,
    }


def over_time(records: IntervalRecords) -> IntervalRecords:
    """At most `MOST_PIECES` pieces, neighbours added up exactly; their length is a round one."""
    if records.size <= MOST_PIECES:
        return records
    usual = max(1, int(np.median(records.duration_ns)))
    for times in _STRETCHES:
        groups = (records.start_ns + usual // 2) // (usual * times)
        if np.unique(groups).size <= MOST_PIECES:
            return records.grouped(groups)
    each = -(-records.size // MOST_PIECES)
    return records.grouped(np.arange(records.size, dtype=np.int64) // each)


def _series(one: ParsedSeries, printed: Sequence[Claim], problems: list[Problem]) -> StorableSeries:
    values: dict[str, Any] = {
        "operation": sentence(one.operation),
        "clock": one.clock,
        "phase": sentence(one.phase or "main"),
        "host": "",
        "device": None if one.device is None else sentence(one.device),
        "semantics": sentence(one.semantics) or None,
        "source_name": sentence(one.source_name) or None,
        "layout": None,
        "pin_thresholds_ns": [],
        "statement": None,
        "target_count": one.target_count,
        "missing_intervals": one.missing_intervals,
        "printed": _printed(printed),
        "periods": _periods(one, problems) or None,
    }
    if one.intervals is not None and one.intervals.size:
        kept = over_time(_checked(one.intervals))
        if kept.size < one.intervals.size:
            before, after = (int(np.median(part.duration_ns)) for part in (one.intervals, kept))
            note = (
                f"{one.operation} ({one.clock}) is stored in stretches of {duration_text(after)}, each the "
                f"exact sum of those of {duration_text(before)} in the file"
            )
            problems.append(Problem(note, None, Severity.NOTE))
        kept = _with_exact_counts(kept)
        values |= {
            "kind": "histogram",
            "layout": _layout_values(kept.layout),
            "pin_thresholds_ns": list(kept.thresholds_ns),
        }
        return StorableSeries(values, kept)
    document = document_of(Distribution("read", "operation", one.record))
    # Read back once here, so that nobody who asks for it later can meet a document that is refused.
    distribution_of(document)
    return StorableSeries(values | {"kind": "statement", "statement": document}, None)


def _printed(claims: Sequence[Claim]) -> list[dict[str, Any]]:
    return [
        keepable({name: getattr(claim, name) for name in ("quantity", "printed", "quantile", "line")})
        for claim in claims[:_MOST_PRINTED]
    ]


def _periods(one: ParsedSeries, problems: list[Problem]) -> list[dict[str, Any]]:
    """Pieces of which the file only states something: where half, 99 % and 99.9 % certainly lie."""
    if len(one.periods) > _MOST_PERIODS:
        note = f"of {len(one.periods)} periods of {one.operation} the first {_MOST_PERIODS} are stored"
        problems.append(Problem(note, None, Severity.NOTE))
    kept: list[dict[str, Any]] = []
    for period in one.periods[:_MOST_PERIODS]:
        try:
            bounds = {name: period.record.quantile_bounds(at) for name, at in _PERIOD_QUANTILES.items()}
        except DomainError:
            # What contradicts itself is a problem of its line already.
            continue
        values: dict[str, Any] = {
            "start_ns": period.start_ns,
            "duration_ns": period.duration_ns,
            "count": period.record.total,
        }
        for name, found in bounds.items():
            values |= {f"{name}_lower_ns": found.lower_ns, f"{name}_upper_ns": found.upper_ns}
        kept.append(values)
    return kept


def _checked(records: IntervalRecords) -> IntervalRecords:
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


def _with_exact_counts(records: IntervalRecords) -> IntervalRecords:
    """With counts at every limit that is an edge of the buckets.

    An agent's own thresholds stay as they are: how late its generator may be goes by the smallest of them.
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


def _is_edge(layout: Layout, at_ns: int) -> bool:
    """Whether a bucket begins exactly there."""
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


def _layout_values(layout: Layout) -> dict[str, Any]:
    if isinstance(layout, HdrLayout):
        return {
            "t": "hdr",
            "unit_ns": layout.unit_ns,
            "significant_digits": layout.significant_digits,
        }
    return layout_document(layout)


def _run_values(run: ParsedRun, file_name: str, problems: Sequence[Problem]) -> dict[str, Any]:
    state = run.state
    words = sentence(run.state_text) or None
    if state in {EndState.KILLED, EndState.GROWING} and words is None:
        words = "the file has no end mark: the run was stopped, or still went on when the file was copied"
    version = f" {run.tool_version}" if run.tool_version else ""
    return {
        "title": sentence(_announced(run, "title") or f"{run.tool}{version}: {file_name}"),
        "workload": workload_of(run),
        "state": FINISHED,
        "outcome": _OUTCOMES.get(state),
        "outcome_reason": words if state is not EndState.FINISHED else None,
        "agent": {},
        "host": {},
        "plan": {"parameters": keepable(dict(run.parameters))},
        "source": "upload",
        "tool": sentence(run.tool),
        "tool_version": None if run.tool_version is None else sentence(run.tool_version),
        "format": sentence(run.format),
        "end_state": state.value,
        "closed_loop": run.closed_loop,
        "problems": [problem_document(one, file_name) for one in problems],
        "missing": [sentence(name) for name in run.missing],
        "claims": [_claim(one) for one in run.claims[:_MOST_CLAIMS] if one.start_ns is None],
        "courses": [_course(one) for one in run.courses],
    }


def workload_of(run: ParsedRun) -> str:
    """By which rules a run is judged (domain.verdicts.other_tools): agents and ACT say more than the tool."""
    return sentence(_announced(run, "workload") or (run.format if run.tool == "act" else run.tool))


def _announced(run: ParsedRun, name: str) -> str | None:
    """What an agent said of its run before it began; none of other tools."""
    found = run.parameters.get(name) if run.tool == TAILROOM_AGENT else None
    return found if isinstance(found, str) and found.strip() else None


def _course(one: Course) -> dict[str, Any]:
    document: dict[str, Any] = keepable(
        {
            "subject": one.subject,
            "quantity": one.quantity,
            "start_ns": list(one.start_ns),
            "duration_ns": list(one.duration_ns),
            "values": list(one.values),
        }
    )
    return document


def _claim(one: Claim) -> dict[str, Any]:
    document: dict[str, Any] = keepable(
        {
            "operation": one.operation,
            "quantity": one.quantity,
            "printed": one.printed,
            "lower": one.lower,
            "upper": one.upper,
            "quantile": one.quantile,
            "line": one.line,
        }
    )
    return document
