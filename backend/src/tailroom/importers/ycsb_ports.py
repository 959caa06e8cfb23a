"""The importers of YCSB's ports: YCSB-cpp (C++) and go-ycsb (Go).

Both count from the beginning, so that the last line of an operation is its result. YCSB-cpp prints
microseconds with two decimals, cut from nanoseconds in an HdrHistogram of three digits, or no percentiles at
all; load and run are two measurements. go-ycsb cuts to whole microseconds, its mean as well; calls that
failed stand under the name with `_ERROR`. Source: `core/measurements.cc`, `core/ycsbc.cc`;
`pkg/measurement/histogram.go`.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.units import NS_PER_S, NS_PER_US
from tailroom.importers.go_ycsb_raw import HEADER, read_raw
from tailroom.importers.importer import Detection
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun
from tailroom.importers.printed import printed, whole
from tailroom.importers.source import Head, Source
from tailroom.importers.summaries import THREE_DIGITS, Summary, Time, all_series, cut, hdr, rounded
from tailroom.importers.text_runs import MAX_RUNS, PrintedRun, ToolImporter, finished_if, text_lines

_NUMBER = r"\d{1,20}(?:\.\d{1,9})?"
_CPP_STATUS = re.compile(
    r"(?:\d{4}-\d\d-\d\d \d\d:\d\d:\d\d )?(\d{1,9}) sec: (\d{1,18}) operations;((?: \[[^\]\[]{1,400}\])*)"
)
_CPP_PART = re.compile(r"\[([\w-]{1,60}): Count=(\d{1,18}) ([^\]\[]{1,300})\]")
_CPP_FIELD = re.compile(rf"(Max|Min|Avg|\d{{1,2}}(?:\.\d{{1,6}})?)=({_NUMBER})")
_CPP_END = re.compile(r"(Load|Run) (runtime\(sec\)|operations\(ops\)|throughput\(ops/sec\)): (\S{1,40})")
_GO_LINE = re.compile(r"([A-Z][A-Z_]{0,60})\s*- (Takes\(s\): .*)")
_GO_FIELD = re.compile(rf"([A-Za-z0-9.]{{1,12}}(?:\((?:s|us)\))?): ({_NUMBER})")
_GO_TABLE = re.compile(r"\|\s*OPERATION\s*\|\s*TAKES\(S\)\s*\|.*", re.IGNORECASE)
_GO_END = re.compile(r"Run finished, takes (\S{1,40})")
_GO_QUANTILE = re.compile(r"(\d{1,2}(?:\.\d{1,4})?)th\(us\)", re.IGNORECASE)
_ERROR_SUFFIXES = ("_ERROR", "-FAILED")
_MILLIS = HdrLayout()
_CPP = "one call of the database binding; an HdrHistogram of three digits on a clock of nanoseconds"
_GO = "one call of the database binding, cut to whole microseconds, in an HdrHistogram of three digits"


def _operation(name: str) -> str:
    """Return the operation of a name in the file: `READMODIFYWRITE` is `read-modify-write`."""
    operations = {"READMODIFYWRITE": "read-modify-write", "READ_MODIFY_WRITE": "read-modify-write"}
    return operations.get(name, name.lower().replace("_", "-"))


@dataclass(slots=True)
class _PortRun(PrintedRun):
    """One run as far as it was read: its summaries by the names of operations in the file."""

    summaries: dict[str, Summary] = field(default_factory=dict)
    ended: bool = False
    phase: str | None = None

    def finish(self, form: str, semantics: str, end: str) -> ParsedRun:
        """Return the run in the format `form`, with failed calls as errors of their operation.

        `semantics` describes its times; `end` is the name of the mark at its end, for messages.
        """
        good: list[Summary] = []
        for name, summary in self.summaries.items():
            suffix = next((suffix for suffix in _ERROR_SUFFIXES if name.endswith(suffix)), None)
            if suffix is None:
                of_failures = [self.summaries.get(name + error_suffix) for error_suffix in _ERROR_SUFFIXES]
                summary.errors = sum(failures.count or 0 for failures in of_failures if failures is not None)
                good.append(summary)
            elif name.removesuffix(suffix) not in self.summaries:
                good.append(Summary(_operation(name.removesuffix(suffix)), summary.line, count=0))
                good[-1].errors = summary.count or 0
        otherwise = f"{end} is missing: the run was stopped, or is not over"
        ending = finished_if(self.ended, f"{end} was printed at the end", otherwise)
        if self.ended and not any(each.count for each in good) and any(each.errors for each in good):
            ending = EndState.FAILED, "no operation succeeded"
        self.parameters = {"phase": self.phase} if self.phase else {}
        series = all_series(good, self.problems, semantics)
        return self.parsed(form, form, good, series, ending, without_series="no latencies of any operation")


def _detect_cpp(head: Head) -> Detection | None:
    """Recognise the format by the end of a run, or by status lines without commas; else None."""
    for line in head.lines:
        if _CPP_END.fullmatch(line):
            return Detection("ycsb-cpp", "ycsb-cpp", None, f"`{line[:40]}`")
        status = _CPP_STATUS.fullmatch(line)
        if status is not None and _CPP_PART.search(status[3]):
            return Detection("ycsb-cpp", "ycsb-cpp", None, "status lines of YCSB-cpp")
    return None


def _runs_cpp(source: Source) -> Iterator[ParsedRun]:
    """Yield the runs of the file, at most MAX_RUNS + 1; load phase and run phase are two runs."""
    runs = [_PortRun(1)]
    for line_no, text in text_lines(source):
        status, end = _CPP_STATUS.fullmatch(text), _CPP_END.fullmatch(text)
        is_next = status is not None and runs[-1].ended
        is_next |= end is not None and runs[-1].phase not in (None, end[1].lower())
        if is_next and len(runs) <= MAX_RUNS:
            runs.append(_PortRun(line_no))
        if status is not None:
            _add_cpp_status(runs[-1], line_no, status)
        elif end is not None:
            _add_cpp_end(runs[-1], line_no, end)
    filled = (run for run in runs if run.summaries or run.claims)
    return (run.finish("ycsb-cpp", _CPP, "the throughput") for run in filled)


def _add_cpp_status(run: _PortRun, line_no: int, match: re.Match[str]) -> None:
    """Store the numbers of a status line, which replace those of earlier lines; report a count that falls."""
    run.duration_ns = max(run.duration_ns or 0, int(match[1]) * NS_PER_S)
    for part in _CPP_PART.finditer(match[3]):
        count = whole(part[2])
        before = run.summaries.get(part[1])
        if count is None or (before is not None and (before.count or 0) > count):
            run.problems.error("count", f"the count of {part[1]} falls; the line was left out", line_no)
            continue
        summary = Summary(_operation(part[1]), line_no, count=count, name=part[1])
        for name, text in _CPP_FIELD.findall(part[3]):
            time = rounded(text, NS_PER_US, "µs")
            # Buckets of three digits in steps of 8 ns.
            summary.set_time(name.lower(), None if time is None else time.widened(THREE_DIGITS, 8))
        run.summaries[part[1]] = summary


def _add_cpp_end(run: _PortRun, line_no: int, match: re.Match[str]) -> None:
    """Store a number at the end of a phase: its running time, operations or throughput."""
    run.phase = match[1].lower()
    number = printed(match[3])
    if number is None or number.value < 0:
        run.problems.add("end", f"`{match[3]}` is no number that a measurement can have", line_no)
    elif match[2].startswith("runtime") and number.value < 10**9:
        run.duration_ns = int(number.value * NS_PER_S)
    elif match[2].startswith("operations") and number.value.denominator == 1:
        count = int(number.value)
        run.claims.append(Claim.of_count("total", "operation_count", count, line_no))
    elif match[2].startswith("throughput"):
        run.ended = True
        # C++ streams print six digits.
        slack = max(number.ulp, number.value / 10**6)
        ends = float(max(Fraction(0), number.value - slack)), float(number.value + slack)
        run.claims.append(Claim("total", "throughput_ops_per_s", match[3], *ends, line=line_no))


def _detect_go(head: Head) -> Detection | None:
    """Recognise the format by a line, the head of a table or of raw rows, or keys of JSON; else None."""
    for line in head.lines:
        if line == HEADER:
            return Detection("go-ycsb-raw", "go-ycsb", None, f"the head `{HEADER}`")
        if _GO_LINE.fullmatch(line) or _GO_TABLE.fullmatch(line.strip()):
            return Detection("go-ycsb", "go-ycsb", None, "lines `… - Takes(s): …, Count: …`")
    if '"Takes(s)":' in head.text and '"Operation":' in head.text:
        return Detection("go-ycsb", "go-ycsb", None, "JSON with `Operation` and `Takes(s)`")
    return None


def _runs_go(source: Source) -> Iterator[ParsedRun]:
    """Yield the runs of the file; a count that falls begins another run, up to MAX_RUNS + 1."""
    if HEADER in source.head.lines:
        yield read_raw(source)
        return
    runs = [_PortRun(1)]
    columns: list[str] = []
    for line_no, text in text_lines(source):
        if _GO_TABLE.fullmatch(text.strip()):
            columns = [cell.strip() for cell in text.strip().strip("|").split("|")]
            continue
        runs[-1].ended |= _GO_END.fullmatch(text) is not None
        for name, fields in _go_rows(text, columns):
            before = runs[-1].summaries.get(name)
            count = whole(fields.get("count", ""))
            falls = before is not None and count is not None and (before.count or 0) > count
            if falls and len(runs) <= MAX_RUNS:
                runs.append(_PortRun(line_no))
            _add_go_row(runs[-1], line_no, name, fields)
    for run in runs:
        if run.summaries:
            yield run.finish("go-ycsb", _GO, "the end of the run")


def _go_rows(text: str, columns: Sequence[str]) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield operation and fields (keys in lower case) of each row in a line: of text, JSON or a table.

    `columns` are those of the table, empty before its head. Nothing for any other line.
    """
    line = _GO_LINE.fullmatch(text)
    if line is not None:
        yield line[1], {name.lower(): value for name, value in _GO_FIELD.findall(line[2])}
    elif text.startswith("[{") and '"Takes(s)"' in text:
        try:
            rows = json.loads(text)
        except (ValueError, RecursionError):
            return
        for row in rows if isinstance(rows, list) else ():
            if isinstance(row, dict) and isinstance(row.get("Operation"), str):
                yield row["Operation"], {str(key).lower(): str(value) for key, value in row.items()}
    elif columns and text.strip().startswith("|"):
        cells = [cell.strip() for cell in text.strip().strip("|").split("|")]
        if len(cells) == len(columns) and re.fullmatch(r"[A-Z_]{1,60}", cells[0]):
            yield cells[0], {name.lower(): cell for name, cell in zip(columns, cells, strict=True)}


