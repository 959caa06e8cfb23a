"""The importer of vegeta: its reports (text, JSON, `hist`, `hdrplot`) and its results (`vegeta_results`).

vegeta sends on a schedule and measures from sending. The percentiles of reports, and all of `hdrplot`, are
estimates of a t-digest without certain bounds: they are shown and not used; number, mean, smallest and
largest are exact. Failed requests are counted too. Source: vegeta `lib/metrics.go`, `lib/reporters.go`,
`lib/histogram.go`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from itertools import pairwise

import numpy as np

from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.layouts import ExplicitLayout
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
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun, ParsedSeries
from tailroom.importers.printed import MAX_COUNT, amount, printed, whole
from tailroom.importers.problems import Problems
from tailroom.importers.source import Head, Source
from tailroom.importers.statements import MAX_TIME_NS
from tailroom.importers.summaries import UNITS_NS, Summary, Time, all_series, go_duration
from tailroom.importers.text_runs import nothing_read, summarised_run, text_lines
from tailroom.importers.web_load.claims import bad_answers, duration_ns, number_claims, status_claims
from tailroom.importers.web_load.vegeta_results import SEMANTICS, read_csv, read_json_lines

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


@dataclass(frozen=True, slots=True)
class VegetaImporter:
    """Importer of vegeta's reports and results."""

    name: str = "vegeta"
    looks_for: str = "`Latencies [min, mean, 50, …]`, its JSON, `hist`, `hdrplot`, or results as CSV or JSON"

    def detect(self, head: Head) -> Detection | None:
        """Recognise the format by the words of a report, or the columns and keys of results; else None."""
        form = _form(head)
        return None if form is None else Detection(form[0], "vegeta", None, form[1])

    def parse(self, source: Source, beside: Sequence[Source]) -> list[ParsedRun]:  # noqa: ARG002
        """Return the one run of the file. Raise ContentUnreadable without results."""
        head_form = _form(source.head)
        form = "vegeta" if head_form is None else head_form[0]
        readers = {
            "vegeta-csv": read_csv,
            "vegeta-results-json": read_json_lines,
            "vegeta-json": _json_run,
            "vegeta-hist": _hist_run,
            "vegeta-hdrplot": _plot_run,
        }
        return [readers.get(form, _text_run)(source)]


def _json_form(begin: str) -> tuple[str, str] | None:
    """Return the format of a JSON file and the reason in words, by its beginning; None for other tools."""
    first = begin.split("\n", 1)[0]
    if '"latencies"' in begin and '"bytes_in"' in begin:
        return "vegeta-json", "JSON with `latencies` and `bytes_in`"
    if all(f'"{key}":' in first for key in ("seq", "code", "timestamp", "latency")):
        return "vegeta-results-json", "objects with `seq`, `code`, `latency`"
    return None


def _form(head: Head) -> tuple[str, str] | None:
    """Return the format of a file and the reason in words; None for other tools."""
    begin = head.text.lstrip()
    if begin.startswith("{"):
        return _json_form(begin)
    if _CSV.match(begin) is not None:
        return "vegeta-csv", "rows `nanoseconds, code, latency, bytes out, bytes in, …`"
    if any(_PLOT.fullmatch(line.strip()) for line in head.lines[:50]):
        return "vegeta-hdrplot", "`Value(ms) Percentile TotalCount 1/(1-Percentile)`"
    if any(_HIST.fullmatch(line.strip()) for line in head.lines):
        return "vegeta-hist", "`Bucket # % Histogram`"
    if re.search(r"(?m)^Latencies[ \t]+\[(?:min, )?mean, ", head.text) is not None:
        return "vegeta", "`Latencies [… mean, 50, …]`"
    return None


def _run(
    form: str,
    summary: Summary,
    shown: Sequence[Claim],
    problems: Problems,
    *,
    statuses: dict[str, int],
    duration: Time | None,
    started: datetime | None = None,
) -> ParsedRun:
    """Return the run of a report in the format `form`, with its claims (`shown`) and answers by status."""
    claims = status_claims(
        statuses,
        problems,
        summary.line,
        bad=bad_answers(statuses),
        words="requests without an answer or with a status that is no success",
    )
    if any(each.quantity == "latency_quantile_ns" for each in shown):
        problems.add(
            "estimated",
            "percentiles are estimates of a t-digest, which has no certain ends: they are only shown; the "
            "results (`vegeta encode`) hold each request",
            summary.line,
            note=True,
        )
    series = all_series([summary], problems, SEMANTICS)
    if not series:
        problems.add("none", "no latencies", summary.line)
    return summarised_run(
        form,
        "vegeta",
        [summary],
        series,
        problems,
        state=EndState.FINISHED,
        state_text="the report is whole",
        claims=[*shown, *claims],
        duration_ns=duration_ns(duration),
        started_at=started,
        closed_loop=False,
    )


