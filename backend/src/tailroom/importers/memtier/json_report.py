"""The JSON report of memtier_benchmark, 1.2.9 to 2.x.

Results of a single run are under `ALL STATS`; of several under `RUN #n RESULTS` (on request), `BEST RUN
RESULTS`, `WORST RUN RESULTS` and `AGGREGATED AVERAGE RESULTS (n runs)`; an average over runs is no
measurement. A key can be repeated (two commands of the same name). Since 1.4 there is the histogram itself.
"""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

from tailroom.domain.units import NS_PER_MS
from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.json_documents import json_count, json_number, load_exact
from tailroom.importers.memtier.rows import CommandRow, PercentRow, Quantile, SecondStatistics
from tailroom.importers.memtier.runs import RunReport
from tailroom.importers.parsed_run import EndState, Value
from tailroom.importers.printed import whole
from tailroom.importers.text_runs import finished

_NOT_A_NUMBER = re.compile(rb":(\s*)-?(?:nan|inf)\b")
_QUANTILE = re.compile(r"p(\d{1,3}(?:\.\d{1,6})?)")
_REPEATED = re.compile(r"(.*) #\d+")
_MAX_ROWS = 10_000
_MAX_SECONDS = 200_000
_QUANTILE_CUT = Fraction(1, 10_000)


def read_reports(data: bytes, name: str) -> list[RunReport]:
    """Return a report for each set of results. Raise ContentUnreadable without any."""
    try:
        text = _NOT_A_NUMBER.sub(rb":\1null", data).decode("utf-8", "replace")
        document = load_exact(text, object_pairs_hook=_every_key)
    except RecursionError:
        raise ContentUnreadable(f"{name} is nested deeper than any report of memtier_benchmark") from None
    except ValueError as error:
        line = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise ContentUnreadable(f"{name} is no whole JSON document{line}: {error}") from None
    if not isinstance(document, dict):
        raise ContentUnreadable(f"{name} is JSON, but not a report of memtier_benchmark")
    parameters = _parameters(document)
    reports = [
        _report(title, part, dict(parameters))
        for title, part in document.items()
        if isinstance(part, dict) and any(_is_command(value) for value in part.values())
    ]
    if not reports:
        raise ContentUnreadable(f"{name} has no results: neither `ALL STATS` nor those of a run")
    return reports


def _report(title: str, part: dict[str, Any], parameters: dict[str, Value]) -> RunReport:
    """Return the report of an object of results; a table without a command becomes a row of its own."""
    report = RunReport(title, parameters)
    runtime = part.get("Runtime")
    if isinstance(runtime, dict):
        _read_runtime(report, runtime)
    else:
        report.ending = finished("the report was written at the end")
    tables = {key: value for key, value in part.items() if isinstance(value, list)}
    by_command: dict[tuple[str, str], list[str]] = {}
    for key in reversed(tables):
        by_command.setdefault(_command(key), []).append(key)
    for key, value in part.items():
        if _is_command(value):
            row = _row(key, value, report)
            report.rows.append(row)
            name, number = _command(key)
            if matching := by_command.get((name.removesuffix("s"), number)):
                _read_table(row, tables.pop(matching.pop()))
    for key, value in tables.items():
        row = CommandRow(key)
        _read_table(row, value)
        report.rows.append(row)
    return report


def _command(key: str) -> tuple[str, str]:
    """Return name (lower case) and number (may be empty) of a key: `sets`, `2` for `Sets #2`."""
    name, _, number = key.partition(" #")
    return name.lower(), number


def _read_runtime(report: RunReport, runtime: dict[str, Any]) -> None:
    start, duration = runtime.get("Start time"), runtime.get("Total duration")
    if isinstance(start, int) and 0 < start < 4 * 10**12:
        report.started_at = datetime.fromtimestamp(start / 1000, UTC)
    if isinstance(duration, int) and 0 <= duration < 10**11:
        report.duration_ns = duration * NS_PER_MS
    if runtime.get("Interrupted") == "true":
        report.ending = EndState.KILLED, "the report says that the run was interrupted"
    else:
        report.ending = finished("the report says that the run was not interrupted")


