"""The importer of `rados bench`: the totals that it prints at its end, as text or as JSON.

A fixed number of operations is in flight, a closed loop. Numbers have six significant digits, in JSON six
decimals. The deviation of IOPS in JSON is misprinted and not read. Source: Ceph `src/common/obj_bencher.cc`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal

from tailroom.domain.units import NS_PER_S
from tailroom.importers.importer import Detection
from tailroom.importers.json_documents import json_document
from tailroom.importers.parsed_run import ParsedRun, Value
from tailroom.importers.printed import amount, printed, whole
from tailroom.importers.source import Head, Source
from tailroom.importers.summaries import Summary, all_series, rounded
from tailroom.importers.text_runs import PrintedRun, ToolImporter, finished, sections

_BEGIN = re.compile(
    r"Maintaining (\d{1,9}) concurrent writes of \d{1,15} bytes"
    r"(?:.* for up to (\d{1,9}) seconds or (\d{1,9}) objects)?.*"
)
_OF_BEGIN = ("concurrency", "seconds_to_run", "max_objects")
_LINE = re.compile(r"([A-Z][A-Za-z ()/]{3,40}):\s+(-?\d[\d.e+-]{0,30})")
_MADE = re.compile(r"(?m)^Total (?:writes|reads) made:\s+\d")
_TIMES = {
    "Average Latency": "mean",
    "Stddev Latency": "deviation",
    "Max latency": "most",
    "Min latency": "least",
}
_RATES = {
    "Bandwidth (MB/sec)": ("bandwidth_bytes_per_s", 1 << 20),
    "Stddev Bandwidth": ("bandwidth_deviation_bytes_per_s", 1 << 20),
    "Max bandwidth (MB/sec)": ("bandwidth_max_bytes_per_s", 1 << 20),
    "Min bandwidth (MB/sec)": ("bandwidth_min_bytes_per_s", 1 << 20),
    "Stddev IOPS": ("rate_deviation_ops_per_s", 1),
    "Max IOPS": ("rate_max_ops_per_s", 1),
    "Min IOPS": ("rate_min_ops_per_s", 1),
}
_OF_JSON = {
    "total_time_run": "Total time run",
    "bandwidth": "Bandwidth (MB/sec)",
    "stddev_bandwidth": "Stddev Bandwidth",
    "max_bandwidth": "Max bandwidth (MB/sec)",
    "min_bandwidth": "Min bandwidth (MB/sec)",
    "average_iops": "Average IOPS",
    "max_iops": "Max IOPS",
    "min_iops": "Min IOPS",
    "average_latency": "Average Latency",
    "stddev_latency": "Stddev Latency",
    "max_latency": "Max latency",
    "max_latency:": "Max latency",
    "min_latency": "Min latency",
}
"""The totals of JSON, by the names of the text; one had a colon too many."""
_OF_A_RUN = {
    "concurrent_ios": "concurrency",
    "object_size": "object_bytes",
    "op_size": "block_size",
    "write_size": "block_size",
    "read_size": "block_size",
    "seconds_to_run": "seconds_to_run",
    "max_objects": "max_objects",
}
_JSON = re.compile(r'"(?:concurrent_ios|datas|total_(?:writes|reads)_made)"\s*:')
_MADE_OF_JSON = {"total_writes_made": "write", "total_reads_made": "read"}
_SEMANTICS = "from submitting an operation to its completion, on the clock of the client"


@dataclass(slots=True)
class _RadosRun(PrintedRun):
    """The printed totals of one test, and the settings before them."""

    operation: str | None = None
    numbers: dict[str, str] = field(default_factory=dict)
    """Printed totals by their names in the text; `made` is the number of operations."""

    def take(self, _: int, text: str) -> None:
        """Store a total or a size of an operation; of most names the first counts. Ignore any other line."""
        match = _LINE.fullmatch(text.strip())
        if match is None:
            return
        name, value = match[1].strip(), match[2]
        if name in ("Total writes made", "Total reads made"):
            self.operation = "write" if "writes" in name else "read"
            self.numbers["made"] = value
        elif name in ("Write size", "Read size", "Object size"):
            self.parameters["object_bytes" if name == "Object size" else "block_size"] = whole(value)
        else:
            self.numbers.setdefault(name, value)

    def finish(self) -> ParsedRun:
        """Return the totals of the test as a run; latencies only if operations were counted."""
        operation = self.operation or "read"
        summary = Summary(operation, self.line, name=operation)
        summary.count = whole(self.numbers.get("made", ""))
        summary.rate = printed(self.numbers.get("Average IOPS", ""))
        for name, text in self.numbers.items():
            field_name = _TIMES.get(name.removesuffix("(s)"))
            if field_name is not None and summary.count:
                setattr(summary, field_name, rounded(text, NS_PER_S, "s"))
            if name in _RATES:
                quantity, unit = _RATES[name]
                self.add_number(operation, quantity, amount(text), unit, self.line)
        self.set_duration(rounded(self.numbers.get("Total time run", ""), NS_PER_S, "s"), self.line)
        series = all_series([summary], self.problems, _SEMANTICS)
        ending = finished("the totals were printed")
        return self.parsed(
            "rados-bench", "rados-bench", [summary], series, ending, without_series="no latencies"
        )


def _detect(head: Head) -> Detection | None:
    reason = ""
    if head.text.lstrip().startswith("{") and _JSON.search(head.text) is not None:
        if '"datas"' in head.text or '"total_time_run"' in head.text:
            reason = "JSON with `datas` and `total_time_run`"
    elif _MADE.search(head.text) is not None and "atency" in head.text:
        reason = "`Total … made:` and `Average Latency`"
    elif re.search(r"(?m)^[ \t]*sec Cur ops\s+started\s+finished\s+avg MB/s", head.text) is not None:
        reason = "`sec Cur ops started finished`"
    return Detection("rados-bench", "rados-bench", None, reason) if reason else None


def _runs(source: Source) -> Iterator[ParsedRun]:
    settings: dict[str, Value] = {}

    def begin(line_no: int, text: str, _: _RadosRun | None) -> _RadosRun | None:
        nonlocal settings
        if (planned := _BEGIN.fullmatch(text.strip())) is not None:
            stated = zip(_OF_BEGIN, planned.groups(), strict=True)
            settings = {name: whole(setting) for name, setting in stated if setting}
        if not text.strip().startswith("Total time run:"):
            return None
        run = _RadosRun(line_no, settings)
        settings = {}
        run.take(line_no, text)
        return run if run.numbers else None

    is_json = source.head.text.lstrip().startswith("{")
    runs = [_json_run(source)] if is_json else sections(source, begin, _RadosRun.take)
    return (run.finish() for run in runs if run.operation is not None)


def _json_run(source: Source) -> _RadosRun:
    """Return the run of a JSON object, whose numbers may be texts. Raise ContentUnreadable if it is none."""
    document = json_document(source, "rados bench")
    texts = {name: str(value) for name, value in document.items() if isinstance(value, str | int | Decimal)}
    run = _RadosRun(1, {name: whole(texts[key]) for key, name in _OF_A_RUN.items() if key in texts})
    for key, operation in _MADE_OF_JSON.items():
        if key in texts:
            run.operation, run.numbers["made"] = operation, texts[key]
    run.numbers |= {name: texts[key] for key, name in _OF_JSON.items() if key in texts}
    return run


RADOS_BENCH = ToolImporter("rados-bench", "rados bench", _detect, _runs)
