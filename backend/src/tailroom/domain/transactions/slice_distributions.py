"""Distributions of an operation in all slices of a run, as arrays with an entry for each cell.

A cell is a latency bucket of one slice that has operations.

A day has 8,640 slices of 10 s with a thousand filled buckets each, so nothing here loops over slices.
"""

from dataclasses import dataclass

import numpy as np

from tailroom.domain.latency.bounds import Floats, Int64s
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import NEVER_NS

_COARSE_RELATIVE_WIDTH = 0.02
"""Width of a cell divided by its upper edge, above which the cell is coarse."""


@dataclass(frozen=True, slots=True, eq=False)
class SliceDistributions:
    """Latency distributions of slices: cells `[low, high)` in ns with probabilities, by slice and time.

    `high` is infinite if a bucket is open. The share missing to 1 in a slice are failed operations. `size`
    counts all slices, also those without cells.
    """

    size: int
    slice_no: Int64s
    low: Floats
    high: Floats
    ratio: Floats

    @staticmethod
    def of(records: IntervalRecords) -> "SliceDistributions":
        """Return the distributions of slices; a slice without operations has no cells, but
        counts in `size`.
        """
        cells = records.cells()
        totals = np.maximum(records.totals, 1)
        high = np.where(cells.upper_ns == NEVER_NS, np.inf, cells.upper_ns.astype(np.float64))
        return SliceDistributions(
            records.size,
            cells.interval_no,
            cells.lower_ns.astype(np.float64),
            high,
            cells.count / totals[cells.interval_no],
        )

    @property
    def middle(self) -> Floats:
        """A latency (ns) for each cell: its middle, or the mean of a log-uniform distribution in a coarse
        cell. An open cell is taken to end at twice its lower edge.
        """
        high = np.where(np.isinf(self.high), 2.0 * np.maximum(self.low, 1.0), self.high)
        coarse = (self.low > 0.0) & (high - self.low > _COARSE_RELATIVE_WIDTH * high)
        middle: Floats = (self.low + high) / 2.0
        if coarse.any():
            low, high = self.low[coarse], high[coarse]
            middle[coarse] = (high - low) / np.log(high / low)
        return middle
