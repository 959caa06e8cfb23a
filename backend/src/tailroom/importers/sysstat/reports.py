"""Reports of iostat, sar, mpstat and vmstat: the numbers of each interval by device, processor and memory.

Times of the day have no zone, unless they are printed as ISO 8601. In the language of a machine they are
rewritten as in English; names of columns are never translated, `Average:` is (its lines are left out), and
numbers have the decimal sign of the language. Source: sysstat `iostat.c`, `pr_stats.c`; glibc's `d_fmt` and
`t_fmt`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta

from tailroom.importers.printed import printed
from tailroom.importers.problems import Problems

_STAMP_DATES = "%m/%d/%y", "%m/%d/%Y", "%Y-%m-%d", "%d.%m.%Y", "%d/%m/%y", "%d/%m/%Y", "%Y/%m/%d", "%d-%m-%Y"
DATES = (*_STAMP_DATES, "%d.%m.%y", "%d-%m-%y")
STAMPS = (
    *(f"{date} %H:%M:%S" for date in _STAMP_DATES),
    *(f"{date} %I:%M:%S %p" for date in ("%m/%d/%Y", "%m/%d/%y", "%Y-%m-%d")),
    "%Y-%m-%dT%H:%M:%S%z",
)
DAY_FIRST = ("%d/%m/%y", "%d/%m/%Y")
"""If numbers have a decimal comma, dates never begin with the month."""
_NAMES = {
    name: column
    for column, names in {
        "read_kb": ("rkB/s", "kB_read/s"),
        "write_kb": ("wkB/s", "kB_wrtn/s"),
        "read_mb": ("rMB/s", "MB_read/s"),
        "write_mb": ("wMB/s", "MB_wrtn/s"),
        "read_sectors": ("rsec/s", "rd_sec/s"),
        "write_sectors": ("wsec/s", "wr_sec/s"),
        "queue": ("avgqu-sz", "aqu-sz"),
        "busy": ("%util", "util", "util-percent"),
        "user": ("usr", "%usr", "%user", "us"),
        "system": ("%sys", "%system", "sy"),
        "iowait": ("%iowait", "wa"),
        "idle": ("%idle", "id"),
        "memory_used": ("%memused",),
        "received_kb": ("rxkB/s",),
        "sent_kb": ("txkB/s",),
    }.items()
    for name in names
}
_PERCENT = frozenset({"busy", "user", "system", "iowait", "idle", "memory_used", "%steal", "%nice", "st"})
_MOST_PERCENT = 1_000
"""Clocks of two counters are read one after the other: a share may be somewhat over 100 %."""
_MOST_WAIT_MS = 10**9
_MOST_RATE = 10**12
"""Largest number of requests, or of kilobytes, a second; more kilobytes of memory than a machine has."""
_MOST_REPORTS = 100_000
_MOST_ROWS = 2_000_000
_DATE = re.compile(r"(\d{4}) ?[年년] ?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日일]")
_TIME = re.compile(
    r"(?:(上午|下午|午前|午後|오전|오후) ?)?(\d{1,2}) ?[时時시] ?(\d\d) ?[分분] ?(\d\d) ?[秒초]"
)
_COMMAS = re.compile(r"(?m)^ ?(\d{1,2}),(\d\d),(\d\d)(?=[ \t])")
"""Times of the day as some machines have them whose decimal sign is a comma."""
_MARKS = re.compile("[年년时時시]")
_AFTERNOON = ("下午", "午後", "오후")
DECIMAL_COMMA = re.compile(r"(?m)[ \t]\d{1,9},\d{2}(?=[ \t\r\n])")


@dataclass(slots=True)
class SysstatReport:
    """The cells of an interval, by name of the device and of the column; `line` is where it begins."""

    line: int
    at: datetime | None = None
    """End of the interval; None if not printed."""
    devices: dict[str, dict[str, str]] = field(default_factory=dict)
    others: dict[str, dict[str, str]] = field(default_factory=dict)
    """Cells of `CPU` (all processors), `CPU 3`, `memory`, `network eth0`, `swap` and `load`, by column."""


@dataclass(slots=True)
class SysstatLog:
    """The reports of a file, and the facts in its head."""

    problems: Problems = field(default_factory=Problems)
    reports: list[SysstatReport] = field(default_factory=list)
    since_start: bool = False
    """Whether the first report covers the time since the machine started."""
    head: tuple[str, str, str | None] | None = None
    """Kernel, name of the host, number of processors."""
    date: datetime | None = None
    """The date to which the next time of day belongs; None if the head has none."""
    begins: datetime | None = None
    """Time from which the first interval counts."""
    last: datetime | None = None
    """The time of the previous line."""
    _rows: int = 0

    def report(self, line: int, at: datetime | None) -> SysstatReport:
        """Add and return a report; after 100,000 it is returned without being added, with a problem."""
        if len(self.reports) >= _MOST_REPORTS:
            self.problems.error("reports", f"more than {_MOST_REPORTS} reports", line)
            return SysstatReport(line)
        self.reports.append(SysstatReport(line, at))
        return self.reports[-1]

    def row(
        self,
        report: SysstatReport,
        line: int,
        cells: Mapping[str, str],
        device: str,
        *,
        is_other: bool = False,
    ) -> None:
        """Add the cells of a line to a device, or with `is_other` another subject, if all are possible."""
        self._rows += 1
        named = {_NAMES.get(name, name): text.replace(",", ".") for name, text in cells.items()}
        if (wrapped := _impossible_cell(named)) is not None:
            self.problems.add(
                "wrapped",
                f"{device[:100]}: {wrapped} cannot be: a counter went back; the line was left out",
                line,
            )
            return
        if device.startswith("CPU ") and "idle" in named and not any(map(_is_over_0, named.values())):
            self.problems.note(
                "offline", f"{device[:100]} has 0 in every column, also of idle time: it was offline", line
            )
            return
        if self._rows > _MOST_ROWS:
            self.problems.error("rows", f"more than {_MOST_ROWS} lines of devices", line)
            return
        stored = (report.others if is_other else report.devices).setdefault(device[:100], {})
        for name, text in named.items():
            stored.setdefault(name, text)


def _impossible_cell(cells: Mapping[str, str]) -> str | None:
    """Return column and text of the first impossible number, of a counter that wrapped; None without any."""
    for name, text in cells.items():
        number = printed(text)
        if number is None:
            continue
        most = _MOST_PERCENT if name in _PERCENT else _MOST_WAIT_MS if name.endswith("await") else _MOST_RATE
        if number.value < 0 or number.value > most:
            return f"{name} {text[:40]}"
    return None


def _is_over_0(text: str) -> bool:
    """Return whether a number is over 0; also true for a text that is no number."""
    number = printed(text)
    return number is None or number.value > 0


def time_of_day(log: SysstatLog, text: str) -> datetime | None:
    """Return a time of day with the date of the log; None without a date, or for an invalid time.

    After a step back of over 12 hours, the log's date becomes the next day. The time is stored in `log.last`.
    """
    if log.date is None:
        return None
    clock = clock_of(text)
    if clock is None:
        return None
    at = datetime.combine(log.date.date(), clock)
    last = log.last or log.begins
    if last is not None and at < last - timedelta(hours=12):
        log.date += timedelta(days=1)
        at += timedelta(days=1)
    log.last = at
    return at


def clock_of(text: str) -> time | None:
    """Return a printed time of day; None for any other text."""
    parsed = parsed_time(text, ("%H:%M:%S", "%I:%M:%S %p"))
    return None if parsed is None else parsed.time()


def parsed_time(text: str, forms: tuple[str, ...]) -> datetime | None:
    """Return the time by the first fitting form of `strptime`; None if none fits, or outside 1990 to 2200."""
    for form in forms:
        try:
            parsed = datetime.strptime(text, form)  # noqa: DTZ007 - most have no zone
        except ValueError:
            continue
        return parsed if 1990 <= parsed.year <= 2200 or form.startswith(("%H", "%I")) else None
    return None


def in_english(text: str) -> str:
    """Return the text with dates as 2026-11-20 and times of the day as 12:30:01 or 03:30:01 PM."""
    text = _COMMAS.sub(r"\1:\2:\3", text)
    if _MARKS.search(text) is None:
        return text
    text = _DATE.sub(lambda match: f"{match[1]}-{int(match[2]):02d}-{int(match[3]):02d}", text)
    return _TIME.sub(_clock, text)


def _clock(match: re.Match[str]) -> str:
    """Return a time of the day with Chinese, Japanese or Korean marks as `12:30:01` or `03:30:01 PM`."""
    half = "" if match[1] is None else " PM" if match[1] in _AFTERNOON else " AM"
    return f"{int(match[2]):02d}:{match[3]}:{match[4]}{half}"