def _add_go_row(run: _PortRun, line_no: int, operation: str, fields: Mapping[str, str]) -> None:
    """Store the fields of an operation instead of those of earlier rows; report a row without a count."""
    count, takes = whole(fields.get("count", "")), printed(fields.get("takes(s)", ""))
    if count is None:
        run.problems.add("count", f"{operation}: the line has no count; it was left out", line_no)
        return
    if takes is not None and 0 <= takes.value < 10**9:
        run.duration_ns = max(run.duration_ns or 0, int(takes.value * NS_PER_S))
    summary = Summary(_operation(operation), line_no, count=count, name=operation, exact_ns=NS_PER_US)
    summary.rate = printed(fields.get("ops", ""))
    mean = cut(fields.get("avg(us)", ""), NS_PER_US, "µs")
    # The mean is that of bucket middles.
    summary.mean = None if mean is None else mean.widened(2 * THREE_DIGITS)
    for key, text in fields.items():
        quantile = _GO_QUANTILE.fullmatch(key)
        name = quantile[1] if quantile is not None else {"min(us)": "min", "max(us)": "max"}.get(key, "")
        summary.set_time(name, hdr(_whole_us(text), _MILLIS))
    run.summaries[operation] = summary


def _whole_us(text: str) -> Time | None:
    """Return a whole number of microseconds as a time with equal bounds; None for any other text."""
    count = whole(text)
    if count is None or count > 1 << 40:
        return None
    return Time(f"{text} µs", count * NS_PER_US, count * NS_PER_US)


YCSB_CPP = ToolImporter("ycsb-cpp", "YCSB-cpp", _detect_cpp, _runs_cpp)
GO_YCSB = ToolImporter("go-ycsb", "go-ycsb", _detect_go, _runs_go)
