"""fio's output for people, versions 1.5x to 3.x: everything that it prints, as what it proves.

Smallest, largest and percentiles are whole numbers of a unit that fio chooses by their size: smallest and
largest are cut to it, percentiles are middles of bins, rounded up (`show_clat_percentiles`): one stands
for all bins whose middle is rounded to the same number. The rows `lat (usec) : 50=1.25%` hold shares of the
*completion* latency of all directions together (`io_u_mark_latency`), with an upper edge that is not reached,
rounded to a hundredth, and 0.01 for anything smaller. Numbers of operations stand under `issued`. Versions
before 3.0 count in microseconds. Source: fio `stat.c`, `lib/num2str.c`, `io_u.c`.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import Misses
from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.latency.layouts import NEVER_NS
from tailroom.domain.units import NS_PER_MS, NS_PER_US
from tailroom.importers.fio import terse
from tailroom.importers.fio.bins import MICROSECONDS, NANOSECONDS
from tailroom.importers.fio.disclosure import not_stated
from tailroom.importers.fio.words import SEMANTICS, closed_loop
from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.moments import add_moments
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun, ParsedSeries, Problem
from tailroom.importers.printed import Printed, printed, whole
from tailroom.importers.problems import Problems
from tailroom.importers.source import Source
from tailroom.importers.statements import MAX_TIME_NS, Statements

JOB = re.compile(r"(\S.{0,300}?): \(groupid=(\d{1,9}), jobs=(\d{1,9})\): err= ?(-?\d{1,9})(.{0,300})")
_DECLARED = re.compile(r"(\S.{0,300}?): \(g=(\d{1,9})\): rw=(\w{1,20}), (.{0,400})")
_VERSION = re.compile(r"fio[- ](\d{1,3}\.\d{1,3}\S{0,60})")
_NUMBER = r"\d{1,20}(?:\.\d{1,9})?"
_NEW = re.compile(
    rf"(read|write|trim|mixed): IOPS=({_NUMBER})([kMGTP]?), BW=({_NUMBER})([KMGTP]?i?)B/s \(\S{{1,40}}\)\s?"
    rf"\(({_NUMBER})([KMGTP]?i?)B/(\d{{1,15}})msec\).*"
)
_OLD = re.compile(
    rf"(read|write|trim|mixed)\s*: io=\s*({_NUMBER})([KMGTP]?i?)B, bw=\s*({_NUMBER})([KMGTP]?i?)B?/s, "
    rf"iops=\s*({_NUMBER})([kKMGTP]?)\s*, runt=\s*(\d{{1,15}})msec"
)
_ENDS = re.compile(
    rf"(slat|clat|lat|sync)\s*\((nsec|usec|msec)\)\s*: min=\s*({_NUMBER})([kKMGTP]?)\s*, "
    rf"max=\s*({_NUMBER})([kKMGTP]?)\s*, avg=\s*({_NUMBER})\s*, stdev=\s*({_NUMBER})"
)
_PERCENTILES = re.compile(r"(slat|clat|lat|sync) percentiles \((nsec|usec|msec)\):")
_PERCENTILE = re.compile(r"(\d{1,3}(?:\.\d{1,9})?)th=\[\s*(\d{1,18})\]")
_SHARES = re.compile(r"lat \((nsec|usec|msec)\)\s*: (.*%.*)")
_SHARE = re.compile(r"(>=)?(\d{1,6})=(\d{1,3}(?:\.\d{1,4})?)%")
_ISSUED = re.compile(r"issued\s+(?:(?:rwts?|r/w(?:/d)?)\s*)?:\s*total=([\d,/=rwd]{1,100})\W.*")
_ERRORS = re.compile(r"errors\s+: total=(\d{1,18}), first_error=(.{1,120})")
_STATUS = re.compile(r"Run status group \d+ \(.*")
_DISK = re.compile(r"Disk stats \(read/write\):.*")
_UNIT_NS = {"nsec": 1, "usec": NS_PER_US, "msec": NS_PER_MS}
_PREFIXES = {"": 0, "k": 1, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5}
_SHARE_EDGES = (2, 4, 10, 20, 50, 100, 250, 500, 750, 1000)
_DEFAULT_SHARES = frozenset(
    [Fraction(text) for text in ("1", "5", *map(str, range(10, 91, 10)), "95", "99")]
    + [Fraction(text) for text in ("99.5", "99.9", "99.95", "99.99")]
)
_DOUBLE = Fraction(1, 2 * 10**8)
"""fio compares shares in doubles: a rank on the edge may be the next one."""
_TERSE_MARK = re.compile(r"[2345];fio-")
_CLOCKS = {"lat": "operation", "clat": "service", "slat": "queue", "sync": "operation"}
_DIRECTIONS = ("read", "write", "trim", "sync")
_MAX_JOBS = 5_000
_OPTIONS = {"bs": "bs", "ioengine": "ioengine", "iodepth": "iodepth"}
_OPTION = re.compile(r"(bs|ioengine|iodepth)=(\([RWT]\) )?([^,\s]{1,60})")


@dataclass(slots=True)
class _Latency:
    """One of slat, clat and lat of a direction."""

    name: str
    line: int
    unit_ns: int = 1
    least: tuple[Printed, int] | None = None
    most: tuple[Printed, int] | None = None
    mean: Printed | None = None
    deviation: Printed | None = None
    percentile_unit_ns: int = 1
    percentiles: list[tuple[Printed, int]] = field(default_factory=list)


@dataclass(slots=True)
class _Direction:
    name: str
    line: int
    claims: list[Claim] = field(default_factory=list)
    runtime_ms: int = 0
    latencies: dict[str, _Latency] = field(default_factory=dict)


@dataclass(slots=True)
class _Job:
    name: str
    group: int
    line: int
    error: int
    rest: str
    directions: dict[str, _Direction] = field(default_factory=dict)
    shares: list[tuple[int, Printed]] = field(default_factory=list)
    """Upper edge in nanoseconds (`NEVER_NS` for the open one) and per cent."""
    issued: list[int] | None = None
    errors: str | None = None

    @property
    def process(self) -> str:
        found = re.search(r"pid=(\d+)", self.rest)
        return found[1] if found else ""

    def count_of(self, direction: str) -> int | None:
        """Operations, where no error left some of them without a latency."""
        if self.issued is None or self.error or self.errors:
            return None
        if direction == "mixed":
            return sum(self.issued[:3])
        at = _DIRECTIONS.index(direction)
        return self.issued[at] if at < len(self.issued) else None


@dataclass(slots=True)
class _Run:
    version: str | None = None
    jobs: list[_Job] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)
    terse_lines: list[terse.Line] = field(default_factory=list)
    ended: bool = False
    states: int = 1
    disks: dict[str, str] = field(default_factory=dict)


class NormalReader:
    """Takes the lines of the output."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self.runs = [_Run()]
        self._direction: _Direction | None = None
        self._latency: _Latency | None = None
        self._version: str | None = None

    @property
    def _run(self) -> _Run:
        return self.runs[-1]

    def line(self, line_no: int, raw: str) -> None:
        """One line, of which only what stays on the screen counts."""
        text = raw.rsplit("\r", 1)[-1].strip()
        if not text:
            return
        if text.startswith("|") and self._latency is not None:
            self._percentiles(text)
        elif (mark := _TERSE_MARK.search(text)) is not None:
            self._terse(line_no, text[mark.start() :])
        elif (version := _VERSION.fullmatch(text)) is not None:
            self._begin(version[1])
        elif "(groupid=" in text and (job := JOB.search(text)) is not None:
            self._job(line_no, job)
        elif "(g=" in text and (declared := _DECLARED.fullmatch(text)) is not None:
            self._declared(declared)
        elif self._run.jobs:
            self._of_job(line_no, text)

    def _begin(self, version: str) -> None:
        if self._run.jobs:
            self.runs.append(_Run())
        self._run.version = version

    def _terse(self, line_no: int, text: str) -> None:
        found = terse.line_of(text, line_no)
        if found is not None and len(self._run.terse_lines) < _MAX_JOBS:
            self._run.terse_lines.append(found)

    def _declared(self, found: re.Match[str]) -> None:
        options = self._run.options
        if self._run.ended:
            self.runs.append(_Run())
            options = self._run.options
        options.setdefault("rw", found[3])
        for name, _, value in _OPTION.findall(found[4]):
            options.setdefault(_OPTIONS[name], value)

    def _job(self, line_no: int, found: re.Match[str]) -> None:
        run = self._run
        job = _Job(found[1], int(found[2]), line_no, int(found[4]), found[5])
        same = [one for one in run.jobs if (one.name, one.group) == (job.name, job.group)]
        if run.ended:
            if same and job.process and same[-1].process == job.process:
                # A later state of the same run (--status-interval): it counts from the beginning.
                run.jobs, run.ended, run.states = [], False, run.states + 1
            else:
                self.runs.append(_Run(version=run.version))
                run = self._run
        if len(run.jobs) >= _MAX_JOBS:
            self._problems.add("many", f"more than {_MAX_JOBS} jobs; the rest was not read", line_no)
            return
        run.jobs.append(job)
        self._direction = self._latency = None

    def _of_job(self, line_no: int, text: str) -> None:
        job = self._run.jobs[-1]
        if (new := _NEW.fullmatch(text)) is not None:
            rate, bandwidth = (new[2], new[3], new[4], new[5]), int(new[8])
            self._begin_direction(job, line_no, new[1], rate, bandwidth)
        elif (old := _OLD.fullmatch(text)) is not None:
            self._begin_direction(job, line_no, old[1], (old[6], old[7], old[4], old[5]), int(old[8]))
        elif text.startswith("fsync/fdatasync"):
            self._direction = job.directions.setdefault("sync", _Direction("sync", line_no))
        elif (ends := _ENDS.fullmatch(text)) is not None:
            self._ends(line_no, ends)
        elif (title := _PERCENTILES.fullmatch(text)) is not None:
            self._latency = self._latency_of(title[1], line_no)
            if self._latency is not None:
                self._latency.percentile_unit_ns = _UNIT_NS[title[2]]
        elif (shares := _SHARES.fullmatch(text)) is not None:
            self._shares(line_no, job, shares)
        elif text.startswith("issued") and (issued := _ISSUED.fullmatch(text)) is not None:
            self._issued(line_no, job, issued[1])
        elif (errors := _ERRORS.fullmatch(text)) is not None:
            job.errors = f"{errors[1]} errors, the first {errors[2]}"
        elif _STATUS.fullmatch(text):
            self._run.ended = True
            self._latency = None

    def _begin_direction(
        self, job: _Job, line_no: int, name: str, rates: tuple[str, str, str, str], runtime_ms: int
    ) -> None:
        found = _Direction(name, line_no, runtime_ms=runtime_ms)
        rate, rate_unit, bandwidth, bandwidth_unit = rates
        claims = (
            ("throughput_ops_per_s", rate, rate_unit, 1_000, ""),
            ("bandwidth_bytes_per_s", bandwidth, bandwidth_unit, None, "B/s"),
        )
        for quantity, text, prefix, base, unit in claims:
            ends = _scaled(text, prefix, base)
            if ends is not None:
                found.claims.append(
                    Claim(name, quantity, f"{text} {prefix}{unit}".strip(), *ends, line=line_no)
                )
        job.directions[name] = self._direction = found
        self._latency = None

    def _latency_of(self, name: str, line_no: int) -> _Latency | None:
        if self._direction is None:
            return None
        return self._direction.latencies.setdefault(name, _Latency(name, line_no))

    def _ends(self, line_no: int, found: re.Match[str]) -> None:
        latency = self._latency_of(found[1], line_no)
        least, most = printed(found[3]), printed(found[5])
        if latency is None or least is None or most is None:
            return
        latency.unit_ns = _UNIT_NS[found[2]]
        latency.least = least, 1_000 ** _PREFIXES[found[4]]
        latency.most = most, 1_000 ** _PREFIXES[found[6]]
        latency.mean, latency.deviation = printed(found[7]), printed(found[8])

    def _percentiles(self, text: str) -> None:
        for share, value in _PERCENTILE.findall(text):
            number, at = printed(share), whole(value)
            if number is not None and at is not None and self._latency is not None and number.value <= 100:
                self._latency.percentiles.append((number, at))

    def _shares(self, line_no: int, job: _Job, found: re.Match[str]) -> None:
        unit_ns = _UNIT_NS[found[1]]
        for open_, edge, share in _SHARE.findall(found[2]):
            number = printed(share)
            at = int(edge)
            if number is None or number.value > 100 or (not open_ and at not in (*_SHARE_EDGES, 2000)):
                self._problems.add("share", f"{edge}={share}% is no bucket of fio", line_no)
                continue
            job.shares.append((NEVER_NS if open_ else at * unit_ns, number))

    def _issued(self, line_no: int, job: _Job, text: str) -> None:
        counts = [whole(part) for part in re.findall(r"\d+", text)]
        if not counts or None in counts:
            self._problems.add("issued", f"{text[:60]!r} are no counts", line_no)
            return
        job.issued = [count for count in counts if count is not None]

    def finish(self, source: Source) -> list[ParsedRun]:
        """The runs; `ContentUnreadable` where no job has a result."""
        filled = [run for run in self.runs if any(job.directions for job in run.jobs)]
        if not filled:
            raise ContentUnreadable(f"{source.name} has the words of fio's output, but no result of a job")
        if len(filled) > 1:
            self._problems.add("runs", f"{len(filled)} runs are in this file", note=True)
        return [_finished(run, self._problems) for run in filled]