def _quantile_claim(share: Fraction, time: Time, line: int) -> Claim:
    return time.claim("request", "latency_quantile_ns", line, float(share))


def _text_run(source: Source) -> ParsedRun:
    """Return the run of the first text report. Raise ContentUnreadable without a count and a mean."""
    problems = Problems()
    summary = Summary("request", 1, name="Latencies")
    shown: list[Claim] = []
    statuses: dict[str, int] = {}
    duration: Time | None = None
    has_requests = False
    for line_no, text in text_lines(source):
        match = _LINE.fullmatch(text.strip())
        if match is None:
            continue
        if match[1] == "Requests" and has_requests:
            problems.add("several", "another report begins here; the first was read", line_no)
            break
        has_requests = has_requests or match[1] == "Requests"
        names, values = ([part.strip() for part in text.split(",")] for text in match.groups()[1:])
        if match[1] == "Status Codes":
            for code, count in re.findall(r"(\d{1,3}):(\d{1,18})", match[3]):
                statuses[code] = whole(count) or 0
        elif len(names) != len(values):
            problems.add("columns", f"{match[1]} has {len(values)} numbers, its head {len(names)}", line_no)
        elif match[1] == "Latencies":
            summary.line = line_no
            _add_latencies(summary, shown, dict(zip(names, values, strict=True)), line_no)
        elif match[1] == "Duration":
            duration = go_duration(values[0])
            shown += _durations(dict(zip(names, values, strict=True)), line_no)
        else:
            _add_numbers(summary, shown, match[1], dict(zip(names, values, strict=True)))
    if summary.count is None and summary.mean is None:
        raise nothing_read(source, "vegeta")
    if summary.count == 0:
        summary.mean = summary.least = summary.most = None
        shown = [each for each in shown if each.quantity != "latency_quantile_ns"]
    return _run("vegeta", summary, shown, problems, statuses=statuses, duration=duration)


def _durations(named: dict[str, str], line_no: int) -> Iterator[Claim]:
    """Yield claims of the length of the attack, the time spent waiting for answers, and both together."""
    for name, value in named.items():
        time = go_duration(value)
        if time is not None:
            quantity = "duration_ns" if name == "total" else f"{name[:20]}_duration_ns"
            yield time.claim("total", quantity, line_no)


def _add_latencies(summary: Summary, shown: list[Claim], named: dict[str, str], line_no: int) -> None:
    """Add the line `Latencies`: mean and extremes to the summary, percentiles to the claims `shown`."""
    for name, text in named.items():
        time, share = go_duration(text), _SHARE.fullmatch(name)
        if time is None:
            continue
        if share is not None:
            shown.append(_quantile_claim(Fraction(share[1]) / 100, time, line_no))
        elif name == "mean":
            summary.mean = time
        elif name == "min":
            summary.least = time
        elif name == "max":
            summary.most = time


def _add_numbers(summary: Summary, shown: list[Claim], line: str, named: dict[str, str]) -> None:
    """Add the numbers of a line other than `Latencies`.

    `line` is its first words, `named` its numbers by name.
    """
    if line == "Requests":
        summary.count = whole(named.get("total", ""))
        summary.rate = amount(named.get("rate", ""))
        shown += number_claims("success", "throughput_ops_per_s", amount(named.get("throughput", "")))
    elif line == "Success":
        shown += number_claims("request", "success_percent", amount(named.get("ratio", "").removesuffix("%")))
    elif line in ("Bytes In", "Bytes Out"):
        quantity = "received_bytes" if line == "Bytes In" else "sent_bytes"
        shown += number_claims("request", quantity, amount(named.get("total", "")))
        shown += number_claims("request", f"{quantity}_mean", amount(named.get("mean", "")))


