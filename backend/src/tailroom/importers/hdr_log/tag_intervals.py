"""The intervals of one series of a log: histograms in, columns out, a few hundred at a time.

Times may be kept for every row, payloads may not: a day of them is hundreds of megabytes. Where buckets would
fill the memory too, two, four, eight rows become one piece; the counts stay exact.
"""

from dataclasses import dataclass, field
from itertools import pairwise, zip_longest

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.importers.columns import columns
from tailroom.importers.hdr_log.decoding import Raw, decoded, decoded_together

_BATCH = 256
_MAX_HELD = 1 << 24
"""Filled buckets in memory: 256 MiB."""


@dataclass(slots=True)
class TagIntervals:
    """Intervals of one tag. `layout` is that of the first histogram; other layouts are refused by name."""

    tag: str | None
    line_no: list[int] = field(default_factory=list)
    start_ns: list[int] = field(default_factory=list)
    second_ns: list[int] = field(default_factory=list)
    most: str = ""
    most_of: int | None = None
    layout: tuple[int, int] | None = None
    """Steps of the histogram in its own unit, and significant digits."""
    total: int = 0
    failed: list[tuple[int, str]] = field(default_factory=list)
    _waiting: list[tuple[int, int, int, str, bytes]] = field(default_factory=list)
    _like: Raw | None = None
    _rows: list[tuple[Int64s, Int64s]] = field(default_factory=list)
    """Buckets and counts of `_together` rows of the log each."""
    _together: int = 1
    _held: int = 0

    def add(self, line_no: int, start_ns: int, second_ns: int, most: str, payload: bytes) -> None:
        """Add one row."""
        self._waiting.append((line_no, start_ns, second_ns, most, payload))
        if len(self._waiting) >= _BATCH or self._like is None:
            self.flush()

    def flush(self) -> None:
        """Decode the waiting rows."""
        row = None
        if self._like is not None:
            row = decoded_together([payload for *_, payload in self._waiting], self._like)
        if row is not None:
            self._keep_together(*row)
        else:
            for line_no, start_ns, second_ns, most, payload in self._waiting:
                try:
                    self._take(line_no, start_ns, second_ns, most, decoded(payload))
                except DomainError as error:
                    self.failed.append((line_no, str(error)))
        self._waiting.clear()

    def _take(self, line_no: int, start_ns: int, second_ns: int, most: str, raw: Raw) -> None:
        if self.layout is None:
            self.layout = (raw.step, raw.digits)
        elif self.layout != (raw.step, raw.digits):
            self.failed.append(
                (
                    line_no,
                    f"the histogram has {raw.digits} digits and steps of {raw.step}, unlike those before it",
                )
            )
            return
        if self.most_of is None and raw.indices.size:
            self.most, self.most_of, self._like = most, raw.top(), raw
        self._keep(line_no, start_ns, second_ns, raw.indices, raw.counts)

    def _keep_together(self, ends: list[int], indices: Int64s, counts: Int64s) -> None:
        """Store rows that were decoded together, buckets and counts one behind the other."""
        rows = [(indices[begin:end], counts[begin:end]) for begin, end in pairwise((0, *ends))]
        if self._together > 1:
            for (line_no, start_ns, second_ns, _, _), row in zip(self._waiting, rows, strict=True):
                self._keep(line_no, start_ns, second_ns, *row)
            return
        self.line_no += [line_no for line_no, *_ in self._waiting]
        self.start_ns += [start_ns for _, start_ns, *_ in self._waiting]
        self.second_ns += [second_ns for _, _, second_ns, *_ in self._waiting]
        self.total += int(counts.sum())
        self._rows += rows
        self._held += indices.size
        self._shrink()

    def _keep(self, line_no: int, start_ns: int, second_ns: int, indices: Int64s, counts: Int64s) -> None:
        row = (indices, counts)
        if len(self.start_ns) % self._together:
            before = self._rows.pop()
            row = _added(before, row)
            self._held -= before[0].size
        self.line_no.append(line_no)
        self.start_ns.append(start_ns)
        self.second_ns.append(second_ns)
        self.total += int(counts.sum())
        self._rows.append(row)
        self._held += row[0].size
        self._shrink()

    def _shrink(self) -> None:
        """Join neighbours where they would fill the memory."""
        while self._held > _MAX_HELD and len(self._rows) > 1:
            pairs = zip_longest(self._rows[::2], self._rows[1::2])
            self._rows = [pair if two is None else _added(pair, two) for pair, two in pairs]
            self._held = sum(indices.size for indices, _ in self._rows)
            self._together *= 2

    def intervals(self, unit_ns: int, starts_ns: Int64s, durations_ns: Int64s) -> IntervalRecords:
        """Return the intervals as columns, with the unit in which the histogram counts."""
        step, digits = self.layout or (1, 3)
        begins = np.arange(0, starts_ns.size, self._together)
        if self._together > 1:
            ends_ns = np.maximum.reduceat(starts_ns + durations_ns, begins)
            starts_ns = np.minimum.reduceat(starts_ns, begins)
            durations_ns = ends_ns - starts_ns
        lengths = np.fromiter((indices.size for indices, _ in self._rows), np.int64, len(self._rows))
        none = [np.empty(0, np.int64)]
        return columns(
            HdrLayout(step * unit_ns, digits),
            starts_ns,
            durations_ns,
            (
                np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths))),
                np.concatenate([indices for indices, _ in self._rows] or none),
                np.concatenate([counts for _, counts in self._rows] or none),
            ),
        )


def _added(pair: tuple[Int64s, Int64s], two: tuple[Int64s, Int64s]) -> tuple[Int64s, Int64s]:
    """Return the counts of both, by ascending bucket."""
    indices, place = np.unique(np.concatenate((pair[0], two[0])), return_inverse=True)
    counts = np.zeros(indices.size, np.int64)
    np.add.at(counts, place, np.concatenate((pair[1], two[1])))
    return indices, counts
