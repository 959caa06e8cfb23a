"""The runs in the JSON documents of fio.

Documents of one run (`--status-interval`) count from its beginning: the last document is the run. If bins are
printed, the differences between documents are its intervals. A document whose counts or running times fall
behind the previous document, or that was written later than it ran, belongs to another run. Jobs of one name
and group are copies of each other (`numjobs`) and are added up; jobs of different names are phases of their
own.
"""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import Misses
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.units import NS_PER_MS
from tailroom.importers.columns import interval_records
from tailroom.importers.fio.documents import Document
from tailroom.importers.fio.latency import MeasuredLatency, counted_together, is_unmeasured_object, record_of
from tailroom.importers.fio.semantics import CLOCKS, SEMANTICS, closed_loop, not_stated
from tailroom.importers.fio.snapshots import (
    DIRECTIONS,
    FioSnapshot,
    Key,
    continues,
    read_snapshot,
    runtime_ms,
)
from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.json_documents import json_count, json_number, json_object
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun, ParsedSeries, Value
from tailroom.importers.printed import Printed
from tailroom.importers.problems import Problems

_NO_ETA = 2**31 - 1
_FIRST_MS, _LAST_MS = 10**12, 5 * 10**12
_MAX_PARAMETERS = 400
_MAX_VALUE = 300


def read_runs(documents: Sequence[Document], name: str, problems: Problems) -> list[ParsedRun]:
    """Return the runs in order; later states of a run are one run. Raise ContentUnreadable without any."""
    runs: list[list[FioSnapshot]] = []
    for document in documents:
        snapshot = read_snapshot(document, problems)
        if runs and continues(runs[-1][-1], snapshot):
            runs[-1].append(snapshot)
        else:
            runs.append([snapshot])
    if not runs:
        raise ContentUnreadable(f"{name} has no whole JSON document of fio with jobs")
    if len(runs) > 1:
        reason = f"{len(runs)} runs are in this file; this one begins here"
        problems.note("runs", reason, runs[1][0].document.line)
    return [_build_run(run, problems) for run in runs]


def _build_run(snapshots: Sequence[FioSnapshot], problems: Problems) -> ParsedRun:
    last = snapshots[-1]
    phases = {(name, group) for name, group, _, _ in last.measured}
    options = _options(last.document)
    single = len({name for name, _ in phases}) <= 1
    series = []
    for key, parts in last.measured.items():
        parsed = _series(key, parts, snapshots, problems, None if single else key[0])
        series += [parsed] if parsed is not None else []
    state, words = _state(last, snapshots)
    stated = _stated_start(last)
    started = stated or _estimated_start(last, options)
    if started is not None and stated is None:
        problems.note(
            "start",
            "the start is the moment at which the result was written less the running time",
            last.document.line_of(None, "timestamp"),
        )
    version = last.document.content.get("fio version")
    is_plus = any(figures.counted is not None for parts in last.measured.values() for figures in parts)
    return ParsedRun(
        format="fio-json+" if is_plus else "fio-json",
        tool="fio",
        tool_version=str(version).removeprefix("fio-")[:100] if isinstance(version, str) else None,
        series=tuple(series),
        state=state,
        state_text=words,
        claims=tuple(_claims(last)),
        problems=problems.all(),
        missing=not_stated(options, started=started is not None, version=isinstance(version, str)),
        parameters=_parameters(last.document),
        started_at=started,
        duration_ns=last.longest_ms * NS_PER_MS or None,
        closed_loop=closed_loop(options),
    )


def _series(
    key: Key,
    parts: Sequence[MeasuredLatency],
    snapshots: Sequence[FioSnapshot],
    problems: Problems,
    phase: str | None,
) -> ParsedSeries | None:
    """Return the series of `parts`, copies of a job; None, with a problem, if they contradict each other."""
    name, group, direction, clock = key
    last = snapshots[-1]
    misses = Misses(errors=last.misses.get((name, group, direction), 0))
    try:
        record = record_of(parts, misses, problems)
        intervals = _intervals_between_states(key, snapshots, misses)
    except DomainError as error:
        problems.error("series", f"{parts[0].name}: {error}", parts[0].line)
        return None
    return ParsedSeries(
        operation=direction,
        clock=CLOCKS[clock],
        record=record,
        intervals=intervals,
        semantics=SEMANTICS[clock] if direction != "sync" else SEMANTICS["sync"],
        phase=phase,
        source_name=parts[0].name,
        printed=tuple(claim for part in parts for claim in part.printed),
    )


