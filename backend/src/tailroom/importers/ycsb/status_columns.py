"""Status lines of YCSB of the same shape, as columns whose meaning the first line gives.

If a line could have another meaning (a wider number, an impossible time or latency), there are no columns,
and lines are read one by one.
"""

import re
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from tailroom.domain.latency.bounds import Floats, Int64s
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.units import NS_PER_US
from tailroom.importers.line_shapes import Numbers, Shape
from tailroom.importers.period_columns import PeriodColumns
from tailroom.importers.printed import MAX_COUNT, MAX_TEXT_BYTES
from tailroom.importers.statements import hdr_ranks_each

LINE = re.compile(
    r"(?:.{0,200}?(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d:\d{3}))?\s{0,9}(\d{1,9}) sec: (\d{1,18}) operations; "
    r"(?:(\S{1,40}) current ops/sec; )?(.*)"
)
COUNTS = re.compile(
    r"\[([^\[\]:]{1,200}): Count=(\d{1,18}), Max=(\d{1,19}), Min=(\d{1,19}), Avg=([^ ]{1,40}), ([^\[\]]*)\]"
)
MEAN = re.compile(r"\[([^\[\]:]{1,200}) AverageLatency\(us\)=([^\]]{1,40})\]")
RAW_MEAN = re.compile(r"(?:^| )([A-Z][\w-]*) count: (\d{1,18}), average latency\(us\): ([\d.,]{1,40})")
QUANTILE = re.compile(r"(\d{1,3}(?:\.\d{1,6})?)=(\d{1,15})")
LAYOUT = HdrLayout()
MAX_US = 1 << 40
_CLOCK = re.compile(r"\d+")
_CLOCK_WIDTHS = (4, 2, 2, 2, 2, 2, 3)
_DIGIT = re.compile(r"\d")
_MAX_PRODUCT = 1 << 62
_FIRST_YEAR, _LAST_YEAR = 1970, 2200
_HALF = 0.005
"""Half a hundredth, to which means are rounded; trailing zeros are not printed."""
_BUCKET = 1 / 1024


@dataclass(slots=True)
class MetricColumns:
    """The numbers of one metric in every line."""

    name: str
    count: Int64s
    most_us: Int64s
    least_us: Int64s
    mean_us: Floats
    """NaN for a line without a mean."""
    quantiles: list[tuple[Fraction, Int64s]]
    """Share, and the value in microseconds in every line."""

    def periods(self, rows: Int64s, starts_ns: Int64s, durations_ns: Int64s) -> PeriodColumns:
        """Return the periods of the lines `rows`; starts and durations are those of all lines."""
        count = self.count[rows]
        least = [(_buckets_ns(self.most_us[rows])[1], count)]
        most = [(_buckets_ns(self.least_us[rows])[0], np.zeros(rows.size, np.int64))]
        for share, values_us in self.quantiles:
            lower, upper = _buckets_ns(values_us[rows])
            low, high = hdr_ranks_each(share, count)
            least.append((upper, low))
            most.append((lower, high - 1))
        return PeriodColumns.of(
            starts_ns[rows],
            durations_ns[rows],
            count,
            least,
            most,
            mean_ns=mean_bounds_ns(self.mean_us[rows]),
        )


@dataclass(slots=True)
class StatusColumns:
    """The numbers of the lines of a shape; each array has an element for each line."""

    now_ms: Int64s | None
    """Local milliseconds since 1970; None if lines have no time of day."""
    seconds: Int64s
    """Seconds since the start."""
    operations: Int64s
    """Number of operations since the start."""
    rate: Numbers | None
    """Operations a second since the previous line; None if lines have no such number."""
    rate_texts: list[str]
    """The rates as printed; empty if there are none."""
    finished: bool
    """Whether the lines have nothing left to do."""
    metrics: list[MetricColumns] = field(default_factory=list)


def mean_bounds_ns(mean_us: Floats) -> tuple[Floats, Floats]:
    """Return bounds in ns of means (µs to hundredths) of bucket middles; NaN for NaN."""
    lower, upper = (mean_us - _HALF) * NS_PER_US, (mean_us + _HALF) * NS_PER_US
    return np.maximum(0.0, lower * (1 - _BUCKET)), upper * (1 + _BUCKET) + NS_PER_US


def _buckets_ns(values_us: Int64s) -> tuple[Int64s, Int64s]:
    return LAYOUT.edges_ns(LAYOUT.index_of(values_us))


