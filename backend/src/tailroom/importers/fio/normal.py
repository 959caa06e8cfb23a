"""fio's human-readable output, versions 1.5x to 3.x: every printed number, with the bounds that it proves.

Smallest, largest and percentiles are whole numbers of a unit that fio chooses by their size: smallest and
largest are cut to it, percentiles are middles of bins, rounded up (`show_clat_percentiles`): each means any
of the bins whose middle is rounded to the same number. The rows `lat (usec) : 50=1.25%` hold shares of the
*completion* latency of all directions together (`io_u_mark_latency`), with an exclusive upper edge, rounded
to a hundredth, and 0.01 for anything smaller. Numbers of operations are under `issued`. Versions before 3.0
count in microseconds. Source: fio `stat.c`, `lib/num2str.c`, `io_u.c`.
"""

import math
import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from datetime import datetime
from fractions import Fraction

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import Misses
from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.latency.layouts import NEVER_NS
from tailroom.domain.units import NS_PER_MS, NS_PER_US
from tailroom.importers.fio import terse
from tailroom.importers.fio.bins import add_percentile, printed_edges_ns
from tailroom.importers.fio.normal_rows import (
    DIRECTIONS,
    PREFIXES,
    SHARE_EDGES,
    UNIT_NS,
    Direction,
    Job,
    Latency,
    NormalReader,
    NormalRun,
)
from tailroom.importers.fio.semantics import CLOCKS, SEMANTICS, closed_loop, not_stated
from tailroom.importers.moments import add_moments
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun, ParsedSeries
from tailroom.importers.printed import Printed, whole
from tailroom.importers.problems import Problems
from tailroom.importers.source import Source
from tailroom.importers.statements import MAX_TIME_NS, Statements, record_or_report

_DEFAULT_SHARES = frozenset(
    [Fraction(text) for text in ("1", "5", *map(str, range(10, 91, 10)), "95", "99")]
    + [Fraction(text) for text in ("99.5", "99.9", "99.95", "99.99")]
)
_DOUBLE = Fraction(1, 2 * 10**8)
"""fio compares shares in doubles, so that a rank at an edge may be the next rank."""
MAX_LINE_BYTES = 1 << 16


def claims_of(direction: Direction, latency: Latency) -> Iterator[Claim]:
    """Yield claims of the printed numbers of one latency: bounds are in ns, texts in the printed unit."""
    unit = {1: "ns", NS_PER_US: "µs", NS_PER_MS: "ms"}
    ends = (("latency_min_ns", latency.least), ("latency_max_ns", latency.most))
    for quantity, value in ends:
        if value is not None:
            prefix = next(letter for letter, power in PREFIXES.items() if 1_000**power == value[1])
            text = f"{value[0].text}{prefix} {unit[latency.unit_ns]}"
            yield Claim(direction.name, quantity, text, *_cut_ends(value, latency.unit_ns), line=latency.line)
    moments = (("latency_mean_ns", latency.mean), ("latency_deviation_ns", latency.deviation))
    for quantity, number in moments:
        if number is not None:
            low, high = (
                float(max(Fraction(0), end) * latency.unit_ns) for end in (number.lower, number.upper)
            )
            text = f"{number.text} {unit[latency.unit_ns]}"
            yield Claim(direction.name, quantity, text, low, high, line=latency.line)
    at_ns = latency.percentile_unit_ns
    for share, at in latency.percentiles:
        first, last = max(0, (at - 1) * at_ns if at_ns > 1 else at), at * at_ns
        text = f"{at} {unit[at_ns]}"
        quantile = float(share.value / 100)
        yield Claim(direction.name, "latency_quantile_ns", text, first, last, quantile, latency.line)


def _cut_ends(value: tuple[Printed, int], unit_ns: int) -> tuple[int, int]:
    """Return the first and last ns that fio prints as this extreme (number, factor of its prefix)."""
    number, prefix = value
    if prefix == 1:
        low = int(number.value * unit_ns)
        return low, low + unit_ns - 1
    scale = prefix * unit_ns
    return (
        max(0, math.floor((number.value - number.ulp) * scale)),
        math.ceil((number.value + number.ulp) * scale) + unit_ns - 1,
    )


