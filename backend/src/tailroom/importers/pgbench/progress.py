"""pgbench's progress lines: rate, mean and deviation since the previous line, without counts.

If nothing was answered in an interval, mean and deviation are `-nan` up to version 10: the rate of 0.0 is
a measurement. Source: pgbench.c (`printProgressReport`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tailroom.domain.units import NS_PER_MS, NS_PER_S, NS_PER_US
from tailroom.importers.columns import lacks_first_rows
from tailroom.importers.moments import add_moments
from tailroom.importers.parsed_run import Claim, Period
from tailroom.importers.pgbench import semantics
from tailroom.importers.printed import Printed, amount, printed
from tailroom.importers.problems import Problems
from tailroom.importers.statements import MAX_TIME_NS, Statements

PROGRESS = re.compile(
    r"progress: (\d{1,12}(?:\.\d{1,6})?) s, (\S{1,40}) tps, lat (\S{1,40}) ms stddev ([^\s,]{1,40})"
    r"((?:, (?:lag \S{1,40} ms|\d{1,18} (?:skipped|failed|retried|retries)))*)"
)
MAX_PERIODS = 200_000
_STAMPED_S = 100_000_000
"""A larger number of seconds is a moment (`--progress-timestamp`) and no running time."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The numbers of a progress line, and its time since the start of the run or since 1970 in ns."""

    line: int
    at_ns: int
    tps: Printed | None
    """Transactions a second; None if a number is invalid: the line is only the start of the next interval."""
    average: Printed | None
    deviation: Printed | None
    """Average and deviation are in milliseconds; None if nothing was answered, or for an invalid number."""

    @property
    def moments(self) -> tuple[Printed, Printed] | None:
        """Mean and deviation in milliseconds; None if either is missing or the printed rate is 0."""
        if not self.tps or self.tps.digits <= 0 or self.average is None or self.deviation is None:
            return None
        return self.average, self.deviation


@dataclass(frozen=True, slots=True)
class ProgressInterval:
    """Interval that ends with a progress line, in ns from the run's start, and the numbers of the line."""

    start_ns: int
    length_ns: int
    progress: Progress

    def claims(self) -> Iterator[Claim]:
        """Yield claims of this interval's rate and, if above 0, mean and deviation; none without a rate."""
        progress = self.progress
        if progress.tps is None:
            return
        stated = [("throughput_ops_per_s", progress.tps, 1)]
        if progress.moments is not None:
            stated.append(("latency_mean_ns", progress.moments[0], NS_PER_MS))
            stated.append(("latency_deviation_ns", progress.moments[1], NS_PER_MS))
        span = self.start_ns, self.length_ns
        for quantity, number, unit in stated:
            yield Claim.of_number(semantics.TRANSACTION, quantity, number, unit, progress.line, span=span)

    def period(self) -> Period:
        """Return the period, with the bounds of mean and deviation if the rate is above 0."""
        statements = Statements()
        if self.progress.moments is not None:
            add_printed_moments(statements, *self.progress.moments)
        return Period(self.start_ns, self.length_ns, statements.record())


def read_progress(line_no: int, match: re.Match[str]) -> Progress:
    """Return the numbers of a line; `tps` is None for an invalid rate, or a rate over 0 without a latency."""
    tps, average, deviation = (amount(text) for text in match.groups()[1:4])
    is_stall = tps is not None and tps.digits == 0
    if not is_stall and (average is None or deviation is None):
        tps = None
    at = printed(match[1])
    at_ns = 0 if at is None else at.digits * at.ulp_parts[0] * NS_PER_S // at.ulp_parts[1]
    return Progress(line_no, at_ns, tps, average, deviation)


def intervals_of(progress: Sequence[Progress], problems: Problems) -> list[ProgressInterval]:
    """Return the interval of each line with valid numbers.

    With time stamps, and in an excerpt, the first line is only the start of the second interval. Report and
    leave out a line whose time is not after that of the previous line.
    """
    times = [report.at_ns for report in progress[:3]]
    stamped = bool(times) and times[0] > _STAMPED_S * NS_PER_S
    is_excerpt = not stamped and lacks_first_rows(times, NS_PER_S)
    intervals: list[ProgressInterval] = []
    before = times[0] if stamped or is_excerpt else 0
    origin = before if stamped else 0
    if is_excerpt:
        problems.note(
            "excerpt",
            "the beginning of the progress is missing: the first line only says where the second begins",
            progress[0].line,
        )
    for line_progress in progress:
        if line_progress.at_ns <= before:
            if not (stamped or is_excerpt) or line_progress is not progress[0]:
                problems.add("time", "the time does not go on; the line was left out", line_progress.line)
            continue
        if line_progress.tps is not None:
            intervals.append(ProgressInterval(before - origin, line_progress.at_ns - before, line_progress))
        before = line_progress.at_ns
    return intervals


def add_printed_moments(statements: Statements, average: Printed, deviation: Printed) -> None:
    """Add what mean and deviation (ms) prove of whole µs; nothing if either is MAX_TIME_NS or more."""
    mean, most = average.ends(NS_PER_MS), deviation.ends(NS_PER_MS)[1]
    if max(mean[1], most) < MAX_TIME_NS:
        add_moments(statements, mean, most, exact_ns=NS_PER_US)
