"""Raw lines of YCSB, `READ,1795178090117,839`: operation, milliseconds since 1970, latency in microseconds.

They come by the gigabyte, so they are read as bytes: eight digits at a time are turned into a number by
arithmetic on 64-bit words (each step joins neighbouring digits, then pairs, then fours). Lines that are not
of this shape are handed back for reading one by one. Latencies are kept to the microsecond up to 262 ms, and
to 0.00076 % beyond, in one histogram for each second; where seconds would need too much memory, pieces are
made longer. Source: `OneMeasurementRaw`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.units import NS_PER_MS, NS_PER_US
from tailroom.importers.columns import interval_records
from tailroom.importers.source import Block

LAYOUT = HdrLayout(NS_PER_US, 5)
_UInt64s = npt.NDArray[np.uint64]
_PAD = 32
_TIMESTAMP_DIGITS = 13
_MAX_LATENCY_DIGITS = 8
_MAX_NAME_BYTES = 24
_INDEX_BITS = 24
_WAITING_ROWS = 1 << 21
_MAX_ROWS = 1 << 22
_PIECES_MS = (1_000, 10_000, 60_000, 600_000, 3_600_000)
_EXACT_BELOW_US = 1 << 18
"""Below this, a bucket of five digits is one microsecond wide, and its number is the latency."""
_ASCII_ZEROS = np.uint64(0x3030303030303030)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


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
        data = block.data if block.data.endswith(b"\n") else block.data + b"\n"
        padded = b"," * _PAD + data
        text = np.frombuffer(padded, dtype=np.uint8)
        ends = np.flatnonzero(text == 0x0A)
        starts = np.empty_like(ends)
        starts[0], starts[1:] = _PAD, ends[:-1] + 1
        commas = np.flatnonzero(text[_PAD:] == 0x2C) + _PAD
        first, second, shaped = _two_commas(starts, ends, commas)
        stops = ends - (text[ends - 1] == 0x0D)
        fits = (
            shaped
            & (second - first == _TIMESTAMP_DIGITS + 1)
            & (stops - second - 1 >= 1)
            & (stops - second - 1 <= _MAX_LATENCY_DIGITS)
            & (first - starts >= 1)
            & (first - starts <= _MAX_NAME_BYTES)
        )
        words: _UInt64s = np.ndarray((text.size - 7,), dtype="<u8", buffer=padded, strides=(1,))
        chosen = slice(None) if fits.all() else np.flatnonzero(fits)
        lines = (starts[chosen], first[chosen], second[chosen], stops[chosen])
        good = self._read(words, lines, padded) if starts[chosen].size else np.empty(0, bool)
        if isinstance(chosen, slice):
            fits = good
        else:
            fits[chosen] = good
        for position in np.flatnonzero(~fits):
            begin, end = int(starts[position]), int(ends[position])
            yield block.first_line + int(position), padded[begin:end].removesuffix(b"\r")

    def _read(
        self, words: _UInt64s, lines: tuple[Int64s, Int64s, Int64s, Int64s], padded: bytes
    ) -> npt.NDArray[np.bool_]:
        """Adds the lines whose digits are digits; says which."""
        starts, first, second, stops = lines
        high, high_good = _eight_digits(words[first + 1], None)
        low, low_good = _eight_digits(words[second - 8], np.full(first.size, 5, dtype=np.uint64))
        latency, latency_good = _eight_digits(words[stops - 8], (stops - second - 1).astype(np.uint64))
        good = high_good & low_good & latency_good
        at_ms = (high * np.uint64(100_000) + low).astype(np.int64)
        latency_us = latency.astype(np.int64)
        changes = _name_changes(words, starts, first)
        for begin, end in zip(changes, [*changes[1:], starts.size], strict=True):
            name = padded[int(starts[begin]) : int(first[begin])].decode("utf-8", "replace")
            kept = good[begin:end]
            if kept.all():
                self._add(name, at_ms[begin:end], latency_us[begin:end])
            elif kept.any():
                self._add(name, at_ms[begin:end][kept], latency_us[begin:end][kept])
        return good

    def _add(self, name: str, at_ms: Int64s, latency_us: Int64s) -> None:
        self.operations.setdefault(name, RawOperation()).add(at_ms, latency_us)


def _two_commas(starts: Int64s, ends: Int64s, commas: Int64s) -> tuple[Int64s, Int64s, npt.NDArray[np.bool_]]:
    """First and second comma of each line, and which lines have exactly two."""
    if commas.size == 2 * starts.size:
        first, second = commas[0::2], commas[1::2]
        if (first >= starts).all() and (second < ends).all():
            return first, second, np.ones(starts.size, dtype=bool)
    before = np.searchsorted(commas, starts)
    shaped = np.searchsorted(commas, ends) - before == 2
    held = np.append(commas, [0, 0, 0])
    return held[before], held[np.minimum(before + 1, commas.size)], shaped


def _eight_digits(words: _UInt64s, digits: _UInt64s | None) -> tuple[_UInt64s, npt.NDArray[np.bool_]]:
    """The number that the last `digits` of eight characters are (all, by default), and whether they are
    digits.
    """
    value = words ^ _ASCII_ZEROS
    if digits is not None:
        # The number ends at the last byte, which is the highest in a little-endian word: the rest is cleared.
        value &= _ALL << (np.uint64(64) - np.uint64(8) * digits)
    over_nine = (value + np.uint64(0x7676767676767676)) | value
    good = (over_nine & np.uint64(0x8080808080808080)) == 0
    value = (value * np.uint64(10)) + (value >> np.uint64(8))
    value = (
        ((value & np.uint64(0x000000FF000000FF)) * np.uint64(0x000F424000000064))
        + (((value >> np.uint64(16)) & np.uint64(0x000000FF000000FF)) * np.uint64(0x0000271000000001))
    ) >> np.uint64(32)
    return value & np.uint64(0xFFFFFFFF), good


def _name_changes(words: _UInt64s, starts: Int64s, first: Int64s) -> list[int]:
    """Positions at which the name before the first comma is another one than in the line above."""
    lengths = first - starts
    changed = np.zeros(starts.size, dtype=bool)
    changed[0] = True
    changed[1:] = lengths[1:] != lengths[:-1]
    longest = int(lengths.max())
    for offset in range(0, longest, 8):
        # The eight bytes that end `offset` before the comma; what lies before the name is cleared.
        part = words[first - offset - 8]
        kept = np.clip(lengths - offset, 0, 8).astype(np.uint64)
        whole_word = np.where(kept > 0, _ALL << ((np.uint64(64) - np.uint64(8) * kept) & np.uint64(63)), 0)
        part = part & whole_word.astype(np.uint64)
        changed[1:] |= part[1:] != part[:-1]
    return [int(position) for position in np.flatnonzero(changed)]


def _added(keys: Int64s, counts: Int64s) -> tuple[Int64s, Int64s]:
    """Equal keys added up, ascending."""
    order = np.argsort(keys, kind="stable")
    keys, counts = keys[order], counts[order]
    first = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    return keys[first], np.add.reduceat(counts, first)
