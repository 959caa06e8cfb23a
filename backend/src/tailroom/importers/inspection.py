"""The output of `tailroom inspect`: one document per file, and lines for people.

The documents are a contract (docs/importers.md): keys are added, never renamed. Times are in microseconds and
shares are ratios. Unknown values are null, and a number known only between two bounds is written with both.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tailroom.domain import act
from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import LatencyDist, LatencyRecord
from tailroom.domain.latency.layouts import Pow2Layout
from tailroom.domain.units import NS_PER_S, NS_PER_US
from tailroom.importers.act.importer import ACT
from tailroom.importers.act.official import official_documents
from tailroom.importers.inspection_json import claim_document, claim_documents
from tailroom.importers.opening import open_path
from tailroom.importers.parsed_run import (
    Claim,
    MachineCourse,
    ParsedRun,
    ParsedSeries,
    Problem,
    printed_by_operation,
    printed_of,
)
from tailroom.importers.registry import FileResult, ReadResult, read_together
from tailroom.importers.slices import SeriesCourse, SeriesSlice, SliceInvalid, course_of, exceedance
from tailroom.importers.source import Source

QUANTILES = ("0.5", "0.9", "0.99", "0.999", "0.9999")

_NEAR_US_NS = dict(zip(act.LIMITS_NS, act.NEAR_US_NS, strict=True))
"""ACT with microsecond histograms judges by these instead of 1, 8 and 64 ms."""

_NARROW = 0.001
"""Largest relative width of a mean that is given as one number, the middle of its bounds."""


@dataclass(frozen=True, slots=True)
class InspectionResult:
    """Result of inspecting one file; `document` has all its keys even if the file could not be read."""

    name: str
    document: dict[str, Any]
    refusal: str | None = None
    """Why the file could not be read; None if it was read."""


def inspect_paths(
    paths: Sequence[Path],
    names: Sequence[str],
    slice_s: int,
    thresholds_ns: Sequence[int],
    watched: Callable[[Source], Source] = lambda source: source,
) -> Iterator[InspectionResult]:
    """Yield the result of each file in order, of an archive the result of each member.

    `thresholds_ns` are the latencies over which shares are given. `watched` returns a source whose reading
    shows progress.
    """
    sources: list[Source] = []
    refused: dict[int, list[InspectionResult]] = {}
    for path, name in zip(paths, names, strict=True):
        try:
            sources.extend(watched(source) for source in open_path(path, name))
        except DomainError as refusal:
            refused.setdefault(len(sources), []).append(_refused(name, refusal))
    yield from inspect_sources(sources, slice_s, thresholds_ns, refused)


def inspect_sources(
    sources: Sequence[Source],
    slice_s: int,
    thresholds_ns: Sequence[int],
    refused: Mapping[int, Sequence[InspectionResult]] | None = None,
) -> Iterator[InspectionResult]:
    """Yield the result of each source in order; all are read together, so that companions are used.

    `refused` are results of files that could not be opened, by the position of the source that follows them.
    """
    refused = refused or {}
    position = 0
    for position, result in enumerate(read_together(sources)):
        yield from refused.get(position, ())
        if result.result is None:
            yield _refused(result.name, result.refusal or DomainError("not read"), result.source)
            continue
        try:
            document = _document(result, result.result, slice_s, thresholds_ns)
            yield InspectionResult(result.name, document)
        except DomainError as refusal:
            yield _refused(result.name, refusal, result.source)
    yield from refused.get(len(sources), ())


def _refused(name: str, refusal: DomainError, source: Source | None = None) -> InspectionResult:
    """Return the result of a file that could not be read; `source` adds the problems of its bytes."""
    problems = [] if source is None else [_problem(problem) for problem in source.problems]
    problems.append(
        {"line": None, "reason": str(refusal), "severity": "error", "kind": type(refusal).__name__}
    )
    document = {
        "file": name,
        "format": None,
        "tool": None,
        "tool_version": None,
        "state": None,
        "readable": False,
        "problems": problems,
        "missing": [],
        "series": [],
    }
    return InspectionResult(name, document, str(refusal))


def _document(
    result: FileResult, read: ReadResult, slice_s: int, thresholds_ns: Sequence[int]
) -> dict[str, Any]:
    """Return the document of a file: that of its first run, with the other runs under `further_runs`.

    Without runs, `series` is empty, and `read_with` names the file with which it was read, if any.
    """
    detection = read.detection
    document: dict[str, Any] = {
        "file": result.name,
        "format": detection.format,
        "tool": detection.tool,
        "tool_version": detection.version,
        "state": None,
        "readable": True,
        "reason": detection.reason,
        "copied": list(result.source.copied),
    }
    of_bytes = [_problem(problem) for problem in read.problems]
    if not read.runs:
        return {**document, "read_with": result.read_with, "problems": of_bytes, "missing": [], "series": []}
    runs = [
        _run_document(result, run, slice_s, thresholds_ns, first=position == 0)
        for position, run in enumerate(read.runs)
    ]
    document.update(runs[0])
    document["problems"] = of_bytes + document["problems"]
    if len(runs) > 1:
        document["further_runs"] = runs[1:]
    return document


def _run_document(
    result: FileResult, run: ParsedRun, slice_s: int, thresholds_ns: Sequence[int], *, first: bool
) -> dict[str, Any]:
    """Return the part of the document about a run; the first of a file also has the tool's own analysis."""
    is_act = first and result.importer is ACT
    official = official_documents(result.source, run, slice_s) if is_act else {}
    documents, printed = [], printed_by_operation(run)
    for series in run.series:
        document = _series_document(series, printed_of(series, printed), slice_s, thresholds_ns)
        if series.source_name in official:
            document["official"] = official[series.source_name]
        documents.append(document)
    return {
        "format": run.format,
        "tool": run.tool,
        "tool_version": run.tool_version,
        "state": run.state.value,
        "state_text": run.state_text,
        "closed_loop": run.closed_loop,
        "started_at": None if run.started_at is None else run.started_at.isoformat(),
        "duration_s": None if run.duration_ns is None else run.duration_ns / NS_PER_S,
        "parameters": dict(run.parameters),
        "problems": [_problem(problem) for problem in run.problems],
        "missing": list(run.missing),
        "claims": claim_documents(run.claims),
        "courses": [_course(course) for course in run.courses],
        "series": documents,
    }