def _scaled(text: str, prefix: str, base: int | None) -> tuple[float, float] | None:
    """Ends of a number with a prefix: whole ones are cut, others lose up to one of their last digit."""
    number = printed(text)
    letter = prefix.removesuffix("i")
    if number is None or letter not in _PREFIXES:
        return None
    # Before 2.99 `KB` is 1,024 bytes; an `i` says so, and `k` that it is 1,000.
    thousand = base or (1_000 if prefix == "k" else 1_024)
    unit = thousand ** _PREFIXES[letter]
    if unit == 1:
        return float(number.value), float(number.value + number.ulp)
    return float(max(Fraction(0), number.value - number.ulp) * unit), float(
        (number.value + number.ulp) * unit
    )


def _finished(run: _Run, problems: Problems) -> ParsedRun:
    old = _is_old(run)
    single = len({(job.name, job.group) for job in run.jobs}) <= 1
    series: list[ParsedSeries] = []
    claims: list[Claim] = []
    for position, job in enumerate(run.jobs):
        twins = sum((one.name, one.group) == (job.name, job.group) for one in run.jobs[:position])
        phase = None if single and not twins and len(run.jobs) == 1 else job.name
        phase = f"{phase} #{twins + 1}" if twins else phase
        for direction in job.directions.values():
            claims += _claims(job, direction)
            series += _series(run, job, direction, phase, problems, old=old)
        series += _together(job, phase, problems)
        if not job.directions:
            problems.add("empty", f"{job.name} has no latencies", job.line)
    if run.states > 1:
        problems.add(
            "states", f"{run.states} states of the run are in the file; the last was read", note=True
        )
    state, words = _state(run)
    runtime_ms = max((one.runtime_ms for job in run.jobs for one in job.directions.values()), default=0)
    started = _ended_local(run)
    parameters: dict[str, str | int | float | bool | None] = {**run.options, "jobs": len(run.jobs)}
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


