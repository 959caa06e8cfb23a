"""The importer of ghz (gRPC): its summary, the JSON (`-O json`, `pretty`) and the CSV.

The JSON holds each call with its latency in nanoseconds: exact samples, if it has all of them. The others
round to a hundredth of a millisecond. ghz waits for an answer on each of its workers before it calls again,
also with `--rps`. Source: ghz `runner/reporter.go`, `printer/`.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.importers.importer import Detection
from tailroom.importers.json_documents import (
    counts_of,
    cut_ns,
    exact_time,
    json_count,
    json_document,
    json_number,
    json_object,
    json_objects,
    json_settings,
    rfc3339,
)
from tailroom.importers.parsed_run import EndState, ParsedRun
from tailroom.importers.printed import MAX_COUNT
from tailroom.importers.problems import Problems
from tailroom.importers.source import Head, Source
from tailroom.importers.summaries import Summary, all_series, rounded
from tailroom.importers.text_runs import PrintedRun, ToolImporter
from tailroom.importers.web_load.report import add_statuses, read_reports, report_tool
from tailroom.importers.web_load.rows import RAW_ENDING, Requests, read_rows, rounded_series, run_of_rows

_CSV_HEAD = "duration (ms),status,error"
_ROW = re.compile(rb"(?m)^(\d{1,12})\.(\d\d),([A-Za-z]{0,40}),([^\n]{0,2000}?)\r?$")
_UNIT_NS = 10_000
_SEMANTICS = "one unary call from its start to its answer, on the clock of the client"
_OPTIONS = {
    name: name
    for name in ("call", "host", "proto", "concurrency", "connections", "rps", "total", "timeout", "async")
}


def _detect(head: Head) -> Detection | None:
    begin = head.text.lstrip()
    if begin.startswith("{"):
        marks = ('"statusCodeDistribution"', '"errorDistribution"', '"endReason"')
        seen = sum(mark in head.text for mark in marks) >= 2 and '"successRate"' not in head.text
        return Detection("ghz-json", "ghz", None, "JSON with `statusCodeDistribution`") if seen else None
    if begin.startswith(_CSV_HEAD):
        return Detection("ghz-csv", "ghz", None, f"the columns `{_CSV_HEAD}`")
    if report_tool(head.text) == "ghz":
        return Detection("ghz", "ghz", None, "`Summary:` with `Count:` and `Fastest:`")
    return None


def _runs(source: Source) -> Iterator[ParsedRun]:
    begin = source.head.text.lstrip()
    if begin.startswith("{"):
        return _json_run(source)
    if begin.startswith(_CSV_HEAD):
        return _csv_run(source)
    return read_reports(source, "ghz")


def _json_run(source: Source) -> Iterator[ParsedRun]:
    """Yield the run of listed calls, else of the summary, if any. Raise ContentUnreadable for other JSON."""
    document = json_document(source, "ghz")
    run = PrintedRun(1, json_settings(json_object(document.get("options")), _OPTIONS, 200))
    errors = counts_of(document.get("errorDistribution"))
    for reason, failed in list(errors.items())[:20]:
        run.problems.add("error", f"{failed} calls failed: {reason[:120]}")
    issued = json_count(document.get("count"))
    add_statuses(run, counts_of(document.get("statusCodeDistribution")), 1, 0, "")
    run.add_number("request", "throughput_ops_per_s", json_number(document.get("rps")))
    run.add_count("total", "operation_count", issued)
    run.set_duration(exact_time(document.get("total"), 1, "ns"))
    summary = _summary(document, issued, sum(errors.values()), run.problems)
    exact = _details(document.get("details"), issued, run.problems)
    started = rfc3339(document.get("date"))
    if exact is not None:
        calls = run_of_rows("ghz-json", "ghz", {"request": exact}, run.problems, _SEMANTICS, closed_loop=True)
        series = calls.series
        started = started or calls.started_at
    else:
        series = all_series([summary], run.problems, _SEMANTICS)
    end = document.get("endReason")
    state = EndState.FINISHED if end in ("normal", None) else EndState.KILLED
    ending = state, f"the report says how it ended: {str(end)[:40]}"
    if series or run.claims:
        yield run.parsed("ghz-json", "ghz", [summary], series, ending, started_at=started)


def _summary(document: Mapping[str, Any], issued: int | None, errors: int, problems: Problems) -> Summary:
    """Return the numbers of the summary; `issued` counts all calls, `errors` those that failed."""
    summary = Summary("request", 1, name="request", later_ranks=1, errors=min(errors, MAX_COUNT))
    summary.count = None if issued is None else max(0, issued - errors)
    if summary.count == 0:
        return summary
    summary.least = exact_time(document.get("fastest"), 1, "ns")
    summary.most = exact_time(document.get("slowest"), 1, "ns")
    if errors:
        problems.add("mean", "the average is of all calls, also of those that failed; it is left out")
    else:
        summary.mean = cut_ns(document.get("average"))
    for row in json_objects(document.get("latencyDistribution"))[:100]:
        share, time = json_number(row.get("percentage")), exact_time(row.get("latency"), 1, "ns")
        summary.set_time("" if share is None else share.text, time)
    return summary


def _details(rows: Any, issued: int | None, problems: Problems) -> Requests | None:
    """Return every call if all `issued` calls are listed with time and latency; else None."""
    if not isinstance(rows, list) or not rows or issued is None:
        return None
    if len(rows) != issued:
        problems.note("details", f"{len(rows)} calls of {issued} are listed; the summary was read")
        return None
    requests = Requests()
    ends: list[int] = []
    latencies: list[int] = []
    for row in rows:
        call = json_object(row)
        latency, at = json_count(call.get("latency")), rfc3339(call.get("timestamp"))
        if latency is None or at is None:
            problems.note("details", "a call has no time or no latency; the summary was read")
            return None
        end_ns = round(at.timestamp() * NS_PER_S)
        if call.get("error") in ("", None):
            ends.append(end_ns)
            latencies.append(latency)
        else:
            requests.miss(end_ns)
    wrong = requests.add(np.array(ends, dtype=np.int64), np.array(latencies, dtype=np.int64))
    if wrong:
        problems.add("impossible", f"{wrong} calls with times that no call takes")
    return requests if requests.samples.count else None


def _csv_run(source: Source) -> Iterator[ParsedRun]:
    """Yield the run of the CSV, whose times are rounded; nothing without successful calls."""
    run = PrintedRun(1)
    counts: Counter[int] = Counter()
    failed = 0
    for block in source.blocks():
        for whole_ms, hundredths, status, error in read_rows(block, _ROW, "ghz", run.problems, _CSV_HEAD):
            if status != b"OK" and error:
                failed += 1
            elif rounded(f"{whole_ms.decode()}.{hundredths.decode()}", NS_PER_MS, "ms") is not None:
                counts[int(whole_ms + hundredths)] += 1
    if counts:
        series = rounded_series(source, counts, _UNIT_NS, _SEMANTICS, "duration (ms)", errors=failed)
        yield run.parsed("ghz-csv", "ghz", [], [series], RAW_ENDING)


GHZ = ToolImporter("ghz", "ghz", _detect, _runs)
