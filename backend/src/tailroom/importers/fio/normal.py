"""fio's human-readable output, versions 1.5x to 3.x: every printed number, with the bounds that it proves.

Smallest, largest and percentiles are whole numbers of a unit that fio chooses by their size: smallest and
largest are cut to it, percentiles are middles of bins, rounded up (`show_clat_percentiles`): each means
any of the bins whose middle is rounded to the same number. The rows `lat (usec) : 50=1.25%` hold shares of
the *completion* latency of all directions together (`io_u_mark_latency`), with an exclusive upper edge,
rounded to a hundredth, and 0.01 for anything smaller. Numbers of operations are under `issued`. Versions
before 3.0 count in microseconds. Source: fio `stat.c`, `lib/num2str.c`, `io_u.c`.
"""

import re
from collections.abc import Iterator
from datetime import datetime

from tailroom.domain.units import NS_PER_MS, NS_PER_US
from tailroom.importers.fio.disclosure import not_stated
from tailroom.importers.fio.normal_rows import DIRECTIONS, Direction, Job, NormalReader, NormalRun
from tailroom.importers.fio.normal_series import claims_of, series_of, series_together
from tailroom.importers.fio.semantics import closed_loop
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun, ParsedSeries
from tailroom.importers.problems import Problems
from tailroom.importers.source import Source

MAX_LINE_BYTES = 1 << 16


def read_normal(source: Source, problems: Problems) -> list[ParsedRun]:
    """Return the runs of fio's human-readable output. Raise ContentUnreadable if no job has a result."""
    reader = NormalReader(problems)
    for line_no, raw in source.lines():
        reader.line(line_no, raw[:MAX_LINE_BYTES].decode("utf-8", "replace"))
    return [_build_run(run, problems) for run in reader.finish(source)]


def _build_run(run: NormalRun, problems: Problems) -> ParsedRun:
    """Return a run with series and claims of its jobs; report jobs without latencies."""
    old = _is_old(run)
    single = len({(job.name, job.group) for job in run.jobs}) <= 1
    series: list[ParsedSeries] = []
    claims: list[Claim] = []
    for position, job in enumerate(run.jobs):
        twins = sum((each.name, each.group) == (job.name, job.group) for each in run.jobs[:position])
        phase = None if single and not twins and len(run.jobs) == 1 else job.name
        phase = f"{phase} #{twins + 1}" if twins else phase
        for direction in job.directions.values():
            claims += _claims(job, direction)
            series += series_of(run, job, direction, phase, problems, old=old)
        series += series_together(job, phase, problems)
        if not job.directions:
            problems.add("empty", f"{job.name} has no latencies", job.line)
    if run.states > 1:
        problems.note("states", f"{run.states} states of the run are in the file; the last was read")
    state, words = _state(run)
    runtime_ms = max((each.runtime_ms for job in run.jobs for each in job.directions.values()), default=0)
    started = _ended_local(run)
    parameters: dict[str, str | int | float | bool | None] = {
        **run.options,
        "jobs": sum(job.copies for job in run.jobs),
    }
    if started is not None:
        parameters["ended_at_local"] = started.isoformat(sep=" ")
    return ParsedRun(
        format="fio-normal",
        tool="fio",
        tool_version=run.version,
        series=tuple(series),
        state=state,
        state_text=words,
        claims=tuple(claims),
        problems=problems.all(),
        missing=not_stated(run.options, version=run.version is not None),
        parameters=parameters,
        duration_ns=runtime_ms * NS_PER_MS if 0 < runtime_ms < 10**12 else None,
        closed_loop=closed_loop(run.options),
    )


def _is_old(run: NormalRun) -> bool | None:
    """Return whether fio counted in microseconds; None if neither version nor a unit decides it."""
    major = re.match(r"(\d{1,3})\.(\d{1,3})", run.version or "")
    if major is not None:
        return (int(major[1]), int(major[2])) < (2, 99)
    units = {
        unit
        for job in run.jobs
        for direction in job.directions.values()
        for latency in direction.latencies.values()
        for unit in (latency.unit_ns, latency.percentile_unit_ns if latency.percentiles else NS_PER_US)
    }
    return False if 1 in units else None


def _claims(job: Job, direction: Direction) -> Iterator[Claim]:
    """Yield claims of a direction: operations, rates, and the first printed mean of clat, lat and sync."""
    count = job.issued
    at = DIRECTIONS.index(direction.name) if direction.name in DIRECTIONS else None
    if count is not None and at is not None and at < len(count) and (count[at] or direction.name != "sync"):
        yield Claim(
            direction.name, "operation_count", str(count[at]), count[at], count[at], line=direction.line
        )
    yield from direction.claims
    for name in ("clat", "lat", "sync"):
        latency = direction.latencies.get(name)
        if latency is not None and latency.mean is not None:
            yield from (
                claim for claim in claims_of(direction, latency) if claim.quantity == "latency_mean_ns"
            )
            return


def _state(run: NormalRun) -> tuple[EndState, str]:
    """Return the end state of a run by errors of its jobs and by its last lines, and a sentence about it."""
    failed = [job for job in run.jobs if job.error]
    if failed:
        return EndState.FAILED, f"job {failed[0].name} ended with error {failed[0].error}"
    wrong = next((job.errors for job in run.jobs if job.errors), None)
    if wrong is not None:
        return EndState.FAILED, wrong
    if not run.ended:
        return EndState.UNKNOWN, "the status of the group is missing: the output is cut"
    return EndState.FINISHED, "every job ended without an error"


def _ended_local(run: NormalRun) -> datetime | None:
    """Return the local time at which the first job with a printed time ended.

    It follows the process (`Wed Jul 31 08:34:17 2024`). None if no time is printed or it is invalid.
    """
    for job in run.jobs:
        match = re.search(r"pid=\d+: \w{3} (\w{3} +\d{1,2} \d\d:\d\d:\d\d \d{4})", job.rest)
        if match is not None:
            try:
                return datetime.strptime(match[1], "%b %d %H:%M:%S %Y")  # noqa: DTZ007 - no zone is printed
            except ValueError:
                return None
    return None
