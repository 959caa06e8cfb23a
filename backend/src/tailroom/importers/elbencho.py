"""The importer of elbencho: its table of results, and its CSV.

Latencies are whole microseconds, cut. Their histogram has four buckets an octave; a percentile is printed as
the upper edge of its bucket. `FIRST DONE` covers only a part of the test and is not used. A thread waits for
an operation before it sends the next. Source: elbencho `Statistics.cpp`, `LatencyHistogram.h`, `UnitTk.cpp`.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tailroom.domain.units import NS_PER_MS, NS_PER_US
from tailroom.importers.importer import Detection
from tailroom.importers.parsed_run import Claim, ParsedRun
from tailroom.importers.printed import printed, whole
from tailroom.importers.problems import Problems
from tailroom.importers.source import Head, Source
from tailroom.importers.summaries import UNITS_NS, Summary, Time, all_series, cut, go_duration, rounded
from tailroom.importers.text_runs import PrintedRun, ToolImporter, finished, sections, text_lines

FORM = TOOL = "elbencho"
_TABLE = re.compile(r"(?m)^OPERATION[ \t]+RESULT TYPE[ \t]+FIRST DONE[ \t]+LAST DONE")
_CSV = re.compile(r"(?m)^ISO date,label,path type,", re.IGNORECASE)
_ROW = re.compile(r"(\S{1,40})?\s+(\S.{0,30}?)\s*:\s+(\S.*)")
_ENDS = re.compile(r"\[ min=(\S+) avg=(\S+) max=(\S+) \]")
_TIME = re.compile(r"([\d.]{1,20})(us|ms|s)")
_PERCENTILE = re.compile(r"([\d.]{1,12})%<=([\d.]{1,12})")
_BUCKET = re.compile(r"([\d.]{1,12}): (\d{1,18})")
_LATENCIES = (" latency", " lat % us", " lat hist")
_BUCKETS = 112
_IN_AN_OCTAVE = 4
_MIB = 1 << 20
_SEMANTICS = "one operation of a thread, which waits for it; whole microseconds, cut"
_STATISTICS = ("min", "avg", "max")
_FACTS = {
    "label": "title",
    "path type": "path_type",
    "hosts": "hosts",
    "threads": "threads",
    "file size": "file_size",
    "block size": "block_size",
    "direct IO": "direct",
    "random": "random",
    "IO depth": "iodepth",
    "command": "command",
}


def _lower_edge_us(bucket: int) -> float:
    return math.pow(2.0, bucket / _IN_AN_OCTAVE)


_BUCKET_OF = {
    f"{edge:.{1 if edge < 10 else 0}f}": bucket
    for bucket in range(_BUCKETS - 1)
    if (edge := _lower_edge_us(bucket + 1))
}
"""Buckets by their upper edges as printed: µs with one decimal below 10, else without."""


def _bucket_time(text: str) -> Time | None:
    """Return the bounds of the bucket whose upper edge is printed as `text`; None if there is none."""
    bucket = _BUCKET_OF.get(text)
    if bucket is None:
        return None
    lower_us = math.ceil(_lower_edge_us(bucket)) if bucket else 0
    return Time(f"{text} µs", lower_us * NS_PER_US, math.ceil(_lower_edge_us(bucket + 1)) * NS_PER_US - 1)


def _printed_time(text: str) -> Time | None:
    """Return the bounds of a text such as `1.25ms`; None for any other text.

    A time was rounded down to µs before it was rounded to the printed digits of ms or s.
    """
    match = _TIME.fullmatch(text)
    if match is None:
        return None
    unit_ns = UNITS_NS[match[2]]
    if unit_ns == NS_PER_US:
        return cut(match[1], unit_ns, "us")
    time = rounded(match[1], unit_ns, match[2])
    return None if time is None else Time(time.text, time.lower_ns, time.upper_ns + NS_PER_US)


@dataclass(slots=True)
class _Phase(PrintedRun):
    """Printed results of one phase; `summaries` are by kind (`IO`, `IO rd`, `Files`)."""

    name: str = ""
    summaries: dict[str, Summary] = field(default_factory=dict)
    duration: Time | None = None

    def take(self, line_no: int, text: str) -> None:
        """Store a row of the table that is about this phase; ignore any other line."""
        match = _ROW.fullmatch(text)
        if match is not None and match[1] is None:
            _add_row(self, line_no, match[2], match[3])

    def summary(self, kind: str, line: int) -> Summary:
        """Return the summary of a kind (`IO`, `IO rd`, `Files`), adding an empty summary if there is none."""
        words = kind.split()
        operation = {"rd": "read", "wr": "write"}.get(words[-1], self.name.lower())
        if words[0] != "IO":
            operation = f"{operation} {words[0].lower()}"
        return self.summaries.setdefault(kind, Summary(operation, line, name=kind))

    def claim(self, quantity: str, text: str, unit: int = 1, operation: str | None = None) -> None:
        """Add a number (cut by the tool) times `unit` to `claims`; ignore negative numbers and other text."""
        number = printed(text)
        if number is not None and number.digits >= 0:
            ends = float(number.digits) * unit, float(number.digits + 1) * unit
            name = operation or self.name.lower()
            self.claims.append(Claim(name, quantity, number.text, *ends, line=self.line))

    def finish(self) -> ParsedRun:
        """Return the phase as a run; report a phase without latencies. To be called once."""
        summaries = list(self.summaries.values())
        self.set_duration(self.duration, self.line)
        self.duration_ns = None if self.duration is None else self.duration.lower_ns
        self.parameters = {"phase": self.name, **self.parameters}
        series = all_series(summaries, self.problems, _SEMANTICS)
        if not series:
            self.problems.note("none", f"{self.name} has no latencies", self.line)
        ending = finished("results are written when the last thread is done")
        return self.parsed(FORM, TOOL, summaries, series, ending)


def _detect(head: Head) -> Detection | None:
    if _CSV.search(head.text) is not None and "time ms [last]" in head.text:
        return Detection(FORM, TOOL, None, "`ISO date,label,…,time ms [last]`")
    if _TABLE.search(head.text) is not None:
        return Detection(FORM, TOOL, None, "`OPERATION RESULT TYPE FIRST DONE LAST DONE`")
    return None


def _runs(source: Source) -> Iterator[ParsedRun]:
    is_csv = _CSV.search(source.head.text) is not None
    phases = _csv_phases(source) if is_csv else sections(source, _begin, _Phase.take)
    return (phase.finish() for phase in phases)


def _begin(line_no: int, text: str, _: _Phase | None) -> _Phase | None:
    match = _ROW.fullmatch(text)
    if match is None or match[1] is None or match[2] != "Elapsed time":
        return None
    return _Phase(line_no, name=match[1], duration=go_duration(match[3].split()[-1]))


def _add_row(phase: _Phase, line_no: int, kind: str, values: str) -> None:
    """Add a row of the table with the label `kind`; of rates, sums and counts the column of all threads."""
    ending = next((ending for ending in _LATENCIES if kind.endswith(ending)), None)
    if ending is not None:
        _add_latencies(phase.summary(kind.removesuffix(ending), line_no), ending, values, phase.problems)
        return
    last = values.rsplit(maxsplit=1)[-1]
    direction = {"read": "read", "write": "write", "total": "total"}.get(kind.rsplit(maxsplit=1)[-1])
    if kind.startswith("IOPS"):
        phase.claim("throughput_ops_per_s", last, 1, direction)
    elif "MiB/s" in kind or kind.startswith("Throughput"):
        phase.claim("bandwidth_bytes_per_s", last, _MIB, direction)
    elif kind.endswith("MiB") or kind.startswith("MiB"):
        phase.claim("bytes_total", last, _MIB, None if kind.startswith("Total") else direction)
    elif kind.startswith("IOs"):
        side = {"read": "IO rd", "write": "IO wr"}.get(kind.rsplit(maxsplit=1)[-1], "IO")
        phase.summary(side, line_no).count = whole(last)
    elif "/s" in kind:
        entries = kind.split("/", maxsplit=1)[0].lower()
        phase.claim("throughput_ops_per_s", last, 1, f"{phase.name.lower()} {entries}")


def _add_latencies(summary: Summary, ending: str, values: str, problems: Problems) -> None:
    """Add extremes and mean, percentiles or buckets, by `ending` of the label; report unknown buckets."""
    if ending == " latency":
        match = _ENDS.fullmatch(values)
        if match is not None:
            summary.least, summary.mean, summary.most = (_printed_time(text) for text in match.groups())
        return
    pattern = _PERCENTILE if ending == " lat % us" else _BUCKET
    pairs = pattern.findall(values)
    if ending == " lat hist":
        _add_histogram(summary, pairs, problems)
        return
    for percent, edge in pairs:
        number, time = printed(percent), _bucket_time(edge)
        if number is None or time is None or not 0 < number.value <= 100:
            problems.add("bucket", f"{percent}%<={edge} names no bucket of elbencho", summary.line)
            continue
        summary.quantiles.append((number.value / 100, time))


def _add_histogram(summary: Summary, pairs: Sequence[tuple[str, str]], problems: Problems) -> None:
    """Add counts by `pairs` (upper edge, count); if any is invalid or there are none, only add a problem."""
    total = 0
    below: list[tuple[Time, int]] = []
    for edge, amount in pairs:
        time, count = _bucket_time(edge), whole(amount)
        if time is None or count is None:
            below.clear()
            break
        if time.lower_ns:
            below.append((Time(time.text, time.lower_ns, time.lower_ns - 1), total))
        total += count
        below.append((Time(time.text, time.upper_ns + 1, time.upper_ns), total))
    if not below:
        problems.add("bucket", "the histogram has buckets that elbencho does not have", summary.line)
        return
    summary.below += below
    summary.count = total


def _csv_phases(source: Source) -> Iterator[_Phase]:
    """Yield a phase for each row of the CSV; a row of another length gives an empty phase with a problem."""
    names: list[str] = []
    for line_no, text in text_lines(source):
        if _CSV.match(text) is not None:
            names = text.split(",")
            continue
        cells = text.split(",")
        if not names or not text.strip():
            continue
        row = dict(zip(names, cells, strict=False))
        phase = _Phase(line_no, name=row.get("operation", "")[:40] or "operation")
        if len(cells) != len(names):
            phase.problems.add(
                "columns", f"a row of {len(cells)} instead of {len(names)} columns was left out", line_no
            )
            row = {}
        yield _store_csv_row(phase, row, line_no)


def _store_csv_row(phase: _Phase, row: Mapping[str, str], line_no: int) -> _Phase:
    """Store a row of the CSV (cells by column name) in the phase, and return the phase."""
    phase.version = row.get("version", "")[:40] or None
    phase.duration = cut(row.get("time ms [last]", ""), NS_PER_MS, "ms")
    phase.parameters = {
        name: text[:300] for label, name in _FACTS.items() if (text := row.get(label, "").strip())
    }
    is_mixed = any(row.get(f"rwmix read {kind} lat us [max]") for kind in ("IO", "Ent"))
    for before, side in (("", " wr" if is_mixed else ""), ("rwmix read ", " rd")):
        for kind in ("IO", "Ent"):
            times = [
                cut(row.get(f"{before}{kind} lat us [{end}]", ""), NS_PER_US, "us") for end in _STATISTICS
            ]
            if any(time is not None for time in times):
                summary = phase.summary(f"{'IO' if kind == 'IO' else 'entries'}{side}", line_no)
                summary.least, summary.mean, summary.most = times
        operation = {" rd": "read", " wr": "write"}.get(side)
        phase.claim("throughput_ops_per_s", row.get(f"{before}IOPS [last]", ""), 1, operation)
        phase.claim("bandwidth_bytes_per_s", row.get(f"{before}MiB/s [last]", ""), _MIB, operation)
        phase.claim("bytes_total", row.get(f"{before}MiB [last]", ""), _MIB, operation)
        entries = f"{operation or phase.name.lower()} entries"
        phase.claim("throughput_ops_per_s", row.get(f"{before}entries/s [last]", ""), 1, entries)
    return phase


ELBENCHO = ToolImporter(FORM, "elbencho", _detect, _runs)