def _is_old(run: _Run) -> bool | None:
    """Whether fio counted in microseconds; none where neither version nor a unit says so."""
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


def _claims(job: _Job, direction: _Direction) -> Iterator[Claim]:
    count = job.issued
    at = _DIRECTIONS.index(direction.name) if direction.name in _DIRECTIONS else None
    if count is not None and at is not None and at < len(count):
        yield Claim(
            direction.name, "operation_count", str(count[at]), count[at], count[at], line=direction.line
        )
    yield from direction.claims
    for name in ("clat", "lat", "sync"):
        latency = direction.latencies.get(name)
        if latency is not None and latency.mean is not None:
            yield from (one for one in _printed(direction, latency) if one.quantity == "latency_mean_ns")
            return


def _printed(direction: _Direction, latency: _Latency) -> Iterator[Claim]:
    """What stands in the output of one latency, in its unit."""
    unit = {1: "ns", NS_PER_US: "µs", NS_PER_MS: "ms"}
    ends = (("latency_min_ns", latency.least), ("latency_max_ns", latency.most))
    for quantity, value in ends:
        if value is not None:
            text = f"{value[0].text}{_prefix(value[1])} {unit[latency.unit_ns]}"
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


def _prefix(unit: int) -> str:
    return next(letter for letter, power in _PREFIXES.items() if 1_000**power == unit)


