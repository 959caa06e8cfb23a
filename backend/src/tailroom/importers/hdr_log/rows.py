"""The lines of an HdrHistogram log (header, legend, rows with a histogram each), and intervals of a series.

The legend names the second column `Interval_Length` or `EndTimestamp`, sometimes wrongly (jHiccup 2.0.1
writes lengths below `EndTimestamp`), so that the rows decide if they can. Histograms, in base64 and any
version of the format, are decoded 256 at a time and stored as columns. Payloads are not stored: a day of them
is hundreds of megabytes. If the buckets of all series need too much memory, two, four, eight rows become one
interval; the counts stay exact. Source: HdrHistogram's `HistogramLogReader`, `hdr_histogram_log.c`,
FORMATS.md.
"""

import base64
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest

import numpy as np
import numpy.typing as npt

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.hdr_v1 import decode_any, plain_v2
from tailroom.domain.latency.hdr_values import HistogramUnreadable
from tailroom.domain.latency.histogram import decode_many
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.units import NS_PER_S
from tailroom.importers.columns import columns, narrowed
from tailroom.importers.printed import printed

_BATCH = 256
_Row = tuple[npt.NDArray[np.int32], npt.NDArray[np.integer]]
"""Buckets and counts of an interval, in narrow types."""
LEGEND = re.compile(r'"StartTimestamp",\s*"(Interval_Length|EndTimestamp)",\s*"Interval_Max",.*')
ROW = re.compile(
    r"(?:Tag=([^,\s]{1,200}),)?\s*([\d.]{1,30}),\s*([\d.]{1,30}),\s*([\d.]{1,30}),\s*(HIST[A-Za-z0-9+/=]+)\s*"
)
_ROW_HEAD = re.compile(
    rb"\s*+(?:Tag=([^,\s]{1,200}),\s*+)?([\d.]{1,30}),\s*+([\d.]{1,30}),\s*+([\d.]{1,30}),\s*+(?=HIST)"
)
"""The part of a row before its histogram, which is checked when it is decoded."""
START = re.compile(r"#\[StartTime: ([\d.]{1,30}) \(seconds since epoch\)(?:, (.*))?\]")
BASE = re.compile(r"#\[BaseTime: ([\d.]{1,30}) \(seconds since epoch\).*\]")
VERSION = re.compile(r"#\[Histogram log format version ([\d.]{1,20})\]")
YCSB = re.compile(r"#\[Logging for: (.{1,200})\]")
MEMTIER = re.compile(r"#\[(.{1,200}) (?:run )?command HDR latency histogram results\]", re.IGNORECASE)
NOSQLBENCH = re.compile(r"#logging histograms for session (.{1,200})")
DATE = re.compile(r"#\[(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)\]")
JHICCUP = re.compile(r"#\[Logged with (jHiccup) version ([^\],\s]+).*")

_SECONDS = re.compile(r"(\d{1,10})\.(\d{1,9})", re.ASCII)
"""Seconds as all libraries print them; another form is read as any printed number."""
_DIGITS_OF_NS = 9
_YEAR_S = 365 * 24 * 3600
_TEN_YEARS_S = 10 * _YEAR_S
EPOCH_FROM_S = 946_684_800
"""2000: a smaller number of seconds is time since something else, such as the start of the machine."""
_MAX_SECONDS = 4 * 10**9
"""Until the year 2096: the nanoseconds of two of them can be added in 64 bits."""


@dataclass(frozen=True, slots=True, eq=False)
class RawHistogram:
    """Filled buckets of a histogram; `step` is the width of the finest bucket in the histogram's own unit.

    `digits` is the number of significant decimal digits, `lowest` the lowest discernible value of the header.
    """

    step: int
    digits: int
    lowest: int
    indices: Int64s
    counts: Int64s

    def top(self) -> int:
        """Return the largest value of the filled buckets, in the histogram's unit; at least one is filled."""
        _, upper = HdrLayout(1, self.digits).edges_units(self.indices[-1:])
        return int(upper[0]) * self.step - 1


