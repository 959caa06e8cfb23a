"""Latency, bandwidth and IOPS logs of fio (`--write_lat_log` and so on).

They look alike: `ms, value, direction, block size[, offset][, priority][, issue time]`, with two values if
both mean and largest are logged. Only the file's name states the quantity. Block sizes of zero mean that each
line describes a window (`log_avg_msec`), which holds one number and no operations; else each line is one
operation. Source: fio HOWTO "Log File Formats", `iolog.c` (`flush_samples`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.units import NS_PER_MS
from tailroom.domain.verdicts.unknown_conditions import LATENCY_UNIT
from tailroom.importers.columns import begin_of_first
from tailroom.importers.fio.semantics import CLOCKS, LATENCIES, LOGGED_DIRECTIONS, SEMANTICS, not_stated
from tailroom.importers.hdr_log.percentile_table import UNIT_NAMES
from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.number_rows import rows_of
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun, ParsedSeries
from tailroom.importers.problems import Problems
from tailroom.importers.samples import MAX_VALUE, Samples
from tailroom.importers.source import Block, Source

_NAMED = re.compile(r"(?:^|_)(slat|clat|lat|bw|iops)(?:_hist)?(?:\.\d+)*\.log(?:\.\w+)?$")
_LINE = re.compile(
    r"\d{1,15}, ?\d{1,18}(?:, ?\d{1,18})?, ?[0-3], ?\d{1,18}(?:, ?(?:\d{1,18}|0x[0-9a-f]{1,8})){0,4}"
)
_PRIORITY = re.compile(rb"( |,)0x([0-9a-f]{1,8})")
_LAYOUT = HdrLayout(125, 3)
"""Steps of 125 ns, then 0.1 %: both 1 ms and 1.024 ms are edges of its buckets."""
_MAX_MS = 1 << 46
_LEAST_COLUMNS = 4
_STEP_MS = 2
"""The largest error of a printed end of a window in ms."""
_MAX_CLAIMS = 20_000
_UNITS = {"bw": ("bandwidth_bytes_per_s", 1024), "iops": ("throughput_ops_per_s", 1)}


def quantity_of(name: str) -> str | None:
    """Return the quantity in fio's file name (`slat`, `clat`, `lat`, `bw` or `iops`); None if it has none."""
    match = _NAMED.search(name)
    return match[1] if match is not None else None


def is_log(lines: Sequence[str]) -> bool:
    """Return whether there are lines, and all of them have the form of a log."""
    return bool(lines) and all(_LINE.fullmatch(line.strip()) for line in lines)


@dataclass(slots=True)
class _Windows:
    """Windows of a direction: end in ms, value, second value (None if lines have one), line number."""

    rows: list[tuple[int, int, int | None, int]] = field(default_factory=list)
    further: int = 0
    """Number of windows that were not stored, because there are 20,000 already."""


def read_log(source: Source, name: str, problems: Problems) -> ParsedRun:
    """Return the run of a log; the file's `name` states the quantity.

    If not, it has no series, and an error. Otherwise raise ContentUnreadable without a valid line.
    """
    reader = _LogReader(quantity_of(name), problems, source.stated_unit_ns)
    for block in source.blocks():
        if b"x" in block.data:
            # Priorities are hexadecimal.
            data = _PRIORITY.sub(lambda match: match[1] + str(int(match[2], 16)).encode(), block.data)
            reader.read_block(Block(block.first_line, data))
        else:
            reader.read_block(block)
    return reader.finish(source.name)


@dataclass(frozen=True, slots=True, eq=False)
class _Lines:
    """Columns of a log, an element for each line; `second` is None if lines have a single value."""

    at_ms: Int64s
    value: Int64s
    second: Int64s | None
    direction: Int64s
    block_bytes: Int64s
    line_no: Int64s

    def select(self, good: npt.NDArray[np.bool_]) -> "_Lines":
        """Return the lines for which `good` is true."""
        second = None if self.second is None else self.second[good]
        return _Lines(
            self.at_ms[good],
            self.value[good],
            second,
            self.direction[good],
            self.block_bytes[good],
            self.line_no[good],
        )


