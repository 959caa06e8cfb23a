"""The text and JSON of iostat, sar, mpstat and vmstat; iostat's first report is of the time since boot."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from typing import Any

from tailroom.importers.source import Source
from tailroom.importers.sysstat.reports import (
    DATES,
    DAY_FIRST,
    DECIMAL_COMMA,
    STAMPS,
    SysstatLog,
    SysstatReport,
    clock_of,
    in_english,
    parsed_time,
    time_of_day,
)
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
_STAMP = re.compile(r"\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}[T ]\d{1,2}:\d\d:\d\d(?: [AP]M)?(?:[+-]\d{4})?")
_JSON_REPORTS = re.compile(r'"statistics"\s*:\s*\[')
_JSON_DATE = re.compile(r'"(?:file-)?date"\s*:\s*"([^"]{1,20})"')


def read_text(source: Source) -> SysstatLog:
    """Return the reports of a text of iostat, sar, mpstat or vmstat; other lines are ignored."""
    parser = _ReportParser(has_commas=DECIMAL_COMMA.search(source.head.text) is not None)
    for line_no, text in text_lines(source):
        parser.line(line_no, text)
    return parser.log


@dataclass(slots=True)
class _ReportParser:
    """Parser of the lines of iostat, sar, mpstat or vmstat; call `line` for each, and read `log`."""

    log: SysstatLog = field(default_factory=SysstatLog)
    has_commas: bool = False
    """Whether numbers have a decimal comma."""
    columns: list[str] | None = None
    """Columns of the current table; None outside of tables."""
    current: SysstatReport | None = None
    """The report to which lines of the table belong; None before the first."""
    stamp: datetime | None = None
    """Time of iostat's current report; None if it is not printed."""
    is_sar: bool = False
    is_vmstat: bool = False
    zone: tzinfo | None = None
    """Zone of vmstat's times; None if it is not UTC."""
    has_cpu: bool = False
    """Whether the current report of iostat has its line of processors and no devices yet."""
    first_date: datetime | None = None
    """Date in the last head of a file; None if it has none."""
    by_time: dict[datetime, SysstatReport] = field(default_factory=dict)
    """Reports of sar by their times, because each quantity has a table of its own."""

    def line(self, line_no: int, text: str) -> None:
        """Add one line of the text: a head, a time, or the numbers of a device, processor or memory."""
        text = in_english(text)
        linux, head = LINUX.match(text), _SAR_HEAD.fullmatch(text)
        if linux is not None:
            self.log.head = linux[1], linux[2], linux[5]
            self.log.date = self.first_date = parsed_time(
                linux[3], (*DAY_FIRST, *DATES) if self.has_commas else DATES
            )
            self.columns, self.current, self.stamp = None, None, None
        elif head is not None:
            self._read_sar_head(head)
        elif _VMSTAT_HEAD.fullmatch(text) is not None:
            self.is_vmstat, self.log.since_start = True, True
            self.columns = text.split()
            self.zone = UTC if self.columns[-1] in ("UTC", "GMT") else None
        elif self.is_vmstat:
            self._read_vmstat_line(line_no, text)
        elif self.is_sar:
            self._read_sar_line(line_no, text)
        elif _STAMP.fullmatch(text) is not None:
            days = tuple(f"{date} %H:%M:%S" for date in DAY_FIRST) if self.has_commas else ()
            self.stamp, self.current = parsed_time(text, (*days, *STAMPS)), None
        elif text.startswith("avg-cpu:"):
            self.columns, self.current = ["CPU", *text.split()[1:]], None
        else:
            self._read_iostat_line(line_no, text)

    def _read_sar_head(self, head: re.Match[str]) -> None:
        """Store the columns of a table of sar.

        A table that begins at the file's first time is of another quantity; the date is set back for it.
        """
        self.is_sar, self.columns, self.current = True, head[2].split(), None
        if self.log.begins is None:
            self.log.begins = time_of_day(self.log, head[1])
        elif self.log.reports and clock_of(head[1]) == self.log.begins.time():
            self.log.date = self.first_date
            self.log.last = self.log.begins

    def _read_vmstat_line(self, line_no: int, text: str) -> None:
        """Add a report if a line is vmstat's; its time, with `-t`, is in UTC or without a zone."""
        stamp = _VMSTAT_STAMP.fullmatch(text)
        cells = (stamp[1] if stamp is not None else text).split()
        columns = (self.columns or [])[: len(cells)]
        if not cells or not all(cell.isdigit() for cell in cells) or "id" not in columns:
            return
        at = None if stamp is None else parsed_time(stamp[2], STAMPS)
        at = at if at is None or self.zone is None else at.replace(tzinfo=self.zone)
        report = self.log.report(line_no, at)
        row = dict(zip(columns, cells, strict=True))
        self.log.row(report, line_no, row, "CPU", is_other=True)

    def _read_sar_line(self, line_no: int, text: str) -> None:
        row = _SAR_ROW.fullmatch(text)
        if row is None or self.columns is None:
            self.columns = None
            return
        at = time_of_day(self.log, row[1])
        if self.current is None or self.current.at != at:
            same_time = None if at is None else self.by_time.get(at)
            self.current = same_time or self.log.report(line_no, at)
            if at is not None:
                self.by_time[at] = self.current
        _add_cells(self.log, self.current, line_no, self.columns, row[2].split())

    def _read_iostat_line(self, line_no: int, text: str) -> None:
        """Add a line of iostat: the head of a table, its processors, or a device; an empty line ends it."""
        words = text.split()
        if words and _REQUESTS.intersection(words) and words[0].rstrip(":") == "Device":
            with_cpu = self.current if self.has_cpu else None
            self.current = with_cpu or self.log.report(line_no, self.stamp)
            self.columns = ["Device", *words[1:]]
            self.log.since_start, self.has_cpu = True, False
        elif words and self.columns is not None and self.columns[0] == "CPU":
            self.current, self.has_cpu = self.log.report(line_no, self.stamp), True
            _add_cells(self.log, self.current, line_no, self.columns, ["all", *words])
            self.columns = None
        elif words and _REQUESTS.intersection(words) and words[-1] == "Device":
            # `--pretty`: one table for each direction.
            self.current, self.columns = self.current or self.log.report(line_no, self.stamp), words
            self.log.since_start = True
        elif not words:
            self.columns = None
        elif self.columns is not None and self.current is not None:
            _add_cells(self.log, self.current, line_no, self.columns, words)