def decoded(payload: str | bytes) -> RawHistogram:
    """Return the filled buckets of a payload in base64, ascending. Raise HistogramUnreadable."""
    try:
        data = base64.b64decode(payload, validate=True)
    except ValueError as error:
        raise HistogramUnreadable(f"the histogram is no base 64: {error}") from None
    header, counts = decode_any(data)
    digits = header.significant_digits
    return RawHistogram(header.step, digits, header.lowest, counts.indices, counts.counts)


def decoded_together(
    payloads: Sequence[bytes], example: RawHistogram
) -> tuple[list[int], Int64s, Int64s] | None:
    """Return where the buckets of each payload end, then bucket indices and counts, payload after payload.

    None if a payload is damaged, not of version 2 or its header is not that of `example`: decode each alone.
    """
    try:
        plain = [plain_v2(base64.b64decode(payload, validate=True)) for payload in payloads]
        decoded_bytes = [data for data in plain if data is not None]
        if len(decoded_bytes) < len(plain):
            return None
        batch = decode_many(decoded_bytes, HdrLayout(example.step, example.digits), lowest=example.lowest)
    except (ValueError, DomainError):
        return None
    ends = np.cumsum(batch.each).tolist()
    return ends, batch.indices, batch.counts


@dataclass(frozen=True, slots=True)
class HdrLogRow:
    """A row; `second_ns` is its length or end, `most` the printed largest value, `payload` is in base64."""

    line_no: int
    tag: str | None
    start_ns: int
    second_ns: int
    most: str
    payload: bytes


