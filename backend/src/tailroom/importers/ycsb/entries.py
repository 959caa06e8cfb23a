"""Entries of YCSB's summary (text or JSON), version, command line and raw lines.

An entry is `metric, measurement, value`, a raw line `READ,1795178090117,839`: operation, milliseconds since
1970, latency in microseconds. Lines of any other shape are returned. Raw latencies are stored to the
microsecond up to 262 ms, and to 0.00076 % beyond, in a histogram for each second, or for longer intervals if
these would need too much memory. Source: `OneMeasurementRaw`.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.units import NS_PER_MS, NS_PER_US
from tailroom.importers.number_rows import named_rows
from tailroom.importers.parsed_run import Value
from tailroom.importers.printed import parameter_value
from tailroom.importers.problems import ProblemList
from tailroom.importers.samples import Samples
from tailroom.importers.source import Block

VERSION = re.compile(r"YCSB Client (\S{1,60})")
COMMAND = re.compile(r"Command line: (.*)")
_SECRET = re.compile(r"passw|secret|token|credential|apikey|api_key", re.IGNORECASE)
_MAX_TEXT = 200
_MAX_PARAMETERS = 200
_TEXT = re.compile(r"\s{0,9}\[([^\]]{1,200})\], ?(.{1,200}), ([^,\s]{1,60})\s*")
"""Up to 0.1.2 there is no blank behind `[OVERALL],`."""
_JSON = re.compile(
    rb'\{\s*"metric"\s*:\s*("(?:[^"\\]|\\.){1,200}")\s*,\s*"measurement"\s*:\s*("(?:[^"\\]|\\.){1,200}")\s*,'
    rb'\s*"value"\s*:\s*"?([^\s},"]{1,60})"?\s*\}'
)
JSON_MARK = re.compile(r'\{\s*"metric"\s*:\s*"[^"]*"\s*,\s*"measurement"\s*:')
_BETWEEN = re.compile(rb"[\s,\[\]]*")
_LAYOUT = HdrLayout(NS_PER_US, 5)
_TIMESTAMP_DIGITS = 13
_MS_PER_S = 1_000


def parameters_of(command: str) -> dict[str, Value]:
    """Return the first 200 options and properties of a command line by name; other words are ignored.

    Secrets such as passwords become `(not kept)`; paths of workload files are cut to their names.
    """
    words = command.split()
    parameters: dict[str, Value] = {}
    position = 0
    while position < len(words) and len(parameters) < _MAX_PARAMETERS:
        word, following = words[position], words[position + 1] if position + 1 < len(words) else ""
        if word in ("-threads", "-target", "-db", "-l"):
            parameters[{"-l": "label"}.get(word, word[1:])] = parameter_value(following)
            position += 2
        elif word == "-p" and "=" in following:
            name, _, text = following.partition("=")
            parameters[name[:80]] = "(not kept)" if _SECRET.search(name) else parameter_value(text)
            position += 2
        elif word == "-P":
            parameters["workload_file"] = following.rsplit("/", 1)[-1][:_MAX_TEXT]
            position += 2
        elif word in ("-load", "-t"):
            parameters["phase"] = "load" if word == "-load" else "run"
            position += 1
        else:
            position += 1
    return parameters


@dataclass(frozen=True, slots=True)
class Entry:
    """One number of a summary as printed: `text` of `measurement` of `metric`."""

    metric: str
    measurement: str
    text: str
    line_no: int


def text_entry(line_no: int, text: str) -> Entry | None:
    """Return the entry of a line such as `[READ], AverageLatency(us), 113.47`; None for any other line."""
    match = _TEXT.fullmatch(text)
    return None if match is None else Entry(match[1], match[2], match[3], line_no)


def json_entries(data: bytes, problems: ProblemList) -> Iterator[Entry]:
    """Yield the entries of JSON objects, alone or in an array; report text between them."""
    line_no, counted, end = 1, 0, 0
    for match in _JSON.finditer(data):
        line_no += data.count(b"\n", counted, match.start())
        counted = match.start()
        _check_between(data[end : match.start()], line_no, problems)
        end = match.end()
        try:
            metric, measurement = _string(match[1]), _string(match[2])
        except ValueError:
            problems.add("the name of the entry is no JSON string", line_no)
            continue
        yield Entry(metric, measurement, match[3].decode("ascii", "replace"), line_no)
    _check_between(data[end:], line_no, problems)


def _string(quoted: bytes) -> str:
    """Return the text of a quoted JSON string. Raise ValueError for invalid escapes."""
    return str(json.loads(quoted)) if b"\\" in quoted else quoted[1:-1].decode("utf-8", "replace")


def _check_between(data: bytes, line_no: int, problems: ProblemList) -> None:
    rest = data[_BETWEEN.match(data).end() :] if data else b""  # type: ignore[union-attr]
    if rest:
        problems.add(f"no entry of YCSB: {rest[:60].decode('utf-8', 'replace')!r}; it was left out", line_no)


@dataclass(slots=True)
class RawOperation:
    """Latencies of the raw lines of one operation, and their first and last time."""

    _samples: Samples
    first_ms: int = 1 << 62
    """The earliest time of a line, since 1970."""
    last_ms: int = 0
    """The latest time of a line, since 1970."""

    @property
    def count(self) -> int:
        """Number of lines."""
        return self._samples.count

    def add(self, at_ms: Int64s, latency_us: Int64s) -> None:
        """Add lines of this operation: times in ms since 1970, and latencies in µs."""
        self.first_ms = min(self.first_ms, int(at_ms.min()))
        self.last_ms = max(self.last_ms, int(at_ms.max()))
        self._samples.add(at_ms // _MS_PER_S, latency_us)

    def intervals(self, run_start_ms: int) -> IntervalRecords:
        """Return the intervals, with starts relative to that of the run. Call it once."""
        return self._samples.intervals(run_start_ms * NS_PER_MS, (self.last_ms + 1) * NS_PER_MS)


class YcsbRawReader:
    """Parser of the raw lines among other lines, by operation."""

    def __init__(self) -> None:
        self.operations: dict[str, RawOperation] = {}
        self._group: list[Samples] = []

    def take(self, block: Block) -> Iterator[tuple[int, bytes]]:
        """Add the raw lines of a block; return line number and bytes of each other line."""
        columns, others = named_rows(block, _TIMESTAMP_DIGITS)
        for rows in columns:
            self.add(rows.name, rows.times, rows.values)
        return others

    def add(self, name: bytes, at_ms: Int64s, latency_us: Int64s) -> None:
        """Add lines of the operation `name`: times in ms since 1970, and latencies in µs."""
        operation = RawOperation(Samples(_LAYOUT, NS_PER_US, self._group))
        self.operations.setdefault(name.decode("utf-8", "replace"), operation).add(at_ms, latency_us)
