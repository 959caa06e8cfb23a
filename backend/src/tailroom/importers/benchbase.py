"""The importer of BenchBase: its `summary.json`.

Latencies are whole microseconds; a percentile is the request behind its share of all. Whether the load waits
for answers is a matter of its configuration, which the summary does not hold. Source: BenchBase
`DistributionStatistics.java`, `ResultWriter.java`.
"""

import re
from fractions import Fraction

from tailroom.domain.units import NS_PER_US
from tailroom.importers.importer import Detection
from tailroom.importers.json_documents import exact_time, json_count, json_document, json_number, json_object
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun, Value
from tailroom.importers.problems import Problems
from tailroom.importers.source import Head, Source
from tailroom.importers.summaries import Summary, Time, all_series, rounded
from tailroom.importers.text_runs import TextImporter, summarised_run
from tailroom.importers.web_load.claims import number_claims

_SHARE = re.compile(r"(\d{1,2}(?:\.\d{1,3})?)th Percentile Latency \(microseconds\)")
_SEMANTICS = "one transaction from its first statement to its end, whole microseconds"
_FACTS = {"Benchmark Type": "benchmark", "DBMS Type": "database", "DBMS Version": "server_version"}
_FACTS |= {"scalefactor": "scaling_factor", "terminals": "connections", "isolation": "isolation"}


def _detect(head: Head) -> Detection | None:
    """Recognise the format by keys of its JSON; None for other files."""
    marks = ('"Latency Distribution"', "(requests/second)", "Latency (microseconds)")
    if head.text.lstrip().startswith("{") and all(mark in head.text for mark in marks):
        return Detection("benchbase", "benchbase", None, "JSON with `Latency Distribution`")
    return None


def _runs(source: Source) -> list[ParsedRun]:
    """Return the only run; an empty list without latencies and rates."""
    document = json_document(source, "BenchBase")
    problems = Problems()
    times = json_object(document.get("Latency Distribution"))
    summary = Summary("transaction", 1, name="Latency Distribution", exact_ns=NS_PER_US, later_ranks=1)
    summary.count = json_count(document.get("Measured Requests"))
    summary.rate = json_number(document.get("Throughput (requests/second)"))
    claims: list[Claim] = number_claims(
        "success", "throughput_ops_per_s", json_number(document.get("Goodput (requests/second)"))
    )
    if summary.count != 0:
        summary.least = _time(times.get("Minimum Latency (microseconds)"))
        summary.most = _time(times.get("Maximum Latency (microseconds)"))
        average = json_number(times.get("Average Latency (microseconds)"))
        summary.mean = None if average is None else rounded(average.text, NS_PER_US, "µs")
        median = _time(times.get("Median Latency (microseconds)"))
        summary.quantiles += [] if median is None else [(Fraction(1, 2), median)]
        for key, value in times.items():
            share, time = _SHARE.fullmatch(key), _time(value)
            if share is not None and time is not None and Fraction(share[1]) > 0:
                summary.quantiles.append((Fraction(share[1]) / 100, time))
    series = all_series([summary], problems, _SEMANTICS)
    if not series and not claims and summary.rate is None:
        return []
    elapsed = exact_time(document.get("Elapsed Time (nanoseconds)"), 1, "ns")
    if elapsed is not None:
        claims.append(Claim("total", "duration_ns", elapsed.text, elapsed.lower_ns, elapsed.upper_ns))
    parameters: dict[str, Value] = {}
    for key, name in _FACTS.items():
        value = document.get(key)
        if isinstance(value, str | int):
            parameters[name] = value[:300] if isinstance(value, str) else value
    end_state = document.get("Final State")
    return [
        summarised_run(
            "benchbase",
            "benchbase",
            [summary],
            series,
            problems,
            state=EndState.FINISHED if end_state in ("EXIT", "DONE") else EndState.UNKNOWN,
            state_text=f"the summary says {str(end_state)[:40]}",
            claims=claims,
            parameters=parameters,
            duration_ns=None if elapsed is None else elapsed.lower_ns,
            stated=["connections"] if "connections" in parameters else [],
        )
    ]


def _time(value: object) -> Time | None:
    """Return a time in microseconds without its decimals; None if it is no number or impossible."""
    number_printed = json_number(value)
    return None if number_printed is None else exact_time(int(number_printed.value), NS_PER_US, "µs")


BENCHBASE = TextImporter(
    "benchbase",
    "JSON with `Latency Distribution` and `Goodput (requests/second)`",
    "BenchBase",
    _detect,
    _runs,
)