@dataclass(slots=True)
class TagIntervals:
    """Intervals of one tag. `layout` is that of the first histogram; rows with another layout fail."""

    tag: str | None
    line_no: list[int] = field(default_factory=list)
    start_ns: list[int] = field(default_factory=list)
    second_ns: list[int] = field(default_factory=list)
    """Line number, start, and second column (length or end) of each stored row."""
    most: str = ""
    """Largest value of the first filled histogram, as printed."""
    most_of: int | None = None
    """Largest value of the highest filled bucket of that histogram, in its own unit; None before it."""
    layout: tuple[int, int] | None = None
    """Width of the finest bucket in the unit of the histograms, and number of significant digits."""
    total: int = 0
    """Number of operations in all stored rows."""
    failed: list[tuple[int, str]] = field(default_factory=list)
    """Number of the line, and reason, of each row that was left out."""
    _waiting: list[HdrLogRow] = field(default_factory=list)
    """Rows that are not decoded yet."""
    _example: RawHistogram | None = None
    """The first filled histogram, by whose header others are decoded together."""
    _rows: list[_Row] = field(default_factory=list)
    """Buckets and counts of each interval, which is the sum of `_together` rows."""
    _together: int = 1
    filled_buckets: int = 0
    """Filled buckets in memory."""

    def add(self, row: HdrLogRow) -> None:
        """Add a row; after the first filled row, 256 are decoded together."""
        self._waiting.append(row)
        if len(self._waiting) >= _BATCH or self._example is None:
            self.flush()

    def flush(self) -> None:
        """Decode and store the waiting rows; add unreadable rows and those of another layout to `failed`."""
        together = None
        if self._example is not None:
            together = decoded_together([row.payload for row in self._waiting], self._example)
        if together is not None:
            self._store_together(*together)
        else:
            for row in self._waiting:
                try:
                    self._add_decoded(row, decoded(row.payload))
                except DomainError as error:
                    self.failed.append((row.line_no, str(error)))
        self._waiting.clear()

    def _add_decoded(self, row: HdrLogRow, raw: RawHistogram) -> None:
        """Store a decoded row; add it to `failed` if its histogram has another layout than the first."""
        if self.layout is None:
            self.layout = (raw.step, raw.digits)
        elif self.layout != (raw.step, raw.digits):
            reason = f"the histogram has {raw.digits} digits and steps of {raw.step}, unlike those before it"
            self.failed.append((row.line_no, reason))
            return
        if self.most_of is None and raw.indices.size:
            self.most, self.most_of, self._example = row.most, raw.top(), raw
        self._store(row, _narrow(raw.indices, raw.counts))

    def _store_together(self, ends: list[int], indices: Int64s, counts: Int64s) -> None:
        """Store the waiting rows, whose buckets and counts are concatenated; `ends` is the end of each."""
        buckets, narrow_counts = _narrow(indices, counts)
        filled = [(buckets[begin:end], narrow_counts[begin:end]) for begin, end in pairwise((0, *ends))]
        if self._together > 1:
            for row, filled_of_row in zip(self._waiting, filled, strict=True):
                self._store(row, filled_of_row)
            return
        self.line_no += [row.line_no for row in self._waiting]
        self.start_ns += [row.start_ns for row in self._waiting]
        self.second_ns += [row.second_ns for row in self._waiting]
        self.total += int(counts.sum())
        self._rows += filled
        self.filled_buckets += indices.size

    def _store(self, row: HdrLogRow, filled: _Row) -> None:
        """Store a row; add it to the last interval unless that has `_together` rows."""
        self.total += int(filled[1].sum(dtype=np.int64))
        if len(self.start_ns) % self._together:
            before = self._rows.pop()
            filled = _sum_rows(before, filled)
            self.filled_buckets -= before[0].size
        self.line_no.append(row.line_no)
        self.start_ns.append(row.start_ns)
        self.second_ns.append(row.second_ns)
        self._rows.append(filled)
        self.filled_buckets += filled[0].size

    @property
    def interval_count(self) -> int:
        """Number of intervals in memory."""
        return len(self._rows)

    def halve(self) -> None:
        """Join every two neighbouring intervals to save memory; later rows are joined likewise."""
        pairs = zip_longest(self._rows[::2], self._rows[1::2])
        self._rows = [row if following is None else _sum_rows(row, following) for row, following in pairs]
        self.filled_buckets = sum(indices.size for indices, _ in self._rows)
        self._together *= 2

    def intervals(self, unit_ns: int, starts_ns: Int64s, durations_ns: Int64s) -> IntervalRecords:
        """Return the intervals as columns; `unit_ns` is the unit of the values.

        `starts_ns` and `durations_ns` have an element for each row, also if several are one interval.
        """
        step, digits = self.layout or (1, 3)
        begins = np.arange(0, starts_ns.size, self._together)
        if self._together > 1:
            ends_ns = np.maximum.reduceat(starts_ns + durations_ns, begins)
            starts_ns = np.minimum.reduceat(starts_ns, begins)
            durations_ns = ends_ns - starts_ns
        lengths = np.fromiter((indices.size for indices, _ in self._rows), np.int64, len(self._rows))
        buckets = (
            np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths))),
            np.concatenate([indices for indices, _ in self._rows], dtype=np.int64),
            np.concatenate([counts for _, counts in self._rows], dtype=np.int64),
        )
        return columns(HdrLayout(step * unit_ns, digits), starts_ns, durations_ns, buckets)


def _narrow(indices: npt.NDArray[np.integer], counts: Int64s) -> _Row:
    return indices.astype(np.int32), narrowed(counts)


def _sum_rows(row: _Row, other: _Row) -> _Row:
    indices, place = np.unique(np.concatenate((row[0], other[0])), return_inverse=True)
    counts = np.zeros(indices.size, np.int64)
    np.add.at(counts, place, np.concatenate((row[1], other[1]), dtype=np.int64))
    return _narrow(indices, counts)


