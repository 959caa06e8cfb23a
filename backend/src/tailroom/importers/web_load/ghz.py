"""The importer of ghz (gRPC): its summary, the JSON (`-O json`, `pretty`) and the CSV.

The JSON holds each call with its latency in nanoseconds: exact samples, if it has all of them. The others
round to a hundredth of a millisecond. ghz waits for an answer on each of its workers before it calls again,
also with `--rps`. Source: ghz `runner/reporter.go`, `printer/`.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import Misses
from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.importers.importer import ContentUnreadable, Detection
from tailroom.importers.json_documents import (
    counts_of,
    cut_ns,
    exact_time,
    json_count,
    json_document,
    json_number,
    json_object,
    rfc3339,
)
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun, ParsedSeries, Value
from tailroom.importers.printed import MAX_COUNT
from tailroom.importers.problems import Problems
from tailroom.importers.source import Head, Source
from tailroom.importers.summaries import Summary, all_series, rounded
from tailroom.importers.text_runs import nothing_read, summarised_run
from tailroom.importers.web_load.claims import duration_ns, number_claims, status_claims
from tailroom.importers.web_load.report import read_reports, report_tool
from tailroom.importers.web_load.rows import Requests, run_of_rows, statements_of_rounded

_CSV_HEAD = "duration (ms),status,error"
_ROW = re.compile(rb"(\d{1,12})\.(\d\d),([A-Za-z]{0,40}),([^\n]{0,2000})")
_UNIT_NS = 10_000
_SEMANTICS = "one unary call from its start to its answer, on the clock of the client"
_OPTIONS = ("call", "host", "proto", "concurrency", "connections", "rps", "total", "timeout", "async")


@dataclass(frozen=True, slots=True)
class GhzImporter:
    """Importer of ghz (gRPC): summary, JSON and CSV."""

    name: str = "ghz"
    looks_for: str = "`Summary:` with `Count:`, JSON with `latencyDistribution`, or CSV of `duration (ms)`"

    def detect(self, head: Head) -> Detection | None:
        """Recognise JSON by its keys, CSV by its head, the summary by its lines. None for any other file."""
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

    def parse(self, source: Source, beside: Sequence[Source]) -> list[ParsedRun]:  # noqa: ARG002
        """Return the run of the JSON or the CSV, or every report of the text.

        Raise ContentUnreadable without results.
        """
        begin = source.head.text.lstrip()
        if begin.startswith("{"):
            return [_json_run(source)]
        if begin.startswith(_CSV_HEAD):
            return [_csv_run(source)]
        return read_reports(source, "ghz", mark_unit_ns=NS_PER_MS)


def _parameters(options: Mapping[str, Any]) -> dict[str, Value]:
    """Return the options that are texts, numbers or truth values, by name."""
    parameters: dict[str, Value] = {}
    for name in _OPTIONS:
        value = options.get(name)
        if isinstance(value, str | int | bool):
            parameters[name] = value[:200] if isinstance(value, str) else value
    return parameters


def _json_run(source: Source) -> ParsedRun:
    """Return the run of every call if all are listed, else of the summary.

    Raise ContentUnreadable if it is no JSON object or has no numbers.
    """
    document = json_document(source, "ghz")
    problems = Problems()
    statuses = counts_of(document.get("statusCodeDistribution"))
    errors = counts_of(document.get("errorDistribution"))
    for reason, failed in list(errors.items())[:20]:
        problems.add("error", f"{failed} calls failed: {reason[:120]}")
    issued = json_count(document.get("count"))
    claims = status_claims(statuses, problems, 1, bad=0, words="")
    claims += number_claims("request", "throughput_ops_per_s", json_number(document.get("rps")))
    if issued is not None:
        claims.append(Claim.of_count("total", "operation_count", issued))
    total = exact_time(document.get("total"), 1, "ns")
    if total is not None:
        claims.append(total.claim("total", "duration_ns"))
    summary = _summary(document, issued, sum(errors.values()), problems)
    exact = _details(document.get("details"), issued, problems)
    parameters = _parameters(json_object(document.get("options")))
    started = rfc3339(document.get("date"))
    if exact is not None:
        calls = run_of_rows("ghz-json", "ghz", {"request": exact}, problems, _SEMANTICS, closed_loop=True)
        series = calls.series
        started = started or calls.started_at
    else:
        series = all_series([summary], problems, _SEMANTICS)
    if not series and not claims:
        raise nothing_read(source, "ghz")
    return summarised_run(
        "ghz-json",
        "ghz",
        [summary],
        series,
        problems,
        state=EndState.FINISHED if document.get("endReason") in ("normal", None) else EndState.KILLED,
        state_text=f"the report says how it ended: {str(document.get('endReason'))[:40]}",
        claims=claims,
        parameters=parameters,
        duration_ns=duration_ns(total),
        started_at=started,
    )


def _summary(document: Mapping[str, Any], issued: int | None, errors: int, problems: Problems) -> Summary:
    """Return the numbers of the summary; `issued` is the number of all calls, `errors` of failed calls.

    The average is left out with a problem if calls failed, because it covers them.
    """
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
    rows = document.get("latencyDistribution")
    for row in rows[:100] if isinstance(rows, list) else ():
        share, time = (
            json_number(json_object(row).get("percentage")),
            exact_time(json_object(row).get("latency"), 1, "ns"),
        )
        if share is not None and time is not None and 0 < share.value < 100:
            summary.quantiles.append((Fraction(share.value) / 100, time))
    return summary


def _details(rows: Any, issued: int | None, problems: Problems) -> Requests | None:
    """Return every call, if all `issued` calls are listed with time and latency.

    None if some are not listed or have no time or latency, with a note, and if no call succeeded.
    """
    if not isinstance(rows, list) or not rows or issued is None:
        return None
    if len(rows) != issued:
        problems.add("details", f"{len(rows)} calls of {issued} are listed; the summary was read", note=True)
        return None
    requests = Requests()
    ends: list[int] = []
    latencies: list[int] = []
    for row in rows:
        call = json_object(row)
        latency, at = json_count(call.get("latency")), rfc3339(call.get("timestamp"))
        if latency is None or at is None:
            problems.add("details", "a call has no time or no latency; the summary was read", note=True)
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


def _csv_run(source: Source) -> ParsedRun:
    """Return the run of the CSV, whose times are rounded.

    Raise ContentUnreadable without successful calls, or if times contradict each other.
    """
    problems = Problems()
    counts: Counter[int] = Counter()
    failed = 0
    for line_no, line in source.lines():
        row = _ROW.fullmatch(line)
        if row is None:
            if line.strip() and not line.startswith(_CSV_HEAD.encode()):
                shown = line[:60].decode("utf-8", "replace")
                problems.add("row", f"no row of ghz: {shown!r}", line_no)
        elif row[3] == b"OK" or not row[4]:
            if rounded(f"{row[1].decode()}.{row[2].decode()}", NS_PER_MS, "ms") is not None:
                counts[int(row[1] + row[2])] += 1
        else:
            failed += 1
    if not counts:
        raise nothing_read(source, "ghz")
    try:
        record = statements_of_rounded(counts, _UNIT_NS).record(Misses(errors=failed))
    except DomainError as error:
        raise ContentUnreadable(f"{source.name}: {error}") from error
    series = ParsedSeries("request", "service", record, semantics=_SEMANTICS, source_name="duration (ms)")
    return summarised_run(
        "ghz-csv",
        "ghz",
        [],
        [series],
        problems,
        state=EndState.UNKNOWN,
        state_text="raw results have no mark at their end",
    )


GHZ = GhzImporter()
