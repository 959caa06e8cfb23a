"""Single latencies as pieces of a run: counted in buckets while they are read, flat in memory.

Pieces are whole seconds of the tool's clock. Where a long run with many different latencies would fill the
memory, pieces become ten seconds, a minute, an hour long; the counts stay exact.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.units import NS_PER_S
from tailroom.importers.columns import interval_records
from tailroom.importers.statements import MAX_TIME_NS

_INDEX_BITS = 24
_PLACES_FOR_EACH = 8
_WAITING_ROWS = 1 << 19
_MAX_ROWS = 1 << 22
_PIECES_S = (1, 10, 60, 600, 3_600, 36_000)
MAX_VALUE = 1 << 50


@dataclass(slots=True)
class Samples:
    """Latencies of one operation on one clock, as whole numbers of `value_ns`.

    Sum, smallest and largest have that unit, which may be finer than the unit of the layout.
    """

    layout: HdrLayout
    value_ns: int
    piece_s: int = _PIECES_S[0]
    count: int = 0
    sum_values: int = 0
    least: int = MAX_VALUE
    most: int = 0
    misses: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Errors and time-outs by second."""
    _keys: list[Int64s] = field(default_factory=lambda: [np.empty(0, np.int64)])
    _counts: list[Int64s] = field(default_factory=lambda: [np.empty(0, np.int64)])
    _waiting: int = 0

    def add(self, at_s: Int64s, values: Int64s) -> None:
        """Add latencies with the second in which they ended, both not negative and below the limits."""
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
        keys, counts = _counted(at_s if self.piece_s == 1 else at_s // self.piece_s, index)
        self._keys.append(keys)
        self._counts.append(counts)
        self._waiting += keys.size
        if self._waiting > _WAITING_ROWS:
            self._join()

    def miss(self, at_s: int, *, errors: int = 0, timeouts: int = 0) -> None:
        """Add operations without an answer."""
        before = self.misses.get(at_s, (0, 0))
        self.misses[at_s] = (before[0] + errors, before[1] + timeouts)

    def intervals(self, start_ns: int, end_ns: int) -> IntervalRecords:
        """Return the pieces with their distance from the start of the run; both ends on the tool's clock."""
        self._join()
        keys, counts = self._keys[0], self._counts[0]
        missed = np.array(sorted(self.misses), dtype=np.int64)
        lost = np.array([self.misses[at] for at in missed.tolist()], dtype=np.int64).reshape(-1, 2)
        pieces = np.union1d(keys >> _INDEX_BITS, missed // self.piece_s)
        errors, timeouts = np.zeros(pieces.size, np.int64), np.zeros(pieces.size, np.int64)
        place = np.searchsorted(pieces, missed // self.piece_s)
        np.add.at(errors, place, lost[:, 0])
        np.add.at(timeouts, place, lost[:, 1])
        begin = np.clip(pieces * self.piece_s * NS_PER_S, start_ns, end_ns)
        end = np.clip((pieces + 1) * self.piece_s * NS_PER_S, start_ns, end_ns)
        rows = (
            np.searchsorted(pieces, keys >> _INDEX_BITS).astype(np.int64),
            keys & ((1 << _INDEX_BITS) - 1),
            counts,
        )
        return interval_records(
            self.layout, begin - start_ns, end - begin, rows, errors=errors, timeouts=timeouts
        )

    def record(self, intervals: IntervalRecords) -> LatencyDist:
        """Return the record of all samples, with smallest and largest; the sum where a value is a nanosecond,
        and so exact.
        """
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
    def mean_ns(self) -> tuple[float, float] | None:
        """Bounds of the mean: a value may be any latency that is cut to it."""
        if not self.count:
            return None
        least = self.sum_values * self.value_ns / self.count
        return least, least + self.value_ns - 1

    def _join(self) -> None:
        if len(self._keys) > 1:
            self._keys, self._counts = _added(np.concatenate(self._keys), np.concatenate(self._counts))
        self._waiting = 0
        while self._keys[0].size > _MAX_ROWS and self.piece_s < _PIECES_S[-1]:
            longer_s = _PIECES_S[_PIECES_S.index(self.piece_s) + 1]
            keys = self._keys[0]
            pieces = (keys >> _INDEX_BITS) // (longer_s // self.piece_s)
            self.piece_s = longer_s
            index = keys & ((1 << _INDEX_BITS) - 1)
            self._keys, self._counts = _added((pieces << _INDEX_BITS) | index, self._counts[0])


def _counted(pieces: Int64s, index: Int64s) -> tuple[Int64s, Int64s]:
    """Return how often each bucket of a piece stands, as ascending keys. A block of lines has a second or
    two: counting by place is quicker than sorting, where the places are not many more than the lines.
    """
    first, last = int(pieces.min()), int(pieces.max())
    width = int(index.max()) + 1
    places = (last - first + 1) * width
    if places > _PLACES_FOR_EACH * index.size:
        keys, counts = np.unique((pieces << _INDEX_BITS) | index, return_counts=True)
        return keys, counts.astype(np.int64)
    at = index if first == last else (pieces - first) * width + index
    counted = np.bincount(at, minlength=places)
    filled = np.flatnonzero(counted)
    return (filled // width + first << _INDEX_BITS) | filled % width, counted[filled].astype(np.int64)


def _added(keys: Int64s, counts: Int64s) -> tuple[list[Int64s], list[Int64s]]:
    """Return keys in ascending order, with the counts of equal keys added up."""
    order = np.argsort(keys, kind="stable")
    keys, counts = keys[order], counts[order]
    first = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    if not keys.size:
        return [keys], [counts]
    return [keys[first]], [np.add.reduceat(counts, first)]
