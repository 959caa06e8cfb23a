"""Histogram logs of fio (`--write_hist_log`): additions to the bins since the previous line.

`ms, direction, block size, count, count, …`, in the bins of fio's own latencies, joined if the coarseness is
over 0. Each direction has lines of its own. The time after the last line is missing. Source: fio HOWTO "Log
File Formats", `iolog.c` (`flush_hist_samples`).
"""

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.units import NS_PER_MS
from tailroom.importers.columns import begin_of_first, columns, narrowed
from tailroom.importers.digits import MAX_DIGITS, PAD, Digits
from tailroom.importers.fio.bins import NANOSECONDS, Bins, logged_bins
from tailroom.importers.fio.semantics import LOGGED_DIRECTIONS, SEMANTICS, not_stated
from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.parsed_run import EndState, ParsedRun, ParsedSeries
from tailroom.importers.printed import MAX_COUNT
from tailroom.importers.problems import Problems
from tailroom.importers.source import Block, Source

_MAX_MS = 1 << 46
_STEP_MS = 2
"""The largest error of a printed end of a line in ms."""
_MAX_CELLS = 1 << 24
_MOST_INTERVAL_CELLS = 1 << 21
"""Most counts over 0 of a direction in memory; with more, its lines are joined to longer intervals."""
_INTERVALS_MS = (10_000, 60_000, 600_000, 3_600_000)
_FIRST = 8
"""Number of first times that show whether the beginning of a log is missing."""
_Rows = tuple[Int64s, npt.NDArray[np.int16], npt.NDArray[np.integer]]
"""Number of filled bins of each line, then the bins and their counts, line after line, in narrow types."""
_COMMA, _LINE_FEED, _BLANK, _ZERO = 0x2C, 0x0A, 0x20, 0x30
_BEFORE_BINS = 3
"""Columns before the bins: time, direction and block size."""


def histogram_columns(line: str) -> tuple[Bins, int] | None:
    """Return bins and coarseness of a histogram log by the columns of one line; None for any other line."""
    if line.strip(" 0123456789,"):
        return None
    return logged_bins(line.count(",") + 1 - 3)


