"""The view of ACT's own analysis script, to the digit: what a published table of this log would say.

`act_latency.py` exists in three kinds: for logs before 2.0, for 2.x to 4.x, and for 5.x and 6.x, which refuse
each other's logs. All take the blocks at the ends of slices, round the share of every slice to 0.01 %, and
take average and maximum over the rounded rows; the last, incomplete slice is dropped, and the first missing
block ends the table without a word. Up to 4.x, buckets from 17 on do not exist for the script. This is a peer to
compare with, not the truth: the exact view is in `slices`. Source: METHOD.md 6.2 and the scripts at their
releases.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal

from tailroom.domain.errors import DomainError
from tailroom.importers.act.configuration import Configuration
from tailroom.importers.act.generations import Generation
from tailroom.importers.source import Source

BUCKETS = 17
THRESHOLDS = tuple(1 << bucket for bucket in range(BUCKETS))
SLICES_MAX = 1_000_000

_PATTERNS = [re.compile(rb"\(%02d: (.*?)\)" % bucket) for bucket in range(BUCKETS)]


@dataclass(slots=True)
class OfficialSeries:
    """Table of one histogram: for each slice the per cent over each threshold, and operations a second."""

    rows: list[list[float]] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    average: list[float] = field(default_factory=list)
    maximum: list[float] = field(default_factory=list)
    average_rate: float = 0.0
    maximum_rate: float = 0.0


@dataclass(slots=True)
class OfficialView:
    """What the script prints, by the names of the histograms. `thresholds` are in `unit`."""

    script: str
    unit: str
    slice_s: int
    series: dict[str, OfficialSeries]
    thresholds: tuple[int, ...] = THRESHOLDS


class OfficialRefusal(DomainError):
    """The script of this generation prints no table; the message says what it does instead."""


def official_view(source: Source, head: Configuration, slice_s: int) -> OfficialView:
    """Tables of every histogram that the script can be asked for, or `OfficialRefusal`."""
    generation = head.generation
    script, names, rounded = _script(head)
    interval_s = head.whole("report-interval-sec")
    if interval_s is None:
        raise OfficialRefusal("the script ends: can't find report interval")
    if interval_s < 1:
        raise OfficialRefusal("the script ends: reporting interval must be more than 0")
    if slice_s < 1:
        raise OfficialRefusal("the script ends: slice must be more than 0")
    slice_s = -(-slice_s // interval_s) * interval_s
    text = _Text(source)
    try:
        if generation in (Generation.LEGACY, Generation.QUEUED):
            series = _old_tables(text, slice_s, rounded)
        else:
            series = _tables(text, names, slice_s, rounded)
    except ValueError as error:
        if isinstance(error, DomainError):
            raise
        raise OfficialRefusal(f"the script ends with an error at a damaged number ({error})") from error
    if not any(one.rows for one in series.values()):
        raise OfficialRefusal(f"the script ends: could not find {slice_s} seconds of data")
    for one in series.values():
        _aggregate(one)
    unit = "us" if head.items.get("microsecond-histograms") is True else "ms"
    return OfficialView(script, unit, slice_s, {name: one for name, one in series.items() if one.rows})


def _script(head: Configuration) -> tuple[str, list[bytes], Callable[[float, int], float]]:
    """Name of the script, the histograms to ask it for, and how its Python rounds."""
    if not head.has_banner:
        raise OfficialRefusal("the script ends: ACT version not found")
    if head.generation in (Generation.LEGACY, Generation.QUEUED):
        return f"act_latency.py of {head.version or '1.x'}", [], _rounded_away
    try:
        number = float(head.version or "")
    except ValueError as error:
        raise OfficialRefusal(
            f"the script ends with an error: version {head.version} is no number"
        ) from error
    if not 5.0 <= number < 7.0:
        raise OfficialRefusal(f"the script ends: ACT version not compatible ({head.version})")
    if not head.histogram_names:
        raise OfficialRefusal("the script ends: can't find histogram names")
    names = [name.encode() for name in head.histogram_names]
    # The script of 5.0 runs on Python 2 alone, which rounds an exact half away from zero.
    return f"act_latency.py of {head.version}", names, _rounded_away if number < 5.1 else round


def _rounded_away(value: float, digits: int) -> float:
    """Python 2's `round`."""
    return float(Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))


class _Text:
    """Lines of a source, and a quick way to the next one that begins with given bytes."""

    def __init__(self, source: Source) -> None:
        self._blocks = source.blocks()
        self._data = b"\n"
        self._at = 1

    def skip_to(self, beginning: bytes) -> bool:
        """Moves behind the next line that begins so; false, at the end, where there is none."""
        wanted = b"\n" + beginning
        while True:
            found = self._data.find(wanted, self._at - 1)
            if found >= 0:
                self._at = found + 1
                self.line()
                return True
            if not self._more():
                return False

    def line(self) -> bytes:
        """The next line with its line feed; empty at the end."""
        if self._at >= len(self._data) and not self._more():
            return b""
        end = self._data.find(b"\n", self._at)
        end = len(self._data) if end < 0 else end + 1
        found = self._data[self._at : end]
        self._at = end
        return found

    def _more(self) -> bool:
        block = next(self._blocks, None)
        # Blocks are whole lines, so that a line feed before them is true.
        self._data = b"\n" + (b"" if block is None else block.data)
        self._at = 1
        return block is not None


