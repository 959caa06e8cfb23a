"""The importer of vegeta: its reports (text, JSON, `hist`, `hdrplot`) and its results (CSV or JSON lines).

vegeta sends on a schedule and measures from sending. The percentiles of reports, and all of `hdrplot`, are
estimates of a t-digest without certain bounds: they are shown and not used; number, mean, smallest and
largest are exact. Failed requests are counted too. Results have every request. Source: vegeta
`lib/metrics.go`, `lib/reporters.go`, `lib/histogram.go`, `lib/results.go`.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from fractions import Fraction

import numpy as np

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.layouts import NEVER_NS
from tailroom.importers.exact_counts import PrintedBucket, distribution_of
from tailroom.importers.importer import Detection
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
from tailroom.importers.parsed_run import ParsedRun, ParsedSeries
from tailroom.importers.printed import MAX_COUNT, amount, printed, whole
from tailroom.importers.problems import Problems
from tailroom.importers.source import Head, Source
from tailroom.importers.statements import MAX_TIME_NS
from tailroom.importers.summaries import UNITS_NS, Summary, Time, all_series, go_duration
from tailroom.importers.text_runs import PrintedRun, ToolImporter, finished, text_lines
from tailroom.importers.web_load.report import add_statuses, bad_answers
from tailroom.importers.web_load.rows import Requests, read_rows, run_of_rows

SEMANTICS = "from sending a request, at the time of the schedule or later, to the end of its answer"
# Later than the year 2128 no request began: its end would not be a time.
_ROW = re.compile(rb"(?m)^([1-4]\d{18}),(\d{1,3}),(\d{1,18}),\d{1,18},\d{1,18},[^\n]*$")
_BATCH_ROWS = 1 << 16
_CSV = re.compile(r"\d{19},\d{1,3},\d{1,18},\d{1,18},\d{1,18},")
_LINE = re.compile(
    r"(Requests|Duration|Latencies|Bytes In|Bytes Out|Success|Status Codes)\s+\[(.{1,100})\]\s+(\S.*)"
)
_BUCKET = re.compile(r"\[([\d.a-zµμ]{1,30}),\s+([\d.a-zµμ]{1,30}|\+Inf)\]\s+(\d{1,18})\s+[\d.]{1,12}%.*")
_HIST = re.compile(r"Bucket\s+#\s+%\s+Histogram")
_PLOT = re.compile(r"Value\(ms\)\s+Percentile\s+TotalCount\s+1/\(1-Percentile\)")
_PLOTTED = re.compile(r"([\d.]{1,30})\s+([01]\.\d{1,12})\s+(\d{1,18})\s+[\d.]{1,30}")
_PART = re.compile(r"(\d{1,12}(?:\.\d{1,9})?)(h|ms|m|s|us|µs|μs|ns)")
_SHARE = re.compile(r"(\d{1,2}(?:\.\d{1,6})?)(?:th)?")
_MOST_ROWS = 1_000


def read_csv(source: Source) -> Iterator[ParsedRun]:
    """Return the run of the CSV; nothing without requests."""
    problems, requests = Problems(), Requests()
    for block in source.blocks():
        rows = read_rows(block, _ROW, "vegeta's results", problems)
        if rows:
            columns = np.array(rows).astype(np.int64)
            _add_rows(requests, columns, problems, block.first_line)
    return _run("vegeta-csv", requests, problems)


def _add_rows(requests: Requests, table: Int64s, problems: Problems, line: int) -> None:
    """Add requests by start (ns since 1970), status (0 without an answer) and latency (ns)."""
    begin_ns, codes, latency_ns = table.T
    answered = codes > 0
    begin_ns, unanswered = begin_ns[answered], begin_ns[~answered] + latency_ns[~answered]
    latency_ns, codes = latency_ns[answered], codes[answered]
    possible = latency_ns < 1 << 50
    wrong = requests.add((begin_ns + latency_ns)[possible], latency_ns[possible]) + int((~possible).sum())
    if wrong:
        problems.add("impossible", f"{wrong} requests with times that no request takes", line)
    for at_ns in unanswered.tolist():
        requests.miss(at_ns)
    if bad := int(((codes < 200) | (codes >= 400)).sum()):
        problems.add("status", f"{bad} answers with a status that is no success, among the others", line)


def read_json_lines(source: Source) -> Iterator[ParsedRun]:
    """Return the run of JSON lines; nothing without requests."""
    problems, requests = Problems(), Requests()
    rows: list[tuple[int, int, int]] = []
    first_line = 1
    for line_no, row in _results(source, problems):
        rows.append(row)
        if len(rows) >= _BATCH_ROWS:
            _add_rows(requests, np.array(rows, dtype=np.int64), problems, first_line)
            rows, first_line = [], line_no
    if rows:
        _add_rows(requests, np.array(rows, dtype=np.int64), problems, first_line)
    return _run("vegeta-results-json", requests, problems)


def _results(source: Source, problems: Problems) -> Iterator[tuple[int, tuple[int, int, int]]]:
    """Yield line, start (ns since 1970), status and latency (ns) of each request; report other lines."""
    for line_no, line in source.lines():
        try:
            record = json.loads(line) if line.strip() else None
        except (ValueError, RecursionError):
            record = 0
        if record is None:
            continue
        row = json_object(record)
        at, code, latency = (
            rfc3339(row.get("timestamp")),
            json_count(row.get("code")),
            json_count(row.get("latency")),
        )
        if at is None or code is None or latency is None:
            problems.add("row", "no result of vegeta", line_no)
        else:
            # Digits after the microsecond do not matter for intervals of a second.
            yield line_no, (round(at.timestamp() * 1_000_000) * 1_000, min(code, 999), latency)


def _run(form: str, requests: Requests, problems: Problems) -> Iterator[ParsedRun]:
    """Yield the run of all requests, in the format `form`; nothing without any."""
    if not requests.is_empty:
        yield run_of_rows(form, "vegeta", {"request": requests}, problems, SEMANTICS, closed_loop=False)


def _runs(source: Source) -> Iterator[ParsedRun]:
    detection = _detect(source.head)
    readers = {
        "vegeta-csv": read_csv,
        "vegeta-results-json": read_json_lines,
        "vegeta-json": _json_run,
        "vegeta-hist": _hist_run,
        "vegeta-hdrplot": _plot_run,
    }
    return readers.get("" if detection is None else detection.format, _text_run)(source)


def _detect_json(begin: str) -> Detection | None:
    first = begin.split("\n", 1)[0]
    if '"latencies"' in begin and '"bytes_in"' in begin:
        return Detection("vegeta-json", "vegeta", None, "JSON with `latencies` and `bytes_in`")
    if all(f'"{key}":' in first for key in ("seq", "code", "timestamp", "latency")):
        reason = "objects with `seq`, `code`, `latency`"
        return Detection("vegeta-results-json", "vegeta", None, reason)
    return None


def _detect(head: Head) -> Detection | None:
    begin = head.text.lstrip()
    if begin.startswith("{"):
        return _detect_json(begin)
    if _CSV.match(begin) is not None:
        reason = "rows `nanoseconds, code, latency, bytes out, bytes in, …`"
        return Detection("vegeta-csv", "vegeta", None, reason)
    if any(_PLOT.fullmatch(line.strip()) for line in head.lines[:50]):
        reason = "`Value(ms) Percentile TotalCount 1/(1-Percentile)`"
        return Detection("vegeta-hdrplot", "vegeta", None, reason)
    if any(_HIST.fullmatch(line.strip()) for line in head.lines):
        return Detection("vegeta-hist", "vegeta", None, "`Bucket # % Histogram`")
    if re.search(r"(?m)^Latencies[ \t]+\[(?:min, )?mean, ", head.text) is not None:
        return Detection("vegeta", "vegeta", None, "`Latencies [… mean, 50, …]`")
    return None


def _finish(
    run: PrintedRun,
    form: str,
    summary: Summary,
    statuses: dict[str, int],
    started_at: datetime | None = None,
) -> ParsedRun:
    """Return the run of a report in the format `form`, with the number of answers by status."""
    words = "requests without an answer or with a status that is no success"
    add_statuses(run, statuses, summary.line, bad_answers(statuses), words)
    if any(each.quantity == "latency_quantile_ns" for each in run.claims):
        run.problems.note(
            "estimated",
            "percentiles are estimates of a t-digest, which has no certain ends: they are only shown; the "
            "results (`vegeta encode`) hold each request",
            summary.line,
        )
    run.line = summary.line
    return run.parsed(
        form,
        "vegeta",
        [summary],
        all_series([summary], run.problems, SEMANTICS),
        finished("the report is whole"),
        without_series="no latencies",
        started_at=started_at,
        closed_loop=False,
    )


def _text_run(source: Source) -> Iterator[ParsedRun]:
    """Yield the run of the first text report; nothing if it has neither a count nor a mean."""
    run, summary = PrintedRun(1), Summary("request", 1, name="Latencies")
    statuses: dict[str, int] = {}
    has_requests = False
    for line_no, text in text_lines(source):
        match = _LINE.fullmatch(text.strip())
        if match is None:
            continue
        if match[1] == "Requests" and has_requests:
            run.problems.add("several", "another report begins here; the first was read", line_no)
            break
        has_requests = has_requests or match[1] == "Requests"
        names, values = ([part.strip() for part in text.split(",")] for text in match.groups()[1:])
        if match[1] == "Status Codes":
            for code, count in re.findall(r"(\d{1,3}):(\d{1,18})", match[3]):
                statuses[code] = whole(count) or 0
        elif len(names) != len(values):
            reason = f"{match[1]} has {len(values)} numbers, its head {len(names)}"
            run.problems.add("columns", reason, line_no)
        else:
            _store_line(run, summary, match[1], dict(zip(names, values, strict=True)), line_no)
    if summary.count == 0:
        summary.drop_times()
        run.claims = [each for each in run.claims if each.quantity != "latency_quantile_ns"]
    if summary.count is not None or summary.mean is not None:
        yield _finish(run, "vegeta", summary, statuses)


def _store_line(run: PrintedRun, summary: Summary, line: str, named: dict[str, str], line_no: int) -> None:
    """Store the numbers of a line: `line` is its first words, `named` its numbers by name."""
    if line == "Latencies":
        summary.line = line_no
        for name, text in named.items():
            _store_latency(run, summary, name, go_duration(text))
    elif line == "Duration":
        for name, text in named.items():
            quantity = "duration_ns" if name == "total" else f"{name[:20]}_duration_ns"
            run.add_time("total", quantity, go_duration(text), line_no)
        duration = go_duration(next(iter(named.values())))
        run.duration_ns = None if duration is None else duration.middle_ns
    elif line == "Requests":
        summary.count = whole(named.get("total", ""))
        summary.rate = amount(named.get("rate", ""))
        run.add_number("success", "throughput_ops_per_s", amount(named.get("throughput", "")))
    elif line == "Success":
        run.add_number("request", "success_percent", amount(named.get("ratio", "").removesuffix("%")))
    else:
        quantity = "received_bytes" if line == "Bytes In" else "sent_bytes"
        run.add_number("request", quantity, amount(named.get("total", "")))
        run.add_number("request", f"{quantity}_mean", amount(named.get("mean", "")))


def _store_latency(run: PrintedRun, summary: Summary, name: str, time: Time | None) -> None:
    """Store mean and extremes in the summary; add a percentile, which is an estimate, as a claim."""
    share = _SHARE.fullmatch(name)
    if share is None:
        summary.set_time(name, time)
    elif time is not None:
        quantile = float(Fraction(share[1]) / 100)
        run.claims.append(time.claim("request", "latency_quantile_ns", summary.line, quantile))


def _json_run(source: Source) -> Iterator[ParsedRun]:
    """Yield the run of the JSON report; nothing without the number of requests."""
    document = json_document(source, "vegeta")
    latencies = json_object(document.get("latencies"))
    run = PrintedRun(1)
    summary = Summary("request", 1, name="latencies", rate=json_number(document.get("rate")))
    summary.count = json_count(document.get("requests"))
    if summary.count != 0:
        summary.mean = cut_ns(latencies.get("mean"))
        summary.most = cut_ns(latencies.get("max"))
        # The smallest is missing before 12.6.
        summary.least = cut_ns(latencies.get("min")) if latencies.get("min") else None
        for key, value in latencies.items():
            if _SHARE.fullmatch(key) is not None:
                _store_latency(run, summary, key, exact_time(value, 1, "ns"))
    run.add_number("success", "throughput_ops_per_s", json_number(document.get("throughput")))
    run.add_number("request", "success_percent", json_number(document.get("success")), 100)
    for key, quantity in (("bytes_in", "received_bytes"), ("bytes_out", "sent_bytes")):
        size = json_object(document.get(key))
        run.add_number("request", quantity, json_number(size.get("total")))
        run.add_number("request", f"{quantity}_mean", json_number(size.get("mean")))
    run.set_duration(exact_time(document.get("duration"), 1, "ns"))
    run.add_time("total", "wait_ns", exact_time(document.get("wait"), 1, "ns"))
    if summary.count is not None:
        statuses, started_at = counts_of(document.get("status_codes")), rfc3339(document.get("earliest"))
        yield _finish(run, "vegeta-json", summary, statuses, started_at)


def _edge_ns(text: str) -> int | None:
    """Return the edge in ns of a bucket as the user wrote it (`1m2.5s`); None for any other text."""
    parts = _PART.findall(text)
    if not parts or "".join(number + unit for number, unit in parts) != text.removeprefix("+"):
        return None
    total = sum(Fraction(number) * UNITS_NS[unit] for number, unit in parts)
    return int(total) if total < MAX_TIME_NS else None


def _hist_run(source: Source) -> Iterator[ParsedRun]:
    """Yield the run of `hist`, if its buckets ascend from 0 to infinity and can be added exactly."""
    run = PrintedRun(1)
    buckets: list[PrintedBucket] = []
    first = None
    for line_no, text in text_lines(source):
        match = _BUCKET.fullmatch(text.strip())
        if match is None:
            if buckets and text.strip():
                break
            continue
        begin, end, count = _edge_ns(match[1]), _edge_ns(match[2]), whole(match[3])
        end = NEVER_NS if match[2] == "+Inf" else end
        after = begin if not buckets else buckets[-1][1]
        if begin is None or count is None or begin != after or end is None:
            reason = "the bucket does not follow the one before; left out"
            run.problems.error("bucket", reason, line_no)
            continue
        first = first or line_no
        buckets.append((begin, end, count))
    total = sum(count for *_, count in buckets)
    ascends = all(begin < end for begin, end, _ in buckets)
    if not buckets or not ascends or buckets[-1][1] != NEVER_NS or buckets[0][0] or total > MAX_COUNT:
        return
    record = distribution_of(buckets)
    series = ParsedSeries("request", "service", record, semantics=SEMANTICS, source_name="hist")
    run.add_count("request", "operation_count", total, first)
    ending = finished("the last bucket is there")
    yield run.parsed("vegeta-hist", "vegeta", [], [series] if total else [], ending, closed_loop=False)


def _plot_run(source: Source) -> Iterator[ParsedRun]:
    """Yield the run of `hdrplot`, whose percentiles are only claims; nothing without any."""
    run = PrintedRun(1)
    for line_no, text in text_lines(source):
        match = _PLOTTED.fullmatch(text.strip())
        value, share = (printed(match[1]), printed(match[2])) if match is not None else (None, None)
        if value is None or share is None or not 0 < share.value <= 1 or len(run.claims) >= _MOST_ROWS:
            continue
        time = exact_time(int(value.value * 1_000_000), 1, "ns") if value.value < 10**12 else None
        if time is not None:
            time = replace(time, text=f"{value.text} ms")
            run.claims.append(time.claim("request", "latency_quantile_ns", line_no, float(share.value)))
    if run.claims:
        yield _finish(run, "vegeta-hdrplot", Summary("request", 1), {})


VEGETA = ToolImporter("vegeta", "vegeta", _detect, _runs)