class _LogReader:
    """Parser of the blocks of a log; its `quantity` and the user's `stated_unit_ns` are None if unknown."""

    def __init__(self, quantity: str | None, problems: Problems, stated_unit_ns: int | None) -> None:
        self._quantity, self._problems, self._stated_unit_ns = quantity, problems, stated_unit_ns
        self._columns = 0
        self._samples: dict[str, Samples] = {}
        self._group: list[Samples] = []
        self._windows: dict[str, _Windows] = {}
        self._two_values = False
        self._last_ms = 0

    @property
    def _is_of_latencies(self) -> bool:
        return self._quantity in LATENCIES

    @property
    def _unit_ns(self) -> int:
        """Unit of latencies in ns: if lines do not show it, the unit that the user stated; else 1."""
        return (self._stated_unit_ns or 1) if self._leaves_unit_open else 1

    @property
    def _leaves_unit_open(self) -> bool:
        """Whether the latencies may be nanoseconds (since 3.0) or microseconds: lines of four columns."""
        return 0 < self._columns < 5 and self._is_of_latencies

    def read_block(self, block: Block) -> None:
        """Add the lines of a block with as many columns as the log's first; report and drop others."""
        if not self._columns:
            self._columns = max(_LEAST_COLUMNS, block.data.lstrip().split(b"\n", 1)[0].count(b",") + 1)
        rows, odd = rows_of(block, self._columns, commas=True)
        for line_no, line in odd:
            shown = line[:60].decode("utf-8", "replace")
            self._problems.add("line", f"no line of {self._columns} whole numbers: {shown!r}", line_no)
        if not rows.size:
            return
        third = rows.column(2)
        if self._columns >= 5 and not self._two_values:
            # The third column is the direction, unless a second value stands before it.
            self._two_values = int(third.max()) > 2 and int(rows.column(3).max()) <= 2
        second = third if self._two_values else None
        direction = rows.column(3) if self._two_values else third
        lines = _Lines(
            rows.column(0),
            rows.column(1),
            second,
            direction,
            rows.column(4 if self._two_values else 3),
            block.first_line + rows.positions,
        )
        most = MAX_VALUE // self._unit_ns
        if int(direction.max()) > 2 or int(lines.at_ms.max()) > _MAX_MS or int(lines.value.max()) > most:
            bad = (direction > 2) | (lines.at_ms > _MAX_MS) | (lines.value > most)
            self._problems.add(
                "impossible",
                f"{int(bad.sum())} lines with a direction, a time or a value that fio does not write",
                int(lines.line_no[bad][0]),
            )
            lines = lines.select(~bad)
        if lines.at_ms.size:
            self._last_ms = max(self._last_ms, int(lines.at_ms.max()))
            self._store_rows(lines)

    def _store_rows(self, lines: _Lines) -> None:
        """Add single operations to samples by direction, and other lines to windows, 20,000 at most."""
        single = lines.block_bytes > 0
        for number, name in LOGGED_DIRECTIONS.items():
            chosen = lines.direction == number
            if not chosen.any():
                continue
            here = chosen & single
            if self._is_of_latencies and here.any():
                samples = Samples(_LAYOUT, self._unit_ns, self._group)
                self._samples.setdefault(name, samples).add(lines.at_ms[here] // 1000, lines.value[here])
            where = np.flatnonzero(chosen & ~single if self._is_of_latencies else chosen)
            windows = self._windows.setdefault(name, _Windows())
            room = max(0, _MAX_CLAIMS - len(windows.rows))
            for row_no in where[:room].tolist():
                second = None if lines.second is None else int(lines.second[row_no])
                at_ms, value = int(lines.at_ms[row_no]), int(lines.value[row_no])
                windows.rows.append((at_ms, value, second, int(lines.line_no[row_no])))
            windows.further += max(0, where.size - room)

    def finish(self, name: str) -> ParsedRun:
        """Return the run. Raise ContentUnreadable without a valid line, unless the quantity is unknown."""
        end_ns = (self._last_ms + 1) * NS_PER_MS
        begins = [
            begin_of_first([end_ms for end_ms, *_ in windows.rows], _STEP_MS)
            for windows in self._windows.values()
            if windows.rows
        ]
        series = []
        for operation, samples in self._samples.items():
            intervals = samples.intervals(0, end_ns)
            series.append(
                ParsedSeries(
                    operation,
                    CLOCKS[self._quantity or "lat"],
                    samples.record(intervals),
                    intervals=intervals,
                    semantics=SEMANTICS[self._quantity or "lat"],
                    source_name=self._quantity or "",
                )
            )
        claims = [
            claim
            for operation, windows in self._windows.items()
            for claim in self._claims(operation, windows)
        ]
        if not series and not claims and self._quantity is not None:
            raise ContentUnreadable(f"{name} has no line of a log of fio that can be read")
        self._report_notes(bool(claims))
        missing = not_stated({})
        return ParsedRun(
            format=f"fio-{self._quantity or 'unknown'}-log",
            tool="fio",
            tool_version=None,
            series=tuple(series),
            state=EndState.UNKNOWN,
            state_text="a log of fio has no end mark",
            claims=tuple(claims),
            problems=self._problems.all(),
            missing=(LATENCY_UNIT, *missing) if self._asks_for_unit else missing,
            parameters={"latency_unit": UNIT_NAMES.get(self._unit_ns, "ns")} if self._is_of_latencies else {},
            duration_ns=end_ns - min(begins, default=0) * NS_PER_MS,
            closed_loop=True,
        )

    def _claims(self, operation: str, windows: _Windows) -> Iterator[Claim]:
        """Yield the values of a direction's windows as timed claims; none of an unknown quantity."""
        if self._quantity is None:
            return
        before_ms = begin_of_first([end_ms for end_ms, *_ in windows.rows], _STEP_MS)
        term, unit = _UNITS.get(self._quantity, ("latency_window_ns", self._unit_ns))
        for end_ms, value, second, line in windows.rows:
            begin_ms = min(before_ms, end_ms)
            span = {"start_ns": begin_ms * NS_PER_MS, "duration_ns": (end_ms - begin_ms) * NS_PER_MS}
            first = "latency_mean_ns" if second is not None and self._is_of_latencies else term
            yield Claim(operation, first, str(value), value * unit, (value + 1) * unit, line=line, **span)
            if second is not None and self._is_of_latencies:
                bounds = second * unit, (second + 1) * unit
                yield Claim(operation, "latency_max_ns", str(second), *bounds, line=line, **span)
            before_ms = end_ms

    @property
    def _asks_for_unit(self) -> bool:
        return self._leaves_unit_open and self._stated_unit_ns is None

    def _report_notes(self, has_windows: bool) -> None:
        """Report windows that were not stored, an unknown quantity, and an ambiguous statistic or unit."""
        further = sum(windows.further for windows in self._windows.values())
        if further:
            self._problems.note("further", f"{further} more windows were not stored")
        if self._quantity is None:
            self._problems.error(
                "unknown",
                "the lines are those of a log of fio, but neither they nor the name say what the values are: "
                "latencies, bandwidth or operations per second (fio names them …_clat.1.log and so on)",
                1,
            )
        if has_windows and self._is_of_latencies and not self._two_values:
            self._problems.note(
                "window",
                "lines with block size 0 are windows (log_avg_msec): the mean of each, or its largest "
                "(log_window_value=max); the file does not say which, and holds no single latencies",
            )
        if self._asks_for_unit:
            self._problems.add(
                "unit",
                "four columns: taken as nanoseconds; fio before 3.0 logged microseconds, and the file does "
                "not say by which version it was written",
                1,
            )
