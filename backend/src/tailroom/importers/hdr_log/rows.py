"""The lines of an HdrHistogram log: headers, legend, and rows with one histogram each.

The legend names the second column `Interval_Length` or `EndTimestamp`, and both names are sometimes wrong
(jHiccup 2.0.1 writes lengths below `EndTimestamp`); so the rows decide if they can. Source: HdrHistogram's
`HistogramLogReader`, `hdr_histogram_log.c`, FORMATS.md.
"""

import re
from dataclasses import dataclass

import numpy as np

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.units import NS_PER_S
from tailroom.importers.printed import printed

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


@dataclass(frozen=True, slots=True)
class HdrLogRow:
    """A row of the log, which is an interval; `second_ns` is its second column, its length or its end.

    `most` is the largest value as printed, `payload` the histogram in base64.
    """

    line_no: int
    tag: str | None
    start_ns: int
    second_ns: int
    most: str
    payload: bytes


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

    Without a start in the header it is `first_ns`, the start of the first row; never is it larger than that.
    Without a base time, rows that begin over a year before the header's start are taken as offsets from that
    start, as in HdrHistogram's reader.
    """
    if section.start_ns is None:
        return first_ns
    base_ns = section.base_ns
    if base_ns is None:
        base_ns = section.start_ns if first_ns < section.start_ns - _YEAR_S * NS_PER_S else 0
    return min(section.start_ns - base_ns, first_ns)


def parse_row(line_no: int, line: bytes) -> HdrLogRow | str | None:
    """Return the row of a line; the reason as text if its times are invalid; None for other lines."""
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