def _intervals_between_states(
    key: Key, snapshots: Sequence[FioSnapshot], misses: Misses
) -> IntervalRecords | None:
    """Return the differences between the bins of the states of a run as intervals.

    The last interval has the errors of the whole run. A state that ran no longer than the previous is joined
    to the next. None for a single state, if a state has no bins, or if a count falls.
    """
    if len(snapshots) < 2:
        return None
    before = Counter[int]()
    begin_ms = 0
    starts: list[int] = []
    ends: list[int] = []
    rows: list[tuple[int, int, int]] = []
    for position, snapshot in enumerate(snapshots):
        parts = snapshot.measured.get(key, [])
        if any(part.counted is None for part in parts):
            return None
        end_ms = snapshot.runtime_ms.get(key[:3], 0)
        if end_ms <= begin_ms and position < len(snapshots) - 1:
            continue
        counted = counted_together(parts)
        if any(counted[index] < count for index, count in before.items()):
            return None
        rows += [(len(starts), index, count) for index, count in (counted - before).items()]
        starts.append(begin_ms)
        before, begin_ms = counted, max(end_ms, begin_ms)
        ends.append(begin_ms)
    return interval_records(
        snapshots[-1].measured[key][0].bins.layout(),
        [start * NS_PER_MS for start in starts],
        [(end - start) * NS_PER_MS for start, end in zip(starts, ends, strict=True)],
        rows,
        errors=[0] * (len(starts) - 1) + [misses.errors],
    )


def _state(last: FioSnapshot, snapshots: Sequence[FioSnapshot]) -> tuple[EndState, str]:
    """Return the end state and a sentence: failed by an error, unknown if cut, growing with time left."""
    for job in last.document.jobs:
        code = job.get("error")
        if isinstance(code, int) and code != 0:
            name = os.strerror(code) if 0 < code < 200 else "unknown"
            return EndState.FAILED, f"job {str(job.get('jobname'))[:100]} ended with error {code} ({name})"
    if last.document.cut:
        return EndState.UNKNOWN, "the result is cut: jobs are missing"
    etas = [json_count(job.get("eta")) for job in last.document.jobs]
    open_jobs = [eta for eta in etas if eta is not None and 0 < eta < _NO_ETA]
    if open_jobs:
        return EndState.GROWING, f"the last state was written {max(open_jobs)} s before the expected end"
    states = f" (the last of {len(snapshots)} states)" if len(snapshots) > 1 else ""
    return EndState.FINISHED, f"every job ended without an error{states}"


def _options(document: Document) -> dict[str, str]:
    """Return each option with its global value, else with that of the first job that sets it."""
    options: dict[str, str] = {}
    sources = [document.content.get("global options"), *(job.get("job options") for job in document.jobs)]
    for source in sources:
        if isinstance(source, dict):
            for name, value in source.items():
                options.setdefault(str(name), str(value))
    return options


def _parameters(document: Document) -> dict[str, Value]:
    """Return options, CPU use, errors and disk use by name: the first 400, texts cut to 300 characters."""
    parameters: dict[str, Value] = {}

    def put(name: str, value: Any) -> None:
        if len(parameters) < _MAX_PARAMETERS:
            held = str(value)[:_MAX_VALUE] if not isinstance(value, int | float | bool) else value
            parameters.setdefault(name[:_MAX_VALUE], held)

    for name, value in json_object(document.content.get("global options")).items():
        put(name, value)
    jobs = document.jobs
    for job in jobs:
        prefix = f"{job.get('jobname')}." if len({each.get("jobname") for each in jobs}) > 1 else ""
        for name, value in json_object(job.get("job options")).items():
            put(f"{prefix}{name}", value)
        for name in ("usr_cpu", "sys_cpu"):
            number = json_number(job.get(name))
            if number is not None:
                put(f"{prefix}{name}_percent", float(number.value))
        for name in ("error", "total_err", "first_error", "ctx", "latency_depth"):
            count = json_count(job.get(name))
            if count is not None:
                put(f"{prefix}{name}", count)
    put("jobs", len(jobs))
    utils = document.content.get("disk_util")
    for disk in utils if isinstance(utils, list) else []:
        facts = json_object(disk)
        for name in ("read_ios", "write_ios", "read_sectors", "write_sectors", "in_queue"):
            count = json_count(facts.get(name))
            if count is not None:
                put(f"disk.{facts.get('name')}.{name}", count)
        number = json_number(facts.get("util"))
        if number is not None:
            put(f"disk.{facts.get('name')}.util_percent", float(number.value))
    return parameters