class _LinesDiffer(Exception):
    """A line may have another meaning than the first line, so that lines are read one by one."""


def status_columns(shape: Shape) -> StatusColumns | None:
    """Return the columns of status lines; None for other lines, or if they must be read one by one."""
    match = LINE.fullmatch(shape.example.decode("ascii"))
    if match is None or shape.longest > MAX_TEXT_BYTES:
        return None
    try:
        return _columns(shape, match)
    except _LinesDiffer:
        return None


def _columns(shape: Shape, match: re.Match[str]) -> StatusColumns:
    """Return the columns of lines like `match`. Raise _LinesDiffer if a line may have another meaning."""
    before = match[0][: match.start(1) if match[1] else match.start(2)]
    rest = match[5]
    _require(not _DIGIT.search(before) and not before.startswith("["))
    _require(MEAN.search(rest) is None and RAW_MEAN.search(rest) is None)
    rate = _decimals(shape, match.start(4), match[4]) if match[4] else None
    return StatusColumns(
        _now_ms(shape, match.start(1)) if match[1] else None,
        _integers(shape, match.span(2), 9),
        _integers(shape, match.span(3), 15),
        rate,
        [] if rate is None else shape.texts(match.start(4)),
        "est completion" not in rest,
        [_metric(shape, part) for part in COUNTS.finditer(match[0], match.start(5))],
    )


def _metric(shape: Shape, part: re.Match[str]) -> MetricColumns:
    """Return a metric's numbers in every line. Raise _LinesDiffer if a line is impossible or ambiguous."""
    count, most, least = (_integers(shape, part.span(at), 18) for at in (2, 3, 4))
    _require(not _DIGIT.search(part[1]) and int(count.max()) <= MAX_COUNT and not (least > most).any())
    _require(max(int(most.max()), int(least.max())) <= MAX_US)
    mean = _decimals(shape, part.start(5), part[5].rstrip(","))
    mean_us = np.full(count.size, np.nan) if mean is None else mean.values
    mean_us[mean_us > MAX_US] = np.nan
    quantiles = []
    for label in QUANTILE.finditer(part.string, *part.span(6)):
        values = _integers(shape, label.span(2), 15)
        share = Fraction(label[1]) / 100
        _require(int(values.max()) <= MAX_US and shape.is_constant(*label.span(1)))
        _require(int(count.max()) * share.denominator < _MAX_PRODUCT)
        if share < 1:
            quantiles.append((share, values))
    return MetricColumns(part[1], count, most, least, mean_us, quantiles)


def _require(holds: bool) -> None:
    if not holds:
        raise _LinesDiffer


def _integers(shape: Shape, span: tuple[int, int], most_digits: int) -> Int64s:
    """Return the numbers at bytes `span` of each line. Raise _LinesDiffer if one is missing or too long."""
    numbers = shape.numbers(*span)
    if numbers is None or not numbers.is_whole or int(numbers.widths.max()) > most_digits:
        raise _LinesDiffer
    return numbers.digits


def _decimals(shape: Shape, begin: int, text: str) -> Numbers | None:
    """Return the numbers of every line at the place of `text`, None for words. Raise _LinesDiffer."""
    numbers = shape.numbers(begin, begin + len(text))
    _require(not _DIGIT.search(text) if numbers is None else int(numbers.digits.max()) <= MAX_COUNT)
    return numbers


def _now_ms(shape: Shape, begin: int) -> Int64s:
    """Return the time of each line in local ms since 1970. Raise _LinesDiffer for an impossible time."""
    parts = []
    text = shape.example.decode("ascii")
    for width, match in zip(_CLOCK_WIDTHS, _CLOCK.finditer(text, begin), strict=False):
        number = shape.numbers(*match.span())
        if number is None or not number.is_whole or (number.widths != width).any():
            raise _LinesDiffer
        parts.append(number.digits)
    year, month, day, hour, minute, second, ms = parts
    ends = ((year, _FIRST_YEAR, _LAST_YEAR), (month, 1, 12), (day, 1, 31), (hour, 0, 23), (minute, 0, 59))
    _require(all(int(end.min()) >= low and int(end.max()) <= high for end, low, high in ends))
    months = (year - _FIRST_YEAR) * 12 + month - 1
    days = months.astype("M8[M]").astype("M8[D]") + (day - 1)
    _require(int(second.max()) <= 59 and bool((days.astype("M8[M]").astype(np.int64) == months).all()))
    now_ms: Int64s = ((days.astype(np.int64) * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + ms
    return now_ms
