"""The importer of oha: its text, the JSON of `--output-format json` and the CSV.

Times of the JSON and the CSV are doubles of seconds, exact to the nanosecond. oha waits for an answer before
it sends again; with `-q` and `--latency-correction` times begin at the schedule, which no output says.
Source: oha `src/printer.rs`, `src/result_data.rs`.
"""

import re
from collections.abc import Iterator

import numpy as np

from tailroom.domain.units import NS_PER_S
from tailroom.importers.importer import Detection
from tailroom.importers.json_documents import counts_of, exact_time, json_document, json_number, json_object
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.problems import Problems
from tailroom.importers.source import Head, Source
from tailroom.importers.summaries import Summary, all_series
from tailroom.importers.text_runs import PrintedRun, ToolImporter, finished
from tailroom.importers.web_load.report import add_statuses, bad_answers, read_reports, report_tool
from tailroom.importers.web_load.rows import Requests, read_rows, run_of_rows

_HEAD = "request-start,DNS,DNS+dialup,Response-delay,request-duration,bytes,status"
_NUMBER = rb"\d{1,9}(?:\.\d{1,24})?(?:e-?\d{1,2})?"
_ROW = re.compile(rb"(?m)^(%s),[\d.e,+-]{1,160},(%s),\d{1,18},\d{3}\r?$" % (_NUMBER, _NUMBER))
_SEMANTICS = (
    "from sending a request to the end of its answer; with --latency-correction from the moment at which -q "
    "meant to send it, which the output does not say"
)


def _detect(head: Head) -> Detection | None:
    if head.text.lstrip().startswith("{"):
        marks = '"successRate"' in head.text and '"latencyPercentiles"' in head.text
        return Detection("oha-json", "oha", None, "JSON with `latencyPercentiles`") if marks else None
    if head.text.lstrip().startswith(_HEAD):
        return Detection("oha-csv", "oha", None, "the columns of oha's CSV")
    if report_tool(head.text) == "oha":
        return Detection("oha", "oha", None, "`Summary:` with `Success rate:`")
    return None


def _runs(source: Source) -> Iterator[ParsedRun]:
    begin = source.head.text.lstrip()
    if begin.startswith("{"):
        return _json_run(source)
    return _csv_run(source) if begin.startswith(_HEAD) else read_reports(source, "oha")


def _json_run(source: Source) -> Iterator[ParsedRun]:
    """Yield the run of the JSON; nothing without numbers. Raise ContentUnreadable if it is no object."""
    document = json_document(source, "oha")
    head = json_object(document.get("summary"))
    run = PrintedRun(1)
    statuses = counts_of(document.get("statusCodeDistribution"))
    errors = counts_of(document.get("errorDistribution"))
    summary = Summary("request", 1, name="request", later_ranks=1)
    summary.rate = json_number(head.get("requestsPerSec"))
    summary.count, summary.errors = sum(statuses.values()), sum(errors.values())
    for reason, failed in list(errors.items())[:20]:
        run.problems.add("error", f"{failed} requests failed: {reason[:120]}")
    if summary.count:
        summary.mean = exact_time(head.get("average"), NS_PER_S, "s")
        summary.least = exact_time(head.get("fastest"), NS_PER_S, "s")
        summary.most = exact_time(head.get("slowest"), NS_PER_S, "s")
        for key, value in json_object(document.get("latencyPercentiles")).items():
            summary.set_time(key, exact_time(value, NS_PER_S, "s"))
    add_statuses(run, statuses, 1, bad_answers(statuses), "answers with a status that is no success")
    run.add_number("request", "transferred_bytes", json_number(head.get("totalData")))
    run.add_number("request", "bandwidth_bytes_per_s", json_number(head.get("sizePerSec")))
    run.add_number("request", "success_percent", json_number(head.get("successRate")), 100)
    run.set_duration(exact_time(head.get("total"), NS_PER_S, "s"))
    series = all_series([summary], run.problems, _SEMANTICS)
    if series or run.claims:
        yield run.parsed("oha-json", "oha", [summary], series, finished("the report is whole"))


def _csv_run(source: Source) -> Iterator[ParsedRun]:
    """Yield the run of all answered requests, if any; report and leave out impossible times."""
    problems = Problems()
    requests = Requests()
    for block in source.blocks():
        rows = read_rows(block, _ROW, "oha", problems, head=_HEAD)
        if rows:
            numbers = np.array(rows).astype(np.float64)
            numbers = numbers[(numbers >= 0).all(axis=1) & (numbers < 1e9).all(axis=1)]
            start_ns, latency_ns = (np.rint(numbers[:, at] * NS_PER_S).astype(np.int64) for at in (0, 1))
            if wrong := requests.add(start_ns + latency_ns, latency_ns) + len(rows) - numbers.shape[0]:
                problems.add("impossible", f"{wrong} rows with times that no request takes", block.first_line)
    if requests.samples.count:
        problems.note("lost", "requests without an answer are not in the CSV")
        yield run_of_rows("oha-csv", "oha", {"request": requests}, problems, _SEMANTICS, closed_loop=True)


OHA = ToolImporter("oha", "oha", _detect, _runs)
