"""The lines of fio's human-readable output, job by job."""

import re
from dataclasses import dataclass, field
from fractions import Fraction

from tailroom.domain.latency.layouts import NEVER_NS
from tailroom.domain.units import NS_PER_MS, NS_PER_US
from tailroom.importers.fio import terse
from tailroom.importers.fio.semantics import is_unmeasured
from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.parsed_run import Claim
from tailroom.importers.printed import Printed, printed, whole
from tailroom.importers.problems import Problems
from tailroom.importers.source import Source

_JOB = re.compile(r"(\S.{0,300}?): \(groupid=(\d{1,9}), jobs=(\d{1,9})\): err= ?(-?\d{1,9})(.{0,300})")
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
UNIT_NS = {"nsec": 1, "usec": NS_PER_US, "msec": NS_PER_MS}
PREFIXES = {"": 0, "k": 1, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5}
SHARE_EDGES = (2, 4, 10, 20, 50, 100, 250, 500, 750, 1000)
_TERSE_MARK = re.compile(r"[2345];fio-")
DIRECTIONS = ("read", "write", "trim", "sync")
_MAX_JOBS = 5_000
_OPTION = re.compile(r"(bs|ioengine|iodepth)=(\([RWT]\) )?([^,\s]{1,60})")


@dataclass(slots=True)
class Latency:
    """A latency of a direction (slat, clat, lat or sync); extremes, mean and deviation are in `unit_ns`."""

    name: str
    line: int
    unit_ns: int = 1
    least: tuple[Printed, int] | None = None
    most: tuple[Printed, int] | None = None
    """Smallest and largest: the number as printed, and the factor of its prefix (1,000 for `k`)."""
    mean: Printed | None = None
    deviation: Printed | None = None
    percentile_unit_ns: int = 1
    percentiles: list[tuple[Printed, int]] = field(default_factory=list)
    """Per cent, and the value in `percentile_unit_ns`."""


@dataclass(slots=True)
class Direction:
    """Reads, writes, trims or syncs of a job, with latencies by name; `line` is their first line."""

    name: str
    line: int
    claims: list[Claim] = field(default_factory=list)
    runtime_ms: int = 0
    latencies: dict[str, Latency] = field(default_factory=dict)


@dataclass(slots=True)
class Job:
    """A job or a group of jobs as reported. `rest`: text after the error number in its first line."""

    name: str
    group: int
    line: int
    error: int
    rest: str
    copies: int = 1
    """Number of jobs that are reported together (`group_reporting`)."""
    directions: dict[str, Direction] = field(default_factory=dict)
    shares: list[tuple[int, Printed]] = field(default_factory=list)
    """Upper edge in ns (`NEVER_NS` for the open bucket) and per cent of operations of each bucket."""
    issued: list[int] | None = None
    """Number of reads, writes, trims and syncs, in this order; versions print two to four of them."""
    errors: str | None = None

    @property
    def process(self) -> str:
        """Process number as text; empty if it is not printed."""
        match = re.search(r"pid=(\d+)", self.rest)
        return match[1] if match else ""

    def count_of(self, direction: str) -> int | None:
        """Return the number of operations of a direction; for `mixed` of reads, writes and trims together.

        None if it is not printed, 0 for `sync`, or of a job with errors: some may have no latency then.
        """
        if self.issued is None or self.error or self.errors:
            return None
        if direction == "mixed":
            return sum(self.issued[:3])
        at = DIRECTIONS.index(direction)
        count = self.issued[at] if at < len(self.issued) else None
        # 3.3x counts fdatasync among the short operations: a latency of nothing is one of unknown number.
        return None if direction == "sync" and not count else count


@dataclass(slots=True)
class NormalRun:
    """One run: its jobs, the options in their declarations, and whether its end was read (`ended`)."""

    version: str | None = None
    jobs: list[Job] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)
    terse_lines: list[terse.TerseLine] = field(default_factory=list)
    ended: bool = False
    states: int = 1
    """Number of printed states of this run (`--status-interval`)."""


