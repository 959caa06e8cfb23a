"""The importer of oha: its text, the JSON of `--output-format json` and the CSV.

Times of the JSON and the CSV are doubles of seconds, exact to the nanosecond. oha waits for an answer before
it sends again; with `-q` and `--latency-correction` times begin at the schedule, which no output says.
Source: oha `src/printer.rs`, `src/result_data.rs`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tailroom.domain.units import NS_PER_S
from tailroom.importers.importer import Detection
from tailroom.importers.json_documents import counts_of, exact_time, json_document, json_number, json_object
from tailroom.importers.parsed_run import EndState, ParsedRun
from tailroom.importers.problems import Problems
from tailroom.importers.source import Head, Source
from tailroom.importers.summaries import Summary, all_series
from tailroom.importers.text_runs import nothing_read, summarised_run
from tailroom.importers.web_load.claims import bad_answers, duration_ns, number_claims, status_claims
from tailroom.importers.web_load.report import read_reports, report_tool
from tailroom.importers.web_load.rows import Requests, read_rows, run_of_rows

_HEAD = "request-start,DNS,DNS+dialup,Response-delay,request-duration,bytes,status"
_NUMBER = rb"\d{1,9}(?:\.\d{1,24})?(?:e-?\d{1,2})?"
_ROW = re.compile(rb"(?m)^(%s),[\d.e,+-]{1,160},(%s),\d{1,18},\d{3}\r?$" % (_NUMBER, _NUMBER))
_SHARE = re.compile(r"p(\d{1,2}(?:\.\d{1,6})?)")
_SEMANTICS = (
    "from sending a request to the end of its answer; with --latency-correction from the moment at which -q "
    "meant to send it, which the output does not say"
)


@dataclass(frozen=True, slots=True)
class OhaImporter:
    """Importer of oha's text, JSON and CSV."""

    name: str = "oha"
    looks_for: str = (
        "`Summary:` with `Success rate:`, JSON with `latencyPercentiles`, or CSV of `request-duration`"
    )

    def detect(self, head: Head) -> Detection | None:
        """Recognise JSON by its keys, CSV by its head, text by the lines of its summary; else None."""
        if head.text.lstrip().startswith("{"):
            marks = '"successRate"' in head.text and '"latencyPercentiles"' in head.text
            return Detection("oha-json", "oha", None, "JSON with `latencyPercentiles`") if marks else None
        if head.text.lstrip().startswith(_HEAD):
            return Detection("oha-csv", "oha", None, "the columns of oha's CSV")
        if report_tool(head.text) == "oha":
            return Detection("oha", "oha", None, "`Summary:` with `Success rate:`")
        return None

    def parse(self, source: Source, beside: Sequence[Source]) -> list[ParsedRun]:  # noqa: ARG002
        """Return the run of the JSON or the CSV, or every report of the text.

        Raise ContentUnreadable without results.
        """
        begin = source.head.text.lstrip()
        if begin.startswith("{"):
            return [_json_run(source)]
        return [_csv_run(source)] if begin.startswith(_HEAD) else read_reports(source, "oha", mark_unit_ns=0)


def _json_run(source: Source) -> ParsedRun:
    """Return the run of the JSON report.

    Raise ContentUnreadable if it is no JSON object or has no numbers.
    """
    document = json_document(source, "oha")
    head = json_object(document.get("summary"))
    problems = Problems()
    statuses = counts_of(document.get("statusCodeDistribution"))
    errors = counts_of(document.get("errorDistribution"))
    summary = Summary("request", 1, name="request", later_ranks=1)
    summary.rate = json_number(head.get("requestsPerSec"))
    summary.count, summary.errors = sum(statuses.values()), sum(errors.values())
    for reason, failed in list(errors.items())[:20]:
        problems.add("error", f"{failed} requests failed: {reason[:120]}")
    if summary.count:
        summary.mean = exact_time(head.get("average"), NS_PER_S, "s")
        summary.least = exact_time(head.get("fastest"), NS_PER_S, "s")
        summary.most = exact_time(head.get("slowest"), NS_PER_S, "s")
        for key, value in json_object(document.get("latencyPercentiles")).items():
            share, time = _SHARE.fullmatch(key), exact_time(value, NS_PER_S, "s")
            if share is not None and time is not None and Fraction(share[1]) > 0:
                summary.quantiles.append((Fraction(share[1]) / 100, time))
    claims = status_claims(
        statuses, problems, 1, bad=bad_answers(statuses), words="answers with a status that is no success"
    )
    claims += number_claims("request", "transferred_bytes", json_number(head.get("totalData")))
    claims += number_claims("request", "bandwidth_bytes_per_s", json_number(head.get("sizePerSec")))
    claims += number_claims("request", "success_percent", json_number(head.get("successRate")), 100)
    total = exact_time(head.get("total"), NS_PER_S, "s")
    if total is not None:
        claims.append(total.claim("total", "duration_ns"))
    series = all_series([summary], problems, _SEMANTICS)
    if not series and not claims:
        raise nothing_read(source, "oha")
    return summarised_run(
        "oha-json",
        "oha",
        [summary],
        series,
        problems,
        state=EndState.FINISHED,
        state_text="the report is whole",
        claims=claims,
        duration_ns=duration_ns(total),
    )


def _csv_run(source: Source) -> ParsedRun:
    """Return the run of the CSV, with every request. Raise ContentUnreadable without requests."""
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
    if not requests.samples.count:
        raise nothing_read(source, "oha")
    problems.add("lost", "requests without an answer are not in the CSV", note=True)
    return run_of_rows("oha-csv", "oha", {"request": requests}, problems, _SEMANTICS, closed_loop=True)


OHA = OhaImporter()