def _json_run(source: Source) -> ParsedRun:
    """Return the run of the JSON report. Raise ContentUnreadable without the number of requests."""
    document = json_document(source, "vegeta")
    problems = Problems()
    latencies = json_object(document.get("latencies"))
    summary = Summary("request", 1, name="latencies", rate=json_number(document.get("rate")))
    summary.count = json_count(document.get("requests"))
    shown: list[Claim] = []
    if summary.count != 0:
        summary.mean = cut_ns(latencies.get("mean"))
        summary.most = cut_ns(latencies.get("max"))
        # The smallest is missing before 12.6.
        summary.least = cut_ns(latencies.get("min")) if latencies.get("min") else None
        for key, value in latencies.items():
            share, time = _SHARE.fullmatch(key), exact_time(value, 1, "ns")
            if share is not None and time is not None:
                shown.append(_quantile_claim(Fraction(share[1]) / 100, time, 1))
    shown += number_claims("success", "throughput_ops_per_s", json_number(document.get("throughput")))
    shown += number_claims("request", "success_percent", json_number(document.get("success")), 100)
    for key, quantity in (("bytes_in", "received_bytes"), ("bytes_out", "sent_bytes")):
        size = json_object(document.get(key))
        shown += number_claims("request", quantity, json_number(size.get("total")))
        shown += number_claims("request", f"{quantity}_mean", json_number(size.get("mean")))
    duration = exact_time(document.get("duration"), 1, "ns")
    wait = exact_time(document.get("wait"), 1, "ns")
    for name, time in (("duration_ns", duration), ("wait_ns", wait)):
        if time is not None:
            shown.append(time.claim("total", name))
    if summary.count is None:
        raise nothing_read(source, "vegeta")
    return _run(
        "vegeta-json",
        summary,
        shown,
        problems,
        statuses=counts_of(document.get("status_codes")),
        duration=duration,
        started=rfc3339(document.get("earliest")),
    )


def _edge_ns(text: str) -> int | None:
    """Return the edge in ns of a bucket as the user wrote it (`1m2.5s`); None for any other text."""
    parts = _PART.findall(text)
    if not parts or "".join(number + unit for number, unit in parts) != text.removeprefix("+"):
        return None
    total = sum(Fraction(number) * UNITS_NS[unit] for number, unit in parts)
    return int(total) if total < MAX_TIME_NS else None


def _hist_run(source: Source) -> ParsedRun:
    """Return the run of `hist`, whose buckets are exact.

    Raise ContentUnreadable if they do not ascend from 0 to infinity.
    """
    problems = Problems()
    edges: list[int] = []
    counts: list[int] = []
    open_ended, first = False, None
    for line_no, text in text_lines(source):
        match = _BUCKET.fullmatch(text.strip())
        if match is None:
            if counts and text.strip():
                break
            continue
        begin, end, count = _edge_ns(match[1]), _edge_ns(match[2]), whole(match[3])
        if begin is None or count is None or open_ended or (edges and begin != edges[-1]):
            problems.add("bucket", "the bucket does not follow the one before; left out", line_no, error=True)
            continue
        first = first or line_no
        edges = edges or [begin]
        counts.append(count)
        open_ended = match[2] == "+Inf"
        if not open_ended and end is not None:
            edges.append(end)
    ascends = all(edge < after for edge, after in pairwise(edges))
    if not counts or not ascends or not open_ended or edges[0] != 0 or sum(counts) > MAX_COUNT:
        raise nothing_read(source, "vegeta")
    columns = np.array(counts, dtype=np.int64)
    filled = np.flatnonzero(columns).astype(np.int64)
    record = LatencyDist(ExplicitLayout(tuple(edges), open_ended=True), Counts(filled, columns[filled]))
    total = sum(counts)
    series = ParsedSeries("request", "service", record, semantics=SEMANTICS, source_name="hist")
    return summarised_run(
        "vegeta-hist",
        "vegeta",
        [],
        [series] if total else [],
        problems,
        state=EndState.FINISHED,
        state_text="the last bucket is there",
        claims=[Claim.of_count("request", "operation_count", total, first)],
        closed_loop=False,
    )


def _plot_run(source: Source) -> ParsedRun:
    """Return the run of `hdrplot`, whose percentiles are only claims. Raise ContentUnreadable without any."""
    problems = Problems()
    shown: list[Claim] = []
    for line_no, text in text_lines(source):
        match = _PLOTTED.fullmatch(text.strip())
        value, share = (printed(match[1]), printed(match[2])) if match is not None else (None, None)
        if value is None or share is None or not 0 < share.value <= 1 or len(shown) >= _MOST_ROWS:
            continue
        time = exact_time(int(value.value * 1_000_000), 1, "ns") if value.value < 10**12 else None
        if time is not None:
            shown.append(_quantile_claim(share.value, replace(time, text=f"{value.text} ms"), line_no))
    if not shown:
        raise nothing_read(source, "vegeta")
    return _run("vegeta-hdrplot", Summary("request", 1), shown, problems, statuses={}, duration=None)


VEGETA = VegetaImporter()