def _cut_ends(value: tuple[Printed, int], unit_ns: int) -> tuple[int, int]:
    """First and last nanosecond that a smallest or largest is printed like."""
    number, prefix = value
    if prefix == 1:
        low = int(number.value * unit_ns)
        return low, low + unit_ns - 1
    scale = prefix * unit_ns
    return (
        max(0, math.floor((number.value - number.ulp) * scale)),
        math.ceil((number.value + number.ulp) * scale) + unit_ns - 1,
    )


def _series(
    run: _Run, job: _Job, direction: _Direction, phase: str | None, problems: Problems, *, old: bool | None
) -> Iterator[ParsedSeries]:
    count = job.count_of(direction.name)
    others = [name for name in job.directions if name != "sync"]
    for name, latency in direction.latencies.items():
        if count == 0:
            continue
        statements = Statements(count)
        _add_latency(statements, latency, problems, old=old)
        if name == "clat" and others == [direction.name]:
            _add_shares(statements, job, problems)
        if name == "clat":
            _add_terse(statements, run, job, direction, problems)
        if not statements and statements.mean_ns is None:
            continue
        record = _record(statements, f"{direction.name} {name}", latency.line, problems)
        if record is None:
            continue
        yield ParsedSeries(
            direction.name,
            _CLOCKS[name],
            record,
            semantics=SEMANTICS[name],
            phase=phase,
            source_name=name,
            printed=tuple(_printed(direction, latency)),
        )