@dataclass(slots=True)
class Section:
    """Facts of the header of a run. `start_ns`, `base_ns`: printed start and base time in ns, if any."""

    operation: str | None = None
    tool: str | None = None
    tool_version: str | None = None
    log_version: str | None = None
    legend: str | None = None
    """Printed name of the second column: `Interval_Length` or `EndTimestamp`."""
    start_ns: int | None = None
    base_ns: int | None = None
    date: str | None = None
    """Start in UTC as asbench prints it."""

    def header(self, text: str) -> bool:
        """Store a line of the header and return True; return False for any other line."""
        if (start := START.fullmatch(text)) is not None:
            self.start_ns = seconds_ns(start[1])
        elif (base := BASE.fullmatch(text)) is not None:
            self.base_ns = seconds_ns(base[1])
        elif (version := VERSION.fullmatch(text)) is not None:
            self.log_version = version[1]
        elif (ycsb := YCSB.fullmatch(text)) is not None:
            self.tool, self.operation = "ycsb", ycsb[1]
        elif (memtier := MEMTIER.fullmatch(text)) is not None:
            self.tool = "memtier_benchmark"
            self.operation = "total" if memtier[1].lower() in ("full", "full run") else memtier[1].lower()
        elif (jhiccup := JHICCUP.fullmatch(text)) is not None:
            self.tool, self.tool_version = "jhiccup", jhiccup[2]
        elif NOSQLBENCH.fullmatch(text) is not None:
            self.tool = "nosqlbench"
        elif (date := DATE.fullmatch(text)) is not None:
            self.tool, self.date = "asbench", date[1]
        else:
            return False
        return True


def second_is_end(legend: str | None, start_ns: Int64s, second_ns: Int64s) -> bool:
    """Return whether the second column is the end of the interval, not its length.

    It is a length if any value is below the start, an end if any exceeds ten years. Otherwise the start of
    the next row decides, in a tie `legend`, the printed name of the column.
    """
    if (second_ns < start_ns).any():
        return False
    if (second_ns > _TEN_YEARS_S * NS_PER_S).any():
        return True
    onward = start_ns[1:] > start_ns[:-1]
    following = start_ns[1:][onward].astype(np.float64)
    start, second = start_ns[:-1][onward], second_ns[:-1][onward]
    by_length = float(np.abs(start + second - following).sum())
    by_end = float(np.abs(second - following).sum())
    if by_length != by_end:
        return by_end < by_length
    return legend == "EndTimestamp"


def offset_ns(section: Section, first_ns: int) -> int:
    """Return the offset in ns to subtract from starts of rows, so that they count from the run's start.

    It is at most `first_ns`, the start of the first row, and equal to it if the header has no start. Without
    a base time, rows over a year before the header's start are offsets from it, as in HdrHistogram's reader.
    """
    if section.start_ns is None:
        return first_ns
    base_ns = section.base_ns
    if base_ns is None:
        base_ns = section.start_ns if first_ns < section.start_ns - _YEAR_S * NS_PER_S else 0
    return min(section.start_ns - base_ns, first_ns)


def parse_row(line_no: int, line: bytes) -> HdrLogRow | str | None:
    """Return the row of a line, or as text why its times are invalid; None for other lines."""
    match = _ROW_HEAD.match(line)
    if match is None:
        return None
    start, second = (seconds_ns(match[at].decode("ascii")) for at in (2, 3))
    if start is None or second is None:
        return "a time of the row is no number of seconds"
    tag = None if match[1] is None else match[1].decode("utf-8", "replace")
    return HdrLogRow(line_no, tag, start, second, match[4].decode("ascii"), line[match.end() :].rstrip())


def seconds_ns(text: str) -> int | None:
    """Return printed seconds in ns; None for any other text, and above 4 × 10^9 s."""
    plain = _SECONDS.fullmatch(text)
    if plain is not None:
        value = int(plain[1]) * NS_PER_S + int(plain[2].ljust(_DIGITS_OF_NS, "0"))
        return value if value <= _MAX_SECONDS * NS_PER_S else None
    number = printed(text)
    if number is None or not 0 <= number.value <= _MAX_SECONDS:
        return None
    return round(number.value * NS_PER_S)