def _add_cells(
    log: SysstatLog, report: SysstatReport, line: int, columns: list[str], cells: list[str]
) -> None:
    if len(cells) != len(columns):
        log.problems.add("row", f"{len(cells)} columns, the head has {len(columns)}", line)
        return
    row = dict(zip(columns, cells, strict=True))
    named = next((text for text in _NAMED if text in row), None)
    subject = row.pop(named) if named is not None else _UNNAMED.get(columns[0], "")
    if named == "CPU":
        subject = "CPU" if subject in ("all", "-1") else f"CPU {subject}"
    elif named == "IFACE":
        subject = f"network {subject}"
    log.row(report, line, row, subject, is_other=named not in ("DEV", "Device"))


def read_json(source: Source) -> SysstatLog:
    """Return the reports of a JSON document; if it is cut, those before the cut, with a problem."""
    log = SysstatLog()
    date = _JSON_DATE.search(source.head.text)
    log.date = None if date is None else parsed_time(date[1], DATES)
    for line_no, statistic in _statistics(source, log):
        stamp = statistic.get("timestamp")
        report = log.report(line_no, _json_time(log, stamp))
        # iostat alone begins with the time since the machine started.
        log.since_start = (
            log.since_start or "avg-cpu" in statistic or ("disk" in statistic and isinstance(stamp, str))
        )
        _add_json_row(log, report, statistic.get("avg-cpu"))
        loads = statistic.get("cpu-load")
        for load in loads if isinstance(loads, list) else ():
            _add_json_row(log, report, load)
        disks = statistic.get("disk")
        for disk in disks if isinstance(disks, list) else ():
            _add_json_row(log, report, disk, is_device=True)
    return log


def _json_time(log: SysstatLog, stamp: object) -> datetime | None:
    """Return the time of a text, a time of day (mpstat) or an object (sadf); None for any other value."""
    if isinstance(stamp, dict):
        parsed = parsed_time(f"{stamp.get('date')} {stamp.get('time')}", STAMPS)
        return parsed.replace(tzinfo=UTC) if parsed is not None and stamp.get("utc") == "1" else parsed
    if not isinstance(stamp, str):
        return None
    return (
        time_of_day(log, stamp) if stamp.count(":") == 2 and len(stamp) <= 11 else parsed_time(stamp, STAMPS)
    )


def _add_json_row(log: SysstatLog, report: SysstatReport, cells: object, *, is_device: bool = False) -> None:
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
    log.row(report, report.line, row, name, is_other=not is_device)


def _statistics(source: Source, log: SysstatLog) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the line number and the object of each report under `"statistics": [`; report a cut object."""
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
            log.problems.add("json", "a report is no whole JSON", line_no)
            return
        yield line_no, value
