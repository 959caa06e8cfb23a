"""The tables of vdbench as rows with named columns, in any of its reports, and its histograms.

`flatfile.html` names its columns with one word each. `totals.html`, `summary.html` and the standard output
have two lines of head, whose words are above each other: `resp` over `max` is the largest response time. The
order and number of columns differ between versions, so that they are always taken from the head. Histograms
are exact counts between edges in milliseconds: a row ` 0.020 < 0.040 1,234 12.3400 45.6700 ++` counts whole
microseconds `[min, max)`. Counts have separators of thousands, which depend on the language of the machine.
Before 5.04 rows had no edge but `max`, and are not read.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.layouts import NEVER_NS
from tailroom.domain.units import NS_PER_MS
from tailroom.importers.exact_counts import distribution_of
from tailroom.importers.printed import MAX_COUNT, printed
from tailroom.importers.statements import MAX_TIME_NS

TITLES = {
    "Reads and writes:": "all",
    "Reads:": "read",
    "Writes:": "write",
    "Only reads done for this workload:": "read",
    "Only writes done for this workload:": "write",
}
_ROW = re.compile(
    r"\s*(\d{1,12}(?:\.\d{1,3})?) <\s+(max|\d{1,12}(?:\.\d{1,3})?)\s+"
    r"(\d{1,3}(?:[.,\u00a0\u202f' ]?\d{3}){0,5})\s+(\d{1,3}[.,]\d{4})\s+\d{1,3}[.,]\d{4}(?:\s+.*)?"
)
_MAX_ROWS = 100
_ROUNDED = 0.001
"""Shares are printed with four decimals."""
_TAG = re.compile(r"<[^<>]{1,300}>")
_TIME_OF_DAY = re.compile(r"(\d\d):(\d\d):(\d\d)\.(\d{3})\s+(\S.*)")
_DATE = re.compile(r"\s*\w{2,12}\.? \d{1,2}, \d{4}\s+(.*)")
_NUMBER = re.compile(r"-?\d{1,18}(?:[.,]\d{1,9})?|n/a|NaN")
_INTERVAL = re.compile(r"\d{1,9}|avg_\d{1,9}-\d{1,9}")
_NAMES: Mapping[tuple[str, str], str] = {
    ("i/o", "rate"): "rate",
    ("MB/sec", "1024**2"): "mb/sec",
    ("bytes", "i/o"): "bytes/io",
    ("read", "pct"): "read%",
    ("resp", "time"): "resp",
    ("read", "resp"): "read_resp",
    ("write", "resp"): "write_resp",
    ("resp", "max"): "resp_max",
    ("read", "max"): "read_max",
    ("write", "max"): "write_max",
    ("resp", "stddev"): "resp_std",
    ("read", "stddev"): "read_std",
    ("write", "stddev"): "write_std",
}
_FLAT_NAMES = {f"{of}_resp_{name}": f"{of}_{name}" for of in ("read", "write") for name in ("max", "std")}
"""Flat files of file systems name largest times and deviations otherwise."""
_MS_OF_DAY = 86_400_000


class HistogramContradicts(DomainError):
    """The rows of a histogram contradict each other."""


@dataclass(slots=True)
class Histogram:
    """A printed histogram of reads, writes or both: the rows under one title."""

    operation: str
    line: int
    rows: list[tuple[int, int, int]] = field(default_factory=list)
    """Lower and upper edge in ns, and count."""
    percents: list[float] = field(default_factory=list)
    """The share in per cent that is printed beside each count."""

    def row(self, text: str) -> bool:
        """Store a row; return False for any other line, and after 100 rows."""
        match = _ROW.fullmatch(text)
        if match is None or len(self.rows) >= _MAX_ROWS:
            return False
        count = int(re.sub(r"\D", "", match[3]))
        self.rows.append((_edge_ns(match[1]), _edge_ns(match[2]), count))
        self.percents.append(float(match[4].replace(",", ".")))
        return True

    @property
    def count(self) -> int:
        """Number of operations in all rows."""
        return sum(count for _, _, count in self.rows)

    def distribution(self) -> LatencyDist:
        """Return the exact counts. Raise BucketsOverlap, or HistogramContradicts for wrong shares or sums."""
        edges_ns = [edge for low, high, _ in self.rows for edge in (low, high) if edge != NEVER_NS]
        if not 0 < self.count <= MAX_COUNT or max(edges_ns) >= MAX_TIME_NS:
            raise HistogramContradicts("its counts are beyond what can be added exactly, or there are none")
        distribution = distribution_of(self.rows)
        for (_, _, count), percent in zip(self.rows, self.percents, strict=True):
            if abs(100 * count / self.count - percent) > _ROUNDED:
                raise HistogramContradicts(f"{count} of {self.count} operations are not {percent} %")
        return distribution


def _edge_ns(text: str) -> int:
    """Return a printed edge (ms) in ns; `NEVER_NS` for `max`."""
    number = None if text == "max" else printed(text)
    return NEVER_NS if number is None else int(number.value * NS_PER_MS)


@dataclass(frozen=True, slots=True)
class VdbenchRow:
    """One interval, or the averages without the first intervals; `values` as printed, by column."""

    line: int
    interval: str
    """Number of the interval, or `avg_2-60` for averages."""
    time_ms: int
    """Time of day at which the line was written, in ms since the midnight before the first line."""
    values: Mapping[str, str]

    @property
    def is_average(self) -> bool:
        """Whether it holds the averages that vdbench prints when a run ends: `avg_2-60`."""
        return self.interval.startswith("avg_")


def plain(text: str) -> str:
    """Return a line without the tags of the HTML reports."""
    return _TAG.sub("", text).rstrip() if "<" in text else text


def is_flat_head(text: str) -> bool:
    """Return whether a line is the head of a flat file: `tod timestamp Run Interval reqrate rate …`."""
    words = text.lower().split()
    return words[:1] == ["tod"] and {"run", "interval", "rate", "resp"} <= set(words)


def is_table_head(text: str) -> bool:
    """Return whether a line is the first line of a head of a table in any report but the flat file."""
    words = text.split()
    return ("interval" in words and "i/o" in words and "resp" in words) or (
        _is_file_system_head(words) and any(word.startswith(".ReqstdOps") for word in words)
    )


def _is_file_system_head(words: Sequence[str]) -> bool:
    """Return whether the words are a head of a file system test: `Interval` with points around it."""
    return any(word.strip(".") == "Interval" and word.startswith(".") for word in words)


@dataclass(slots=True)
class VdbenchTable:
    """Parser of tables: `head` stores the columns of a head, by which `row` reads the lines below."""

    _columns: Sequence[str] = ()
    _first: Sequence[str] = ()
    """Words of the first line of a head of two lines, until the second is read."""
    _flat: bool = False
    """Whether the table is that of a flat file, whose head is one line."""
    _days: int = 0
    """Number of midnights since the first row."""
    _last_ms: int = 0
    """Time of day of the last row, in milliseconds."""

    def head(self, text: str) -> bool:
        """Store the columns of a line of a head; return False for any other line."""
        if is_flat_head(text):
            names = text.lower().split()[1:]
            self._columns = [_FLAT_NAMES.get(name, name) for name in names]
            self._flat, self._first = True, ()
            return True
        if is_table_head(text):
            dated = _DATE.fullmatch(text)
            words = (dated[1] if dated else text).split()
            self._first, self._flat = words, False
            return True
        if not self._first:
            return False
        self._columns, self._first = self._column_names(text.split()), ()
        return True

    def _column_names(self, second: list[str]) -> list[str]:
        """Return the names of the columns by the second line of a head, below the first."""
        if _is_file_system_head(self._first):
            return _file_system_columns(second)
        first = self._first[self._first.index("interval") + 1 :]
        pairs = zip(first, second, strict=False)
        return ["interval", *(_NAMES.get(pair, "/".join(pair).lower()) for pair in pairs)]

    def row(self, line_no: int, text: str) -> VdbenchRow | None:
        """Return the row of a line by the columns of the last head; None for lines without a rate."""
        match = _TIME_OF_DAY.fullmatch(text.strip())
        if match is None or not self._columns:
            return None
        hours, minutes, seconds, millis = (int(match[at]) for at in range(1, 5))
        time_ms = self._ms_since_midnight(((hours * 60 + minutes) * 60 + seconds) * 1000 + millis)
        words = match[5].split()
        if self._flat and len(words) < 4:
            return None
        values = dict(zip(self._columns, words, strict=False))
        interval = values.get("interval", "")
        if _INTERVAL.fullmatch(interval) is None:
            return None
        numbers = {
            name: value.replace(",", ".") for name, value in values.items() if _NUMBER.fullmatch(value)
        }
        if self._flat:
            numbers |= {name: values[name] for name in ("run", "version", "xfersize") if name in values}
        return VdbenchRow(line_no, interval, time_ms, numbers) if "rate" in numbers else None

    def _ms_since_midnight(self, time_ms: int) -> int:
        """Return a time in ms since the first midnight; over 12 hours back is the next day."""
        if time_ms + _MS_OF_DAY // 2 < self._last_ms:
            self._days += 1
        self._last_ms = time_ms
        return time_ms + self._days * _MS_OF_DAY


def _file_system_columns(second: Sequence[str]) -> list[str]:
    """Return the columns by the second line of a head; unread columns are `ignored` with a number."""
    columns = ["interval", *("ignored" + str(at) for at in range(len(second)))]
    if list(second[:2]) == ["rate", "resp"]:
        columns[1:3] = ["rate", "resp"]
    if "pct" in second and (at := list(second).index("pct") + 1) + 4 < len(columns):
        columns[at : at + 5] = ["read%", "read_rate", "read_resp", "write_rate", "write_resp"]
    return columns
