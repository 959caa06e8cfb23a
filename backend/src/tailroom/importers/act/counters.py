"""Intervals from cumulative counts: subtracted for all blocks at once, or one by one if irregular.

A block is a report of ACT, below a label with its time (`after 10 sec:`). ACT's counts only ever grow. A
count that falls is a restart or a damaged line, never a negative number: at a restart the run ends here and
another begins; any other contradictory block is left out and reported, which costs no operation, because the
next good block counts from the start again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.units import ceil_div
from tailroom.importers.act.bucket_rows import BUCKETS_MAX
from tailroom.importers.act.scanner import Blocks
from tailroom.importers.problems import Problems

ENTRIES_MAX = 2_400_000
"""Most filled buckets of all intervals of a run; above it, intervals are merged into longer intervals."""

OUT_OF_ORDER_MAX = 20
"""After so many blocks in a row with earlier labels, falling counts are a restart, not a repetition."""

_Columns = tuple[Int64s, Int64s, npt.NDArray[np.uint8], Int64s]
"""End (s) and number of filled buckets of each interval, then these buckets and the count of each."""
_NO_COUNTS = np.zeros(BUCKETS_MAX, np.int64)
_LIVE_DIFFERENCE_MAX = 1024
"""Up to 2013 the total is a separate counter, read during counting; a larger difference is damage."""


@dataclass(slots=True)
class HistogramIntervals:
    """Intervals of one histogram, as one or more added parts; `columns` concatenates them."""

    last: Int64s = field(default_factory=lambda: np.zeros(BUCKETS_MAX, np.int64))
    """Cumulative counts by bucket at the end of the last interval."""
    parts: list[_Columns] = field(default_factory=list)
    entries: int = 0
    """Filled buckets of all intervals."""

    def add(self, end_s: Int64s, cumulative: Int64s, lengthened_s: int | None) -> None:
        """Add cumulative counts: a row for each interval, a column for each bucket; columns may not fall.

        `end_s`: end of each interval in seconds. With `lengthened_s`, the rows of each period of so many
        seconds become one interval, which ends with the last of them.
        """
        if lengthened_s is not None:
            last_rows = np.flatnonzero(np.diff((end_s - 1) // lengthened_s, append=-1))
            end_s, cumulative = end_s[last_rows], cumulative[last_rows]
        width = cumulative.shape[1]
        before = np.concatenate((self.last[None, :width], cumulative[:-1]))
        grown = cumulative - before
        row, bucket = np.nonzero(grown)
        lengths = np.bincount(row, minlength=end_s.size)
        self.parts.append((end_s, lengths, bucket.astype(np.uint8), grown[row, bucket]))
        self.entries += row.size
        self.last = np.zeros(BUCKETS_MAX, np.int64)
        self.last[:width] = cumulative[-1]

    def columns(self) -> _Columns:
        """Return the columns of all intervals, which become the only part."""
        if len(self.parts) > 1:
            end_s, lengths, buckets, counts = zip(*self.parts, strict=True)
            self.parts = [
                (
                    np.concatenate(end_s),
                    np.concatenate(lengths),
                    np.concatenate(buckets),
                    np.concatenate(counts),
                )
            ]
        return self.parts[0]

    def lengthen(self, interval_s: int) -> None:
        """Replace the intervals by their exact sums in periods of `interval_s` seconds."""
        end_s, lengths, buckets, counts = self.columns()
        group = (end_s - 1) // interval_s
        firsts = np.flatnonzero(np.diff(group, prepend=group[0] - 1))
        number = np.cumsum(np.diff(group, prepend=group[0]) != 0)
        keys = np.repeat(number, lengths) * BUCKETS_MAX + buckets
        # Counts of a run stay below 2**53 (checked where they come in), so adding in doubles is exact.
        dense = np.bincount(keys, weights=counts, minlength=firsts.size * BUCKETS_MAX)
        filled = np.flatnonzero(dense)
        ends = end_s[np.append(firsts[1:], end_s.size) - 1]
        sizes = np.bincount(filled // BUCKETS_MAX, minlength=firsts.size)
        self.parts = [(ends, sizes, (filled % BUCKETS_MAX).astype(np.uint8), dense[filled].astype(np.int64))]
        self.entries = int(filled.size)


class _Cumulative(NamedTuple):
    """Cumulative counts by bucket of one histogram, the number of its series, and the line of its heading."""

    series: int
    line: int
    counts: Int64s


@dataclass(slots=True)
class Counters:
    """Cumulative counts of all histograms of a run during reading. Series are numbered as they occur."""

    interval_s: int | None
    """Seconds between two blocks; None if neither the configuration nor two blocks state it."""
    live_totals: bool
    """Whether totals are separate counters, which may differ from the sum of the buckets."""
    bucket_max: int
    """The highest valid bucket number."""
    problems: Problems
    by_series: dict[int, HistogramIntervals] = field(default_factory=dict)
    """Intervals by number of the series."""
    last_s: int = 0
    """Label of the last block, which is its end in seconds."""
    last_line: int = 0
    """Line of the last label."""
    blocks: int = 0
    """Number of blocks, without those that were left out."""
    live_difference: int = 0
    """The largest difference between a total and the sum of its buckets; 0 unless `live_totals`."""
    out_of_order: int = 0
    """Blocks in a row that were left out because their labels are not above the last."""
    lengthened_s: int | None = None
    """Length in seconds of merged intervals; None if they are as long as in the log."""

    def add(self, blocks: Blocks, series_of: Int64s, next_s: int | None = None) -> int | None:
        """Add blocks up to a restart; return the position of the block that begins another run, else None.

        `series_of`: number of the series of each histogram, −1 for none. `next_s`: label of the block after
        these. An unknown `interval_s` is set by the first two labels.
        """
        if blocks.label_s.size == 0:
            return None
        if self.interval_s is None and blocks.label_s.size > 1:
            step = int(blocks.label_s[1] - blocks.label_s[0])
            self.interval_s = step if step > 0 else None
        rows = self._usable(blocks, series_of)
        # A row for each histogram, a column for each bucket up to the highest.
        cumulative = np.zeros((blocks.name_no.size, int(blocks.bucket.max(initial=0)) + 1), np.int64)
        cumulative[blocks.histogram_no, blocks.bucket] = blocks.count
        restart = None
        if not self._add_at_once(blocks, series_of, rows, cumulative):
            restart = self._add_one_by_one(blocks, series_of, rows, cumulative, next_s)
        self._lengthen_if_too_many()
        return restart

    def _usable(self, blocks: Blocks, series_of: Int64s) -> npt.NDArray[np.bool_]:
        """Return which histograms are undamaged, true to their total and the first of a series in a block."""
        sums = np.bincount(blocks.histogram_no, weights=blocks.count, minlength=series_of.size)
        sums = sums.astype(np.int64)
        in_series = (series_of >= 0) & (blocks.block_no >= 0)
        difference = np.abs(sums - blocks.total)
        difference_max = _LIVE_DIFFERENCE_MAX if self.live_totals else 0
        damaged = blocks.damaged | (difference > difference_max) | (sums >= 1 << 52)
        # A bucket that stands twice or out of order is damage that a sum may hide.
        is_same = np.diff(blocks.histogram_no) == 0
        unordered = np.flatnonzero(is_same & (np.diff(blocks.bucket) <= 0))
        damaged[blocks.histogram_no[unordered]] = True
        damaged[blocks.histogram_no[blocks.bucket > self.bucket_max]] = True
        usable: npt.NDArray[np.bool_] = in_series & ~damaged
        if self.live_totals:
            self.live_difference = max(self.live_difference, int(difference[usable].max(initial=0)))
        for position in np.flatnonzero(in_series & damaged).tolist():
            self.problems.add(
                "sum",
                f"the buckets add up to {int(sums[position])} operations and the total says "
                f"{int(blocks.total[position])}, or a line of them is damaged; left out here, counted with "
                f"the next block",
                int(blocks.heading_line[position]),
            )
        keys = blocks.block_no * (int(series_of.max(initial=0)) + 1) + series_of
        chosen = np.flatnonzero(usable)
        if not (np.bincount(keys[chosen]) > 1).any():
            return usable
        _, first = np.unique(keys[chosen], return_index=True)
        repeated = np.setdiff1d(chosen, chosen[first])
        usable[repeated] = False
        for line in blocks.heading_line[repeated].tolist():
            self.problems.add(
                "twice", "the histogram stands twice in one block; the second is left out", line
            )
        return usable

    def _add_at_once(
        self, blocks: Blocks, series_of: Int64s, rows: npt.NDArray[np.bool_], cumulative: Int64s
    ) -> bool:
        """Add all blocks if labels are regular and no count falls; otherwise add none and return False."""
        interval = self.interval_s
        if interval is None:
            return False
        labels = blocks.label_s
        if not np.array_equal(labels, self.last_s + interval * np.arange(1, labels.size + 1)):
            return False
        chosen: list[tuple[int, Int64s]] = []
        for series in np.flatnonzero(np.bincount(series_of[rows])).tolist():
            of_series = np.flatnonzero(rows & (series_of == series))
            table = cumulative[of_series]
            width = table.shape[1]
            last = self._last_counts(series)
            if (table[0] < last[:width]).any() or last[width:].any() or (table[1:] < table[:-1]).any():
                return False
            chosen.append((series, of_series))
        for series, of_series in chosen:
            histograms = self.by_series.setdefault(series, HistogramIntervals())
            histograms.add(labels[blocks.block_no[of_series]], cumulative[of_series], self.lengthened_s)
        self._record_progress(blocks, labels.size - 1, labels.size)
        return True

    def _record_progress(self, blocks: Blocks, block: int, count: int) -> None:
        """Record that `count` blocks were added, the last of them at position `block` of `blocks`."""
        self.out_of_order = 0
        self.last_s, self.last_line = int(blocks.label_s[block]), int(blocks.label_line[block])
        self.blocks += count

    def _add_one_by_one(
        self,
        blocks: Blocks,
        series_of: Int64s,
        rows: npt.NDArray[np.bool_],
        cumulative: Int64s,
        next_s: int | None,
    ) -> int | None:
        """Add blocks up to a restart; report and leave out blocks with wrong labels and histograms that fall.

        Return the position of the block that begins another run, or None. `rows`: usable histograms.
        """
        histograms_of: list[list[_Cumulative]] = [[] for _ in range(blocks.label_s.size)]
        for position in np.flatnonzero(rows).tolist():
            counts = np.zeros(BUCKETS_MAX, np.int64)
            counts[: cumulative.shape[1]] = cumulative[position]
            histograms_of[int(blocks.block_no[position])].append(
                _Cumulative(int(series_of[position]), int(blocks.heading_line[position]), counts)
            )
        labels: list[int] = blocks.label_s.tolist() + ([] if next_s is None else [next_s])
        for block, histograms in enumerate(histograms_of):
            label, line = labels[block], int(blocks.label_line[block])
            next_label = labels[block + 1] if block + 1 < len(labels) else None
            following = histograms_of[block + 1] if block + 1 < len(histograms_of) else []
            stays_low = bool(following) and all(map(self._falls, following))
            if self._is_restart(label, next_label, histograms, stays_low=stays_low):
                self.problems.error(
                    "restart",
                    f"counts start again between the blocks at {self.last_s} s and {label} s: the test was "
                    f"started again, and what follows is another run",
                    line,
                )
                return block
            if label <= self.last_s:
                self.out_of_order += 1
                self.problems.add(
                    "label",
                    f"the block says that it ends at {label} s, after one that ends at {self.last_s} s; left "
                    f"out, counted with the next block",
                    line,
                )
            elif next_label is not None and self.last_s < next_label < label:
                self.problems.add(
                    "label",
                    f"the block says that it ends at {label} s, between blocks at {self.last_s} s and "
                    f"{next_label} s; left out, counted with the next block",
                    line,
                )
            else:
                self._note_gap(label, line)
                for histogram in histograms:
                    self._add_histogram(label, histogram)
                self._record_progress(blocks, block, 1)
        return None

    def _add_histogram(self, label: int, histogram: _Cumulative) -> None:
        if self._falls(histogram):
            self.problems.error(
                "falls",
                "a count is below that of the block before it; left out here, counted with the next block",
                histogram.line,
            )
            return
        intervals = self.by_series.setdefault(histogram.series, HistogramIntervals())
        intervals.add(np.array([label], np.int64), histogram.counts[None, :], self.lengthened_s)

    def _is_restart(
        self, label: int, next_label: int | None, histograms: Sequence[_Cumulative], *, stays_low: bool
    ) -> bool:
        """Return whether another test begins with this block, at `label` (s).

        It does if counts fall and stay low, if the labels start again with other counts, or if counts fall
        after 20 blocks out of order. A repeated block has lower labels and counts too, but only for a while.
        `stays_low`: whether the next block's histograms all fall, too.
        """
        falls = any(map(self._falls, histograms))
        if label > self.last_s:
            return falls and stays_low
        if label == self.interval_s and next_label in (None, 2 * label):
            differs = any((each.counts != self._last_counts(each.series)).any() for each in histograms)
            if label < self.last_s or differs:
                return True
        return falls and self.out_of_order >= OUT_OF_ORDER_MAX

    def _last_counts(self, series: int) -> Int64s:
        histograms = self.by_series.get(series)
        return _NO_COUNTS if histograms is None else histograms.last

    def _falls(self, histogram: _Cumulative) -> bool:
        return bool((histogram.counts < self._last_counts(histogram.series)).any())

    def _note_gap(self, label: int, line: int) -> None:
        """Report a problem if blocks are missing before the block that ends at `label` (s), or if it does not
        end whole intervals after the last. Nothing is reported while the interval is unknown.
        """
        if self.interval_s is None:
            return
        missing = (label - self.last_s) // self.interval_s - 1
        if missing >= 1:
            self.problems.add(
                "gap",
                f"{missing} {'block is' if missing == 1 else 'blocks are'} missing between {self.last_s} s "
                f"and {label} s; the operations are counted, as one piece",
                line,
            )
        elif (label - self.last_s) % self.interval_s:
            self.problems.add(
                "step",
                f"the block ends {label - self.last_s} s after the one before it, and the configuration says "
                f"{self.interval_s} s",
                line,
            )

    def _lengthen_if_too_many(self) -> None:
        """Merge intervals to at least twice their length if all series hold over `ENTRIES_MAX` buckets."""
        if sum(histograms.entries for histograms in self.by_series.values()) <= ENTRIES_MAX:
            return
        lengths = [1, 5, 10, 60, 300, 600, 1800, 3600, 21_600, 86_400]
        now = self.lengthened_s or self.interval_s or 1
        longer = next((length for length in lengths if length >= 2 * now), 2 * now)
        interval = self.interval_s or 1
        self.lengthened_s = ceil_div(longer, interval) * interval
        for histograms in self.by_series.values():
            histograms.lengthen(self.lengthened_s)
