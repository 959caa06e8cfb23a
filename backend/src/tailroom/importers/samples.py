"""Single latencies as intervals of a run, counted in buckets while they are read.

Intervals are seconds of the tool's clock. If many different latencies would fill the memory, intervals of the
operation with the most become ten seconds, a minute or longer; counts stay exact.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.units import NS_PER_S
from tailroom.importers.columns import columns
from tailroom.importers.parsed_run import ParsedSeries
from tailroom.importers.statements import MAX_TIME_NS

_INDEX_BITS = 24
_MOST_PLACES_PER_ROW = 8
_WAITING_ROWS = 1 << 19
_MAX_ROWS = 9 << 18
"""Most rows of all operations of a file, which take 200 MB."""
_INTERVALS_S = (1, 10, 60, 600, 3_600, 36_000)
MAX_VALUE = 1 << 50

_Rows = tuple[Int64s, Int64s]
"""Keys (interval in the upper bits, bucket in the lower 24) and their counts."""


@dataclass(slots=True, eq=False)
class Samples:
    """Latencies of one operation, as whole numbers of `value_ns`.

    Sum, smallest and largest have that unit. Without latencies the smallest is MAX_VALUE, the largest 0.
    """

    layout: HdrLayout
    value_ns: int
    group: list["Samples"] = field(default_factory=list)
    """The samples of the same file that have rows: together they have at most `_MAX_ROWS`."""
    interval_s: int = _INTERVALS_S[0]
    """Present length of the intervals in seconds; it grows if there are too many rows."""
    count: int = 0
    sum_values: int = 0
    least: int = MAX_VALUE
    most: int = 0
    misses: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Numbers of errors and time-outs, which have no latency, by second."""
    _chunks: list[_Rows] = field(default_factory=list)
    """Keys in ascending order, within a chunk and from chunk to chunk, with their counts."""
    _waiting: list[_Rows] = field(default_factory=list)
    _waiting_rows: int = 0

    def add(self, at_s: Int64s, values: Int64s) -> None:
        """Add latencies in `value_ns`, from 0 to below MAX_VALUE, with the second (from 0) of their end."""
        if not values.size:
            return
        self.count += int(values.size)
        self.sum_values += int(values.sum())
        self.least = min(self.least, int(values.min()))
        self.most = max(self.most, int(values.max()))
        units = (
            values if self.value_ns == self.layout.unit_ns else values * self.value_ns // self.layout.unit_ns
        )
        exact = 2 << self.layout.half_magnitude
        index = units if int(units.max()) < exact else self.layout.index_of(units)
        keys, counts = _count_keys(at_s if self.interval_s == 1 else at_s // self.interval_s, index)
        self._waiting.append((keys, counts))
        self._waiting_rows += keys.size
        if self._waiting_rows > _WAITING_ROWS:
            self._join()

    def miss(self, at_s: int, *, errors: int = 0, timeouts: int = 0) -> None:
        """Count operations without an answer (errors, time-outs), by the second in which they ended."""
        before = self.misses.get(at_s, (0, 0))
        self.misses[at_s] = (before[0] + errors, before[1] + timeouts)

    def intervals(self, start_ns: int, end_ns: int) -> IntervalRecords:
        """Return the intervals, their starts counted from the start of the run.

        `start_ns` and `end_ns` are the run's bounds on the tool's clock. Call it once: it moves the rows out.
        """
        self._join()
        missed = np.array(sorted(self.misses), dtype=np.int64)
        lost = np.array([self.misses[at] for at in missed.tolist()], dtype=np.int64).reshape(-1, 2)
        with_rows = [np.unique(keys >> _INDEX_BITS) for keys, _ in self._chunks]
        interval_nos = np.unique(np.concatenate([*with_rows, missed // self.interval_s]))
        errors, timeouts = np.zeros(interval_nos.size, np.int64), np.zeros(interval_nos.size, np.int64)
        place = np.searchsorted(interval_nos, missed // self.interval_s)
        np.add.at(errors, place, lost[:, 0])
        np.add.at(timeouts, place, lost[:, 1])
        begin = np.clip(interval_nos * self.interval_s * NS_PER_S, start_ns, end_ns)
        end = np.clip((interval_nos + 1) * self.interval_s * NS_PER_S, start_ns, end_ns)
        rows = self._move_rows(interval_nos)
        return columns(self.layout, begin - start_ns, end - begin, rows, errors=errors, timeouts=timeouts)

    def _move_rows(self, interval_nos: Int64s) -> tuple[Int64s, Int64s, Int64s]:
        """Move the rows out: return offsets of the intervals and the end, bucket indices, and counts."""
        size = self._row_count
        offsets = np.zeros(interval_nos.size + 1, np.int64)
        indices, counts = np.empty(size, np.int64), np.empty(size, np.int64)
        end = size
        while self._chunks:
            keys, counts_of_chunk = self._chunks.pop()
            offsets[:-1] += np.searchsorted(keys, interval_nos << _INDEX_BITS)
            offsets[-1] += keys.size
            begin = end - keys.size
            np.bitwise_and(keys, (1 << _INDEX_BITS) - 1, out=indices[begin:end])
            counts[begin:end] = counts_of_chunk
            end = begin
        return offsets, indices, counts

    def series(
        self, operation: str, clock: str, start_ns: int, end_ns: int, *, semantics: str, source_name: str
    ) -> ParsedSeries:
        """Return the series of all latencies; the parameters are those of `intervals` and `ParsedSeries`."""
        intervals = self.intervals(start_ns, end_ns)
        return ParsedSeries(
            operation,
            clock,
            self.record(intervals),
            intervals=intervals,
            semantics=semantics,
            source_name=source_name,
        )

    def record(self, intervals: IntervalRecords) -> LatencyDist:
        """Return the sum of `intervals` with both extremes, and the sum of latencies if samples are in ns."""
        total = intervals.total()
        if not self.count:
            return total
        return replace(
            total,
            sum_ns=self.sum_values if self.value_ns == 1 and self.sum_values < MAX_TIME_NS else None,
            min_ns=self.least * self.value_ns,
            max_ns=(self.most + 1) * self.value_ns - 1,
        )

    @property
    def _row_count(self) -> int:
        return sum(keys.size for keys, _ in self._chunks)

    def _join(self) -> None:
        """Move waiting rows into the chunks; lengthen intervals as long as the group has too many rows."""
        if self._waiting:
            if not self._chunks:
                self.group.append(self)
            self._append(*_concatenate(self._waiting))
            self._waiting, self._waiting_rows = [], 0
        while sum(samples._row_count for samples in self.group) > _MAX_ROWS:
            shorter = [samples for samples in self.group if samples.interval_s < _INTERVALS_S[-1]]
            if not shorter:
                break
            max(shorter, key=lambda samples: samples._row_count)._lengthen()

    def _append(self, keys: Int64s, counts: Int64s) -> None:
        """Add rows in any order. As lines mostly ascend in time, only the last rows are sorted again."""
        first = int(keys.min())
        rows = [(keys, counts)]
        while self._chunks and self._chunks[-1][0][-1] >= first:
            keys, counts = self._chunks.pop()
            at = int(np.searchsorted(keys, first))
            rows.append((keys[at:], counts[at:]))
            if at:
                self._chunks.append((keys[:at], counts[:at]))
        self._chunks.append(_add_equal_keys(*_concatenate(rows)))

    def _lengthen(self) -> None:
        longer_s = _INTERVALS_S[_INTERVALS_S.index(self.interval_s) + 1]
        ratio, self.interval_s = longer_s // self.interval_s, longer_s
        self._waiting = [(_lengthen_keys(keys, ratio), counts) for keys, counts in self._waiting]
        chunks, self._chunks = self._chunks, []
        for keys, counts in chunks:
            self._append(_lengthen_keys(keys, ratio), counts)


def _lengthen_keys(keys: Int64s, ratio: int) -> Int64s:
    return ((keys >> _INDEX_BITS) // ratio << _INDEX_BITS) | keys & ((1 << _INDEX_BITS) - 1)


def _count_keys(interval_nos: Int64s, index: Int64s) -> _Rows:
    """Return the ascending keys of intervals and buckets (`index`), and the number of each.

    Few seconds and buckets are counted by position, which is quicker than sorting.
    """
    first, last = int(interval_nos.min()), int(interval_nos.max())
    width = int(index.max()) + 1
    places = (last - first + 1) * width
    if places > _MOST_PLACES_PER_ROW * index.size:
        keys, counts = np.unique((interval_nos << _INDEX_BITS) | index, return_counts=True)
        return keys, counts.astype(np.int64)
    at = index if first == last else (interval_nos - first) * width + index
    counted = np.bincount(at, minlength=places)
    filled = np.flatnonzero(counted)
    return (filled // width + first << _INDEX_BITS) | filled % width, counted[filled].astype(np.int64)


def _concatenate(rows: list[_Rows]) -> _Rows:
    if len(rows) == 1:
        return rows[0]
    keys, counts = zip(*rows, strict=True)
    return np.concatenate(keys), np.concatenate(counts)


def _add_equal_keys(keys: Int64s, counts: Int64s) -> _Rows:
    """Return keys in ascending order, with the counts of equal keys added up."""
    order = np.argsort(keys, kind="stable")
    keys, counts = keys[order], counts[order]
    first = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    return keys[first], np.add.reduceat(counts, first)
