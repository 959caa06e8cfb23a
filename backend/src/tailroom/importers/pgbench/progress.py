"""pgbench's progress lines: operations since the previous line.

They say how many transactions a second there were, rounded, so that they hold no counts. Where nothing was
answered in an interval, mean and deviation are `-nan` up to version 10: the rate of 0.0 is a measurement.
Source: pgbench.c (`printProgressReport`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tailroom.domain.units import NS_PER_MS, NS_PER_S, NS_PER_US
from tailroom.importers.excerpts import begins_in_the_middle
from tailroom.importers.moments import add_moments
from tailroom.importers.parsed_run import Claim, Period
from tailroom.importers.pgbench import words
from tailroom.importers.printed import Printed, printed
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
    """The numbers of a progress line, and its time since the start of the run or since 1970."""

    line: int
    at_ns: int
    tps: Printed | None
    """None where a number of the line is invalid: it only says where the next line begins."""
    average: Printed | None
    deviation: Printed | None
    """Like the average in milliseconds; None where nothing was answered, of which pgbench prints `-nan`."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """The numbers of a progress line, since the previous line."""

    start_ns: int
    length_ns: int
    said: Progress

    def claims(self) -> Iterator[Claim]:
        """Yield the rate and, where there were transactions, mean and deviation."""
        progress = self.said
        if progress.tps is None:
            return
        stated = [("throughput_ops_per_s", progress.tps, 1)]
        if progress.tps.digits > 0 and progress.average is not None and progress.deviation is not None:
            stated.append(("latency_mean_ns", progress.average, NS_PER_MS))
            stated.append(("latency_deviation_ns", progress.deviation, NS_PER_MS))
        for quantity, number, unit in stated:
            yield Claim(
                words.TRANSACTION,
                quantity,
                number.text,
                *number.ends(unit),
                None,
                progress.line,
                self.start_ns,
                self.length_ns,
            )

    def period(self) -> Period:
        """Return the period; mean and deviation alone never contradict each other."""
        statements = Statements()
        progress = self.said
        if (
            progress.tps
            and progress.tps.digits > 0
            and progress.average is not None
            and progress.deviation is not None
        ):
            add_printed_moments(statements, progress.average, progress.deviation)
        return Period(self.start_ns, self.length_ns, statements.record())


def progress_of(line_no: int, match: re.Match[str]) -> Progress:
    """Return the content of a progress line; without a rate if its numbers are invalid."""
    tps, average, deviation = (_positive(text) for text in match.groups()[1:4])
    is_stall = tps is not None and tps.digits == 0
    if not is_stall and (average is None or deviation is None):
        tps = None
    at = printed(match[1])
    at_ns = 0 if at is None else at.digits * at.ulp_parts[0] * NS_PER_S // at.ulp_parts[1]
    return Progress(line_no, at_ns, tps, average, deviation)


def stretches_of(progress: Sequence[Progress], problems: Problems) -> list[Stretch]:
    """Return the numbers of each line since the previous line.

    With time stamps, and in an excerpt, the first line only states where the second begins.
    """
    times = [report.at_ns for report in progress[:3]]
    stamped = bool(times) and times[0] > _STAMPED_S * NS_PER_S
    is_excerpt = not stamped and begins_in_the_middle(times, NS_PER_S)
    stretches: list[Stretch] = []
    before = times[0] if stamped or is_excerpt else 0
    origin = before if stamped else 0
    if is_excerpt:
        problems.add(
            "excerpt",
            "the beginning of the progress is missing: the first line only says where the second begins",
            progress[0].line,
            note=True,
        )
    for line_progress in progress:
        if line_progress.at_ns <= before:
            if not (stamped or is_excerpt) or line_progress is not progress[0]:
                problems.add("time", "the time does not go on; the line was left out", line_progress.line)
            continue
        if line_progress.tps is not None:
            stretches.append(Stretch(before - origin, line_progress.at_ns - before, line_progress))
        before = line_progress.at_ns
    return stretches


def _positive(text: str) -> Printed | None:
    """Return a printed number that is not negative."""
    number = printed(text)
    return None if number is None or number.digits < 0 else number


def add_printed_moments(statements: Statements, average: Printed, deviation: Printed) -> None:
    """Add mean and deviation in milliseconds, rounded; latencies are whole microseconds."""
    mean, most = average.ends(NS_PER_MS), deviation.ends(NS_PER_MS)[1]
    if max(mean[1], most) < MAX_TIME_NS:
        add_moments(statements, mean, most, exact_ns=NS_PER_US)