def _row(name: str, value: dict[str, Any], report: RunReport) -> CommandRow:
    """Return the row of a command; problems and the largest number of connection errors go to `report`."""
    row = CommandRow(
        name,
        count=json_count(value.get("Count")),
        rate=json_number(value.get("Ops/sec")),
        kilobytes_per_s=json_number(value.get("KB/sec")),
        hits_per_s=json_number(value.get("Hits/sec")),
        misses_per_s=json_number(value.get("Misses/sec")),
        mean_ms=json_number(value.get("Average Latency", value.get("Latency"))),
        least_ms=json_number(value.get("Min Latency")),
        most_ms=json_number(value.get("Max Latency")),
    )
    if (row.hits_per_s is None or row.hits_per_s.value == 0) and (
        row.misses_per_s is None or row.misses_per_s.value == 0
    ):
        # Zeros are printed for commands that look nothing up.
        row.hits_per_s = row.misses_per_s = None
    if row.count == 0:
        row.mean_ms = row.least_ms = row.most_ms = None
    errors = json_count(value.get("Connection Errors"))
    if errors:
        report.connection_errors = max(report.connection_errors, errors)
    percentiles = value.get("Percentile Latencies")
    if isinstance(percentiles, dict):
        row.quantiles = list(_quantiles(percentiles, report))
        histogram = percentiles.get("Histogram log format")
        text = histogram.get("Compressed Histogram") if isinstance(histogram, dict) else None
        row.histogram = text if isinstance(text, str) else None
    series = value.get("Time-Serie")
    if isinstance(series, dict):
        row.seconds = list(_seconds(series, report))
    return row


def _seconds(series: dict[str, Any], report: RunReport) -> Iterator[SecondStatistics]:
    """Yield the first 200,000 seconds of `Time-Serie`; a second without a count becomes a problem."""
    for key, value in list(series.items())[:_MAX_SECONDS]:
        second, count = whole(key), json_count(value.get("Count")) if isinstance(value, dict) else None
        if second is None or count is None or second > 10**9:
            report.problems.add(f"second {key[:40]!r} has no count")
            continue
        yield SecondStatistics(
            second,
            count,
            json_number(value.get("Min Latency")),
            json_number(value.get("Max Latency")),
            tuple(_quantiles(value, report)),
        )


def _quantiles(value: dict[str, Any], report: RunReport) -> Iterator[Quantile]:
    """Yield the percentiles below 100 among the entries; a repeated name counts once, with a problem."""
    for key, number in value.items():
        text = _REPEATED.fullmatch(key)
        match = _QUANTILE.fullmatch(text[1] if text else key)
        shown = json_number(number)
        if match is None or shown is None:
            continue
        if text is not None:
            report.problems.note(
                f"`{text[1]}` stands there twice: this version cuts the names of percentiles, and only the "
                "first was used"
            )
            continue
        share = Fraction(match[1]) / 100
        if share < 1:
            yield Quantile(share, shown, Fraction(0) if match[1].endswith("0") else _QUANTILE_CUT)


def _read_table(row: CommandRow, lines: list[Any]) -> None:
    """Add up to 10,000 rows with a percentage; set `has_whole_table` to whether these are all `lines`."""
    for line in lines[:_MAX_ROWS]:
        percent = json_number(line.get("percent")) if isinstance(line, dict) else None
        if percent is not None:
            row.table.append(PercentRow(json_number(line.get("<=msec")), percent))
    row.has_whole_table = len(row.table) == len(lines)


def _is_command(value: Any) -> bool:
    return isinstance(value, dict) and "Ops/sec" in value


def _parameters(document: dict[str, Any]) -> dict[str, Value]:
    """Return configuration and run information by name (`key_maximum`), without lists and objects."""
    parameters: dict[str, Value] = {}
    for part in (document.get("configuration"), document.get("run information")):
        for key, value in part.items() if isinstance(part, dict) else ():
            name = "_".join(key.lower().replace("-", " ").split())[:80]
            if isinstance(value, Decimal):
                parameters[name] = float(value)
            elif value is None or isinstance(value, str | int):
                parameters[name] = None if value in ("", "(null)") else value
    return parameters


def _every_key(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object with all its entries: a repeated key gets a number behind it, as `SET #2`."""
    merged: dict[str, Any] = {}
    times: dict[str, int] = {}
    for key, value in pairs:
        times[key] = times.get(key, 0) + 1
        merged[key if times[key] == 1 else f"{key} #{times[key]}"] = value
    return merged