def _stated_start(last: FioSnapshot) -> datetime | None:
    """Return the earliest start of a job (printed since 3.3x); None unless all jobs have a possible start."""
    starts = [json_count(job.get("job_start")) for job in last.document.jobs]
    real = [start for start in starts if start is not None and _FIRST_MS <= start <= _LAST_MS]
    if real and len(real) == len(starts):
        return datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=min(real))
    return None


def _estimated_start(last: FioSnapshot, options: Mapping[str, str]) -> datetime | None:
    """Return time of writing minus running time; None without either, or if options or groups delay jobs."""
    groups = {job.get("groupid") for job in last.document.jobs}
    if last.written_ms is None or not _FIRST_MS <= last.written_ms <= _LAST_MS or len(groups) != 1:
        return None
    if {"ramp_time", "startdelay", "wait_for", "stonewall"} & options.keys() or not last.longest_ms:
        return None
    return datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=last.written_ms - last.longest_ms)


def _claims(last: FioSnapshot) -> list[Claim]:
    """Return claims of count, rates and mean (clat, else lat) of jobs and directions; none of a mean of 0."""
    claims = []
    document = last.document
    for number, job in enumerate(document.jobs):
        for direction in DIRECTIONS:
            data = job.get(direction)
            if not isinstance(data, dict) or not (json_count(data.get("total_ios")) or data.get("bw")):
                continue
            line = document.line_of(number, direction)
            total = json_count(data.get("total_ios"))
            if total is not None:
                claims.append(Claim.of_count(direction, "operation_count", total, line))
            rate = json_number(data.get("iops"))
            if rate is not None:
                claims.append(_claim(direction, "throughput_ops_per_s", rate, 1, line))
            claims += _bandwidth(direction, data, line)
            for label, unit_ns in (("clat_ns", 1), ("clat", 1_000), ("lat_ns", 1), ("lat", 1_000)):
                part = json_object(data.get(label))
                mean = json_number(part.get("mean"))
                if mean is None or not mean.value:
                    continue
                if not is_unmeasured_object(part, unit_ns, runtime_ms(data)):
                    claims.append(_claim(direction, "latency_mean_ns", mean, unit_ns, line))
                    break
    return claims


def _bandwidth(direction: str, data: Mapping[str, Any], line: int) -> list[Claim]:
    """Return the claim of `bw_bytes` (since 3.1), else of `bw` (KiB/s), both cut; empty without either."""
    exact = json_number(data.get("bw_bytes"))
    if exact is not None:
        low, high, text = float(exact.value), float(exact.value + 1), exact.text
    else:
        kib = json_number(data.get("bw"))
        if kib is None:
            return []
        low, high, text = float(kib.value * 1024), float((kib.value + 1) * 1024), f"{kib.text} KiB/s"
    return [Claim(direction, "bandwidth_bytes_per_s", text, low, high, line=line)]


def _claim(operation: str, quantity: str, number: Printed, unit: int, line: int) -> Claim:
    """Return the claim of a number in `unit` (ns for times), with the bounds that its rounding allows."""
    units = {1: " ns", 1_000: " µs"} if quantity.endswith("_ns") else {}
    ends = float(number.lower * unit), float(number.upper * unit)
    return Claim(operation, quantity, f"{number.text}{units.get(unit, '')}", *ends, line=line)
