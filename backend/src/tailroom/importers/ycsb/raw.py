"""Raw lines of YCSB, `READ,1795178090117,839`: operation, milliseconds since 1970, latency in microseconds.

Lines that are not of this shape are handed back for reading one by one. Latencies are kept to the microsecond
up to 262 ms, and to 0.00076 % beyond, in one histogram for each second; where seconds would need too much
memory, pieces are made longer. Source: `OneMeasurementRaw`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.units import NS_PER_MS, NS_PER_US
from tailroom.importers.columns import interval_records
from tailroom.importers.named_rows import named_rows
from tailroom.importers.source import Block

LAYOUT = HdrLayout(NS_PER_US, 5)
_TIMESTAMP_DIGITS = 13
_INDEX_BITS = 24
_WAITING_ROWS = 1 << 21
_MAX_ROWS = 1 << 22
_PIECES_MS = (1_000, 10_000, 60_000, 600_000, 3_600_000)
_EXACT_BELOW_US = 1 << 18
"""Below this, a bucket of five digits is one microsecond wide, and its number is the latency."""


@dataclass(slots=True)
class RawOperation:
    """Everything that the lines of one operation say. Pieces are `piece_ms` long and begin at multiples of
    it.
    """

    piece_ms: int = _PIECES_MS[0]
    count: int = 0
    sum_us: int = 0
    first_ms: int = 1 << 62
    last_ms: int = 0
    _waiting: list[Int64s] = field(default_factory=list)
    _waiting_rows: int = 0
    _keys: Int64s = field(default_factory=lambda: np.empty(0, np.int64))
    _counts: Int64s = field(default_factory=lambda: np.empty(0, np.int64))
    _weights: list[Int64s] = field(default_factory=list)

    def add(self, at_ms: Int64s, latency_us: Int64s) -> None:
        """Lines of this operation."""
        self.count += int(at_ms.size)
        self.sum_us += int(latency_us.sum())
        self.first_ms = min(self.first_ms, int(at_ms.min()))
        self.last_ms = max(self.last_ms, int(at_ms.max()))
        index = latency_us if int(latency_us.max()) < _EXACT_BELOW_US else LAYOUT.index_of(latency_us)
        keys, counts = np.unique(self._key(at_ms // self.piece_ms, index), return_counts=True)
        self._waiting.append(keys)
        self._weights.append(counts.astype(np.int64))
        self._waiting_rows += keys.size
        if self._waiting_rows > _WAITING_ROWS:
            self._join()

    def intervals(self, run_start_ms: int) -> IntervalRecords:
        """Pieces with their distance from the start of the run."""
        self._join()
        pieces, indices = self._keys >> _INDEX_BITS, self._keys & ((1 << _INDEX_BITS) - 1)
        numbers, piece_no = np.unique(pieces, return_inverse=True)
        begin_ms = np.maximum(numbers * self.piece_ms, run_start_ms)
        end_ms = np.minimum((numbers + 1) * self.piece_ms, self.last_ms + 1)
        return interval_records(
            LAYOUT,
            (begin_ms - run_start_ms) * NS_PER_MS,
            (end_ms - begin_ms) * NS_PER_MS,
            (piece_no.astype(np.int64), indices, self._counts),
        )

    def _key(self, piece: Int64s, index: Int64s) -> Int64s:
        key: Int64s = (piece << _INDEX_BITS) | index
        return key

    def _join(self) -> None:
        if self._waiting:
            self._keys, self._counts = _added(
                np.concatenate((self._keys, *self._waiting)), np.concatenate((self._counts, *self._weights))
            )
            self._waiting, self._weights, self._waiting_rows = [], [], 0
        while self._keys.size > _MAX_ROWS and self.piece_ms < _PIECES_MS[-1]:
            longer_ms = _PIECES_MS[_PIECES_MS.index(self.piece_ms) + 1]
            pieces, indices = self._keys >> _INDEX_BITS, self._keys & ((1 << _INDEX_BITS) - 1)
            pieces //= longer_ms // self.piece_ms
            self.piece_ms = longer_ms
            self._keys, self._counts = _added(self._key(pieces, indices), self._counts)


class RawReader:
    """Takes the raw lines out of blocks."""

    def __init__(self) -> None:
        self.operations: dict[str, RawOperation] = {}

    def take(self, block: Block) -> Iterator[tuple[int, bytes]]:
        """Reads the raw lines of a block; gives back the others with their numbers."""
        found, others = named_rows(block, _TIMESTAMP_DIGITS)
        for rows in found:
            name = rows.name.decode("utf-8", "replace")
            self.operations.setdefault(name, RawOperation()).add(rows.times, rows.values)
        return others


def _added(keys: Int64s, counts: Int64s) -> tuple[Int64s, Int64s]:
    """Equal keys added up, ascending."""
    order = np.argsort(keys, kind="stable")
    keys, counts = keys[order], counts[order]
    first = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    return keys[first], np.add.reduceat(counts, first)
