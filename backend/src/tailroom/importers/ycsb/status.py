"""The status lines of YCSB (`-s`), about the time since the previous line.

`2026-11-20 12:35:35:260 1 sec: 49066 operations; 48663.34 current ops/sec; … [READ: Count=24177, Max=14567,
…]`. The time of day is local, and the zone is not stated. The first line is printed at the start. Numbers
have the decimal sign of the machine's language, and `∞` if no time had passed. Source: `StatusThread`,
`OneMeasurementHdrHistogram.getSummary`.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from fractions import Fraction
from functools import lru_cache

import numpy as np

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.units import NS_PER_MS, NS_PER_S, NS_PER_US
from tailroom.importers.line_shapes import Shape
from tailroom.importers.parsed_run import Claim, Period
from tailroom.importers.period_columns import PeriodCollector, PeriodColumns
from tailroom.importers.printed import moment, printed, whole
from tailroom.importers.problems import ProblemList
from tailroom.importers.statements import Statements, hdr_bucket_ns, hdr_ranks
from tailroom.importers.ycsb.status_columns import (
    COUNTS,
    LAYOUT,
    MAX_US,
    MEAN,
    QUANTILE,
    RAW_MEAN,
    StatusColumns,
    mean_bounds_ns,
    status_columns,
)

_MAX_PERIODS = 100_000
_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - local, as the lines are


@dataclass(slots=True)
class StatusReader:
    """Parser of status lines. `periods`: by metric as it is printed (`READ`, `Intended-READ`)."""

    periods: dict[str, PeriodCollector] = field(default_factory=dict)
    claims: list[Claim] = field(default_factory=list)
    problems: ProblemList = field(default_factory=ProblemList)
    total_operations: int = 0
    """Number of operations since the start, as the last line states it."""
    fallen_at: int | None = None
    """First of the lines that are not used, because `total_operations` falls in it; None if it never does."""
    finished: bool = False
    """Whether the last line has nothing left to do."""
    started_local: datetime | None = None
    """Local time of the start, whose zone is not stated; None without a time of day."""
    end_ns: int = 0
    """Time of the last line in ns, from the start of the run."""
    _last_text: str = ""

    def __bool__(self) -> bool:
        return bool(self._last_text)

    def line(self, line_no: int, match: re.Match[str]) -> None:
        """Add a line unless it repeats the last; falling numbers are reported, and end the reading."""
        if match[0] == self._last_text:
            return
        self._last_text = match[0]
        now = moment(f"{match[1][:19]}.{match[1][20:]}") if match[1] else None
        if now is None and match[1]:
            self.problems.add("the time of the line is no time", line_no)
            return
        operations = int(match[3])
        if operations < self.total_operations:
            self.fallen_at = line_no
            self.problems.error(
                f"the count falls from {self.total_operations} to {operations}: another run begins here, or "
                "the file is damaged; status lines after it were not used",
                line_no,
            )
        if self.fallen_at is not None:
            return
        self.total_operations = operations
        self.finished = "est completion" not in match[5]
        seconds = int(match[2])
        if self.started_local is None and now is not None:
            self.started_local = now - timedelta(seconds=seconds)
        # Versions before 0.2 print no time of day, only the seconds since the start.
        end_ns = seconds * NS_PER_S
        if now is not None and self.started_local is not None:
            end_ns = (now - self.started_local) // timedelta(milliseconds=1) * NS_PER_MS
        end_ns = max(self.end_ns, end_ns)
        start_ns, self.end_ns = self.end_ns, end_ns
        self._add_rate_claim(line_no, match[4], start_ns, end_ns)
        for part in COUNTS.finditer(match[5]):
            self._add_period(line_no, part, start_ns, end_ns - start_ns)
        for part in (*MEAN.finditer(match[5]), *RAW_MEAN.finditer(match[5])):
            self._add_mean_claim(line_no, part[1], part[part.re.groups], start_ns, end_ns - start_ns)

    def lines(self, shape: Shape, first_line: int) -> bool:
        """Add the lines of a shape; return False, adding none, if they must be read one by one."""
        columns = None if self.fallen_at is not None else status_columns(shape)
        if columns is None:
            return False
        before = np.concatenate(([self.total_operations], columns.operations[:-1]))
        unchanged = np.flatnonzero(columns.operations == before)
        falls = (columns.operations < before).any()
        if falls or (unchanged.size and self._has_repeated_line(shape, unchanged)):
            return False
        self._last_text = shape.line(shape.lines.size - 1).decode("ascii")
        self.total_operations = int(columns.operations[-1])
        self.finished = columns.finished
        ends_ns = columns.seconds * NS_PER_S
        if columns.now_ms is not None:
            if self.started_local is None:
                now = _EPOCH + timedelta(milliseconds=int(columns.now_ms[0]))
                self.started_local = now - timedelta(seconds=int(columns.seconds[0]))
            first_ms = (self.started_local - _EPOCH) // timedelta(milliseconds=1)
            ends_ns = (columns.now_ms - first_ms) * NS_PER_MS
        reached = np.maximum.accumulate(np.concatenate(([self.end_ns], ends_ns)))
        starts_ns, durations_ns = reached[:-1], np.diff(reached)
        self.end_ns = int(reached[-1])
        line_nos = shape.lines + first_line
        self._add_rate_claims(columns, line_nos, starts_ns, durations_ns)
        for metric in columns.metrics:
            rows = np.flatnonzero(metric.count)
            if rows.size:
                self._collector(metric.name).add(metric.periods(rows, starts_ns, durations_ns))
        return True

    def periods_of(self, metric: str) -> Sequence[Period]:
        """Return the first 100,000 periods of a metric (or none), and report contradictory ones."""
        collector = self.periods.get(metric)
        if collector is None:
            return ()
        for reason in collector.contradictions:
            self.problems.error(f"{metric}: {reason}")
        if collector.rows > _MAX_PERIODS:
            reason = f"{metric}: the first {_MAX_PERIODS} of {collector.rows} periods are kept"
            self.problems.note(f"{reason}; all are added up")
        return collector.periods()

    def merged_of(self, metric: str) -> Statements:
        """Return a metric's periods added up; empty without. Raise StatementsContradict if contradictory."""
        collector = self.periods.get(metric)
        return Statements() if collector is None else collector.merged()

    def _has_repeated_line(self, shape: Shape, rows: Int64s) -> bool:
        return any(
            shape.line(row) == (shape.line(row - 1) if row else self._last_text.encode())
            for row in rows.tolist()
        )

    def _add_rate_claims(
        self, columns: StatusColumns, line_nos: Int64s, starts_ns: Int64s, durations_ns: Int64s
    ) -> None:
        """Add claims of the rate of each line with a duration, up to 100,000 claims; none without rates."""
        if columns.rate is None:
            return
        rows = np.flatnonzero(durations_ns > 0)[: max(0, _MAX_PERIODS - len(self.claims))]
        values = columns.rate.values[rows]
        self.claims += [
            _rate(columns.rate_texts[row], value, line_no, start_ns, duration_ns)
            for row, value, line_no, start_ns, duration_ns in zip(
                rows.tolist(),
                values.tolist(),
                line_nos[rows].tolist(),
                starts_ns[rows].tolist(),
                durations_ns[rows].tolist(),
                strict=True,
            )
        ]

    def _collector(self, metric: str) -> PeriodCollector:
        return self.periods.setdefault(metric, PeriodCollector(_MAX_PERIODS))

    def _add_period(self, line_no: int, part: re.Match[str], start_ns: int, duration_ns: int) -> None:
        """Add the period of a metric with a count; report and leave out impossible extremes."""
        count = whole(part[2])
        if not count:
            return
        most_us, least_us = int(part[3]), int(part[4])
        if max(most_us, least_us) > MAX_US or least_us > most_us:
            reason = f"{part[1]}: smallest and largest latency are impossible"
            self.problems.error(reason, line_no)
            return
        quantiles = [
            (_share(percent), int(value))
            for percent, value in QUANTILE.findall(part[6])
            if float(percent) < 100 and int(value) <= MAX_US
        ]
        ranks = [(hdr_ranks(share, count), hdr_bucket_ns(LAYOUT, value)) for share, value in quantiles]
        least = [(hdr_bucket_ns(LAYOUT, most_us)[1], count)]
        least += [(upper, low) for (low, _), (_, upper) in ranks]
        most = [(hdr_bucket_ns(LAYOUT, least_us)[0], 0)]
        most += [(lower, high - 1) for (_, high), (lower, _) in ranks]
        self._collector(part[1]).add(
            PeriodColumns.of(
                np.array([start_ns], np.int64),
                np.array([duration_ns], np.int64),
                np.array([count], np.int64),
                [(np.array([at], np.int64), np.array([held], np.int64)) for at, held in least],
                [(np.array([at], np.int64), np.array([held], np.int64)) for at, held in most],
                mean_ns=mean_bounds_ns(np.array([_mean_us(part[5].rstrip(","))])),
            )
        )

    def _add_mean_claim(self, line_no: int, metric: str, text: str, start_ns: int, duration_ns: int) -> None:
        """Add the mean (µs) of a metric without a count as a claim, up to 100,000; nothing for other text."""
        number = printed(text.replace(",", "."))
        if number is None or number.digits < 0 or len(self.claims) >= _MAX_PERIODS:
            return
        span = None, line_no, start_ns, duration_ns
        self.claims.append(
            Claim(metric.lower(), "latency_mean_ns", f"{text} µs", *number.ends(NS_PER_US), *span)
        )

    def _add_rate_claim(self, line_no: int, text: str | None, start_ns: int, end_ns: int) -> None:
        """Add the rate of a line as a claim; ignore a text that is no rate, and over 100,000 claims."""
        number = printed(text.replace(",", ".")) if text else None
        if number is None or number.digits < 0 or end_ns <= start_ns or len(self.claims) >= _MAX_PERIODS:
            return
        self.claims.append(_rate(text or "", float(number.value), line_no, start_ns, end_ns - start_ns))


@lru_cache(maxsize=1_000)
def _share(percent: str) -> Fraction:
    return Fraction(percent) / 100


def _rate(text: str, value: float, line_no: int, start_ns: int, duration_ns: int) -> Claim:
    """Return the claim of a rate in operations a second, which is rounded to hundredths."""
    span = None, line_no, start_ns, duration_ns
    return Claim("total", "throughput_ops_per_s", text, value - 0.005, value + 0.005, *span)


def _mean_us(text: str) -> float:
    """Return a mean of latencies in µs; NaN for a text that is no latency."""
    number = printed(text.replace(",", "."))
    if number is None or not 0 <= number.value <= MAX_US:
        return math.nan
    return float(number.value)
