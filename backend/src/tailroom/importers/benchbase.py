"""The importer of BenchBase: its `summary.json`.

Latencies are whole microseconds; a percentile is the first request after that share of all. The summary does
not state whether the load waits for answers. Source: BenchBase `DistributionStatistics.java`,
`ResultWriter.java`.
"""

from collections.abc import Iterator

from tailroom.domain.units import NS_PER_US
from tailroom.importers.importer import Detection
from tailroom.importers.json_documents import (
    exact_time,
    json_count,
    json_document,
    json_number,
    json_object,
    json_settings,
)
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.source import Head, Source
from tailroom.importers.summaries import Summary, Time, all_series, rounded
from tailroom.importers.text_runs import PrintedRun, ToolImporter, finished_if

_OF_PERCENTILE = " Percentile Latency (microseconds)"
_SEMANTICS = "one transaction from its first statement to its end, whole microseconds"
_FACTS = {"Benchmark Type": "benchmark", "DBMS Type": "database", "DBMS Version": "server_version"}
_FACTS |= {"scalefactor": "scaling_factor", "terminals": "connections", "isolation": "isolation"}


def _detect(head: Head) -> Detection | None:
    marks = ('"Latency Distribution"', "(requests/second)", "Latency (microseconds)")
    if head.text.lstrip().startswith("{") and all(mark in head.text for mark in marks):
        return Detection("benchbase", "benchbase", None, "JSON with `Latency Distribution`")
    return None


def _runs(source: Source) -> Iterator[ParsedRun]:
    """Yield the only run, or nothing if the file has neither latencies nor rates."""
    document = json_document(source, "BenchBase")
    run = PrintedRun(1, json_settings(document, _FACTS))
    times = json_object(document.get("Latency Distribution"))
    summary = Summary("transaction", 1, name="Latency Distribution", exact_ns=NS_PER_US, later_ranks=1)
    summary.count = json_count(document.get("Measured Requests"))
    summary.rate = json_number(document.get("Throughput (requests/second)"))
    goodput = json_number(document.get("Goodput (requests/second)"))
    run.add_number("success", "throughput_ops_per_s", goodput)
    if summary.count != 0:
        summary.least = _time(times.get("Minimum Latency (microseconds)"))
        summary.most = _time(times.get("Maximum Latency (microseconds)"))
        average = json_number(times.get("Average Latency (microseconds)"))
        summary.mean = None if average is None else rounded(average.text, NS_PER_US, "µs")
        summary.set_time("median", _time(times.get("Median Latency (microseconds)")))
        for key, value in times.items():
            summary.set_time(key.removesuffix(_OF_PERCENTILE), _time(value))
    series = all_series([summary], run.problems, _SEMANTICS)
    if not series and not run.claims and summary.rate is None:
        return
    elapsed = exact_time(document.get("Elapsed Time (nanoseconds)"), 1, "ns")
    run.set_duration(elapsed)
    run.duration_ns = None if elapsed is None else elapsed.lower_ns
    end_state = document.get("Final State")
    words = f"the summary says {str(end_state)[:40]}"
    ending = finished_if(end_state in ("EXIT", "DONE"), words, words)
    stated = ["connections"] if "connections" in run.parameters else []
    yield run.parsed("benchbase", "benchbase", [summary], series, ending, stated=stated)


def _time(value: object) -> Time | None:
    """Return a time printed in µs, without its decimals; None for an impossible time or any other value."""
    number_printed = json_number(value)
    return None if number_printed is None else exact_time(int(number_printed.value), NS_PER_US, "µs")


BENCHBASE = ToolImporter("benchbase", "BenchBase", _detect, _runs)
