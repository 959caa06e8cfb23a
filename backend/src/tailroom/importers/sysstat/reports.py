"""Reports of iostat, sar, mpstat and vmstat: the numbers of each interval by device, processor and memory.

iostat's first report is of the time since the machine started and is left out where others follow. Times of
the day have no zone, unless they are printed as ISO 8601. Source: sysstat `iostat.c`, `pr_stats.c`.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta, tzinfo
from typing import Any

from tailroom.importers.printed import printed
from tailroom.importers.problems import Problems
from tailroom.importers.source import Source
from tailroom.importers.sysstat.locales import DECIMAL_COMMA, in_english
from tailroom.importers.text_runs import text_lines

LINUX = re.compile(
    r"Linux (\S{1,120}) \(([^)]{1,200})\)[ \t]+(\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4})"
    r"(?:[ \t]+_(\w{1,20})_(?:[ \t]+\((\d{1,5}) CPU\))?)?(?=[ \t]*$)"
)
_REQUESTS = {"r/s", "w/s", "tps"}
_SAR_HEAD = re.compile(
    r"(\d{1,2}:\d\d:\d\d(?: [AP]M)?)\s+"
    r"((?:DEV|CPU|IFACE|kbmemfree|kbswpfree|runq-sz)\s.*|\S.*\s(?:DEV|IFACE))"
)
_NAMED = ("DEV", "Device", "CPU", "IFACE")
"""The column with the subject of a line."""
_UNNAMED = {"kbmemfree": "memory", "kbswpfree": "swap", "runq-sz": "load"}
_VMSTAT_HEAD = re.compile(r"\s*r\s+b\s+swpd\s+free\s.*\sid\s.*")
_VMSTAT_STAMP = re.compile(r"(.*\d)\s+(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*")
_SAR_ROW = re.compile(r"(\d{1,2}:\d\d:\d\d(?: [AP]M)?)\s+(.+)")
_STAMPS = (
    "%m/%d/%y %H:%M:%S",
    "%m/%d/%Y %H:%M:%S",
    "%m/%d/%Y %I:%M:%S %p",
    "%m/%d/%y %I:%M:%S %p",
    "%Y-%m-%dT%H:%M:%S%z",
    "%Y-%m-%d %H:%M:%S",
    "%d.%m.%Y %H:%M:%S",
    "%d/%m/%y %H:%M:%S",
    "%d/%m/%Y %H:%M:%S",
    "%Y/%m/%d %H:%M:%S",
    "%d-%m-%Y %H:%M:%S",
    "%Y-%m-%d %I:%M:%S %p",
)
_DATES = (
    "%m/%d/%y",
    "%m/%d/%Y",
    "%Y-%m-%d",
    "%d.%m.%Y",
    "%d/%m/%y",
    "%d/%m/%Y",
    "%Y/%m/%d",
    "%d-%m-%Y",
    "%d.%m.%y",
    "%d-%m-%y",
)
_DAY_FIRST = ("%d/%m/%y", "%d/%m/%Y")
"""Where numbers have a decimal comma, dates never begin with the month."""
_STAMP = re.compile(r"\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}[T ]\d{1,2}:\d\d:\d\d(?: [AP]M)?(?:[+-]\d{4})?")
_JSON_REPORTS = re.compile(r'"statistics"\s*:\s*\[')
_JSON_DATE = re.compile(r'"(?:file-)?date"\s*:\s*"([^"]{1,20})"')
_NAMES = {
    "rkB/s": "read_kb",
    "wkB/s": "write_kb",
    "rMB/s": "read_mb",
    "wMB/s": "write_mb",
    "rsec/s": "read_sectors",
    "wsec/s": "write_sectors",
    "rd_sec/s": "read_sectors",
    "wr_sec/s": "write_sectors",
    "kB_read/s": "read_kb",
    "kB_wrtn/s": "write_kb",
    "MB_read/s": "read_mb",
    "MB_wrtn/s": "write_mb",
    "avgqu-sz": "queue",
    "aqu-sz": "queue",
    "%util": "busy",
    "util": "busy",
    "util-percent": "busy",
    "usr": "user",
    "%usr": "user",
    "%user": "user",
    "us": "user",
    "%sys": "system",
    "%system": "system",
    "sy": "system",
    "%iowait": "iowait",
    "wa": "iowait",
    "%idle": "idle",
    "id": "idle",
    "%memused": "memory_used",
    "rxkB/s": "received_kb",
    "txkB/s": "sent_kb",
}
_PERCENT = frozenset({"busy", "user", "system", "iowait", "idle", "memory_used", "%steal", "%nice", "st"})
_MOST_PERCENT = 1_000
"""Clocks of two counters are read one after the other: a share may be somewhat over 100 %."""
_MOST_WAIT_MS = 10**9
_MOST_RATE = 10**12
"""Of requests, or of kilobytes, a second; and more memory in kilobytes than a machine has."""
_MOST_REPORTS = 100_000
_MOST_ROWS = 2_000_000


@dataclass(slots=True)
class SysstatReport:
    """One interval: until when, and the cells of each device, by column."""

    line: int
    at: datetime | None = None
    devices: dict[str, dict[str, str]] = field(default_factory=dict)
    others: dict[str, dict[str, str]] = field(default_factory=dict)
    """Processors (`CPU`, `CPU 3`), `memory`, `network eth0`, `swap`, `load`."""


@dataclass(slots=True)
class Reports:
    """The content of a file."""

    problems: Problems = field(default_factory=Problems)
    found: list[SysstatReport] = field(default_factory=list)
    since_start: bool = False
    """The first report speaks of the time since the machine started."""
    head: tuple[str, str, str | None] | None = None
    """Kernel, name of the host, number of processors."""
    date: datetime | None = None
    begins: datetime | None = None
    """Time from which the first interval counts."""
    last: datetime | None = None
    """The time of the line before."""
    _rows: int = 0

    def report(self, line: int, at: datetime | None) -> SysstatReport:
        """Return a new report; too many are not stored, with a problem."""
        if len(self.found) >= _MOST_REPORTS:
            self.problems.add("reports", f"more than {_MOST_REPORTS} reports", line, error=True)
            return SysstatReport(line)
        self.found.append(SysstatReport(line, at))
        return self.found[-1]

    def row(
        self,
        report: SysstatReport,
        line: int,
        cells: Mapping[str, str],
        device: str,
        *,
        is_other: bool = False,
    ) -> None:
        """Add the cells of a line to a device, or with `is_other` to something else; earlier cells of the
        report stay.

        A line with an impossible number is left out, with a problem.
        """
        self._rows += 1
        named = {_NAMES.get(name, name): text.replace(",", ".") for name, text in cells.items()}
        if (wrapped := _impossible(named)) is not None:
            self.problems.add(
                "wrapped",
                f"{device[:100]}: {wrapped} cannot be: a counter went back; the line was left out",
                line,
            )
            return
        if device.startswith("CPU ") and "idle" in named and not any(map(_is_over_0, named.values())):
            self.problems.add(
                "offline",
                f"{device[:100]} has 0 in every column, also of idle time: it was offline",
                line,
                note=True,
            )
            return
        if self._rows > _MOST_ROWS:
            self.problems.add("rows", f"more than {_MOST_ROWS} lines of devices", line, error=True)
            return
        held = (report.others if is_other else report.devices).setdefault(device[:100], {})
        for name, text in named.items():
            held.setdefault(name, text)


def _impossible(cells: Mapping[str, str]) -> str | None:
    """Return the first number of a line that no machine can reach, with its column; None where all can be.

    Counters that wrap or go back give all numbers of a line, so that none of them is to be believed.
    """
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


def read_reports(source: Source) -> Reports:
    """Return the reports of a file: text of iostat or sar, text of vmstat, or JSON."""
    made = Reports()
    if source.head.text.lstrip().startswith("{"):
        _from_json(source, made)
    else:
        reader = _ReportText(made, has_commas=DECIMAL_COMMA.search(source.head.text) is not None)
        for line_no, text in text_lines(source):
            reader.take(line_no, text)
    return made


@dataclass(slots=True)
class _ReportText:
    """Takes lines of iostat, sar, mpstat or vmstat and adds their reports to `made`."""

    made: Reports
    has_commas: bool = False
    """Numbers have a decimal comma."""
    columns: list[str] | None = None
    current: SysstatReport | None = None
    stamp: datetime | None = None
    is_sar: bool = False
    is_vmstat: bool = False
    zone: tzinfo | None = None
    has_cpu: bool = False
    """The current report of iostat has its line of processors and no devices yet."""
    first_date: datetime | None = None
    by_time: dict[datetime, SysstatReport] = field(default_factory=dict)

    def take(self, line_no: int, text: str) -> None:
        """Read one line of the text: a head, a time, or the numbers of a device, processor or memory."""
        text = in_english(text)
        linux, head = LINUX.match(text), _SAR_HEAD.fullmatch(text)
        if linux is not None:
            self.made.head = linux[1], linux[2], linux[5]
            self.made.date = self.first_date = _first(
                linux[3], (*_DAY_FIRST, *_DATES) if self.has_commas else _DATES
            )
            self.columns, self.current, self.stamp = None, None, None
        elif head is not None:
            self._head(head)
        elif _VMSTAT_HEAD.fullmatch(text) is not None:
            self.is_vmstat, self.made.since_start = True, True
            self.columns = text.split()
            self.zone = UTC if self.columns[-1] in ("UTC", "GMT") else None
        elif self.is_vmstat:
            self._vmstat(line_no, text)
        elif self.is_sar:
            self._sar(line_no, text)
        elif _STAMP.fullmatch(text) is not None:
            days = tuple(f"{each} %H:%M:%S" for each in _DAY_FIRST) if self.has_commas else ()
            self.stamp, self.current = _first(text, (*days, *_STAMPS)), None
        elif text.startswith("avg-cpu:"):
            self.columns, self.current = ["CPU", *text.split()[1:]], None
        else:
            self._iostat(line_no, text)

    def _head(self, head: re.Match[str]) -> None:
        """Take a table of sar. A table of a whole day begins where the previous table began."""
        self.is_sar, self.columns, self.current = True, head[2].split(), None
        if self.made.begins is None:
            self.made.begins = _time_of_day(self.made, head[1])
        elif self.made.found and _clock_of(head[1]) == self.made.begins.time():
            self.made.date = self.first_date
            self.made.last = self.made.begins

    def _vmstat(self, line_no: int, text: str) -> None:
        """Take a line of vmstat; with `-t` its time is at its end, without a zone."""
        stamp = _VMSTAT_STAMP.fullmatch(text)
        cells = (stamp[1] if stamp is not None else text).split()
        columns = (self.columns or [])[: len(cells)]
        if not cells or not all(cell.isdigit() for cell in cells) or "id" not in columns:
            return
        at = None if stamp is None else _first(stamp[2], _STAMPS)
        at = at if at is None or self.zone is None else at.replace(tzinfo=self.zone)
        report = self.made.report(line_no, at)
        row = dict(zip(columns, cells, strict=True))
        self.made.row(report, line_no, row, "CPU", is_other=True)

    def _sar(self, line_no: int, text: str) -> None:
        """Take a line of sar or mpstat; tables of the same time are one report."""
        row = _SAR_ROW.fullmatch(text)
        if row is None or self.columns is None:
            self.columns = None
            return
        at = _time_of_day(self.made, row[1])
        if self.current is None or self.current.at != at:
            held = None if at is None else self.by_time.get(at)
            self.current = held or self.made.report(line_no, at)
            if at is not None:
                self.by_time[at] = self.current
        _cells(self.made, self.current, line_no, self.columns, row[2].split())

    def _iostat(self, line_no: int, text: str) -> None:
        """Take a line of iostat: the head of a table, its processors, or a device."""
        words = text.split()
        if words and _REQUESTS.intersection(words) and words[0].rstrip(":") == "Device":
            held = self.current if self.has_cpu else None
            self.current, self.columns = held or self.made.report(line_no, self.stamp), ["Device", *words[1:]]
            self.made.since_start, self.has_cpu = True, False
        elif words and self.columns is not None and self.columns[0] == "CPU":
            self.current, self.has_cpu = self.made.report(line_no, self.stamp), True
            _cells(self.made, self.current, line_no, self.columns, ["all", *words])
            self.columns = None
        elif words and _REQUESTS.intersection(words) and words[-1] == "Device":
            # `--pretty`: one table for each direction.
            self.current, self.columns = self.current or self.made.report(line_no, self.stamp), words
            self.made.since_start = True
        elif not words:
            self.columns = None
        elif self.columns is not None and self.current is not None:
            _cells(self.made, self.current, line_no, self.columns, words)


def _cells(made: Reports, report: SysstatReport, line: int, columns: list[str], cells: list[str]) -> None:
    """Add a line to a report by the columns of its table; another number of cells is a problem."""
    if len(cells) != len(columns):
        made.problems.add("row", f"{len(cells)} columns, the head has {len(columns)}", line)
        return
    row = dict(zip(columns, cells, strict=True))
    named = next((text for text in _NAMED if text in row), None)
    subject = row.pop(named) if named is not None else _UNNAMED.get(columns[0], "")
    if named == "CPU":
        subject = "CPU" if subject in ("all", "-1") else f"CPU {subject}"
    elif named == "IFACE":
        subject = f"network {subject}"
    made.row(report, line, row, subject, is_other=named not in ("DEV", "Device"))


def _time_of_day(made: Reports, text: str) -> datetime | None:
    """Return a time of day after the previous time; another day begins where it is smaller. None without a
    date.
    """
    if made.date is None:
        return None
    clock = _first(text, ("%H:%M:%S", "%I:%M:%S %p"))
    if clock is None:
        return None
    at = datetime.combine(made.date.date(), clock.time())
    last = made.last or made.begins
    if last is not None and at < last - timedelta(hours=12):
        made.date += timedelta(days=1)
        at += timedelta(days=1)
    made.last = at
    return at


def _clock_of(text: str) -> time | None:
    """Return a printed time of day; None for any other text."""
    parsed = _first(text, ("%H:%M:%S", "%I:%M:%S %p"))
    return None if parsed is None else parsed.time()


def _first(text: str, forms: tuple[str, ...]) -> datetime | None:
    """Return the time that a text states in the first form (of `strptime`) that fits; None where
    none does.
    """
    for form in forms:
        try:
            parsed = datetime.strptime(text, form)  # noqa: DTZ007 - most have no zone
        except ValueError:
            continue
        return parsed if 1990 <= parsed.year <= 2200 or form.startswith(("%H", "%I")) else None
    return None


def _from_json(source: Source, made: Reports) -> None:
    """Read the reports of `iostat -o JSON`, `mpstat -o JSON` and `sadf -j`; a document that is cut ends with
    its last whole report.
    """
    date = _JSON_DATE.search(source.head.text)
    made.date = None if date is None else _first(date[1], _DATES)
    for line_no, statistic in _statistics(source, made):
        stamp = statistic.get("timestamp")
        report = made.report(line_no, _json_moment(made, stamp))
        # iostat alone begins with the time since the machine started.
        made.since_start = (
            made.since_start or "avg-cpu" in statistic or ("disk" in statistic and isinstance(stamp, str))
        )
        _json_row(made, report, statistic.get("avg-cpu"))
        loads = statistic.get("cpu-load")
        for load in loads if isinstance(loads, list) else ():
            _json_row(made, report, load)
        disks = statistic.get("disk")
        for disk in disks if isinstance(disks, list) else ():
            _json_row(made, report, disk, is_device=True)


def _json_moment(made: Reports, stamp: object) -> datetime | None:
    """Return a moment: a date and time, a time of the day (mpstat), or both apart (sadf); None for any other
    value.
    """
    if isinstance(stamp, dict):
        parsed = _first(f"{stamp.get('date')} {stamp.get('time')}", _STAMPS)
        is_utc = stamp.get("utc") == "1" and parsed is not None
        return parsed.replace(tzinfo=UTC) if is_utc and parsed is not None else parsed
    if not isinstance(stamp, str):
        return None
    return _time_of_day(made, stamp) if stamp.count(":") == 2 and len(stamp) <= 11 else _first(stamp, _STAMPS)


def _json_row(made: Reports, report: SysstatReport, cells: object, *, is_device: bool = False) -> None:
    """Add the object of a device or of a processor to a report; ignore any other value."""
    if not isinstance(cells, dict):
        return
    row = {str(key): value for key, value in cells.items() if isinstance(value, str)}
    name = (
        row.pop("disk_device", None) or row.pop("disk-device", None) if is_device else row.pop("cpu", "all")
    )
    if name is None:
        return
    if not is_device:
        name = "CPU" if name in ("all", "-1") else f"CPU {name}"
    made.row(report, report.line, row, name, is_other=not is_device)


def _statistics(source: Source, made: Reports) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of `"statistics": [` one by one, each with its line."""
    text = source.whole().decode("utf-8", "replace")
    begin = _JSON_REPORTS.search(text)
    at, line_no, counted = begin.end() if begin is not None else len(text), 1, 0
    decoder = json.JSONDecoder(parse_float=str, parse_int=str)
    while (first := text.find("{", at)) >= 0:
        line_no += text.count("\n", counted, first)
        counted = first
        if "]" in text[at:first]:
            return
        try:
            value, at = decoder.raw_decode(text, first)
        except (ValueError, RecursionError):
            made.problems.add("json", "a report is no whole JSON", line_no)
            return
        yield line_no, value