def _course(course: MachineCourse) -> dict[str, Any]:
    return {
        "subject": course.subject,
        "quantity": course.quantity,
        "start_s": [at / NS_PER_S for at in course.start_ns],
        "duration_s": [at / NS_PER_S for at in course.duration_ns],
        "values": list(course.values),
    }


def _series_document(
    series: ParsedSeries, printed: Sequence[Claim], slice_s: int, thresholds_ns: Sequence[int]
) -> dict[str, Any]:
    """Return a series as a document, with times in µs; `printed` are the claims about its latencies."""
    record, course = series.record, course_of(series)
    total, misses = record.total, record.misses
    return {
        "operation": series.operation,
        "clock": series.clock,
        "device": series.device,
        "name": series.source_name or None,
        "phase": series.phase,
        "layout": _layout_name(series),
        "count": None if total is None else total - misses.total,
        "misses": {"errors": misses.errors, "timeouts": misses.timeouts, "unfinished": misses.unfinished},
        **_moments(series, printed),
        "printed": [claim_document(claim) for claim in printed],
        "quantiles": _quantiles(series),
        "semantics": series.semantics,
        "pieces": 0 if series.intervals is None else series.intervals.size,
        "exceedance": [
            _exceedance_document(series, course, at, slice_s) for at in _thresholds(record, thresholds_ns)
        ],
    }


def _thresholds(record: LatencyRecord, thresholds_ns: Sequence[int]) -> list[int]:
    """Return ascending thresholds in ns; buckets of 2^n µs add the edges next to ACT's limits."""
    thresholds = set(thresholds_ns)
    if isinstance(record, LatencyDist) and record.layout == Pow2Layout(NS_PER_US):
        thresholds |= {near for limit, near in _NEAR_US_NS.items() if limit in thresholds_ns}
    return sorted(thresholds)


def _layout_name(series: ParsedSeries) -> str:
    """Return kind, unit (ns) and digits, such as `hdr/1000/3`, `explicit`; `knots` without exact counts."""
    record = series.record
    if not isinstance(record, LatencyDist):
        return "knots"
    layout = record.layout
    kind = type(layout).__name__.removesuffix("Layout").lower()
    unit = getattr(layout, "unit_ns", None)
    digits = getattr(layout, "significant_digits", None)
    return "/".join(str(part) for part in (kind, unit, digits) if part is not None)


