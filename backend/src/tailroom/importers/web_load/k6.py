"""The importer of k6: its summary as text and JSON, and its results as JSON lines and CSV.

A percentile of a summary is drawn between the two nearest requests, and times of the text are cut to two
decimals. Results hold each request: milliseconds as doubles or with six decimals, exact to the nanosecond.
Whether the load waits for answers depends on the executor, which only the banner names. Source: k6
`internal/js/summary.js`, `metrics/sink.go`, `output/json`, `output/csv`.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

import numpy as np

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.importers.importer import Detection
from tailroom.importers.json_documents import exact_time, json_count, json_document, json_number, json_object
from tailroom.importers.parsed_run import ParsedRun, ParsedSeries
from tailroom.importers.printed import Printed, printed, whole
from tailroom.importers.problems import Problems
from tailroom.importers.source import Block, Head, Source
from tailroom.importers.summaries import UNITS_NS, Summary, Time, all_series
from tailroom.importers.text_runs import PrintedRun, ToolImporter, finished, text_lines
from tailroom.importers.web_load.rows import Requests, run_of_rows

_REQUESTS = {"http_req_duration": "request", "grpc_req_duration": "grpc-request"}
"""Trends that are requests; all others (parts of a request, iterations, a script's own) are only shown."""
_TREND = re.compile(
    r"\s*(?:[✓✗] )?(\S.{0,200}?)\.*: ((?:(?:avg|min|med|max|count|p\([\d.]{1,9}\))=\S{1,30}\s*)+)"
)
_STAT = re.compile(r"(avg|min|med|max|count|p\([\d.]{1,9}\))=(\S{1,30})")
_COUNTER = re.compile(r"\s*(?:[✓✗] )?([a-z][\w ]{0,80}?)\.*: (\d{1,18})\s+(\d{1,15}(?:\.\d{1,9})?)/s")
_FAILED = re.compile(
    r"\s*(?:[✓✗] )?http_req_failed\.*: (\d{1,3}(?:\.\d{1,9})?)%\s+"
    r"(?:✓ (\d{1,18})\s+✗ (\d{1,18})|(\d{1,18}) out of (\d{1,18}))"
)
_TIME = re.compile(r"(\d{1,15}(?:\.\d{1,9})?)(ns|us|µs|μs|ms|s)")
_LONG = re.compile(r"(?:(\d{1,9})h)?(\d{1,9})m(\d{1,9}(?:\.\d{1,9})?)s")
_OPEN = re.compile(r"(?m)^[ \t]*\* \S.{0,80}: .{0,200}iterations/s")
_LOOPING = re.compile(r"(?m)^[ \t]*\* \S.{0,80}: .{0,40}?(\d{1,9}) (?:looping )?VUs")
_CSV = "metric_name,timestamp,metric_value"
_CSV_ROW = re.compile(
    rb"(?m)^(http_req_duration|grpc_req_duration),([^,\n]{1,40}),(\d{1,15}(?:\.\d{1,9})?),[^\n]*$"
)
_POINT = re.compile(
    rb'(?m)^\{(?=[^\n]*"type": ?"Point")(?=[^\n]*"metric": ?"(http_req_duration|grpc_req_duration)")'
    rb'[^\n]*?"time": ?"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?(Z|[+-]\d\d:\d\d)",'
    rb'"value": ?([\d.eE+-]{1,40})[^\n]*$'
)
_SEMANTICS = (
    "sending the request, waiting for and receiving its answer (http_req_duration); connecting is not in it"
)
_MOST = 1 << 50


def _detect(head: Head) -> Detection | None:
    begin = head.text.lstrip()
    if begin.startswith("{"):
        return _json_form(begin)
    if begin.startswith(_CSV):
        return Detection("k6-csv", "k6", None, f"the columns `{_CSV},…`")
    if any(_TREND.fullmatch(line) and "avg=" in line for line in head.lines):
        return Detection("k6", "k6", None, "`…: avg=… min=… med=…`")
    # A summary follows the progress of the whole test.
    if "execution: local" in head.text and "script:" in head.text and "scenarios:" in head.text:
        return Detection("k6", "k6", None, "`execution`, `script` and `scenarios`")
    return None


def _runs(source: Source) -> Iterator[ParsedRun]:
    """Return the one run of the file; nothing without requests, trends and counts."""
    begin = source.head.text.lstrip()
    if begin.startswith("{"):
        is_points = '"data":' in begin.split("\n", 1)[0]
        return _results_run(source, "k6-points", _points) if is_points else _json_run(source)
    return _results_run(source, "k6-csv", _csv_rows) if begin.startswith(_CSV) else _text_run(source)


def _json_form(begin: str) -> Detection | None:
    first = begin.split("\n", 1)[0]
    if '"metric":' in first and '"type":' in first and '"data":' in first:
        return Detection("k6-points", "k6", None, "JSON lines with `metric`, `type` and `data`")
    trends = '"http_req' in begin or '"iteration_duration"' in begin or '"grpc_req' in begin
    if '"metrics"' in begin and trends:
        return Detection("k6-json", "k6", None, "JSON with `metrics`")
    return None


@dataclass(slots=True)
class _Trends(PrintedRun):
    """A k6 summary as far as it was read: times and counts by name of the metric."""

    summaries: dict[str, Summary] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    failed: int | None = None
    """Number of requests that failed; None if not stated."""

    def add_counter(
        self, name: str, count: int | None, rate: Printed | None, line: int | None = None
    ) -> None:
        """Add the number and the rate of a counter as claims; those of `http_reqs` are of all requests."""
        operation = "total" if name == "http_reqs" else name
        if count is not None:
            self.counts[name] = count
        self.add_count(operation, "operation_count", count, line)
        self.add_number(operation, "throughput_ops_per_s", rate)

    def finish(self, form: str, *, closed_loop: bool = True) -> Iterator[ParsedRun]:
        """Yield the run, if it has numbers: requests are its series, other trends its claims. Call once."""
        series: list[ParsedSeries] = []
        for name, summary in self.summaries.items():
            if summary.count is None and name == "http_req_duration":
                summary.count = self.counts.get("http_reqs")
            self.claims += summary.claims()
            if name in _REQUESTS and summary.count != 0:
                series += all_series([summary], self.problems, _SEMANTICS)
        if self.failed:
            self.problems.add("failed", f"{self.failed} requests failed: their times are among the others")
        if not series:
            self.problems.add("none", "no latencies of requests")
        stated = ["connections"] if "vus" in self.parameters else []
        ending = finished("the summary was printed at the end")
        if self.summaries or self.counts:
            yield self.parsed(form, "k6", [], series, ending, closed_loop=closed_loop, stated=stated)


def _time_bounds(text: str) -> Time | None:
    """Return the bounds of a time of the text, which has two decimals, or over a minute whole seconds.

    None for other texts. The bounds hold for times that are cut and, as before 0.30, rounded.
    """
    match, long = _TIME.fullmatch(text), _LONG.fullmatch(text)
    if match is not None:
        value, unit_ns = printed(match[1]), UNITS_NS[match[2]]
        if value is None or value.value * unit_ns >= _MOST:
            return None
        if text == "0s":
            return Time(text, 0, 0)
        at, step = value.value * unit_ns, Fraction(unit_ns, 100)
        return Time(text, max(0, int(at - step / 2)), int(at + step) + 1)
    seconds = printed(long[3]) if long is not None else None
    if long is None or seconds is None:
        return None
    at = (int(long[1] or 0) * 3_600 + int(long[2]) * 60 + seconds.value) * NS_PER_S
    return Time(text, max(0, int(at) - NS_PER_S), int(at) + NS_PER_S) if at < _MOST else None


def _text_run(source: Source) -> Iterator[ParsedRun]:
    """Yield the run of the text summary; nothing without trends and counts."""
    trends = _Trends(1)
    name = ""
    for line_no, text in text_lines(source):
        if (trend := _TREND.fullmatch(text)) is not None:
            # `{ expected_response:true }` is a part of the trend above it.
            is_part = trend[1].startswith("{")
            name = f"{name.split(' {', maxsplit=1)[0]} {trend[1]}" if is_part else trend[1].strip()
            _add_trend(trends, name, trend[2], line_no)
        elif (failed := _FAILED.fullmatch(text)) is not None:
            trends.failed = whole(failed[2] or failed[4])
            trends.add_number("request", "failed_percent", printed(failed[1]))
        elif (counter := _COUNTER.fullmatch(text)) is not None and whole(counter[2]) is not None:
            trends.add_counter(counter[1].strip(), whole(counter[2]), printed(counter[3]), line_no)
    looping = _LOOPING.search(source.head.text)
    if looping is not None:
        trends.parameters["vus"] = int(looping[1])
    return trends.finish("k6", closed_loop=_OPEN.search(source.head.text) is None)


def _add_trend(trends: _Trends, name: str, text: str, line_no: int) -> None:
    """Add a trend (`text`: `avg=… min=…`) that has times. Report a repeated name, and trends after 1,000."""
    if name in trends.summaries or len(trends.summaries) >= 1_000:
        trends.problems.add("twice", f"{name} stands there twice; the first was read", line_no)
        return
    shown = _REQUESTS.get(name, name)
    summary = Summary(shown[:200], line_no, name=name[:200], later_ranks=1)
    timed = False
    for key, value in _STAT.findall(text):
        if key == "count":
            summary.count = whole(value)
        else:
            timed = timed or _time_bounds(value) is not None
            summary.set_time(key, _time_bounds(value))
    # Trends of a script need not be times.
    if timed:
        trends.summaries[name] = summary


def _json_run(source: Source) -> Iterator[ParsedRun]:
    """Return the run of the JSON summary, of its first 1,000 metrics; nothing without trends and counts."""
    document = json_document(source, "k6")
    trends = _Trends(1)
    for name, entry in list(json_object(document.get("metrics")).items())[:1_000]:
        metric = json_object(entry)
        values = json_object(metric.get("values")) or metric
        if "avg" in values and "med" in values:
            if metric.get("contains", "time") != "time" or not _is_time(name, metric):
                continue
            shown = _REQUESTS.get(name, name)
            summary = Summary(
                shown[:200], 1, name=name[:200], later_ranks=1, count=json_count(values.get("count"))
            )
            for key, value in values.items():
                summary.set_time(key, exact_time(value, NS_PER_MS, "ms"))
            trends.summaries[name] = summary
        elif name == "http_req_failed":
            trends.failed = json_count(values.get("passes"))
            failed = json_number(values.get("value", values.get("rate")))
            trends.add_number("request", "failed_percent", failed, 100)
        elif "count" in values and "rate" in values:
            trends.add_counter(name, json_count(values.get("count")), json_number(values.get("rate")))
    ran = exact_time(json_object(document.get("state")).get("testRunDurationMs"), NS_PER_MS, "ms")
    trends.duration_ns = None if ran is None else ran.middle_ns
    return trends.finish("k6-json")


def _is_time(name: str, metric: Mapping[str, Any]) -> bool:
    """Return whether a trend holds times: it states so, or has a name of k6's own trends of times."""
    return (
        metric.get("contains") == "time"
        or name.split("{", maxsplit=1)[0].endswith(("_duration", "_waiting"))
        or (name.startswith(("http_req_", "grpc_req_", "iteration_")))
    )


_Rows = Iterator[tuple[str, Int64s, Int64s]]
"""Name of the metric, ends of requests in ns since 1970, and latencies in ns, 0 without an answer."""


def _results_run(source: Source, form: str, read: Callable[[Block, Problems], _Rows]) -> Iterator[ParsedRun]:
    """Yield the run of results, whose rows `read` yields for each block; nothing without any request."""
    problems = Problems()
    by_operation = {operation: Requests() for operation in _REQUESTS.values()}
    for block in source.blocks():
        for name, ends, latencies in read(block, problems):
            requests = by_operation[_REQUESTS[name]]
            # k6 writes a duration of 0 for a request without an answer.
            for end_ns in ends[latencies == 0].tolist():
                requests.miss(end_ns)
            if wrong := requests.add(ends[latencies > 0], latencies[latencies > 0]):
                problems.add(
                    "impossible", f"{wrong} points with values that no request has", block.first_line
                )
    problems.note(
        "failed",
        "answers with a status that is no success are among the others (tags `status`, `error_code`)",
    )
    if not all(requests.is_empty for requests in by_operation.values()):
        yield run_of_rows(form, "k6", by_operation, problems, _SEMANTICS, closed_loop=True)


def _rows_by_metric(names: Any, ends_ns: Int64s, values_ms: Any) -> _Rows:
    """Yield the rows of each metric of requests; impossible values are left out without a problem."""
    for name in _REQUESTS:
        chosen = (names == name.encode()) & (values_ms >= 0) & (values_ms * NS_PER_MS < _MOST)
        if chosen.any():
            yield name, ends_ns[chosen], np.rint(values_ms[chosen] * NS_PER_MS).astype(np.int64)


def _points(block: Block, problems: Problems) -> _Rows:
    """Yield the rows of JSON lines; report points with an invalid value or time."""
    points = _POINT.findall(block.data)
    rows = [each for each in points if printed(each[4].decode()) is not None]
    if len(rows) < len(points):
        problems.add("value", f"{len(points) - len(rows)} points whose value is no number", block.first_line)
    if not rows:
        return
    moments = {key: _epoch_s(*key) for key in {(row[1], row[3]) for row in rows}}
    timed = [row for row in rows if moments[row[1], row[3]] is not None]
    if len(timed) < len(rows):
        problems.add("time", f"{len(rows) - len(timed)} points whose time is none", block.first_line)
    if timed:
        seconds = np.array([moments[each[1], each[3]] for each in timed], dtype=np.int64)
        parts = np.array([(each[2] or b".0") for each in timed]).astype(np.float64)
        ends_ns = seconds * NS_PER_S + np.rint(parts * NS_PER_S).astype(np.int64)
        names = np.array([each[0] for each in timed])
        yield from _rows_by_metric(names, ends_ns, np.array([each[4] for each in timed]).astype(np.float64))


def _epoch_s(day: bytes, zone: bytes) -> int | None:
    try:
        at = datetime.fromisoformat((day + zone).decode()).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return int(at.timestamp()) if 1970 <= at.year <= 2200 else None


def _csv_rows(block: Block, problems: Problems) -> _Rows:
    """Yield the rows of the CSV; report those with an invalid time. Other lines are ignored."""
    rows = _CSV_ROW.findall(block.data)
    timed = [(name, at, value) for name, stamp, value in rows if (at := _stamp(stamp)) is not None]
    if len(timed) < len(rows):
        problems.add("time", f"{len(rows) - len(timed)} rows whose time is none", block.first_line)
    if timed:
        ends_ns = np.array([row[1] for row in timed], dtype=np.int64)
        names = np.array([row[0] for row in timed])
        yield from _rows_by_metric(names, ends_ns, np.array([row[2] for row in timed]).astype(np.float64))


def _stamp(text: bytes) -> int | None:
    """Return a time in ns since 1970, of RFC 3339 or digits (`K6_CSV_TIME_FORMAT`); None for other texts."""
    if text.isdigit():
        value = int(text)
        for digits, unit_ns in ((11, NS_PER_S), (14, NS_PER_MS), (17, 1_000), (20, 1)):
            if len(text) < digits:
                return value * unit_ns if value * unit_ns < 1 << 62 else None
        return None
    match = re.fullmatch(rb"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,9})?(Z|[+-]\d\d:\d\d)", text)
    second = None if match is None else _epoch_s(match[1], match[2])
    return None if second is None else second * NS_PER_S


K6 = ToolImporter("k6", "k6", _detect, _runs)
