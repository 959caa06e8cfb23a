"""Laws of one operation in many pieces of a run at once, as columns: cells of all pieces, piece after piece.

A day has 8,640 pieces of 10 s with a thousand filled buckets each, so nothing here loops over pieces.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tailroom.domain.latency.bounds import Floats, Int64s
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import NEVER_NS
from tailroom.domain.transactions.waves import power_of_shares

Mask = npt.NDArray[np.bool_]

_COARSE_RELATIVE_WIDTH = 0.02
_DIGITS = 1e-13
"""Shares of a piece are added up along a block of pieces and lose this much."""


@dataclass(frozen=True, slots=True, eq=False)
class PieceLaws:
    """Cells `[low, high)` in ns with probabilities, ordered by piece and time; `high` is infinite where open.

    What is missing to 1 in a piece are misses. `size` is the number of pieces, also of those without cells.
    """

    size: int
    piece: Int64s
    low: Floats
    high: Floats
    ratio: Floats

    @staticmethod
    def of(records: IntervalRecords) -> "PieceLaws":
        """From records; pieces without operations have no cells."""
        cells = records.cells()
        totals = np.maximum(records.totals, 1)
        high = np.where(cells.upper_ns == NEVER_NS, np.inf, cells.upper_ns.astype(np.float64))
        return PieceLaws(
            records.size,
            cells.piece_no,
            cells.lower_ns.astype(np.float64),
            high,
            cells.count / totals[cells.piece_no],
        )

    @property
    def middle(self) -> Floats:
        """One latency for each cell: the middle, log-uniform in a coarse cell."""
        high = np.where(np.isinf(self.high), 2.0 * np.maximum(self.low, 1.0), self.high)
        coarse = (self.low > 0.0) & (high - self.low > _COARSE_RELATIVE_WIDTH * high)
        middle: Floats = (self.low + high) / 2.0
        if coarse.any():
            low, high = self.low[coarse], high[coarse]
            middle[coarse] = (high - low) / np.log(high / low)
        return middle

    def chosen(self, cells: Mask) -> "PieceLaws":
        """Some cells only; the others count as misses."""
        return PieceLaws(self.size, self.piece[cells], self.low[cells], self.high[cells], self.ratio[cells])

    def shared_by(self, workers: int) -> "PieceLaws":
        """Every latency divided by a number of workers."""
        return PieceLaws(self.size, self.piece, self.low / workers, self.high / workers, self.ratio)

    def slowest_of(self, count: int) -> "PieceLaws":
        """Law of the slowest of `count` operations in every piece."""
        if count == 1 or self.piece.size == 0:
            return self
        running = np.cumsum(self.ratio)
        begins = np.flatnonzero(np.concatenate((np.ones(1, np.bool_), self.piece[1:] != self.piece[:-1])))
        base = np.zeros(self.size)
        base[self.piece[begins]] = running[begins] - self.ratio[begins]
        below = np.clip(running - base[self.piece], 0.0, 1.0)
        over = 1.0 - below
        over[over < _DIGITS] = 0.0
        reached = power_of_shares(below, over, count)
        previous = np.concatenate((np.zeros(1), reached[:-1]))
        previous[begins] = 0.0
        return PieceLaws(self.size, self.piece, self.low, self.high, np.maximum(reached - previous, 0.0))

    def quantiles(self, over: float) -> Floats:
        """Smallest cell end in every piece with at most this share over it; infinite where there is none."""
        running = np.cumsum(self.ratio)
        first = np.searchsorted(self.piece, np.arange(self.size), side="left")
        last = np.searchsorted(self.piece, np.arange(self.size), side="right")
        before = np.concatenate((np.zeros(1), running))
        position = np.searchsorted(running, before[first] + (1.0 - over), side="left")
        ends = np.append(self.high, np.inf)
        found: Floats = np.where(position < last, ends[np.minimum(position, self.high.size)], np.inf)
        return found
