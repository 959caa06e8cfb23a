"""Lower and upper CDF of an operation in several groups of slices, as point masses, for `PlanBounds`.

A group is a set of similar slices with its own distribution. Late masses are at the largest latency that the
record allows, early masses at the smallest. The share missing to 1 are operations that never end.

The distributions of all slices are arrays with an entry for each cell, a latency bucket of one slice that has
operations: a day has 8,640 slices of 10 s with a thousand filled buckets each, so nothing loops over slices.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from tailroom.domain.latency.bounds import Floats, Int64s, LatencyBounds, PointMasses
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import NEVER_NS
from tailroom.domain.transactions.plan import RandomCount
from tailroom.domain.transactions.work import spend

_COARSE_RELATIVE_WIDTH = 0.02
"""Width of a cell divided by its upper edge, above which the cell is coarse."""


CEILINGS_NS: Floats = np.exp2(np.arange(8, 46)).astype(np.float64)
"""Times at which latencies are cut off for bounds by moments; the same for all questions."""
_ROUNDING = 1e-13
_CACHE_SIZE = 16
"""Most derived distributions of each kind (by `slowest_of`, by `shared_by`) that a `Masses` caches."""
_PASSES = 10
"""Cost in points of a computation for each mass."""


def power_of_shares(below: Floats, over: Floats, count: int | RandomCount) -> Floats:
    """Return `below ** count`, averaged over a random count; `over` is `1 − below`, exact for tiny shares."""
    if isinstance(count, RandomCount):
        terms = [weight * power_of_shares(below, over, n) for n, weight in count.weights.items()]
        return np.asarray(sum(terms), dtype=np.float64)
    small = np.clip(over, 0.0, 0.5)
    exact = np.exp(count * np.log1p(-small))
    return np.asarray(np.where(over < 0.5, exact, np.maximum(below, 0.0) ** count), dtype=np.float64)


@dataclass(eq=False)
class Masses:
    """Latency distributions of `size` groups as point masses by group, then time: share `ratio[i]` of group
    `group[i]` at `at_ns[i]` ns. The share of a group that its masses lack never ends.
    """

    size: int
    group: Int64s
    at_ns: Floats
    ratio: Floats
    continuous: bool = True
    """Whether a mass represents latencies in `[at, …)`: `under` a limit then counts no mass exactly at it."""
    _slowest: dict[int, "Masses"] = field(default_factory=dict)
    _shared: dict[int, "Masses"] = field(default_factory=dict)

    @staticmethod
    def from_distribution(distribution: PointMasses, *, continuous: bool) -> "Masses":
        """Return the masses of a distribution as a single group."""
        order = np.argsort(distribution.at_ns, kind="stable")
        at_ns = distribution.at_ns[order].astype(np.float64)
        return Masses(1, np.zeros(order.size, np.int64), at_ns, distribution.ratio[order], continuous)

    @cached_property
    def _begins(self) -> Int64s:
        """Position of each group's first mass, and at the end the number of masses: `size + 1` numbers."""
        begins: Int64s = np.searchsorted(self.group, np.arange(self.size + 1), side="left")
        return begins

    def group_masses(self, group: int) -> tuple[Floats, Floats]:
        """Return times in ns, ascending, and shares of the masses of the group at position `group`."""
        masses = slice(int(self._begins[group]), int(self._begins[group + 1]))
        return self.at_ns[masses], self.ratio[masses]

    def shared_by(self, workers: int) -> "Masses":
        """Return the masses with every latency divided by the number of workers; the result is cached."""
        masses = self._shared.get(workers)
        if masses is None:
            masses = Masses(self.size, self.group, self.at_ns / workers, self.ratio, self.continuous)
            _store(self._shared, workers, masses)
        return masses

    def slowest_of(self, count: int) -> "Masses":
        """Return the distribution of the slowest of `count` independent operations in every group, cached.
        Raise WorkExceeded beyond the work budget, also for a cached result.
        """
        if count == 1 or self.at_ns.size == 0:
            return self
        spend(_PASSES * self.at_ns.size)
        masses = self._slowest.get(count)
        if masses is None:
            below = self._below
            over = 1.0 - below
            over[over < _ROUNDING] = 0.0
            reached = power_of_shares(below, over, count)
            before = np.concatenate((np.zeros(1), reached[:-1]))
            before[self._begins[:-1][np.diff(self._begins) > 0]] = 0.0
            ratio = np.maximum(reached - before, 0.0)
            masses = Masses(self.size, self.group, self.at_ns, ratio, self.continuous)
            _store(self._slowest, count, masses)
        return masses

    @property
    def _below(self) -> Floats:
        """Share of its group at or below each mass, in the order of the masses: running sums, at most 1."""
        running = np.cumsum(self.ratio)
        base = np.concatenate((np.zeros(1), running))[self._begins[:-1]]
        below: Floats = np.clip(running - base[self.group], 0.0, 1.0)
        return below

    def within(self, limit_ns: float, *, strictly: bool = False) -> Floats:
        """Return the share of each group at or below a limit in ns; with `strictly`, only below it."""
        spend(_PASSES * self.at_ns.size)
        at_ns, running = self._table
        inside = (at_ns < limit_ns if strictly else at_ns <= limit_ns).sum(axis=1)
        share = running[np.arange(self.size), inside]
        return np.asarray(np.clip(share, 0.0, 1.0), dtype=np.float64)

    @cached_property
    def _table(self) -> tuple[Floats, Floats]:
        """Times (ns) of each group, padded with NaN, and running sums of its masses from 0 on: a row for each
        group; the sums have one column more than the times.
        """
        place = np.arange(self.at_ns.size) - self._begins[self.group]
        shape = self.size, int(np.diff(self._begins).max(initial=0))
        at_ns, running = np.full(shape, np.nan), np.zeros((shape[0], shape[1] + 1))
        at_ns[self.group, place] = self.at_ns
        running[self.group, place + 1] = self.ratio
        return at_ns, np.cumsum(running, axis=1)

    @cached_property
    def ceiling_range(self) -> tuple[int, int]:
        """Positions of the first and last ceiling in `CEILINGS_NS` that `moments` need: the lowest with a
        mass at or below it, and the lowest with all finite masses or the highest; 0 and −1 without finite
        masses.
        """
        finite = self.at_ns[np.isfinite(self.at_ns)]
        if not finite.size:
            return 0, -1
        first, last = np.searchsorted(CEILINGS_NS, (finite.min(), finite.max())).tolist()
        return int(first), min(int(last), CEILINGS_NS.size - 1)

    @cached_property
    def capped_ceiling_range(self) -> tuple[int, int]:
        """Positions of the first and last ceiling that `capped_moments` need: the highest below all masses,
        and as in `ceiling_range`, or the highest of all if a group's masses do not add up to 1.
        """
        first, last = self.ceiling_range
        missing = 1.0 - np.bincount(self.group, self.ratio, self.size)
        if last < 0 or (missing > 0.0).any():
            last = CEILINGS_NS.size - 1
        return max(0, first - 1), last

    def within_each(self, limits_ns: Int64s | Floats, *, strictly: bool = False) -> Floats:
        """Return `within` at many limits: a row by group, a column by limit. Raise WorkExceeded like it."""
        spend(_PASSES * self.at_ns.size)
        rows = np.empty((self.size, limits_ns.size))
        for row in range(self.size):
            at_ns, ratio = self.group_masses(row)
            running = np.concatenate((np.zeros(1), np.cumsum(ratio)))
            rows[row] = running[np.searchsorted(at_ns, limits_ns, "left" if strictly else "right")]
        return np.asarray(np.clip(rows, 0.0, 1.0))

    def under(self, limit_ns: float) -> Floats:
        """Return the largest share of each group within a limit in ns, by `continuous`."""
        return self.within(limit_ns, strictly=self.continuous)

    @cached_property
    def moments(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Share, mean, variance and largest excess over the mean of the masses up to each ceiling, in ns and
        ns²: four arrays, ceilings by groups.
        """
        spend(_PASSES * CEILINGS_NS.size * self.at_ns.size)
        share, first, second, highest = self._below_ceilings
        held = np.minimum(share, 1.0)
        weight = np.where(held > 0.0, held, 1.0)
        mean, squared = first / weight, second / weight
        # The rounding error of a difference of squares is added, so that the variance is never too small.
        variance = np.maximum(0.0, squared - mean**2) + _ROUNDING * squared
        return held, mean, variance, np.maximum(0.0, highest - mean)

    @cached_property
    def capped_moments(self) -> tuple[Floats, Floats]:
        """Mean (ns) and variance (ns²), with masses over a ceiling moved to it: ceilings by groups."""
        spend(_PASSES * CEILINGS_NS.size * self.at_ns.size)
        share, first, second, _ = self._below_ceilings
        mass = np.maximum(1.0, np.bincount(self.group, self.ratio, self.size))
        over, ceiling = mass - share, CEILINGS_NS[:, None]
        mean, squared = first + over * ceiling, second + over * ceiling**2
        return mean, np.maximum(0.0, squared - mean**2) + _ROUNDING * squared

    @cached_property
    def _below_ceilings(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Sums of mass, mass × time, mass × time², and the largest time (ns) up to each ceiling by group."""
        tables = np.zeros((4, CEILINGS_NS.size, self.size))
        for group in range(self.size):
            at_ns, ratio = self.group_masses(group)
            inside = np.searchsorted(at_ns, CEILINGS_NS, side="right")
            at_ns, ratio = at_ns[: inside[-1]], ratio[: inside[-1]]
            for sums, values in zip(tables, (ratio, ratio * at_ns, ratio * at_ns**2), strict=False):
                sums[:, group] = np.concatenate((np.zeros(1), np.cumsum(values)))[inside]
            tables[3, :, group] = np.concatenate((np.zeros(1), at_ns))[inside]
        return tables[0], tables[1], tables[2], tables[3]


def _store(cache: dict[int, Masses], number: int, masses: Masses) -> None:
    if len(cache) >= _CACHE_SIZE:
        cache.clear()
    cache[number] = masses


@dataclass(frozen=True, eq=False)
class GroupDistributions:
    """Late, early and middle latency distribution of an operation in each group of slices. `middle` places
    each mass inside its bucket and is used for estimates only.
    """

    late: Masses
    early: Masses
    middle: Masses
    totals: Int64s | None = None
    """Operations of each group, failed operations included; None for distributions without counts."""

    @staticmethod
    def from_bounds(bounds: LatencyBounds) -> "GroupDistributions":
        """Return the distributions of a whole record as a single group, without `totals`."""
        late, early, middle = (
            Masses.from_distribution(distribution, continuous=bounds.continuous)
            for distribution in (bounds.late, bounds.early, bounds.middle)
        )
        return GroupDistributions(late, early, middle)

    @staticmethod
    def from_records(records: IntervalRecords) -> "GroupDistributions":
        """Return each slice as a group. Late masses of open buckets count as never ending."""
        cells = records.cells()
        group, low = cells.interval_no, cells.lower_ns.astype(np.float64)
        high = np.where(cells.upper_ns == NEVER_NS, np.inf, cells.upper_ns.astype(np.float64))
        ratio = cells.count / np.maximum(records.totals, 1)[group]
        closed = np.isfinite(high)
        return GroupDistributions(
            Masses(records.size, group[closed], high[closed], ratio[closed]),
            Masses(records.size, group, low, ratio),
            Masses(records.size, group, _middle(low, high), ratio),
            records.totals,
        )


def _middle(low: Floats, high: Floats) -> Floats:
    """Return a latency (ns) for each cell: its middle, or the mean of a log-uniform distribution in a coarse
    cell. An open cell is taken to end at twice its lower edge.
    """
    high = np.where(np.isinf(high), 2.0 * np.maximum(low, 1.0), high)
    coarse = (low > 0.0) & (high - low > _COARSE_RELATIVE_WIDTH * high)
    middle: Floats = (low + high) / 2.0
    if coarse.any():
        low, high = low[coarse], high[coarse]
        middle[coarse] = (high - low) / np.log(high / low)
    return middle
