"""pgbench's log of intervals (`--log --aggregate-interval`): sums, no single transactions.

`start count Σlatency Σlatency² least largest`, in microseconds; with --rate the same four of the lag (always
since 15); with --latency-limit the number skipped; since 15 retried, retries, and failures by kind, which
stay zero without --failures-detailed. Up to 14 the count includes skipped transactions. Mean, deviation and
largest are all that is known of each interval; the interval in which the run ended is not written. Source:
pgbench.c (`doLog`, `accumStats`) of 9.4 to 19.
"""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.distribution import Misses
from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.units import NS_PER_S, NS_PER_US, ceil_div
from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.moments import MomentPeriods, add_moments
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun, ParsedSeries
from tailroom.importers.pgbench import semantics
from tailroom.importers.printed import MAX_COUNT
from tailroom.importers.problems import Problems
from tailroom.importers.source import Source
from tailroom.importers.statements import MAX_TIME_NS, Statements
from tailroom.importers.text_runs import PrintedRun

COLUMNS = (6, 10, 11, 15, 16)
LINE = re.compile(r"\d{9,10}(?: \d{1,40}){5,15}")
_NUMBERS = re.compile(r"\d{1,10}(?: \d{1,40})*")
_LAST_SECOND = 4_000_000_000
_MAX_INTERVALS = 1_000_000
_SINCE_15 = 15


@dataclass(frozen=True, slots=True)
class _Sums:
    """Counts of transactions, and sums and extremes of their latencies and lags in microseconds."""

    count: int = 0
    """Number of transactions with a latency."""
    total: int = 0
    """Sum of the latencies."""
    squares: int = 0
    """Sum of the squared latencies."""
    least: int = 0
    most: int = 0
    """Smallest and largest latency; 0 without latencies."""
    skipped: int = 0
    """Number of transactions that were too late to be started."""
    failed: int = 0
    lag_total: int = 0
    """Sum of the schedule lags; `lag_most` is the largest."""
    lag_most: int = 0
    retries: int = 0

    def __add__(self, other: "_Sums") -> "_Sums":
        least = [sums.least for sums in (self, other) if sums.count]
        return _Sums(
            self.count + other.count,
            self.total + other.total,
            self.squares + other.squares,
            min(least, default=0),
            max(self.most, other.most),
            self.skipped + other.skipped,
            self.failed + other.failed,
            self.lag_total + other.lag_total,
            max(self.lag_most, other.lag_most),
            self.retries + other.retries,
        )

    def moments_ns(self) -> tuple[float, float]:
        """Return the mean, and an upper bound of the deviation, in ns; zeros without latencies."""
        count, total = self.count, self.total
        if not count:
            return 0.0, 0.0
        # The variance is `over / count²`; a thousandth of a microsecond is a nanosecond.
        over = max(0, self.squares * count - total * total)
        deviation = math.isqrt(ceil_div(over * 10**6, count * count)) + 1
        return total * NS_PER_US / count, deviation * NS_PER_US / 1000

    def record(self) -> KnotsRecord:
        """Return the record, only of failures without latencies. Raise DomainError for contradictions."""
        misses = Misses(errors=self.failed, timeouts=self.skipped)
        if not self.count:
            return KnotsRecord((), 0, misses=misses)
        statements = Statements(self.count)
        mean_ns, deviation_ns = self.moments_ns()
        add_moments(statements, (mean_ns, mean_ns), deviation_ns, exact_ns=NS_PER_US)
        statements.span(self.least * NS_PER_US, (self.most + 1) * NS_PER_US)
        return statements.record(misses)


def read_aggregated(sources: Sequence[Source]) -> ParsedRun:
    """Return the run in the files of all threads. Raise ContentUnreadable if no line is an interval."""
    problems = Problems()
    files: list[dict[int, _Sums]] = []
    has_rate, has_failures, columns = False, False, 0
    for source in sources:
        problems.file = source.name
        intervals: dict[int, _Sums] = {}
        for line_no, raw in source.lines():
            text = raw.decode("utf-8", "replace").strip()
            if not text:
                continue
            interval = _interval(text)
            if isinstance(interval, str):
                problems.add("line", interval, line_no)
                continue
            start, sums, width = interval
            if len(intervals) >= _MAX_INTERVALS:
                problems.add("many", "more intervals than can be held; the rest was left out", line_no)
                break
            columns = max(columns, width)
            has_rate |= sums.lag_total > 0 or sums.lag_most > 0 or width in (10, 11)
            has_failures |= sums.failed > 0
            intervals[start] = intervals.get(start, _Sums()) + sums
        files.append(intervals)
    starts = sorted({start for intervals in files for start in intervals})
    if not starts:
        raise ContentUnreadable(f"{sources[0].name} has no line of an interval that can be read")
    problems.file = None
    length_s = _length_s(files)
    first = starts[0]
    slots: dict[int, _Sums] = {}
    for intervals in files:
        for start, sums in intervals.items():
            # Threads begin within the same second or the next one: their intervals are numbered alike.
            slot = round((start - first) / length_s) if length_s else start - first
            slots[slot] = slots.get(slot, _Sums()) + sums
    _report_limits(problems, columns, has_failures=has_failures, length_s=length_s)
    total = sum(slots.values(), _Sums())
    series = _series(slots, total, length_s, has_rate, problems)
    run = PrintedRun(1, {"files": len(files), "aggregate_interval_s": length_s or None}, problems=problems)
    run.claims = _claims(total, has_rate)
    run.duration_ns = (max(slots) + 1) * length_s * NS_PER_S or None
    ending = EndState.UNKNOWN, "a log of intervals has no end mark"
    started_at, form = datetime.fromtimestamp(first, UTC), "pgbench-aggregated-log"
    return run.parsed(form, "pgbench", [], series, ending, started_at=started_at, closed_loop=not has_rate)


