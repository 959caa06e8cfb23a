"""The status lines of YCSB (`-s`), which speak of the time since the line before.

`2026-11-20 12:35:35:260 1 sec: 49066 operations; 48663.34 current ops/sec; … [READ: Count=24177, Max=14567,
…]`. The time of day is local, and the zone is not stated. The first line stands at the start. Numbers have
the decimal sign of the machine's language, and `∞` where no time had passed. Source: `StatusThread`,
`OneMeasurementHdrHistogram.getSummary`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from fractions import Fraction
from functools import lru_cache

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.units import NS_PER_MS, NS_PER_S, NS_PER_US
from tailroom.importers.parsed_run import Claim, Period, Problem, Severity
from tailroom.importers.printed import moment, printed, whole
from tailroom.importers.statements import Statements, hdr_bucket_ns

LINE = re.compile(
    r"(?:.{0,200}?(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d:\d{3}))?\s{0,9}(\d{1,9}) sec: (\d{1,18}) operations; "
    r"(?:(\S{1,40}) current ops/sec; )?(.*)"
)
_COUNTS = re.compile(
    r"\[([^\[\]:]{1,200}): Count=(\d{1,18}), Max=(\d{1,19}), Min=(\d{1,19}), Avg=([^ ]{1,40}), ([^\[\]]*)\]"
)
_MEAN = re.compile(r"\[([^\[\]:]{1,200}) AverageLatency\(us\)=([^\]]{1,40})\]")
_RAW_MEAN = re.compile(r"(?:^| )([A-Z][\w-]*) count: (\d{1,18}), average latency\(us\): ([\d.,]{1,40})")
_QUANTILE = re.compile(r"(\d{1,3}(?:\.\d{1,6})?)=(\d{1,15})")
_MAX_PERIODS = 100_000
_MAX_US = 1 << 40
LAYOUT = HdrLayout()


@dataclass(slots=True)
class StatusReader:
    """Periods by metric, as they are printed (`READ`, `Intended-READ`)."""

    periods: dict[str, list[tuple[int, int, Statements]]] = field(default_factory=dict)
    claims: list[Claim] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    total_operations: int = 0
    fallen_at: int | None = None
    finished: bool = False
    _first: datetime | None = None
    _last_ns: int = 0
    _last_text: str = ""

    def __bool__(self) -> bool:
        return bool(self._last_text)

    @property
    def started_local(self) -> datetime | None:
        """Local time of the start; the zone is not stated."""
        return self._first

    @property
    def end_ns(self) -> int:
        """Distance of the last line from the start."""
        return self._last_ns

    def line(self, line_no: int, found: re.Match[str]) -> None:
        """Takes a line. The same line again (it goes to both outputs) is one."""
        if found[0] == self._last_text:
            return
        self._last_text = found[0]
        now = moment(f"{found[1][:19]}.{found[1][20:]}") if found[1] else None
        if now is None and found[1]:
            self._problem("the time of the line is no time", line_no)
            return
        operations = int(found[3])
        if operations < self.total_operations:
            self.fallen_at = line_no
            self._problem(
                f"the count falls from {self.total_operations} to {operations}: another run begins here, or "
                "the file is damaged; status lines after it were not used",
                line_no,
                Severity.ERROR,
            )
        if self.fallen_at is not None:
            return
        self.total_operations = operations
        self.finished = "est completion" not in found[5]
        seconds = int(found[2])
        if self._first is None and now is not None:
            self._first = now - timedelta(seconds=seconds)
        # Versions before 0.2 print no time of day, only the seconds since the start.
        end_ns = seconds * NS_PER_S
        if now is not None and self._first is not None:
            end_ns = (now - self._first) // timedelta(milliseconds=1) * NS_PER_MS
        end_ns = max(self._last_ns, end_ns)
        start_ns, self._last_ns = self._last_ns, end_ns
        self._rate(line_no, found[4], start_ns, end_ns)
        for part in _COUNTS.finditer(found[5]):
            self._counted(line_no, part, start_ns, end_ns - start_ns)
        for part in (*_MEAN.finditer(found[5]), *_RAW_MEAN.finditer(found[5])):
            self._mean(line_no, part[1], part[part.re.groups], start_ns, end_ns - start_ns)

    def periods_of(self, metric: str) -> tuple[Period, ...]:
        """The pieces of a metric that do not contradict themselves."""
        found = []
        for start_ns, duration_ns, statements in self.periods.get(metric, ()):
            try:
                found.append(Period(start_ns, duration_ns, statements.record()))
            except DomainError as error:
                self._problem(f"{metric}: {error}", None, Severity.ERROR)
        return tuple(found)

    def statements_of(self, metric: str) -> Iterator[Statements]:
        """Of each period."""
        for _, _, statements in self.periods.get(metric, ()):
            yield statements

    def _counted(self, line_no: int, part: re.Match[str], start_ns: int, duration_ns: int) -> None:
        count = whole(part[2])
        if not count:
            return
        most_us, least_us = int(part[3]), int(part[4])
        if max(most_us, least_us) > _MAX_US or least_us > most_us:
            self._problem(f"{part[1]}: smallest and largest latency are impossible", line_no, Severity.ERROR)
            return
        statements = Statements(count)
        statements.span(hdr_bucket_ns(LAYOUT, least_us)[0], hdr_bucket_ns(LAYOUT, most_us)[1])
        for percent, value in _QUANTILE.findall(part[6]):
            if float(percent) < 100 and int(value) <= _MAX_US:
                statements.hdr_quantile(_share(percent), *hdr_bucket_ns(LAYOUT, int(value)))
        statements.mean_ns = _mean_ns(part[5].rstrip(","))
        periods = self.periods.setdefault(part[1], [])
        if len(periods) < _MAX_PERIODS:
            periods.append((start_ns, duration_ns, statements))
        elif len(periods) == _MAX_PERIODS:
            self._problem("later periods are left out", line_no, Severity.NOTE)

    def _mean(self, line_no: int, metric: str, text: str, start_ns: int, duration_ns: int) -> None:
        number = printed(text.replace(",", "."))
        if number is None or number.digits < 0 or len(self.claims) >= _MAX_PERIODS:
            return
        lower, upper = number.ends(NS_PER_US)
        self.claims.append(
            Claim(
                metric.lower(),
                "latency_mean_ns",
                f"{text} µs",
                lower,
                upper,
                None,
                line_no,
                start_ns,
                duration_ns,
            )
        )

    def _rate(self, line_no: int, text: str | None, start_ns: int, end_ns: int) -> None:
        number = printed(text.replace(",", ".")) if text else None
        if number is None or number.digits < 0 or end_ns <= start_ns or len(self.claims) >= _MAX_PERIODS:
            return
        # Cut zeros are not printed, so the last digit is worth a hundredth whatever stands there.
        self.claims.append(
            Claim(
                "total",
                "throughput_ops_per_s",
                text or "",
                float(number.value) - 0.005,
                float(number.value) + 0.005,
                None,
                line_no,
                start_ns,
                end_ns - start_ns,
            )
        )

    def _problem(self, reason: str, line_no: int | None, severity: Severity = Severity.WARNING) -> None:
        if len(self.problems) < 100:
            self.problems.append(Problem(reason, line_no, severity))


@lru_cache(maxsize=1_000)
def _share(percent: str) -> Fraction:
    return Fraction(percent) / 100


def _mean_ns(text: str) -> tuple[float, float] | None:
    """Of bucket middles, with at most two decimals; trailing zeros are not printed."""
    number = printed(text.replace(",", "."))
    if number is None or not 0 <= number.value <= _MAX_US:
        return None
    lower, upper = (float(number.value) - 0.005) * NS_PER_US, (float(number.value) + 0.005) * NS_PER_US
    return max(0.0, lower * (1 - 1 / 1024)), upper * (1 + 1 / 1024) + NS_PER_US