def series_of(
    run: NormalRun, job: Job, direction: Direction, phase: str | None, problems: Problems, *, old: bool | None
) -> Iterator[ParsedSeries]:
    """Yield a series for each latency of a direction whose count is not 0 and whose numbers prove any bound.

    Report and leave out contradictory latencies. `old`: whether fio counted in µs, None if unknown.
    """
    count = job.count_of(direction.name)
    others = [name for name in job.directions if name != "sync"]
    for name, latency in direction.latencies.items():
        if count == 0:
            continue
        statements = Statements(count)
        _add_latency(statements, latency, problems, old=old)
        candidates = [statements]
        if name == "clat":
            more = deepcopy(statements)
            shares = others == [direction.name] and _add_shares(more, job, problems)
            if _add_terse(more, run, job, direction, problems) or shares:
                candidates = [more, statements] if statements else [more]
        if not candidates[0] and candidates[0].mean_ns is None:
            continue
        record = _record(candidates, f"{direction.name} {name}", latency.line, problems)
        if record is None:
            continue
        yield ParsedSeries(
            direction.name,
            CLOCKS[name],
            record,
            semantics=SEMANTICS[name],
            phase=phase,
            source_name=name,
            printed=tuple(claims_of(direction, latency)),
        )


def _record(candidates: Sequence[Statements], name: str, line: int, problems: Problems) -> KnotsRecord | None:
    """Return the first of `candidates` without contradictions, which are reported; None without any."""
    for statements in candidates[:-1]:
        try:
            statements.record()
        except DomainError:
            problems.add("shares", f"{name}: buckets contradict percentiles; they were left out", line)
        else:
            return record_or_report(statements, Misses(), problems, name, line)
    return record_or_report(candidates[-1], Misses(), problems, name, line)


def _add_latency(statements: Statements, latency: Latency, problems: Problems, *, old: bool | None) -> None:
    """Add the bounds that numbers prove; report impossible numbers. `old`: counted in µs, None if unknown."""
    cut_ns = 1 if old is False else NS_PER_US
    if latency.least is not None and latency.most is not None:
        first = _cut_ends(latency.least, latency.unit_ns)[0]
        last = max(_cut_ends(latency.most, latency.unit_ns)[1], 0) + (
            cut_ns - 1 if latency.unit_ns == 1 else 0
        )
        if first <= last < MAX_TIME_NS:
            statements.span(first, last + 1)
        else:
            problems.add("ends", f"{latency.name}: smallest and largest are no latencies", latency.line)
    mean = latency.mean
    if mean is not None and mean.upper * latency.unit_ns < MAX_TIME_NS:
        low, high = max(Fraction(0), mean.lower) * latency.unit_ns, mean.upper * latency.unit_ns
        statements.mean_ns = float(low), float(high) + cut_ns - 1
    exact = {share.value for share, _ in latency.percentiles} <= _DEFAULT_SHARES
    for share, at in latency.percentiles:
        edges = printed_edges_ns(at, latency.percentile_unit_ns, old=old, rounded_up=True)
        if edges is None or share.value == 0:
            if share.value:
                problems.add(
                    "percentile", f"{share.text}th=[{at}] is a percentile that fio cannot print", latency.line
                )
            continue
        half = _DOUBLE if exact else share.ulp / 200
        add_percentile(statements, share.value / 100, half, edges, statements.count)
    if not latency.percentiles and statements.mean_ns is not None and latency.deviation is not None:
        deviation_ns = float(latency.deviation.upper * latency.unit_ns)
        if deviation_ns < MAX_TIME_NS and statements.mean_ns[0] > 0:
            add_moments(statements, statements.mean_ns, deviation_ns)