def _interval(text: str) -> tuple[int, _Sums, int] | str:
    """Return start (s since 1970), sums and number of columns; for an invalid line the reason as text."""
    if _NUMBERS.fullmatch(text) is None:
        return f"no line of whole numbers: {text[:60]!r}"
    numbers = [int(part) for part in text.split(" ")]
    width = len(numbers)
    if width not in COLUMNS:
        return f"{width} columns: pgbench writes {', '.join(map(str, COLUMNS))}"
    start, count, total, squares, least, most = numbers[:6]
    lag = numbers[6:10] if width >= 10 else [0] * 4
    skipped = numbers[10] if width >= 11 else 0
    answered = count if width >= _SINCE_15 else count - skipped
    failed = sum(numbers[13:]) if width >= _SINCE_15 else 0
    counts_fit = 0 <= answered <= MAX_COUNT and skipped <= MAX_COUNT and failed <= MAX_COUNT
    if start >= _LAST_SECOND or not counts_fit or lag[0] * NS_PER_US >= 10**30:
        return "a time or a count that pgbench does not write"
    if not answered:
        return start, _Sums(skipped=skipped, failed=failed, lag_total=lag[0], lag_most=lag[3]), width
    fits = least <= most and least * answered <= total <= most * answered
    if not fits or most * NS_PER_US >= MAX_TIME_NS or squares > most**2 * answered:
        return f"{answered} latencies of {least} to {most} µs cannot have these sums"
    retries = numbers[12] if width >= _SINCE_15 else 0
    sums = _Sums(answered, total, squares, least, most, skipped, failed, lag[0], lag[3], retries)
    return start, sums, width


def _length_s(files: Sequence[dict[int, _Sums]]) -> int:
    """Return an interval's length in s, the least distance of starts; 0 if every file has a single one."""
    steps = [later - earlier for intervals in files for earlier, later in pairwise(sorted(intervals))]
    return min(steps, default=0)


def _series(
    slots: dict[int, _Sums], sums: _Sums, length_s: int, has_rate: bool, problems: Problems
) -> tuple[ParsedSeries, ...]:
    """Return the only series, with `slots` as its periods; empty, with a problem, for contradictory sums."""
    periods = _periods(slots, length_s)
    try:
        record = sums.record()
        periods.check()
    except DomainError as error:
        problems.error("series", f"the sums contradict each other: {error}")
        return ()
    return (
        ParsedSeries(
            semantics.TRANSACTION,
            "response" if has_rate else "service",
            record,
            semantics=semantics.RESPONSE if has_rate else semantics.SERVICE,
            source_name="latency",
            periods=periods,
        ),
    )


def _periods(slots: dict[int, _Sums], length_s: int) -> MomentPeriods:
    """Return the intervals as periods, empty if their length is unknown (0)."""
    numbers = sorted(slots) if length_s else []
    rows = [slots[number] for number in numbers]
    moments = np.array([sums.moments_ns() for sums in rows]).reshape(-1, 2)

    def column(values: Iterable[int]) -> Int64s:
        return np.fromiter(values, np.int64, len(rows))

    return MomentPeriods(
        np.array(numbers, np.int64) * length_s * NS_PER_S,
        np.full(len(rows), length_s * NS_PER_S, np.int64),
        column(sums.count for sums in rows),
        column(sums.failed + sums.skipped for sums in rows),
        moments[:, 0],
        moments[:, 1],
        column(sums.least * NS_PER_US for sums in rows),
        column((sums.most + 1) * NS_PER_US for sums in rows),
        NS_PER_US,
        lambda row: rows[row].record(),
    )


def _claims(sums: _Sums, has_rate: bool) -> list[Claim]:
    """Return claims of transactions, other counts over 0, the mean latency and, with `has_rate`, the lag."""
    counts = [("operation_count", sums.count)]
    counts += [("error_count", sums.failed)] if sums.failed else []
    counts += [("skipped_count", sums.skipped)] if sums.skipped else []
    counts += [("retry_count", sums.retries)] if sums.retries else []
    claims = [Claim.of_count(semantics.TRANSACTION, name, count) for name, count in counts]
    if sums.count:
        claims.append(_mean_claim("latency_mean_ns", sums.total, sums.count))
    if has_rate and sums.count:
        claims.append(_mean_claim("schedule_lag_mean_ns", sums.lag_total, sums.count))
        most = sums.lag_most * NS_PER_US
        claims.append(Claim(semantics.TRANSACTION, "schedule_lag_max_ns", f"{sums.lag_most} µs", most, most))
    return claims


def _mean_claim(quantity: str, total_us: int, count: int) -> Claim:
    mean = total_us * NS_PER_US / count
    return Claim(semantics.TRANSACTION, quantity, f"{total_us} / {count} µs", mean, mean)


def _report_limits(problems: Problems, columns: int, *, has_failures: bool, length_s: int) -> None:
    problems.note("rest", "the interval in which the run ended is not in the log")
    if columns >= _SINCE_15 and not has_failures:
        problems.note("failures", "failures are zero, as they are for any run without --failures-detailed")
    if not length_s:
        problems.add("length", "a single interval: its length is not known")
