"""The intervals of one series of a log: histograms are decoded 256 at a time and stored as columns.

Times are stored for every row, payloads are not: a day of them is hundreds of megabytes. If the buckets of
all series need too much memory, two, four, eight rows become one interval; the counts stay exact.
"""

from dataclasses import dataclass, field
from itertools import pairwise, zip_longest

import numpy as np
import numpy.typing as npt

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.importers.columns import columns, narrowed
from tailroom.importers.hdr_log.decoding import RawHistogram, decoded, decoded_together

_BATCH = 256
_Row = tuple[npt.NDArray[np.int32], npt.NDArray[np.integer]]
"""Buckets and counts of an interval, in narrow types."""


@dataclass(slots=True)
class TagIntervals:
    """Intervals of one tag. `layout` is that of the first histogram; rows with another layout fail."""

    tag: str | None
    line_no: list[int] = field(default_factory=list)
    start_ns: list[int] = field(default_factory=list)
    second_ns: list[int] = field(default_factory=list)
    """Line number, start, and second column (length or end) of each stored row."""
    most: str = ""
    """Largest value of the first filled histogram, as printed."""
    most_of: int | None = None
    """Largest value of the highest filled bucket of that histogram, in its own unit; None before it."""
    layout: tuple[int, int] | None = None
    """Width of the finest bucket in the unit of the histograms, and number of significant digits."""
    total: int = 0
    """Number of operations in all stored rows."""
    failed: list[tuple[int, str]] = field(default_factory=list)
    """Number of the line, and reason, of each row that was left out."""
    _waiting: list[tuple[int, int, int, str, bytes]] = field(default_factory=list)
    """The fields of `HdrLogRow` without the tag, of rows that are not decoded yet."""
    _example: RawHistogram | None = None
    """The first filled histogram, by whose header others are decoded together."""
    _rows: list[_Row] = field(default_factory=list)
    """Buckets and counts of each interval, which is the sum of `_together` rows."""
    _together: int = 1
    filled_buckets: int = 0
    """Filled buckets in memory."""

    def add(self, line_no: int, start_ns: int, second_ns: int, most: str, payload: bytes) -> None:
        """Add a row, with the fields of `HdrLogRow`; after the first filled row, 256 are decoded together."""
        self._waiting.append((line_no, start_ns, second_ns, most, payload))
        if len(self._waiting) >= _BATCH or self._example is None:
            self.flush()

    def flush(self) -> None:
        """Decode and store the waiting rows; add unreadable rows and those of another layout to `failed`."""
        row = None
        if self._example is not None:
            row = decoded_together([payload for *_, payload in self._waiting], self._example)
        if row is not None:
            self._store_together(*row)
        else:
            for line_no, start_ns, second_ns, most, payload in self._waiting:
                try:
                    self._add_decoded(line_no, start_ns, second_ns, most, decoded(payload))
                except DomainError as error:
                    self.failed.append((line_no, str(error)))
        self._waiting.clear()

    def _add_decoded(self, line_no: int, start_ns: int, second_ns: int, most: str, raw: RawHistogram) -> None:
        """Store a decoded row; add it to `failed` if its histogram has another layout than the first."""
        if self.layout is None:
            self.layout = (raw.step, raw.digits)
        elif self.layout != (raw.step, raw.digits):
            reason = f"the histogram has {raw.digits} digits and steps of {raw.step}, unlike those before it"
            self.failed.append((line_no, reason))
            return
        if self.most_of is None and raw.indices.size:
            self.most, self.most_of, self._example = most, raw.top(), raw
        self._store(line_no, start_ns, second_ns, _narrow(raw.indices, raw.counts))

    def _store_together(self, ends: list[int], indices: Int64s, counts: Int64s) -> None:
        """Store the waiting rows, whose buckets and counts are concatenated; `ends` is the end of each."""
        buckets, narrow_counts = _narrow(indices, counts)
        rows = [(buckets[begin:end], narrow_counts[begin:end]) for begin, end in pairwise((0, *ends))]
        if self._together > 1:
            for (line_no, start_ns, second_ns, _, _), row in zip(self._waiting, rows, strict=True):
                self._store(line_no, start_ns, second_ns, row)
            return
        self.line_no += [line_no for line_no, *_ in self._waiting]
        self.start_ns += [start_ns for _, start_ns, *_ in self._waiting]
        self.second_ns += [second_ns for _, _, second_ns, *_ in self._waiting]
        self.total += int(counts.sum())
        self._rows += rows
        self.filled_buckets += indices.size

    def _store(self, line_no: int, start_ns: int, second_ns: int, row: _Row) -> None:
        """Store a row; add it to the last interval unless that has `_together` rows."""
        self.total += int(row[1].sum(dtype=np.int64))
        if len(self.start_ns) % self._together:
            before = self._rows.pop()
            row = _sum_rows(before, row)
            self.filled_buckets -= before[0].size
        self.line_no.append(line_no)
        self.start_ns.append(start_ns)
        self.second_ns.append(second_ns)
        self._rows.append(row)
        self.filled_buckets += row[0].size

    @property
    def interval_count(self) -> int:
        """Number of intervals in memory."""
        return len(self._rows)

    def halve(self) -> None:
        """Join every two neighbouring intervals, and as many later rows, to save memory."""
        pairs = zip_longest(self._rows[::2], self._rows[1::2])
        self._rows = [row if following is None else _sum_rows(row, following) for row, following in pairs]
        self.filled_buckets = sum(indices.size for indices, _ in self._rows)
        self._together *= 2

    def intervals(self, unit_ns: int, starts_ns: Int64s, durations_ns: Int64s) -> IntervalRecords:
        """Return the intervals as columns; `unit_ns` is the unit of the values.

        `starts_ns` and `durations_ns` have an element for each row, also if several are one interval.
        """
        step, digits = self.layout or (1, 3)
        begins = np.arange(0, starts_ns.size, self._together)
        if self._together > 1:
            ends_ns = np.maximum.reduceat(starts_ns + durations_ns, begins)
            starts_ns = np.minimum.reduceat(starts_ns, begins)
            durations_ns = ends_ns - starts_ns
        lengths = np.fromiter((indices.size for indices, _ in self._rows), np.int64, len(self._rows))
        none = [np.empty(0, np.int64)]
        buckets = (
            np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths))),
            np.concatenate([indices for indices, _ in self._rows] or none, dtype=np.int64),
            np.concatenate([counts for _, counts in self._rows] or none, dtype=np.int64),
        )
        return columns(HdrLayout(step * unit_ns, digits), starts_ns, durations_ns, buckets)


def _narrow(indices: npt.NDArray[np.integer], counts: Int64s) -> _Row:
    """Return buckets and counts in narrow types."""
    return indices.astype(np.int32), narrowed(counts)


def _sum_rows(row: _Row, other: _Row) -> _Row:
    """Return the sum of two intervals by bucket."""
    indices, place = np.unique(np.concatenate((row[0], other[0])), return_inverse=True)
    counts = np.zeros(indices.size, np.int64)
    np.add.at(counts, place, np.concatenate((row[1], other[1]), dtype=np.int64))
    return _narrow(indices, counts)