def _add_shares(statements: Statements, job: Job, problems: Problems) -> bool:
    """Add bounds by shares in buckets. Return False without any or, with a problem, if they are not 100 %."""
    rows = sorted(job.shares, key=lambda row: row[0])
    if not rows:
        return False
    ends = [_share_ends(number) for _, number in rows]
    if not sum(low for low, _ in ends) <= 1 <= sum(high for _, high in ends):
        total = float(sum(number.value for _, number in rows))
        problems.add("shares", f"{job.name}: the buckets add up to {total:g} %; they were left out", job.line)
        return False
    below_low = below_high = Fraction(0)
    above_low, above_high = sum(low for low, _ in ends), sum(high for _, high in ends)
    for (at_ns, _), (low, high) in zip(rows, ends, strict=True):
        below_low, below_high = below_low + low, below_high + high
        above_low, above_high = above_low - low, above_high - high
        if at_ns == NEVER_NS:
            continue
        statements.at_least(at_ns, max(below_low, 1 - above_high, Fraction(0)))
        statements.at_most(at_ns, min(below_high, 1 - above_low, Fraction(1)))
    _add_first_edge(statements, rows[0][0])
    return True


def _add_first_edge(statements: Statements, first_ns: int) -> None:
    """Add that no operation is below the first printed bucket, because fio prints no empty buckets."""
    edges = [
        edge * unit for unit in UNIT_NS.values() for edge in (*SHARE_EDGES, 2000) if edge * unit < first_ns
    ]
    if edges and first_ns != NEVER_NS:
        statements.at_most(max(edges), Fraction(0))


def _share_ends(number: Printed) -> tuple[Fraction, Fraction]:
    """Return the bounds (0 to 1) of a printed per cent; the lower is 0 for 0.01 % or less."""
    low, high = number.lower / 100, number.upper / 100
    return (Fraction(0) if number.value <= Fraction(1, 100) else low), high


def series_together(job: Job, phase: str | None, problems: Problems) -> Iterator[ParsedSeries]:
    """Yield one series of a job's buckets if they count several directions; report contradictions."""
    names = [name for name in job.directions if name != "sync"]
    if len(names) < 2 or not job.shares:
        return
    counts = [job.count_of(name) for name in names]
    numbers = [count for count in counts if count is not None]
    statements = Statements(sum(numbers) if len(numbers) == len(counts) else None)
    if not _add_shares(statements, job, problems) or not statements:
        return
    record = _record([statements], "lat (buckets)", job.line, problems)
    if record is not None:
        yield ParsedSeries(
            "all", "service", record, semantics=SEMANTICS["clat"], phase=phase, source_name="lat (buckets)"
        )


def _add_terse(
    statements: Statements, run: NormalRun, job: Job, direction: Direction, problems: Problems
) -> bool:
    """Add percentiles of the job's terse line; return whether one has this direction and running time."""
    for line in run.terse_lines:
        fields = dict(line.blocks).get(direction.name)
        if line.job == job.name and fields is not None and whole(fields[3]) == direction.runtime_ms:
            terse.add_percentiles(statements, fields, line, problems)
            return True
    return False


def read_normal(source: Source, problems: Problems) -> list[ParsedRun]:
    """Return the runs of fio's human-readable output. Raise ContentUnreadable if no job has a result."""
    reader = NormalReader(problems)
    for line_no, raw in source.lines():
        reader.line(line_no, raw[:MAX_LINE_BYTES].decode("utf-8", "replace"))
    return [_build_run(run, problems) for run in reader.finish(source)]


def _build_run(run: NormalRun, problems: Problems) -> ParsedRun:
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
        yield Claim.of_count(direction.name, "operation_count", count[at], direction.line)
    yield from direction.claims
    for name in ("clat", "lat", "sync"):
        latency = direction.latencies.get(name)
        if latency is not None and latency.mean is not None:
            claims = claims_of(direction, latency)
            yield from (claim for claim in claims if claim.quantity == "latency_mean_ns")
            return


def _state(run: NormalRun) -> tuple[EndState, str]:
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
    """Return the local time at which the first job with a printed time ended; None without a valid time."""
    for job in run.jobs:
        match = re.search(r"pid=\d+: \w{3} (\w{3} +\d{1,2} \d\d:\d\d:\d\d \d{4})", job.rest)
        if match is not None:
            try:
                return datetime.strptime(match[1], "%b %d %H:%M:%S %Y")  # noqa: DTZ007 - no zone is printed
            except ValueError:
                return None
    return None