def _number(text: bytes) -> int:
    return int(text.decode("ascii", "replace"))


def _total(line: bytes) -> int:
    return _number(line[line.find(b"(") + 1 : line.find(b" total)")])


def _values(text: _Text) -> tuple[list[int], bytes]:
    """Buckets of a histogram as the script finds them, and the line after them."""
    values = [0] * BUCKETS
    line = text.line()
    least = 0
    while True:
        found = 0
        for bucket in range(least, BUCKETS):
            if (match := _PATTERNS[bucket].search(line)) is not None:
                found += 1
                values[bucket] = _number(match.group(1))
        if found == 0:
            return values, line
        line = text.line()
        least += found


def _slice_ends(slice_s: int) -> Iterator[int]:
    for number in range(1, SLICES_MAX + 1):
        yield number * slice_s


@dataclass(slots=True)
class _Before:
    total: int = 0
    values: list[int] = field(default_factory=lambda: [0] * BUCKETS)


def _tables(
    text: _Text, names: list[bytes], slice_s: int, rounded: Callable[[float, int], float]
) -> dict[str, OfficialSeries]:
    """5.x and 6.x, as if the script were called with `-h` for one histogram after the other."""
    series = {name: OfficialSeries() for name in names}
    before = {name: _Before() for name in names}
    alive = set(names)
    text.skip_to(b"HISTOGRAM NAMES")
    for end_s in _slice_ends(slice_s):
        if not alive or not text.skip_to(b"after %d " % end_s):
            break
        seen: set[bytes] = set()
        line = text.line()
        while line.strip():
            name = next((one for one in names if line.startswith(one)), None)
            if name is None or name not in alive:
                line = text.line()
                continue
            total = _total(line)
            values, line = _values(text)
            old = before[name]
            counted = total - old.total
            grown = [new - was for new, was in zip(values, old.values, strict=True)]
            before[name] = _Before(total, values)
            row = _overs(counted, grown, rounded)
            _add_row(series[name], row, rounded(float(counted) / slice_s, 1), again=name in seen)
            seen.add(name)
        alive &= seen
    return {name.decode("utf-8", "replace"): one for name, one in series.items()}


def _overs(counted: int, grown: list[int], rounded: Callable[[float, int], float]) -> list[float]:
    if counted == 0:
        return [0.0] * BUCKETS
    row, below = [], 0
    for amount in grown:
        below += amount
        row.append(rounded(((counted - below) * 100.0) / counted, 2))
    return row


def _add_row(series: OfficialSeries, row: list[float], rate: float, *, again: bool) -> None:
    """A histogram that stands twice in a block is added to the sums twice and printed once."""
    if not series.average:
        series.average, series.maximum = [0.0] * BUCKETS, [0.0] * BUCKETS
    if again:
        series.rows[-1], series.rates[-1] = row, rate
    else:
        series.rows.append(row)
        series.rates.append(rate)
    series.average = [sum_ + one for sum_, one in zip(series.average, row, strict=True)]
    series.maximum = [max(most, one) for most, one in zip(series.maximum, row, strict=True)]
    series.average_rate += rate
    series.maximum_rate = max(series.maximum_rate, rate)


def _aggregate(series: OfficialSeries) -> None:
    if series.rows:
        series.average = [one / len(series.rows) for one in series.average]
        series.average_rate /= len(series.rows)


def _old_tables(
    text: _Text, slice_s: int, rounded: Callable[[float, int], float]
) -> dict[str, OfficialSeries]:
    """Up to 4.x: always READS and RAW READS together; a block counts when all four groups stand in it."""
    series = {"READS": OfficialSeries(), "RAW READS": OfficialSeries()}
    before = {name: _Before() for name in series}
    for end_s in _slice_ends(slice_s):
        if not text.skip_to(b"After %d " % end_s):
            break
        found: dict[str, tuple[int, list[int]]] = {}
        large: set[bytes] = set()
        line = text.line()
        while line.strip():
            if line.startswith((b"RAW READS", b"READS")):
                name = "READS" if line.startswith(b"READS") else "RAW READS"
                total = _total(line)
                values, line = _values(text)
                found[name] = (total, values)
            elif line.startswith((b"LARGE BLOCK READS", b"LARGE BLOCK WRITES")):
                _total(line)
                large.add(line[:14])
                line = text.line()
            else:
                line = text.line()
        if len(found) < 2 or len(large) < 2:
            break
        for name, (total, values) in found.items():
            old = before[name]
            counted = total - old.total
            grown = [new - was for new, was in zip(values, old.values, strict=True)]
            before[name] = _Before(total, values)
            row = _old_overs(counted, grown, rounded)
            _add_row(series[name], row, rounded(float(counted) / slice_s, 1), again=False)
    return series


def _old_overs(counted: int, grown: list[int], rounded: Callable[[float, int], float]) -> list[float]:
    """Per cent of each bucket, then added from the threshold up, in the order in which the script adds."""
    shares = [(float(amount) / counted) * 100 if counted > 0 else 0.0 for amount in grown]
    row = []
    for bucket in range(BUCKETS):
        over = 0.0
        for share in shares[bucket + 1 :]:
            over = over + share
        row.append(rounded(over, 2))
    return row