class NormalReader:
    """Parser of the lines of fio's human-readable output."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self.runs = [NormalRun()]
        self._direction: Direction | None = None
        self._latency: Latency | None = None

    @property
    def _run(self) -> NormalRun:
        return self.runs[-1]

    def line(self, line_no: int, raw: str) -> None:
        """Store what a line of a run states; ignore other lines, and text before a carriage return."""
        text = raw.rsplit("\r", 1)[-1].strip()
        if not text:
            return
        if text.startswith("|") and self._latency is not None:
            self._store_percentiles(text)
        elif (mark := _TERSE_MARK.search(text)) is not None:
            terse_line = terse.line_of(text[mark.start() :], line_no)
            if terse_line is not None and len(self._run.terse_lines) < _MAX_JOBS:
                self._run.terse_lines.append(terse_line)
        elif (version := _VERSION.fullmatch(text)) is not None:
            if self._run.jobs:
                self.runs.append(NormalRun())
            self._run.version = version[1]
        elif "(groupid=" in text and (job := _JOB.search(text)) is not None:
            self._begin_job(line_no, job)
        elif "(g=" in text and (declared := _DECLARED.fullmatch(text)) is not None:
            self._store_options(declared)
        elif self._run.jobs and not self._run.ended:
            # Behind the end of a run stand lines that a script has picked from above.
            self._read_job_line(line_no, text)

    def _store_options(self, match: re.Match[str]) -> None:
        """Store options that no earlier job of the run has; after the end of a run, begin another run."""
        if self._run.ended:
            self.runs.append(NormalRun())
        options = self._run.options
        options.setdefault("rw", match[3])
        for name, _, value in _OPTION.findall(match[4]):
            options.setdefault(name, value)

    def _begin_job(self, line_no: int, match: re.Match[str]) -> None:
        """Begin the result of a job, up to 5,000 in a run; further jobs are reported and ignored.

        After the end of a run, a job with the name, group and process of one before begins a later state of
        this run, whose jobs replace those before. Any other job begins another run.
        """
        run = self._run
        job = Job(match[1], int(match[2]), line_no, int(match[4]), match[5], int(match[3]))
        same = [each for each in run.jobs if (each.name, each.group) == (job.name, job.group)]
        if run.ended:
            if same and job.process and same[-1].process == job.process:
                # A later state of the same run (--status-interval): it counts from the beginning.
                run.jobs, run.ended, run.states = [], False, run.states + 1
            else:
                self.runs.append(NormalRun(version=run.version))
                run = self._run
        if len(run.jobs) >= _MAX_JOBS:
            self._problems.add("many", f"more than {_MAX_JOBS} jobs; the rest was not read", line_no)
            return
        run.jobs.append(job)
        self._direction = self._latency = None

    def _read_job_line(self, line_no: int, text: str) -> None:
        """Store a line of the last job's result, or the end of the run; ignore other lines."""
        job = self._run.jobs[-1]
        if (new := _NEW.fullmatch(text)) is not None:
            rate, bandwidth = (new[2], new[3], new[4], new[5]), int(new[8])
            self._begin_direction(job, line_no, new[1], rate, bandwidth)
        elif (old := _OLD.fullmatch(text)) is not None:
            self._begin_direction(job, line_no, old[1], (old[6], old[7], old[4], old[5]), int(old[8]))
        elif text.startswith("fsync/fdatasync"):
            self._direction = job.directions.setdefault("sync", Direction("sync", line_no))
        elif (ends := _ENDS.fullmatch(text)) is not None:
            self._store_extremes(line_no, ends)
        elif (title := _PERCENTILES.fullmatch(text)) is not None:
            self._latency = self._latency_of(title[1], line_no)
            if self._latency is not None:
                self._latency.percentile_unit_ns = UNIT_NS[title[2]]
        elif (shares := _SHARES.fullmatch(text)) is not None:
            self._store_shares(line_no, job, shares)
        elif text.startswith("issued") and (issued := _ISSUED.fullmatch(text)) is not None:
            self._store_issued(line_no, job, issued[1])
        elif (errors := _ERRORS.fullmatch(text)) is not None:
            job.errors = f"{errors[1]} errors, the first {errors[2]}"
        elif _STATUS.fullmatch(text):
            self._run.ended = True
            self._latency = None

    def _begin_direction(
        self, job: Job, line_no: int, name: str, rates: tuple[str, str, str, str], runtime_ms: int
    ) -> None:
        """Begin a direction of a job with claims of `rates`: IOPS, prefix, bandwidth, prefix, as printed."""
        direction = Direction(name, line_no, runtime_ms=runtime_ms)
        rate, rate_unit, bandwidth, bandwidth_unit = rates
        claims = (
            ("throughput_ops_per_s", rate, rate_unit, 1_000, ""),
            ("bandwidth_bytes_per_s", bandwidth, bandwidth_unit, None, "B/s"),
        )
        for quantity, text, prefix, base, unit in claims:
            ends = _scaled(text, prefix, base)
            if ends is not None:
                shown = f"{text} {prefix}{unit}".strip()
                direction.claims.append(Claim(name, quantity, shown, *ends, line=line_no))
        job.directions[name] = self._direction = direction
        self._latency = None

    def _latency_of(self, name: str, line_no: int) -> Latency | None:
        """Return a latency of the current direction, adding it if needed; None without a direction."""
        if self._direction is None:
            return None
        return self._direction.latencies.setdefault(name, Latency(name, line_no))

    def _store_extremes(self, line_no: int, match: re.Match[str]) -> None:
        """Store smallest, largest, mean and deviation; report and remove a latency that was not measured."""
        direction, latency = self._direction, self._latency_of(match[1], line_no)
        least, most, mean, deviation = numbers = [printed(match[at]) for at in (3, 5, 7, 8)]
        if direction is None or latency is None or least is None or most is None:
            return
        unit_ns = UNIT_NS[match[2]]
        of_least, of_most = (1_000 ** PREFIXES[match[at]] for at in (4, 6))
        scaled = zip(numbers, (of_least, of_most, 1, 1), strict=True)
        times = [float(number.value) * (scale * unit_ns) for number, scale in scaled if number is not None]
        if is_unmeasured(times, direction.runtime_ms):
            reason = f"{latency.name}: times that cannot be of this run; the line was left out"
            self._problems.add("garbage", reason, line_no)
            del direction.latencies[latency.name]
            return
        latency.unit_ns, latency.mean, latency.deviation = unit_ns, mean, deviation
        latency.least, latency.most = (least, of_least), (most, of_most)

    def _store_percentiles(self, text: str) -> None:
        for share, value in _PERCENTILE.findall(text):
            number, at = printed(share), whole(value)
            if number is not None and at is not None and self._latency is not None and number.value <= 100:
                self._latency.percentiles.append((number, at))

    def _store_shares(self, line_no: int, job: Job, match: re.Match[str]) -> None:
        """Add per cents of operations by upper edge; report unknown edges and more than 100 %."""
        unit_ns = UNIT_NS[match[1]]
        for open_, edge, share in _SHARE.findall(match[2]):
            number = printed(share)
            at = int(edge)
            if number is None or number.value > 100 or (not open_ and at not in (*SHARE_EDGES, 2000)):
                self._problems.add("share", f"{edge}={share}% is no bucket of fio", line_no)
                continue
            job.shares.append((NEVER_NS if open_ else at * unit_ns, number))

    def _store_issued(self, line_no: int, job: Job, text: str) -> None:
        """Store the numbers of reads, writes, trims and syncs of a job; report a text that is no counts."""
        counts = [whole(part) for part in re.findall(r"\d+", text)]
        if not counts or None in counts:
            self._problems.add("issued", f"{text[:60]!r} are no counts", line_no)
            return
        job.issued = [count for count in counts if count is not None]

    def finish(self, source: Source) -> list[NormalRun]:
        """Return the runs that have a result. Raise ContentUnreadable if no job has one."""
        filled = [run for run in self.runs if any(job.directions for job in run.jobs)]
        if not filled:
            raise ContentUnreadable(f"{source.name} has the words of fio's output, but no result of a job")
        if len(filled) > 1:
            self._problems.note("runs", f"{len(filled)} runs are in this file")
        return filled


def _scaled(text: str, prefix: str, base: int | None) -> tuple[float, float] | None:
    """Return the bounds of a printed number with a prefix; None for any other text.

    Without a prefix it was rounded down; with a prefix it may be off by its last digit. `base`: 1,000, or
    None if the prefix decides between 1,000 and 1,024.
    """
    number = printed(text)
    letter = prefix.removesuffix("i")
    if number is None or letter not in PREFIXES:
        return None
    # Before 2.99 `KB` is 1,024 bytes; an `i` means that, and `k` means 1,000.
    thousand = base or (1_000 if prefix == "k" else 1_024)
    unit = thousand ** PREFIXES[letter]
    if unit == 1:
        return float(number.value), float(number.value + number.ulp)
    low, high = max(Fraction(0), number.value - number.ulp), number.value + number.ulp
    return float(low * unit), float(high * unit)
