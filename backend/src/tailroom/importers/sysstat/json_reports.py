"""The JSON of `iostat -o JSON`, `mpstat -o JSON` and `sadf -j`."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from tailroom.importers.source import Source
from tailroom.importers.sysstat.reports import (
    DATES,
    STAMPS,
    SysstatLog,
    SysstatReport,
    parsed_time,
    time_of_day,
)

_JSON_REPORTS = re.compile(r'"statistics"\s*:\s*\[')
_JSON_DATE = re.compile(r'"(?:file-)?date"\s*:\s*"([^"]{1,20})"')


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
    """Return the time of a text, a time of day (mpstat) or an object with both (sadf); None for others."""
    if isinstance(stamp, dict):
        parsed = parsed_time(f"{stamp.get('date')} {stamp.get('time')}", STAMPS)
        is_utc = stamp.get("utc") == "1" and parsed is not None
        return parsed.replace(tzinfo=UTC) if is_utc and parsed is not None else parsed
    if not isinstance(stamp, str):
        return None
    return (
        time_of_day(log, stamp) if stamp.count(":") == 2 and len(stamp) <= 11 else parsed_time(stamp, STAMPS)
    )


def _add_json_row(log: SysstatLog, report: SysstatReport, cells: object, *, is_device: bool = False) -> None:
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