def _moments(series: ParsedSeries, printed: Sequence[Claim]) -> dict[str, Any]:
    """Return mean and extremes in µs: measured, else the middle of the printed bounds, else None.

    A measured mean is given if its bounds are at most 0.1 % apart. Bounds are added: of the mean if known, of
    the extremes if no operation failed.
    """
    record = series.record
    total = record.total
    answered = None if total is None else total - record.misses.total
    document: dict[str, Any] = {"mean_us": None}
    if record.mean_ns is not None and answered != 0:
        lower, upper = record.mean_ns
        if upper - lower <= _NARROW * upper:
            document["mean_us"] = (lower + upper) / 2 / NS_PER_US
        document["mean_bounds_us"] = _bounds(lower, upper)
    for name in ("min", "max"):
        value_ns = getattr(record, f"{name}_ns", None)
        document[f"{name}_us"] = None if value_ns is None else value_ns / NS_PER_US
    for claim in printed:
        name = claim.quantity.removeprefix("latency_").removesuffix("_ns")
        if name in ("mean", "min", "max") and document[f"{name}_us"] is None:
            document[f"{name}_us"] = (claim.lower + claim.upper) / 2 / NS_PER_US
    if answered and record.misses.total == 0:
        first, last = record.quantile_bounds(0.0), record.quantile_bounds(1.0)
        document["min_bounds_us"] = _bounds(first.lower_ns, first.upper_ns)
        document["max_bounds_us"] = _bounds(last.lower_ns, last.upper_ns)
    return document


def _quantiles(series: ParsedSeries) -> dict[str, Any]:
    """Return the bounds in µs of each of `QUANTILES`; an empty dictionary without operations."""
    if series.record.total == 0:
        return {}
    quantiles = {}
    for quantile in QUANTILES:
        bounds = series.record.quantile_bounds(float(quantile))
        quantiles[quantile] = _bounds(bounds.lower_ns, bounds.upper_ns)
    return quantiles


def _bounds(lower_ns: float, upper_ns: float | None) -> dict[str, float | None]:
    """Return the bounds in µs; an unknown or infinite upper bound is None."""
    return {
        "lower_us": lower_ns / NS_PER_US,
        "upper_us": None if upper_ns is None or upper_ns == float("inf") else upper_ns / NS_PER_US,
    }


def _exceedance_document(
    series: ParsedSeries, course: SeriesCourse | None, threshold_ns: int, slice_s: int
) -> dict[str, Any]:
    """Return the shares at or over a threshold, by slices of `slice_s` seconds and in the whole run."""
    try:
        result = exceedance(series, threshold_ns, slice_s * NS_PER_S, course=course)
    except SliceInvalid:
        result = None
    average = None if result is None else result.average
    return {
        "threshold_us": threshold_ns / NS_PER_US,
        "slice_s": slice_s if result is None else result.slice_ns / NS_PER_S,
        "slices": [] if result is None else [_slice(each) for each in result.slices],
        "rest": _slice(None if result is None else result.rest),
        "average": None if average is None else {"lower_ratio": average[0], "upper_ratio": average[1]},
        "worst": _slice(None if result is None else result.worst),
        "rolling_worst": _slice(None if result is None else result.rolling_worst),
        "whole": _share_of_run(series, threshold_ns),
    }


def _share_of_run(series: ParsedSeries, threshold_ns: int) -> dict[str, Any] | None:
    """Return bounds of the run's share at or over a threshold, None without operations."""
    total = series.record.total
    if total == 0:
        return None
    lower, upper = series.record.cdf_bounds(threshold_ns)
    if total is None:
        return {"count": None, "lower_ratio": 1.0 - upper, "upper_ratio": 1.0 - lower}
    over = series.record.at_or_over(threshold_ns)
    return {"count": total, "lower_ratio": over.lower / total, "upper_ratio": over.upper / total}


def _slice(part: SeriesSlice | None) -> dict[str, Any] | None:
    """Return a slice as a document with times in seconds; None without a slice."""
    if part is None:
        return None
    return {
        "start_s": part.start_ns / NS_PER_S,
        "end_s": part.end_ns / NS_PER_S,
        "count": part.count,
        "lower_ratio": part.lower_ratio,
        "upper_ratio": part.upper_ratio,
    }


def _problem(problem: Problem) -> dict[str, Any]:
    return {"line": problem.line, "reason": problem.reason, "severity": problem.severity.value}
