"""The importers of YCSB's ports: YCSB-cpp (C++) and go-ycsb (Go).

Both count from the beginning, so that the last line of an operation is its result. YCSB-cpp prints
microseconds with two decimals, cut from nanoseconds in an HdrHistogram of three digits, or no percentiles at
all; load and run are two measurements. go-ycsb cuts to whole microseconds, its mean as well; failed calls are
under the name with `_ERROR`. Its single operations (`measurementtype=raw` or `csv`, lines
`READ,1795178090117042,839`) have their start in µs since 1970 and their latency in µs, by operation and in no
order of time; `TOTAL` repeats every good call. Source: `core/measurements.cc`, `core/ycsbc.cc`;
`pkg/measurement/histogram.go`, `csv.go`, `pkg/client/dbwrapper.go`.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from fractions import Fraction

import numpy as np

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.units import NS_PER_S, NS_PER_US
from tailroom.importers.importer import ContentUnreadable, Detection
from tailroom.importers.number_rows import named_rows
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun
from tailroom.importers.printed import printed, whole
from tailroom.importers.problems import Problems
from tailroom.importers.samples import MAX_VALUE, Samples
from tailroom.importers.source import Block, Head, Source
from tailroom.importers.summaries import THREE_DIGITS, Summary, Time, all_series, cut, hdr, rounded
from tailroom.importers.text_runs import MAX_RUNS, PrintedRun, ToolImporter, finished_if, text_lines

_HEADER = "operation,timestamp_us,latency_us"
_ENDED = re.compile(rb"(?m)^Run finished, takes ")
_RAW_ROW = re.compile(rb"([A-Z][A-Z_]{0,60}),(\d{1,18}),(\d{1,18})")
_NAME = re.compile(rb"[A-Z][A-Z_]{0,60}")
_TIME_DIGITS = 16
_FIRST_US, _LAST_US = 1 << 49, 1 << 52
"""1987 and 2112: numbers outside are no times of operations."""
_PER_SECOND = 1_000_000
_MOST_NAMES = 200
_ERROR = "_ERROR"
_RAW = "one call of the database binding, cut to whole microseconds"
_LAYOUT = HdrLayout(NS_PER_US, 5)
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


@dataclass(slots=True)
class _RawRows:
    """Latencies of a file by operation; `first_us`, `last_us`: first start and last end in µs since 1970.

    `has_header`, `ended`: whether these lines were read. `group` has all samples: they share a memory limit.
    """

    samples: dict[str, Samples] = field(default_factory=dict)
    group: list[Samples] = field(default_factory=list)
    problems: Problems = field(default_factory=Problems)
    first_us: int = _LAST_US
    last_us: int = 0
    has_header: bool = False
    ended: bool = False

    def read_block(self, block: Block) -> None:
        """Add the rows of a block, and note header, end of the run and wrong lines."""
        columns, others = named_rows(block, _TIME_DIGITS)
        for rows in columns:
            self._add(rows.name, rows.times, rows.values, block.first_line)
        for line_no, line in others:
            single = _RAW_ROW.fullmatch(line)
            if single is None:
                self._read_other(line_no, line)
                continue
            times, values = np.array([int(single[2])]), np.array([int(single[3])])
            self._add(single[1], times, values, line_no)

    def _read_other(self, line_no: int, line: bytes) -> None:
        text = line[:200].decode("utf-8", "replace")
        if text == _HEADER:
            self.has_header = True
        elif _ENDED.match(line):
            self.ended = True
        elif self.has_header and text.strip() and not text.startswith(("*", '"')):
            self.problems.add("row", f"no row `operation,microseconds,microseconds`: {text[:60]!r}", line_no)

    def _add(self, raw_name: bytes, times: Int64s, values: Int64s, line_no: int) -> None:
        """Add rows of one name, in µs; failed calls (`_ERROR`) count as errors in the second of their end."""
        name = raw_name.decode("utf-8", "replace")
        if _NAME.fullmatch(raw_name) is None:
            self.problems.add("row", f"no name of an operation: {name[:60]!r}", line_no)
            return
        if len(self.samples) >= _MOST_NAMES and name.removesuffix(_ERROR) not in self.samples:
            self.problems.error("names", f"more than {_MOST_NAMES} operations", line_no)
            return
        good = (times >= _FIRST_US) & (times < _LAST_US) & (values < MAX_VALUE >> 10)
        if not good.all():
            self.problems.add(
                "impossible", f"{int((~good).sum())} rows with a time that no operation has", line_no
            )
            times, values = times[good], values[good]
        if not times.size:
            return
        ends = times + values
        self.first_us = min(self.first_us, int(times.min()))
        self.last_us = max(self.last_us, int(ends.max()))
        samples = Samples(_LAYOUT, NS_PER_US, self.group)
        samples_of_name = self.samples.setdefault(name.removesuffix(_ERROR), samples)
        if name.endswith(_ERROR):
            seconds, counts = np.unique(ends // _PER_SECOND, return_counts=True)
            for second, count in zip(seconds.tolist(), counts.tolist(), strict=True):
                samples_of_name.miss(second, errors=count)
        else:
            samples_of_name.add(ends // _PER_SECOND, values)


def _read_raw(source: Source) -> ParsedRun:
    """Return the run of a file with a series for each operation. Raise ContentUnreadable without any."""
    rows = _RawRows()
    for block in source.blocks():
        rows.read_block(block)
    if not rows.samples:
        raise ContentUnreadable(f"{source.name} has no row of an operation that can be read")
    begin_ns, end_ns = rows.first_us * NS_PER_US, (rows.last_us + 1) * NS_PER_US
    series = [
        samples.series(_operation(name), "service", begin_ns, end_ns, semantics=_RAW, source_name=name)
        for name, samples in rows.samples.items()
    ]
    run = PrintedRun(1, problems=rows.problems, duration_ns=end_ns - begin_ns)
    otherwise = "rows of operations have no mark at their end"
    ending = finished_if(rows.ended, "the end of the run was printed", otherwise)
    started_at = datetime.fromtimestamp(0, UTC) + timedelta(microseconds=rows.first_us)
    return run.parsed("go-ycsb-raw", "go-ycsb", [], series, ending, started_at=started_at)


def _operation(name: str) -> str:
    return "read-modify-write" if name == "READMODIFYWRITE" else name.lower().replace("_", "-")


@dataclass(slots=True)
class _PortRun(PrintedRun):
    """One run as far as it was read: its summaries by the names of operations in the file."""

    summaries: dict[str, Summary] = field(default_factory=dict)
    ended: bool = False
    phase: str | None = None

    def finish(self, form: str, semantics: str, end: str) -> ParsedRun:
        """Return the run, with failed calls as errors of their operation; `end` names the mark at its end."""
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
    for line in head.lines:
        if line == _HEADER:
            return Detection("go-ycsb-raw", "go-ycsb", None, f"the head `{_HEADER}`")
        if _GO_LINE.fullmatch(line) or _GO_TABLE.fullmatch(line.strip()):
            return Detection("go-ycsb", "go-ycsb", None, "lines `… - Takes(s): …, Count: …`")
    if '"Takes(s)":' in head.text and '"Operation":' in head.text:
        return Detection("go-ycsb", "go-ycsb", None, "JSON with `Operation` and `Takes(s)`")
    return None


def _runs_go(source: Source) -> Iterator[ParsedRun]:
    """Yield the runs of the file; a count that falls begins another run, up to MAX_RUNS + 1."""
    if _HEADER in source.head.lines:
        yield _read_raw(source)
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
    """Yield operation and fields (in lower case) of each row in a line of text, JSON or a table."""
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