@dataclass(slots=True)
class _HistogramLines:
    """Histogram lines of one direction, each an interval in ms; many lines are joined to save memory."""

    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    rows: list[_Rows] = field(default_factory=list)
    """Filled bins of the lines, an element for each block of lines."""
    cells: int = 0
    """Number of counts over 0 in all lines."""
    interval_ms: int = 0
    """Length of joined intervals; 0 if no lines were joined."""
    first_ends: tuple[int, ...] = ()
    """Ends of the first eight lines of the direction in ms."""

    @property
    def begin_ms(self) -> int:
        """Start of the first line in ms; 0 unless lines before it are missing."""
        return begin_of_first(self.first_ends, _STEP_MS)

    def add(self, at_ms: list[int], sizes: Int64s, bins: Int64s, counts: Int64s) -> None:
        """Add lines that end at `at_ms`, each from the last end on; over 2^21 counts, join all lines."""
        self.starts += [self.ends[-1] if self.ends else 0, *at_ms[:-1]]
        self.ends += at_ms
        self._append(sizes, bins, counts)
        self.first_ends = (*self.first_ends, *at_ms[:_FIRST])[:_FIRST]
        if self.cells > _MOST_INTERVAL_CELLS:
            self.join(_MOST_INTERVAL_CELLS // 2)

    def join(self, most_cells: int) -> None:
        """Join lines to 10 s, 1, 10 or 60 min: the first with at most `most_cells` counts, else 60 min."""
        for interval_ms in _INTERVALS_MS:
            if interval_ms >= self.interval_ms:
                self._join_to(interval_ms)
                if self.cells <= most_cells:
                    return

    def _append(self, sizes: Int64s, bins: Int64s, counts: Int64s) -> None:
        self.rows.append((sizes, bins.astype(np.int16), narrowed(counts)))
        self.cells += bins.size

    def _join_to(self, interval_ms: int) -> None:
        sizes, indices, counts = self.columns()
        number = (np.array(self.ends) - 1) // interval_ms
        first = np.flatnonzero(np.diff(number, prepend=number[:1] - 1))
        offsets = np.append(0, np.cumsum(sizes))
        filled, amounts = [], []
        for begin, end in pairwise([*offsets[first].tolist(), indices.size]):
            # `add.at` takes its quick way only where types need no conversion: 25 times as fast.
            here = indices[begin:end].astype(np.intp)
            total = np.zeros(int(here.max(initial=0)) + 1, np.int64)
            np.add.at(total, here, counts[begin:end].astype(np.int64))
            filled.append(np.flatnonzero(total))
            amounts.append(total[filled[-1]])
        sizes = np.array([each.size for each in filled])
        self.rows, self.cells, self.interval_ms = [], 0, interval_ms
        self._append(sizes, np.concatenate(filled), np.concatenate(amounts))
        self.starts = [self.starts[at] for at in first.tolist()]
        self.ends = [*self.starts[1:], self.ends[-1]]

    def columns(self) -> _Rows:
        """Return the filled bins of all lines."""
        sizes, bins, counts = zip(*self.rows, strict=True)
        return np.concatenate(sizes), np.concatenate(bins), np.concatenate(counts)


_ByDirection = dict[str, _HistogramLines]


def read_histogram_log(source: Source, problems: Problems) -> ParsedRun:
    """Return the run of a histogram log: an interval for each line, or in a very long log for several.

    Report and leave out an invalid direction. Raise ContentUnreadable without a valid line.
    """
    by_direction: _ByDirection = {}
    generation: tuple[Bins, int] | None = None
    for block in source.blocks():
        expected = generation or _bins_of_line(block.data.partition(b"\n")[0])
        if expected is not None and _histogram_block(block, expected, by_direction):
            generation = expected
        else:
            generation = _histogram_lines(block, generation, by_direction, problems)
    if generation is None or not by_direction:
        raise ContentUnreadable(f"{source.name} has no line of a histogram log of fio that can be read")
    bins, coarseness = generation
    problems.note(
        "rest", "fio writes a line when its time is over: what came after the last line is not in the file"
    )
    if bins is not NANOSECONDS:
        problems.note("old", "1,216 bins, as fio had before 3.0: of microseconds", 1)
    series = []
    for direction, histogram_lines in by_direction.items():
        try:
            series.append(_histogram_series(direction, histogram_lines, generation, problems))
        except DomainError as error:
            problems.error("series", f"{direction}: {error}")
    end_ms = max(histogram_lines.ends[-1] for histogram_lines in by_direction.values())
    begin_ms = min(histogram_lines.begin_ms for histogram_lines in by_direction.values())
    return ParsedRun(
        format="fio-histogram-log",
        tool="fio",
        tool_version=None,
        series=tuple(series),
        state=EndState.UNKNOWN,
        state_text="a log of fio has no end mark",
        problems=problems.all(),
        missing=not_stated({}),
        parameters={"log_hist_coarseness": coarseness},
        duration_ns=(end_ms - begin_ms) * NS_PER_MS,
        closed_loop=True,
    )


def _histogram_lines(
    block: Block, generation: tuple[Bins, int] | None, by_direction: _ByDirection, problems: Problems
) -> tuple[Bins, int] | None:
    """Add the valid lines one by one, and report others; return bins and coarseness, None if unknown."""
    for line_no, line in block.lines():
        if not line.strip():
            continue
        of_line = _bins_of_line(line)
        if of_line is None or (generation is not None and of_line != generation):
            reason = f"{line.count(b',') + 1} columns, or no whole numbers: the line was left out"
            problems.error("line", reason, line_no)
            continue
        generation = of_line
        problem = _add_line(line, by_direction)
        if problem is not None:
            problems.error("values", f"{problem}; the line was left out", line_no)
    return generation


def _bins_of_line(line: bytes) -> tuple[Bins, int] | None:
    return histogram_columns(line.decode("utf-8", "replace"))


def _histogram_block(block: Block, generation: tuple[Bins, int], by_direction: _ByDirection) -> bool:
    """Add all lines of a block; if one is invalid, or 2^24 counts are exceeded, add none and return False."""
    table = _read_table(block.data, 3 + (generation[0].size >> generation[1]))
    if table is None:
        return False
    at_ms, directions, line_nos, bins, counts = table
    if int(at_ms.max()) > _MAX_MS or int(directions.max()) not in LOGGED_DIRECTIONS:
        return False
    for number, name in LOGGED_DIRECTIONS.items():
        times = at_ms[directions == number]
        before = by_direction[name].ends[-1:] if name in by_direction else []
        if (np.diff(times, prepend=before or [0]) < 0).any():
            return False
    cells = sum(histogram_lines.cells for histogram_lines in by_direction.values()) + bins.size
    if cells > _MAX_CELLS or (counts.size and int(counts.max()) > MAX_COUNT):
        return False
    sizes = np.bincount(line_nos, minlength=at_ms.size)
    for number in dict.fromkeys(directions.tolist()):
        lines = directions == number
        is_of_these = lines[line_nos]
        of_direction = by_direction.setdefault(LOGGED_DIRECTIONS[number], _HistogramLines())
        of_direction.add(at_ms[lines].tolist(), sizes[lines], bins[is_of_these], counts[is_of_these])
    return True


def _read_table(data: bytes, columns: int) -> tuple[Int64s, Int64s, Int64s, Int64s, Int64s] | None:
    """Return time (ms) and direction of each line, then line, bin and number of each count above 0.

    None unless every line has `columns` whole numbers of 1 to 18 digits, separated by commas.
    """
    text = data if data.endswith(b"\n") else data + b"\n"
    digits = Digits(text.replace(b"\r\n", b"\n") if b"\r" in text else text)
    signs = digits.text
    stops = np.flatnonzero((signs == _COMMA) | (signs == _LINE_FEED))
    lines = stops.size // columns
    if not lines or stops.size != lines * columns or digits.has(_LINE_FEED) != lines:
        return None
    blanks = digits.has(_BLANK)
    if blanks not in (0, stops.size - lines) or digits.count() + stops.size + blanks != signs.size - PAD:
        return None
    widths = np.diff(stops, prepend=PAD - 1) - 1
    places = stops.reshape(lines, columns)
    if not (signs[places[:, -1]] == _LINE_FEED).all():
        return None
    if blanks:
        if not (signs[places[:, :-1] + 1] == _BLANK).all():
            return None
        widths.reshape(lines, columns)[:, 1:] -= 1
    if int(widths.min()) < 1 or int(widths.max()) > MAX_DIGITS:
        return None
    filled = np.flatnonzero((widths > 1) | (signs[stops - 1] != _ZERO))
    filled = filled[filled % columns >= _BEFORE_BINS]
    counts = digits.numbers(stops[filled], widths[filled])
    some = counts > 0
    filled, counts = filled[some], counts[some]
    table = widths.reshape(lines, columns)
    at_ms, directions = (digits.numbers(places[:, at].copy(), table[:, at].copy()) for at in (0, 1))
    return at_ms, directions, filled // columns, filled % columns - _BEFORE_BINS, counts


def _add_line(line: bytes, by_direction: _ByDirection) -> str | None:
    """Add a line to its direction and return None; return the reason as text if it is invalid."""
    values = _whole_numbers(line)
    if values is None:
        return "a number is missing, or too long for a count"
    at_ms, direction = int(values[0]), LOGGED_DIRECTIONS.get(int(values[1]))
    counts = values[3:]
    if direction is None:
        return f"direction {int(values[1])} is none of fio's"
    if at_ms > _MAX_MS or int(counts.max()) > MAX_COUNT:
        return "a time or a count is impossible"
    histogram_lines = by_direction.setdefault(direction, _HistogramLines())
    begin_ms = histogram_lines.ends[-1] if histogram_lines.ends else 0
    if at_ms < begin_ms:
        return f"the time falls from {begin_ms} to {at_ms} ms: another log begins here"
    filled = np.flatnonzero(counts)
    if histogram_lines.cells + filled.size > _MAX_CELLS:
        return "the log has more counts than can be held"
    histogram_lines.add([at_ms], np.array([filled.size]), filled, counts[filled])
    return None


def _whole_numbers(line: bytes) -> Int64s | None:
    """Return the numbers of a line with commas; None if a number is missing or has more than 18 digits."""
    fields = [field.strip() for field in line.decode("utf-8", "replace").split(",")]
    if any(not 0 < len(field) <= MAX_DIGITS or " " in field for field in fields):
        return None
    return np.array([int(field) for field in fields], dtype=np.int64)


def _histogram_series(
    direction: str, histogram_lines: _HistogramLines, generation: tuple[Bins, int], problems: Problems
) -> ParsedSeries:
    """Return the series of a direction; if lines were joined to save memory, report the longer intervals."""
    bins, coarseness = generation
    if histogram_lines.interval_ms:
        histogram_lines.join(_MOST_INTERVAL_CELLS)
        problems.note(
            "long",
            f"{direction}: the log is so long that pieces of its course are of "
            f"{histogram_lines.interval_ms // 1_000} s; "
            "no count is lost by it",
        )
    sizes, indices, counts = histogram_lines.columns()
    starts = np.array(histogram_lines.starts, dtype=np.int64)
    ends = np.array(histogram_lines.ends, dtype=np.int64)
    starts[:1] = np.maximum(starts[:1], histogram_lines.begin_ms)
    intervals = columns(
        bins.layout(coarseness),
        starts * NS_PER_MS,
        (ends - starts) * NS_PER_MS,
        (np.append(0, np.cumsum(sizes)), indices.astype(np.int64), counts.astype(np.int64)),
    )
    return ParsedSeries(
        direction,
        "service",
        intervals.total(),
        intervals=intervals,
        semantics=SEMANTICS["clat"],
        source_name="clat_hist",
    )
