"""Single operations of go-ycsb (`measurementtype=raw` or `csv`): `READ,1795178090117042,839`.

Microseconds since 1970 at which the operation began, and how many microseconds it took; first all of one
operation, then those of the next, in no order of time. Calls that failed have the name with `_ERROR`,
and `TOTAL` repeats every good call. Source: `pkg/measurement/csv.go`, `pkg/client/dbwrapper.go`.
"""

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import numpy as np

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.units import NS_PER_US
from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.named_rows import named_rows
from tailroom.importers.parsed_run import ParsedRun, ParsedSeries
from tailroom.importers.problems import Problems
from tailroom.importers.samples import MAX_VALUE, Samples
from tailroom.importers.source import Block, Source
from tailroom.importers.text_runs import PrintedRun, finished_if

HEADER = "operation,timestamp_us,latency_us"
_ENDED = re.compile(rb"(?m)^Run finished, takes ")
_ROW = re.compile(rb"([A-Z][A-Z_]{0,60}),(\d{1,18}),(\d{1,18})")
_NAME = re.compile(rb"[A-Z][A-Z_]{0,60}")
_TIME_DIGITS = 16
_FIRST_US, _LAST_US = 1 << 49, 1 << 52
"""1987 and 2112: numbers outside are no times of operations."""
_PER_SECOND = 1_000_000
_MOST_NAMES = 200
_ERROR = "_ERROR"
_SEMANTICS = "one call of the database binding, cut to whole microseconds"
_LAYOUT = HdrLayout(NS_PER_US, 5)


@dataclass(slots=True)
class _RawRows:
    """Latencies of a file by operation; `first_us`, `last_us`: first start and last end in µs since 1970.

    `has_header`, `ended`: whether the header and the end of the run were read. `group` holds all samples,
    which share a limit of memory.
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
            single = _ROW.fullmatch(line)
            if single is None:
                self._read_other(line_no, line)
                continue
            times, values = np.array([int(single[2])]), np.array([int(single[3])])
            self._add(single[1], times, values, line_no)

    def _read_other(self, line_no: int, line: bytes) -> None:
        """Note the header or the end of the run; report any other line after the header, except settings."""
        text = line[:200].decode("utf-8", "replace")
        if text == HEADER:
            self.has_header = True
        elif _ENDED.match(line):
            self.ended = True
        elif self.has_header and text.strip() and not text.startswith(("*", '"')):
            self.problems.add("row", f"no row `operation,microseconds,microseconds`: {text[:60]!r}", line_no)

    def _add(self, raw_name: bytes, times: Int64s, values: Int64s, line_no: int) -> None:
        """Add rows of one name: starts since 1970 and latencies, both in µs.

        Failed calls (`_ERROR`) count as errors in the second of their end, without a latency. Report
        impossible names and times, and rows of more than 200 names, and leave them out.
        """
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


def read_raw(source: Source) -> ParsedRun:
    """Return the run of a file with a series for each operation. Raise ContentUnreadable without any."""
    rows = _RawRows()
    for block in source.blocks():
        rows.read_block(block)
    if not rows.samples:
        raise ContentUnreadable(f"{source.name} has no row of an operation that can be read")
    first_us, end_us = rows.first_us, rows.last_us + 1
    series = []
    for name, samples in rows.samples.items():
        intervals = samples.intervals(first_us * NS_PER_US, end_us * NS_PER_US)
        operation = name.lower().replace("_", "-")
        series.append(
            ParsedSeries(
                "read-modify-write" if name in ("READ_MODIFY_WRITE", "READMODIFYWRITE") else operation,
                "service",
                samples.record(intervals),
                intervals=intervals,
                semantics=_SEMANTICS,
                source_name=name,
            )
        )
    run = PrintedRun(1, problems=rows.problems, duration_ns=(end_us - first_us) * NS_PER_US)
    return run.parsed(
        "go-ycsb-raw",
        "go-ycsb",
        [],
        series,
        finished_if(
            rows.ended, "the end of the run was printed", "rows of operations have no mark at their end"
        ),
        started_at=datetime.fromtimestamp(0, UTC) + timedelta(microseconds=first_us),
    )