def _record(statements: Statements, name: str, line: int, problems: Problems) -> KnotsRecord | None:
    found: list[Problem] = []
    try:
        record = statements.record(Misses(), found)
    except DomainError as error:
        problems.add("series", f"{name}: {error}", line, error=True)
        return None
    for one in found:
        problems.add("mean", f"{name}: {one.reason}", line)
    return record


def _add_latency(statements: Statements, latency: _Latency, problems: Problems, *, old: bool | None) -> None:
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
        edges = _bin_edges(at, latency.percentile_unit_ns, old=old)
        if edges is None or share.value == 0:
            if share.value:
                problems.add(
                    "percentile", f"{share.text}th=[{at}] is a percentile that fio cannot print", latency.line
                )
            continue
        half = _DOUBLE if exact else share.ulp / 200
        least, most = max(Fraction(0), share.value / 100 - half), min(Fraction(1), share.value / 100 + half)
        if statements.count:
            least = Fraction(max(1, math.ceil(least * statements.count)), statements.count)
            most = Fraction(max(0, math.ceil(most * statements.count) - 1), statements.count)
        if edges[1] != NEVER_NS:
            statements.at_least(edges[1], least)
        statements.at_most(edges[0], most)
    if not latency.percentiles and statements.mean_ns is not None and latency.deviation is not None:
        deviation_ns = float(latency.deviation.upper * latency.unit_ns)
        if deviation_ns < MAX_TIME_NS and statements.mean_ns[0] > 0:
            add_moments(statements, statements.mean_ns, deviation_ns)


def _bin_edges(at: int, unit_ns: int, *, old: bool | None) -> tuple[int, int] | None:
    """Edges of all bins whose middle is printed like this: rounded up, once or twice, by a thousand."""
    found = []
    for bins, fits in ((NANOSECONDS, old is not True), (MICROSECONDS, old is not False)):
        if not fits or unit_ns < bins.unit_ns or at * unit_ns >= MAX_TIME_NS:
            continue
        step = unit_ns // bins.unit_ns
        if step == 1:
            index = bins.named(at)
            if index is not None:
                found.append(bins.edges_ns(index))
            continue
        low = bins.index_of(max(0, (at - 1) * step + 1))
        low += bins.middle(low) <= (at - 1) * step
        high = bins.index_of(at * step)
        high -= bins.middle(high) > at * step
        if 0 <= low <= high < bins.size:
            found.append((bins.edges_ns(low)[0], bins.edges_ns(high)[1]))
    if not found:
        return None
    return min(low for low, _ in found), max(high for _, high in found)


