"""The view of ACT's own analysis script, to the digit: the published table of this log.

`act_latency.py` exists in three kinds: for logs before 2.0, for 2.x to 4.x, and for 5.x and 6.x, which refuse
each other's logs. All take the blocks at the ends of slices, round the share of every slice to 0.01 %, and
take average and maximum over the rounded rows; the last, incomplete slice is dropped, and the first missing
block ends the table without a word. Up to 4.x, buckets from 17 on do not exist for the script. This is a peer
to compare with, not the truth: the exact view is in `slices`. Source: docs/method.md 6.2 and the scripts at
their releases.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal

from tailroom.domain.errors import DomainError
from tailroom.domain.units import ceil_div
from tailroom.importers.act.generations import ActLogGeneration
from tailroom.importers.source import Source

BUCKETS = 17
THRESHOLDS = tuple(1 << bucket for bucket in range(BUCKETS))
SLICES_MAX = 1_000_000

_ROW = re.compile(rb"(?: \((?:0\d|[1-9]\d): \d{1,18}\) ?){1,4}\n")
_ENTRY = re.compile(rb"\((\d\d): (\d+)\)")
_PATTERNS = [re.compile(rb"\(%02d: (.*?)\)" % bucket) for bucket in range(BUCKETS)]


@dataclass(slots=True)
class OfficialSeries:
    """Table of a histogram: for each slice the per cent over each threshold, and operations per second
    (`rates`).
    """

    rows: list[list[float]] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    average: list[float] = field(default_factory=list)
    maximum: list[float] = field(default_factory=list)
    average_rate: float = 0.0
    maximum_rate: float = 0.0


@dataclass(slots=True)
class OfficialView:
    """The printed tables, by the names of the histograms. `thresholds` are in `unit` (`ms` or `us`)."""

    script: str
    unit: str
    slice_s: int
    series: dict[str, OfficialSeries]
    thresholds: tuple[int, ...] = THRESHOLDS


class OfficialRefusal(DomainError):
    """The script of this generation prints no table; the message says what it does instead."""


def official_view(
    source: Source, generation: ActLogGeneration, names: Sequence[str], slice_s: int
) -> OfficialView:
    """Return the tables of the named histograms by the script of the log's generation, with slices of
    `slice_s` seconds or the next multiple of the log's interval. Raise OfficialRefusal.
    """
    if slice_s < 1:
        raise OfficialRefusal("the script ends: slice must be more than 0")
    old = generation in (ActLogGeneration.LEGACY, ActLogGeneration.QUEUED)
    try:
        opened = _opened_old(source, generation) if old else _opened(source, generation)
        slice_s = ceil_div(slice_s, opened.interval_s) * opened.interval_s
        if old:
            series = _old_tables(opened.text, slice_s, opened.rounded)
        else:
            series = _tables(opened.text, [name.encode() for name in names], slice_s, opened.rounded)
    except (ValueError, IndexError) as error:
        if isinstance(error, DomainError):
            raise
        raise OfficialRefusal(f"the script ends with an error at a damaged line ({error})") from error
    if not any(each.rows for each in series.values()):
        raise OfficialRefusal(f"the script ends: could not find {slice_s} seconds of data")
    for with_rows in series.values():
        _aggregate(with_rows)
    filled = {name: each for name, each in series.items() if each.rows}
    return OfficialView(f"act_latency.py of {opened.version}", opened.unit, slice_s, filled)


@dataclass(slots=True)
class _Opened:
    """A log as the script has opened it: the lines from which it reads on, what the head states, and how it
    rounds.
    """

    text: "_LogText"
    version: str
    interval_s: int
    unit: str
    rounded: Callable[[float, int], float]


def _opened(source: Source, generation: ActLogGeneration) -> _Opened:
    """Return the opened log of 5.x or 6.x: version, interval, scale, configuration and names must be in the
    head. Raise OfficialRefusal.
    """
    text = _LogText(source)
    version = (
        text.found(b"ACT version", "ACT version not found").split(b" ")[2].strip().decode("utf-8", "replace")
    )
    number = float(version)
    least = 5.0 if generation is ActLogGeneration.TRANSACTIONS else 6.0
    if not least <= number < least + 1.0:
        raise OfficialRefusal(f"the script ends: ACT version not compatible ({version})")
    interval_s = _number(text.found(b"report-interval-sec", "can't find report interval").split(b" ")[1])
    if interval_s < 1:
        raise OfficialRefusal("the script ends: reporting interval must be more than 0")
    unit = _scale(source)[1]
    text = _LogText(source)
    while (line := text.line()) and not line.endswith(b"CONFIGURATION\n"):
        pass
    if not line:
        raise OfficialRefusal("the script ends: can't find configuration")
    if not line.startswith((b"ACT-STORAGE", b"ACT-INDEX")):
        raise OfficialRefusal("the script ends: can't recognize configuration")
    text.skip_paragraph()
    text.found(b"DERIVED CONFIGURATION", "can't find derived configuration")
    text = _LogText(source)
    text.found(b"HISTOGRAM NAMES\n", "can't find histogram names")
    text.skip_paragraph()
    # The script of 5.0 runs on Python 2 alone, which rounds an exact half away from zero.
    return _Opened(text, version, interval_s, unit, _rounded_away if number < 5.1 else round)


def _opened_old(source: Source, generation: ActLogGeneration) -> _Opened:
    """Return the opened log of a release up to 4.x; the script before 2.0 asks for no version and knows no
    microseconds.
    """
    text = _LogText(source)
    if generation is ActLogGeneration.LEGACY:
        interval_s = _number(text.found(b"report-interval-sec", "can't find any output data").split(b" ")[1])
        return _Opened(text, "1.x", _not_zero(interval_s), "ms", _rounded_away)
    words = text.found(b"Aerospike act", "can't find any output data").split(b" ")
    version = words[3].decode("utf-8", "replace") if words[2] == b"version" else "1.0"
    interval_s = _number(text.found(b"report-interval-sec", "can't find report interval").split(b" ")[1])
    text, unit = _scale(source)
    return _Opened(text, version, _not_zero(interval_s), unit, _rounded_away)


def _not_zero(interval_s: int) -> int:
    """Return the interval. Raise OfficialRefusal if it is 0, by which the script divides."""
    if interval_s < 1:
        raise OfficialRefusal(f"the script ends with an error: a reporting interval of {interval_s}")
    return interval_s


def _scale(source: Source) -> tuple["_LogText", str]:
    """Return the lines after that which states the unit of the buckets (all lines if it is not stated), and
    the unit (`ms` or `us`).
    """
    text = _LogText(source)
    line = text.line_after(b"microsecond-histograms")
    if line is None:
        return _LogText(source), "ms"
    return text, "us" if line.split(b" ")[1].startswith(b"y") else "ms"


def _rounded_away(value: float, digits: int) -> float:
    """Round as Python 2 does, half away from zero. From 2^53 on a float has no decimals, and damaged counts
    go far beyond that.
    """
    if not abs(value) < 2**53:
        return value
    return float(Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))


class _LogText:
    """Lines of a source, and a quick way to the next one that begins with given bytes."""

    def __init__(self, source: Source) -> None:
        self._blocks = source.blocks()
        self._data = b"\n"
        self._at = 1

    def skip_to(self, beginning: bytes) -> bool:
        """Move to the next line that begins with this text; return False at the end of the file."""
        line_start = b"\n" + beginning
        while True:
            offset = self._data.find(line_start, self._at - 1)
            if offset >= 0:
                self._at = offset + 1
                return True
            if not self._more():
                return False

    def line_after(self, beginning: bytes) -> bytes | None:
        """Read and return the next line that begins with this text; None if there is none."""
        return self.line() if self.skip_to(beginning) else None

    def found(self, beginning: bytes, complaint: str) -> bytes:
        """Return the next line that begins with this text. Raise OfficialRefusal if there is none."""
        line = self.line_after(beginning)
        if line is None:
            raise OfficialRefusal(f"the script ends: {complaint}")
        return line

    def skip_paragraph(self) -> None:
        """Read up to and with the next empty line."""
        while self.line().strip():
            pass

    def line(self) -> bytes:
        """Return the next line with its line feed; empty at the end."""
        if self._at >= len(self._data) and not self._more():
            return b""
        end = self._data.find(b"\n", self._at)
        end = len(self._data) if end < 0 else end + 1
        text = self._data[self._at : end]
        self._at = end
        return text

    def _more(self) -> bool:
        block = next(self._blocks, None)
        # Blocks are whole lines, so that a line feed before them is true.
        self._data = b"\n" + (b"" if block is None else block.data)
        self._at = 1
        return block is not None


def _number(text: bytes) -> int:
    return int(text.decode("utf-8", "replace"))


def _total(line: bytes) -> int:
    """Return the number in `… (N total)`. Raise ValueError for any other line."""
    return _number(line[line.find(b"(") + 1 : line.find(b" total)")])


def _ordinary(line: bytes) -> Iterator[tuple[int, int]]:
    """Yield the buckets and counts of a row as ACT writes it."""
    for bucket, amount in _ENTRY.findall(line):
        if int(bucket) < BUCKETS:
            yield int(bucket), int(amount)


def _odd(line: bytes) -> Iterator[tuple[int, int]]:
    """Yield buckets and counts of any other row, pattern after pattern, as the script searches."""
    for bucket, pattern in enumerate(_PATTERNS):
        if (match := pattern.search(line)) is not None:
            yield bucket, _number(match.group(1))


def _values(text: _LogText) -> tuple[list[int], bytes]:
    """Return the counts of a histogram by bucket as the script reads them, and the line after them."""
    values = [0] * BUCKETS
    line = text.line()
    least = 0
    while True:
        count = 0
        for bucket, amount in _ordinary(line) if _ROW.fullmatch(line) else _odd(line):
            if bucket >= least:
                count += 1
                values[bucket] = amount
        if count == 0:
            return values, line
        line = text.line()
        least += count


def _slice_ends(slice_s: int) -> Iterator[int]:
    for number in range(1, SLICES_MAX + 1):
        yield number * slice_s


@dataclass(slots=True)
class _Before:
    """Cumulative counts of a histogram at the end of the previous slice."""

    total: int = 0
    values: list[int] = field(default_factory=lambda: [0] * BUCKETS)


def _tables(
    text: _LogText, names: list[bytes], slice_s: int, rounded: Callable[[float, int], float]
) -> dict[str, OfficialSeries]:
    """Return the tables of 5.x and 6.x by name, as if the script were called with `-h` for each histogram in
    turn. `rounded(value, digits)` rounds as the script does.
    """
    series = {name: OfficialSeries() for name in names}
    before = {name: _Before() for name in names}
    alive = set(names)
    failed: dict[bytes, str] = {}
    for end_s in _slice_ends(slice_s):
        if not alive or text.line_after(b"after %d " % end_s) is None:
            break
        seen: set[bytes] = set()
        line = text.line()
        while line.strip():
            name = next((each for each in names if line.startswith(each)), None)
            if name is None or name not in alive:
                line = text.line()
                continue
            try:
                total = _total(line)
                values, line = _values(text)
            except ValueError as error:
                # The script would read one histogram alone, so this affects no other histogram.
                failed[name] = str(error)
                alive.discard(name)
                series[name] = OfficialSeries()
                line = text.line()
                continue
            old = before[name]
            counted = total - old.total
            grown = [new - was for new, was in zip(values, old.values, strict=True)]
            before[name] = _Before(total, values)
            row = _overs(counted, grown, rounded)
            _add_row(series[name], row, rounded(float(counted) / slice_s, 1), again=name in seen)
            seen.add(name)
        alive &= seen
    if failed and not any(each.rows for each in series.values()):
        raise ValueError(next(iter(failed.values())))
    return {name.decode("utf-8", "replace"): each for name, each in series.items()}


def _overs(counted: int, grown: list[int], rounded: Callable[[float, int], float]) -> list[float]:
    """Return the per cent of operations beyond each bucket. `counted`: operations of the slice; `grown`:
    those in each bucket.
    """
    if counted == 0:
        return [0.0] * BUCKETS
    row, below = [], 0
    for amount in grown:
        below += amount
        row.append(rounded(((counted - below) * 100.0) / counted, 2))
    return row


def _add_row(series: OfficialSeries, row: list[float], rate: float, *, again: bool) -> None:
    """Add a slice to the table, and to the sums in `average`. A histogram that stands twice in a block
    (`again`) is added to the sums twice and printed once.
    """
    if not series.average:
        series.average, series.maximum = [0.0] * BUCKETS, [0.0] * BUCKETS
    if again:
        series.rows[-1], series.rates[-1] = row, rate
    else:
        series.rows.append(row)
        series.rates.append(rate)
    series.average = [sum_ + value for sum_, value in zip(series.average, row, strict=True)]
    series.maximum = [max(most, value) for most, value in zip(series.maximum, row, strict=True)]
    series.average_rate += rate
    series.maximum_rate = max(series.maximum_rate, rate)


def _aggregate(series: OfficialSeries) -> None:
    if series.rows:
        series.average = [value / len(series.rows) for value in series.average]
        series.average_rate /= len(series.rows)


def _old_tables(
    text: _LogText, slice_s: int, rounded: Callable[[float, int], float]
) -> dict[str, OfficialSeries]:
    """Return the tables up to 4.x by name: always READS and RAW READS together; a block counts if it has all
    four groups.
    """
    series = {"READS": OfficialSeries(), "RAW READS": OfficialSeries()}
    before = {name: _Before() for name in series}
    for end_s in _slice_ends(slice_s):
        if text.line_after(b"After %d " % end_s) is None:
            break
        tables: dict[str, tuple[int, list[int]]] = {}
        large: set[bytes] = set()
        line = text.line()
        while line.strip():
            if line.startswith((b"RAW READS", b"READS")):
                name = "READS" if line.startswith(b"READS") else "RAW READS"
                total = _total(line)
                values, line = _values(text)
                tables[name] = (total, values)
            elif line.startswith((b"LARGE BLOCK READS", b"LARGE BLOCK WRITES")):
                _total(line)
                large.add(line[:14])
                line = text.line()
            else:
                line = text.line()
        if len(tables) < 2 or len(large) < 2:
            break
        for name, (total, values) in tables.items():
            old = before[name]
            counted = total - old.total
            grown = [new - was for new, was in zip(values, old.values, strict=True)]
            before[name] = _Before(total, values)
            row = _old_overs(counted, grown, rounded)
            _add_row(series[name], row, rounded(float(counted) / slice_s, 1), again=False)
    return series


def _old_overs(counted: int, grown: list[int], rounded: Callable[[float, int], float]) -> list[float]:
    """Return the same as `_overs`, added up from the shares of the buckets, in the order in which the script
    adds.
    """
    shares = [(float(amount) / counted) * 100 if counted > 0 else 0.0 for amount in grown]
    row = []
    for bucket in range(BUCKETS):
        over = 0.0
        for share in shares[bucket + 1 :]:
            over = over + share
        row.append(rounded(over, 2))
    return row
