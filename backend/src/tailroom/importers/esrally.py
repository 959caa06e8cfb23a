"""The importer of Rally for Elasticsearch: its summary report as Markdown or CSV.

`latency` of a task runs from the moment at which a request was due, `service time` from its sending.
Percentiles are interpolated or come from a t-digest; the report does not state which, so that they are only
shown. The 100th is the largest in both. Failed requests are included. Markdown rounds to six digits. Source:
Rally `reporter.py`, `metrics.py`.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tailroom.domain.units import NS_PER_MS
from tailroom.importers.importer import Detection
from tailroom.importers.parsed_run import Claim, ParsedRun
from tailroom.importers.printed import amount, printed
from tailroom.importers.source import Head, Source
from tailroom.importers.summaries import Summary, all_series, rounded
from tailroom.importers.text_runs import PrintedRun, ToolImporter, finished, text_lines

FORM = TOOL = "esrally"
_CSV = re.compile(r"(?m)^(?:Lap,)?Metric,(?:Task|Operation),Value,Unit\r?$")
_MARKDOWN = re.compile(
    r"(?m)^\|[ \t]*(?:Lap[ \t]*\|[ \t]*)?Metric[ \t]*\|[ \t]*(?:Task|Operation)[ \t]*\|"
    r"[ \t]*Value[ \t]*\|[ \t]*Unit[ \t]*\|"
)
_PERCENTILE = re.compile(r"(\d{1,3}(?:\.\d{1,6})?)th percentile (latency|service time|processing time)")
_THROUGHPUT = re.compile(r"(Min|Mean|Median|Max) Throughput")
_CLOCKS = {"latency": "response", "service time": "service"}
_SEMANTICS = {
    "response": "from the moment at which a request was due to its answer",
    "service": "from sending a request to its answer",
}
_MOST_TASKS = 1_000


@dataclass(slots=True)
class _Task:
    """Results of one task. `largest` holds the 100th percentile by clock (`response`, `service`)."""

    name: str
    line: int
    largest: dict[str, Summary] = field(default_factory=dict)
    claims: list[Claim] = field(default_factory=list)
    has_errors: bool = False

    def read_row(self, metric: str, value: str, unit: str, line_no: int) -> None:
        """Store a row by its printed metric, value and unit; ignore unknown metrics and negative values."""
        number = amount(value)
        if number is None:
            return
        operation, quantity = self.name, "error_percent"
        if (percentile := _PERCENTILE.fullmatch(metric)) is not None and unit == "ms":
            self._add_percentile(percentile, value, line_no)
            return
        if _THROUGHPUT.fullmatch(metric) is not None:
            operation = f"{self.name}: {metric.split(maxsplit=1)[0].lower()}"
            quantity = "throughput_ops_per_s" if unit == "ops/s" else "throughput_documents_per_s"
        elif metric == "error rate":
            self.has_errors = number.digits > 0
        else:
            return
        self.claims.append(Claim.of_number(operation, quantity, number, line=line_no, sign=f" {unit}"))

    def _add_percentile(self, percentile: re.Match[str], value: str, line_no: int) -> None:
        """Store the 100th percentile as the largest, others as claims; ignore invalid numbers."""
        share, kind = printed(percentile[1]), percentile[2]
        time = rounded(value, NS_PER_MS, "ms")
        if share is None or time is None or not 0 < share.value <= 100:
            return
        clock = _CLOCKS.get(kind)
        if share.value == 100 and clock is not None:
            self.largest[clock] = Summary(
                self.name, line_no, clock=clock, most=time, name=f"{self.name} {kind}"
            )
            return
        label, quantile = f"{self.name}: {kind}", float(share.value / 100)
        self.claims.append(time.claim(label, "latency_quantile_ns", line_no, quantile))


def _detect(head: Head) -> Detection | None:
    if _CSV.search(head.text) is None and _MARKDOWN.search(head.text) is None:
        return None
    if re.search(r"th percentile (?:latency|service time)|of primary shards|Throughput", head.text) is None:
        return None
    return Detection(FORM, TOOL, None, "`Metric`, `Task`, `Value`, `Unit`")


def _runs(source: Source) -> Iterator[ParsedRun]:
    """Yield the only run, of the first 1,000 tasks, names cut to 200 characters; nothing without a result."""
    tasks: dict[str, _Task] = {}
    for line_no, cells in _rows(source):
        metric, name, value, unit = cells
        if name and (name in tasks or len(tasks) < _MOST_TASKS):
            tasks.setdefault(name, _Task(name[:200], line_no)).read_row(metric, value, unit, line_no)
    filled = [task for task in tasks.values() if task.claims or task.largest]
    if filled:
        yield _run(filled)


def _run(tasks: Sequence[_Task]) -> ParsedRun:
    """Return the run of all tasks; latencies of a task with failed requests are claims, no series."""
    run = PrintedRun(1, claims=[claim for task in tasks for claim in task.claims])
    reason = "percentiles below the 100th may be of a t-digest, without certain ends, and are only shown"
    run.problems.note("percentiles", reason)
    for task in tasks:
        if task.has_errors:
            reason = f"{task.name}: requests failed; how many, and their times, are not known"
            run.problems.add("errors", reason, task.line)
    series = [
        parsed
        for clock, words in _SEMANTICS.items()
        for task in tasks
        if clock in task.largest and not task.has_errors
        for parsed in all_series([task.largest[clock]], run.problems, words)
    ]
    summaries = [summary for task in tasks for summary in task.largest.values()]
    return run.parsed(
        FORM, TOOL, summaries, series, finished("the report is written when the race has ended")
    )


def _rows(source: Source) -> Iterator[tuple[int, tuple[str, str, str, str]]]:
    """Yield line number and cells (metric, task, value, unit) of rows, of rows by lap those of all laps."""
    for line_no, text in text_lines(source):
        if text.startswith("|"):
            cells = [cell.strip() for cell in text.strip().strip("|").split("|")]
        else:
            cells = next(csv.reader([text]), [])
        if len(cells) == 5 and cells[0] == "All":
            cells = cells[1:]
        if len(cells) == 4:
            yield line_no, (cells[0], cells[1], cells[2], cells[3])


ESRALLY = ToolImporter(FORM, "Rally", _detect, _runs)