def _add_shares(statements: Statements, job: _Job, problems: Problems) -> None:
    """Shares up to each edge, and beyond it: what is printed 0.01 may be anything down to nothing."""
    rows = sorted(job.shares, key=lambda row: row[0])
    if not rows:
        return
    ends = [_share_ends(number) for _, number in rows]
    if not sum(low for low, _ in ends) <= 1 <= sum(high for _, high in ends):
        total = float(sum(number.value for _, number in rows))
        problems.add("shares", f"{job.name}: the buckets add up to {total:g} %; they were left out", job.line)
        return
    below_low = below_high = Fraction(0)
    above_low, above_high = sum(low for low, _ in ends), sum(high for _, high in ends)
    for (at_ns, _), (low, high) in zip(rows, ends, strict=True):
        below_low, below_high = below_low + low, below_high + high
        above_low, above_high = above_low - low, above_high - high
        if at_ns == NEVER_NS:
            continue
        statements.at_least(at_ns, max(below_low, 1 - above_high, Fraction(0)))
        statements.at_most(at_ns, min(below_high, 1 - above_low, Fraction(1)))
    _before_first_bucket(statements, rows[0][0])


def _before_first_bucket(statements: Statements, first_ns: int) -> None:
    """What is below the first bucket that is printed: buckets without an operation are not printed."""
    edges = [
        edge * unit for unit in _UNIT_NS.values() for edge in (*_SHARE_EDGES, 2000) if edge * unit < first_ns
    ]
    if edges and first_ns != NEVER_NS:
        statements.at_most(max(edges), Fraction(0))


def _share_ends(number: Printed) -> tuple[Fraction, Fraction]:
    low, high = number.lower / 100, number.upper / 100
    return (Fraction(0) if number.value <= Fraction(1, 100) else low), high


def _together(job: _Job, phase: str | None, problems: Problems) -> Iterator[ParsedSeries]:
    """The buckets of several directions, which fio counts together."""
    names = [name for name in job.directions if name != "sync"]
    if len(names) < 2 or not job.shares:
        return
    counts = [job.count_of(name) for name in names]
    known = [count for count in counts if count is not None]
    statements = Statements(sum(known) if len(known) == len(counts) else None)
    _add_shares(statements, job, problems)
    if not statements:
        return
    record = _record(statements, "lat (buckets)", job.line, problems)
    if record is not None:
        yield ParsedSeries(
            "all", "service", record, semantics=SEMANTICS["clat"], phase=phase, source_name="lat (buckets)"
        )


def _add_terse(
    statements: Statements, run: _Run, job: _Job, direction: _Direction, problems: Problems
) -> None:
    """The same job as a terse line, as `--output-format=normal,terse` prints both: finer percentiles."""
    for line in run.terse_lines:
        fields = dict(line.blocks).get(direction.name)
        if line.job == job.name and fields is not None and whole(fields[3]) == direction.runtime_ms:
            terse.add_percentiles(statements, fields, line, problems)
            return


def _state(run: _Run) -> tuple[EndState, str]:
    failed = [job for job in run.jobs if job.error]
    if failed:
        return EndState.FAILED, f"job {failed[0].name} ended with error {failed[0].error}"
    wrong = next((job.errors for job in run.jobs if job.errors), None)
    if wrong is not None:
        return EndState.FAILED, wrong
    if not run.ended:
        return EndState.UNKNOWN, "the status of the group is missing: the output is cut"
    return EndState.FINISHED, "every job ended without an error"


def _ended_local(run: _Run) -> datetime | None:
    """`Wed Jul 31 08:34:17 2024` behind the process: the local time at which the job ended."""
    for job in run.jobs:
        found = re.search(r"pid=\d+: \w{3} (\w{3} +\d{1,2} \d\d:\d\d:\d\d \d{4})", job.rest)
        if found is not None:
            try:
                return datetime.strptime(found[1], "%b %d %H:%M:%S %Y")  # noqa: DTZ007 - no zone is printed
            except ValueError:
                return None
    return None


def read_normal(source: Source, problems: Problems) -> list[ParsedRun]:
    """The runs of fio's output for people."""
    reader = NormalReader(problems)
    for line_no, raw in source.lines():
        reader.line(line_no, raw[:MAX_LINE_BYTES].decode("utf-8", "replace"))
    return reader.finish(source)


MAX_LINE_BYTES = 1 << 16
