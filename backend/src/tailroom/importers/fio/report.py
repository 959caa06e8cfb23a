"""The runs in the JSON documents of fio.

Documents of one run (`--status-interval`) count from its beginning: the last document is the run. If bins are
printed, their differences are its course. A document whose counts or running times fall behind the previous
document, or that was written later than it ran, belongs to another run. Jobs of one name and group are copies
of each other (`numjobs`) and are added up; jobs of different names are phases of their own.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import Misses
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.units import NS_PER_MS
from tailroom.importers.columns import interval_records
from tailroom.importers.fio.disclosure import not_stated
from tailroom.importers.fio.documents import Document
from tailroom.importers.fio.latency import (
    MeasuredLatency,
    count_of,
    is_garbage,
    number_of,
    read_latency,
    record_of,
)
from tailroom.importers.fio.words import SEMANTICS, closed_loop
from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun, ParsedSeries
from tailroom.importers.printed import Printed
from tailroom.importers.problems import Problems

DIRECTIONS = ("read", "write", "trim", "mixed", "sync")
_CLOCKS = {"lat": "operation", "clat": "service", "slat": "queue"}
_NO_ETA = 2**31 - 1
_MAX_RUNTIME_MS = 10**12
_CLOCK_SLACK_MS = 2_000
_FIRST_MS, _LAST_MS = 10**12, 5 * 10**12
_MAX_PARAMETERS = 400
_MAX_VALUE = 300

Key = tuple[str, int, str, str]
"""Name of the job, its group, direction, and which latency."""


@dataclass(slots=True)
class _Snapshot:
    """State of a run in one document: latencies, failed operations and running times by job and direction."""

    document: Document
    measured: dict[Key, list[MeasuredLatency]] = field(default_factory=dict)
    misses: dict[tuple[str, int, str], int] = field(default_factory=dict)
    runtime_ms: dict[tuple[str, int, str], int] = field(default_factory=dict)
    written_ms: int | None = None
    """When it was written, since 1970; None where not stated."""

    @property
    def longest_ms(self) -> int:
        return max(self.runtime_ms.values(), default=0)

    @property
    def names(self) -> list[str]:
        return [str(job.get("jobname")) for job in self.document.jobs]


def read_runs(documents: Sequence[Document], name: str, problems: Problems) -> list[ParsedRun]:
    """Return the runs in their order. Raise ContentUnreadable where no document has a result."""
    snapshots = [_snapshot(document, problems) for document in documents]
    runs: list[list[_Snapshot]] = []
    for snapshot in snapshots:
        if runs and _continues(runs[-1][-1], snapshot):
            runs[-1].append(snapshot)
        else:
            runs.append([snapshot])
    if not runs:
        raise ContentUnreadable(f"{name} has no whole JSON document of fio with jobs")
    if len(runs) > 1:
        problems.add(
            "runs",
            f"{len(runs)} runs are in this file; this one begins here",
            runs[1][0].document.line,
            note=True,
        )
    return [_run(run, problems) for run in runs]


def _continues(before: _Snapshot, after: _Snapshot) -> bool:
    """Return whether a document is a later state of the same run."""
    if before.names != after.names or set(before.runtime_ms) - set(after.runtime_ms):
        return False
    if any(after.runtime_ms[key] < ran for key, ran in before.runtime_ms.items()):
        return False
    for key, parts in before.measured.items():
        later = after.measured.get(key)
        if later is None or sum(figures.count or 0 for figures in later) < sum(
            figures.count or 0 for figures in parts
        ):
            return False
    if before.written_ms is None or after.written_ms is None:
        return True
    passed_ms = after.written_ms - before.written_ms
    return passed_ms < after.longest_ms + _CLOCK_SLACK_MS and (
        passed_ms <= after.longest_ms - before.longest_ms + _CLOCK_SLACK_MS or before.longest_ms == 0
    )


def _snapshot(document: Document, problems: Problems) -> _Snapshot:
    snapshot = _Snapshot(document)
    written = count_of(document.content.get("timestamp_ms"))
    seconds = count_of(document.content.get("timestamp"))
    snapshot.written_ms = written if written is not None else seconds * 1000 if seconds is not None else None
    for number, job in enumerate(document.jobs):
        name, group = str(job.get("jobname") or f"job {number + 1}")[:200], count_of(job.get("groupid")) or 0
        failed = job.get("error") not in (0, None) or bool(count_of(job.get("total_err")))
        for direction in DIRECTIONS:
            data = job.get(direction)
            if isinstance(data, dict):
                _direction(snapshot, (number, (name, group, direction)), data, failed, problems)
    return snapshot


def _direction(
    snapshot: _Snapshot,
    where: tuple[int, tuple[str, int, str]],
    data: Mapping[str, Any],
    failed: bool,
    problems: Problems,
) -> None:
    """Add the results of a job in one direction to a snapshot.

    `where`: number of the job, and its name, group and direction; `failed`: whether the job had errors.
    """
    document, (number, key) = snapshot.document, where
    name, group, direction = key
    line = document.line_of(number, direction)
    total = count_of(data.get("total_ios"))
    if total is None and data.get("total_ios") is not None:
        problems.add(
            "count",
            f"{direction}: total_ios is {data['total_ios']!r}, which is no count",
            document.line_of(number, direction, "total_ios"),
            error=True,
        )
    if _runtime_ms(data):
        snapshot.runtime_ms[key] = max(snapshot.runtime_ms.get(key, 0), _runtime_ms(data))
    answered = 0
    for clock in _CLOCKS:
        for label in (f"{clock}_ns", clock):
            part = data.get(label)
            if not isinstance(part, dict):
                continue
            latency = read_latency(
                document,
                (number, direction, label),
                part,
                None if failed else total,
                problems,
                runtime_ms=_runtime_ms(data),
            )
            if latency is not None and latency.some:
                answered = max(answered, latency.count or 0)
                snapshot.measured.setdefault((name, group, direction, clock), []).append(latency)
            break
    timed = any((name, group, direction, clock) in snapshot.measured for clock in _CLOCKS)
    if timed and not answered:
        why = "the job failed" if failed else "this version of fio does not print it"
        problems.add(
            "uncounted",
            f"{name}: how many operations ({direction}) were timed is not in the file, because {why}; their "
            "percentiles were read",
            line,
            note=not failed,
        )
    elif total and not answered and direction != "sync":
        problems.add(
            "unmeasured",
            f"{name}: {total} operations ({direction}) without a latency: fio was set not to measure it, or "
            "none succeeded",
            line,
        )
    if failed and total is not None and answered:
        short = count_of(data.get("short_ios")) or 0
        lost = max(0, total - answered - short)
        snapshot.misses[key] = snapshot.misses.get(key, 0) + lost
    for count, words in (("short_ios", "were cut short and sent again"), ("drop_ios", "were dropped")):
        times = count_of(data.get(count)) or 0
        if times:
            problems.add(
                count,
                f"{name}: {times} operations ({direction}) {words}",
                document.line_of(number, direction),
            )


def _runtime_ms(data: Mapping[str, Any]) -> int:
    """Return the running time of a direction; 0 where it is missing or impossible."""
    runtime = number_of(data.get("runtime"))
    return int(runtime.value) if runtime is not None and runtime.value <= _MAX_RUNTIME_MS else 0


def _run(snapshots: Sequence[_Snapshot], problems: Problems) -> ParsedRun:
    """Return the run with these states; the last is its result."""
    last = snapshots[-1]
    phases = {(name, group) for name, group, _, _ in last.measured}
    options = _options(last.document)
    single = len({name for name, _ in phases}) <= 1
    series = []
    for key, parts in last.measured.items():
        made = _series(key, parts, snapshots, problems, None if single else key[0])
        series += [made] if made is not None else []
    state, words = _state(last, snapshots)
    stated = _stated_start(last)
    started = stated or _started(last, options)
    if started is not None and stated is None:
        problems.add(
            "start",
            "the start is the moment at which the result was written less the running time",
            last.document.line_of(None, "timestamp"),
            note=True,
        )
    version = last.document.content.get("fio version")
    duration_ms = last.longest_ms
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
        duration_ns=duration_ms * NS_PER_MS if duration_ms else None,
        closed_loop=closed_loop(options),
    )


def _series(
    key: Key,
    parts: Sequence[MeasuredLatency],
    snapshots: Sequence[_Snapshot],
    problems: Problems,
    phase: str | None,
) -> ParsedSeries | None:
    """Return the series of a latency; `parts`: that of each copy of the job in the last state. None where
    they contradict each other.
    """
    name, group, direction, clock = key
    last = snapshots[-1]
    misses = Misses(errors=last.misses.get((name, group, direction), 0))
    try:
        record = record_of(parts, misses, problems)
        intervals = _course(key, snapshots, misses)
    except DomainError as error:
        problems.add("series", f"{parts[0].name}: {error}", parts[0].line, error=True)
        return None
    return ParsedSeries(
        operation=direction,
        clock=_CLOCKS[clock],
        record=record,
        intervals=intervals,
        semantics=SEMANTICS[clock] if direction != "sync" else SEMANTICS["sync"],
        phase=phase,
        source_name=parts[0].name,
        printed=tuple(claim for part in parts for claim in part.printed),
    )


def _course(key: Key, snapshots: Sequence[_Snapshot], misses: Misses) -> IntervalRecords | None:
    """Return the differences between states as intervals; None for a single state, or where a state has no
    bins or a count falls.
    """
    if len(snapshots) < 2:
        return None
    runtime_key = key[:3]
    before: dict[int, int] = {}
    begin_ms = 0
    starts: list[int] = []
    ends: list[int] = []
    rows: list[tuple[int, int, int]] = []
    for position, snapshot in enumerate(snapshots):
        parts = snapshot.measured.get(key, [])
        if any(part.counted is None for part in parts):
            return None
        end_ms = snapshot.runtime_ms.get(runtime_key, 0)
        if end_ms <= begin_ms and position < len(snapshots) - 1:
            continue
        counted: dict[int, int] = {}
        for part in parts:
            for index, count in (part.counted or {}).items():
                counted[index] = counted.get(index, 0) + count
        if any(counted.get(index, 0) < count for index, count in before.items()):
            return None
        for index, count in counted.items():
            if count > before.get(index, 0):
                rows.append((len(starts), index, count - before.get(index, 0)))
        starts.append(begin_ms)
        ends.append(max(end_ms, begin_ms))
        before, begin_ms = counted, max(end_ms, begin_ms)
    table = np.array(rows, dtype=np.int64).reshape(-1, 3)
    errors = np.zeros(len(starts), dtype=np.int64)
    errors[-1] = misses.errors
    return interval_records(
        snapshots[-1].measured[key][0].bins.layout(),
        np.array(starts, dtype=np.int64) * NS_PER_MS,
        (np.array(ends, dtype=np.int64) - np.array(starts, dtype=np.int64)) * NS_PER_MS,
        (table[:, 0], table[:, 1], table[:, 2]),
        errors=errors,
    )


def _state(last: _Snapshot, snapshots: Sequence[_Snapshot]) -> tuple[EndState, str]:
    """Return the end state by the code of each job, because fio writes whole results after errors, too."""
    for job in last.document.jobs:
        code = job.get("error")
        if isinstance(code, int) and code != 0:
            name = os.strerror(code) if 0 < code < 200 else "unknown"
            return EndState.FAILED, f"job {str(job.get('jobname'))[:100]} ended with error {code} ({name})"
    if last.document.cut:
        return EndState.UNKNOWN, "the result is cut: jobs are missing"
    etas = [count_of(job.get("eta")) for job in last.document.jobs]
    open_jobs = [eta for eta in etas if eta is not None and 0 < eta < _NO_ETA]
    if open_jobs:
        return EndState.GROWING, f"the last state was written {max(open_jobs)} s before the expected end"
    states = f" (the last of {len(snapshots)} states)" if len(snapshots) > 1 else ""
    return EndState.FINISHED, f"every job ended without an error{states}"


def _options(document: Document) -> dict[str, str]:
    """Return the options of all jobs: of each option the value of the first job that sets it."""
    options: dict[str, str] = {}
    sources = [document.content.get("global options"), *(job.get("job options") for job in document.jobs)]
    for source in sources:
        if isinstance(source, dict):
            for name, value in source.items():
                options.setdefault(str(name), str(value))
    return options


def _parameters(document: Document) -> dict[str, str | int | float | bool | None]:
    """Return options, CPU use and errors of the jobs, and the use of disks, as many as are stored."""
    parameters: dict[str, str | int | float | bool | None] = {}

    def put(name: str, value: Any) -> None:
        if len(parameters) < _MAX_PARAMETERS:
            held = str(value)[:_MAX_VALUE] if not isinstance(value, int | float | bool) else value
            parameters.setdefault(name[:_MAX_VALUE], held)

    for name, value in _mapping(document.content.get("global options")).items():
        put(name, value)
    jobs = document.jobs
    for job in jobs:
        prefix = f"{job.get('jobname')}." if len({each.get("jobname") for each in jobs}) > 1 else ""
        for name, value in _mapping(job.get("job options")).items():
            put(f"{prefix}{name}", value)
        for name in ("usr_cpu", "sys_cpu"):
            number = number_of(job.get(name))
            if number is not None:
                put(f"{prefix}{name}_percent", float(number.value))
        for name in ("error", "total_err", "first_error", "ctx", "latency_depth"):
            count = count_of(job.get(name))
            if count is not None:
                put(f"{prefix}{name}", count)
    put("jobs", len(jobs))
    utils = document.content.get("disk_util")
    for disk in utils if isinstance(utils, list) else []:
        facts = _mapping(disk)
        for name in ("read_ios", "write_ios", "read_sectors", "write_sectors", "in_queue"):
            count = count_of(facts.get(name))
            if count is not None:
                put(f"disk.{facts.get('name')}.{name}", count)
        number = number_of(facts.get("util"))
        if number is not None:
            put(f"disk.{facts.get('name')}.util_percent", float(number.value))
    return parameters


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _stated_start(last: _Snapshot) -> datetime | None:
    """Return the start of the first job, which fio prints since 3.3x."""
    starts = [count_of(job.get("job_start")) for job in last.document.jobs]
    real = [start for start in starts if start is not None and _FIRST_MS <= start <= _LAST_MS]
    if real and len(real) == len(starts):
        return datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=min(real))
    return None


def _started(last: _Snapshot, options: Mapping[str, str]) -> datetime | None:
    """Return the moment of writing less the running time; None where something else may lie between start and
    writing.
    """
    groups = {job.get("groupid") for job in last.document.jobs}
    if last.written_ms is None or not _FIRST_MS <= last.written_ms <= _LAST_MS or len(groups) != 1:
        return None
    if {"ramp_time", "startdelay", "wait_for", "stonewall"} & options.keys() or not last.longest_ms:
        return None
    return datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=last.written_ms - last.longest_ms)


def _claims(last: _Snapshot) -> list[Claim]:
    """Return number of operations, rates and a mean latency of each job and direction."""
    claims = []
    document = last.document
    for number, job in enumerate(document.jobs):
        for direction in DIRECTIONS:
            data = job.get(direction)
            if not isinstance(data, dict) or not (count_of(data.get("total_ios")) or data.get("bw")):
                continue
            line = document.line_of(number, direction)
            total = count_of(data.get("total_ios"))
            if total is not None:
                claims.append(Claim(direction, "operation_count", str(total), total, total, line=line))
            rate = number_of(data.get("iops"))
            if rate is not None:
                claims.append(_claim(direction, "throughput_ops_per_s", rate, 1, line))
            claims += _bandwidth(direction, data, line)
            for label, unit_ns in (("clat_ns", 1), ("clat", 1_000), ("lat_ns", 1), ("lat", 1_000)):
                part = _mapping(data.get(label))
                mean = number_of(part.get("mean"))
                if mean is not None and mean.value and not is_garbage(part, unit_ns, _runtime_ms(data)):
                    claims.append(_claim(direction, "latency_mean_ns", mean, unit_ns, line))
                    break
    return claims


def _bandwidth(direction: str, data: Mapping[str, Any], line: int) -> list[Claim]:
    """Return the bandwidth: `bw` is KiB/s, cut to whole ones; `bw_bytes` exists since 3.1."""
    exact = number_of(data.get("bw_bytes"))
    if exact is not None:
        low, high, text = float(exact.value), float(exact.value + 1), exact.text
    else:
        kib = number_of(data.get("bw"))
        if kib is None:
            return []
        low, high, text = float(kib.value * 1024), float((kib.value + 1) * 1024), f"{kib.text} KiB/s"
    return [Claim(direction, "bandwidth_bytes_per_s", text, low, high, line=line)]


def _claim(operation: str, quantity: str, number: Printed, unit: int, line: int) -> Claim:
    units = {1: " ns", 1_000: " µs"} if quantity.endswith("_ns") else {}
    ends = float(number.lower * unit), float(number.upper * unit)
    return Claim(operation, quantity, f"{number.text}{units.get(unit, '')}", *ends, line=line)
