"""Both certain laws of one operation in several groups of pieces, as point masses, for `PlanBounds`.

A group is a stretch of the record, or several alike ones, with a law of its own. Late masses lie where the
record allows a latency at most, early ones where it allows it at least; what is missing to 1 never ends.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from tailroom.domain.latency.bounds import Floats, Int64s, LatencyBounds, Law
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.transactions.piece_laws import PieceLaws
from tailroom.domain.transactions.waves import power_of_shares
from tailroom.domain.transactions.work import spend

_CEILINGS_NS: Floats = np.exp2(np.arange(8, 46)).astype(np.float64)
"""Times at which latencies are cut off for bounds by moments: fixed, so that no question moves them."""
_DIGITS = 1e-13
_KEPT = 16
"""Laws of so many numbers of operations at once, or of workers, are kept with a record."""
_PASSES = 10
"""How often a power, or what lies below a ceiling, goes through the masses."""


@dataclass(eq=False)
class Masses:
    """Point masses of `size` groups, ordered by group and time, in ns."""

    size: int
    group: Int64s
    at_ns: Floats
    ratio: Floats
    continuous: bool = True
    """Latencies lie in `[at, …)`: at a limit itself an early mass is not yet over."""
    _slowest: dict[int, "Masses"] = field(default_factory=dict)
    _shared: dict[int, "Masses"] = field(default_factory=dict)

    @staticmethod
    def of_laws(laws: Sequence[Law], *, continuous: bool) -> "Masses":
        """One law for each group."""
        groups = [np.full(law.at_ns.size, place, np.int64) for place, law in enumerate(laws)]
        order = [np.argsort(law.at_ns, kind="stable") for law in laws]
        return Masses(
            len(laws),
            np.concatenate([*groups, np.empty(0, np.int64)]),
            np.concatenate([*(law.at_ns[by] for law, by in zip(laws, order, strict=True)), np.empty(0)]),
            np.concatenate([*(law.ratio[by] for law, by in zip(laws, order, strict=True)), np.empty(0)]),
            continuous,
        )

    @cached_property
    def _begins(self) -> Int64s:
        """Where the masses of each group begin; one more than the groups."""
        begins: Int64s = np.searchsorted(self.group, np.arange(self.size + 1), side="left")
        return begins

    def of_group(self, group: int) -> tuple[Floats, Floats]:
        """Times and shares of one group."""
        masses = slice(int(self._begins[group]), int(self._begins[group + 1]))
        return self.at_ns[masses], self.ratio[masses]

    def shared_by(self, workers: int) -> "Masses":
        """Every latency divided by a number of workers."""
        found = self._shared.get(workers)
        if found is None:
            found = Masses(self.size, self.group, self.at_ns / workers, self.ratio, self.continuous)
            _keep(self._shared, workers, found)
        return found

    def slowest_of(self, count: int) -> "Masses":
        """The law of the slowest of `count` operations in every group."""
        if count == 1 or self.at_ns.size == 0:
            return self
        spend(_PASSES * self.at_ns.size)
        found = self._slowest.get(count)
        if found is None:
            below = self._below
            over = 1.0 - below
            over[over < _DIGITS] = 0.0
            reached = power_of_shares(below, over, count)
            before = np.concatenate((np.zeros(1), reached[:-1]))
            before[self._begins[:-1][np.diff(self._begins) > 0]] = 0.0
            ratio = np.maximum(reached - before, 0.0)
            found = Masses(self.size, self.group, self.at_ns, ratio, self.continuous)
            _keep(self._slowest, count, found)
        return found

    @property
    def _below(self) -> Floats:
        """Running sum of every mass inside its group."""
        running = np.cumsum(self.ratio)
        base = np.concatenate((np.zeros(1), running))[self._begins[:-1]]
        below: Floats = np.clip(running - base[self.group], 0.0, 1.0)
        return below

    def within(self, limit_ns: float, *, strictly: bool = False) -> Floats:
        """Share of each group at or below a limit."""
        spend(_PASSES * self.at_ns.size)
        at_ns, running = self._table
        inside = (at_ns < limit_ns if strictly else at_ns <= limit_ns).sum(axis=1)
        share = running[np.arange(self.size), inside]
        return np.asarray(np.clip(share, 0.0, 1.0), dtype=np.float64)

    @cached_property
    def _table(self) -> tuple[Floats, Floats]:
        """A row of times for each group, filled up with NaN, and running sums of its masses from 0 on."""
        place = np.arange(self.at_ns.size) - self._begins[self.group]
        shape = self.size, int(np.diff(self._begins).max(initial=0))
        at_ns, running = np.full(shape, np.nan), np.zeros((shape[0], shape[1] + 1))
        at_ns[self.group, place] = self.at_ns
        running[self.group, place + 1] = self.ratio
        return at_ns, np.cumsum(running, axis=1)

    @cached_property
    def held_ceilings(self) -> tuple[int, int]:
        """First and last ceiling at which `moments` differ: below nothing is held, beyond nothing is new."""
        finite = self.at_ns[np.isfinite(self.at_ns)]
        if not finite.size:
            return 0, -1
        first, last = np.searchsorted(_CEILINGS_NS, (finite.min(), finite.max())).tolist()
        return int(first), min(int(last), _CEILINGS_NS.size - 1)

    @cached_property
    def capped_ceilings(self) -> tuple[int, int]:
        """The same of `capped_moments`: of those below every mass the highest says most."""
        first, last = self.held_ceilings
        missing = 1.0 - np.bincount(self.group, self.ratio, self.size)
        if last < 0 or (missing > 0.0).any():
            last = _CEILINGS_NS.size - 1
        return max(0, first - 1), last

    def within_each(self, limits_ns: Int64s | Floats, *, strictly: bool = False) -> Floats:
        """The same at many limits: a row for each group, a column for each limit."""
        spend(_PASSES * self.at_ns.size)
        rows = np.empty((self.size, limits_ns.size))
        for row in range(self.size):
            at_ns, ratio = self.of_group(row)
            running = np.concatenate((np.zeros(1), np.cumsum(ratio)))
            rows[row] = running[np.searchsorted(at_ns, limits_ns, "left" if strictly else "right")]
        return np.asarray(np.clip(rows, 0.0, 1.0))

    def under(self, limit_ns: float) -> Floats:
        """Most that can end within a limit: of continuous latencies what lies strictly below it."""
        return self.within(limit_ns, strictly=self.continuous)

    @cached_property
    def moments(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Of what lies at or below each ceiling: its share, mean, variance, and the way up from the mean.

        Arrays of ceilings by groups.
        """
        spend(_PASSES * _CEILINGS_NS.size * self.at_ns.size)
        share, first, second, highest = self._below_ceilings
        kept = np.minimum(share, 1.0)
        weight = np.where(kept > 0.0, kept, 1.0)
        mean, squared = first / weight, second / weight
        # What a difference of squares loses is added, so that it never says too little.
        variance = np.maximum(0.0, squared - mean**2) + _DIGITS * squared
        return kept, mean, variance, np.maximum(0.0, highest - mean)

    @cached_property
    def capped_moments(self) -> tuple[Floats, Floats]:
        """Mean and variance with everything over a ceiling put at it; ceilings by groups."""
        spend(_PASSES * _CEILINGS_NS.size * self.at_ns.size)
        share, first, second, _ = self._below_ceilings
        mass = np.maximum(1.0, np.bincount(self.group, self.ratio, self.size))
        over, ceiling = mass - share, _CEILINGS_NS[:, None]
        mean, squared = first + over * ceiling, second + over * ceiling**2
        return mean, np.maximum(0.0, squared - mean**2) + _DIGITS * squared

    @cached_property
    def _below_ceilings(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Sums of the masses at or below each ceiling, of these times their time, and times its square; and
        the highest of these times.
        """
        found = np.zeros((4, _CEILINGS_NS.size, self.size))
        for group in range(self.size):
            at_ns, ratio = self.of_group(group)
            inside = np.searchsorted(at_ns, _CEILINGS_NS, side="right")
            at_ns, ratio = at_ns[: inside[-1]], ratio[: inside[-1]]
            for sums, values in zip(found, (ratio, ratio * at_ns, ratio * at_ns**2), strict=False):
                sums[:, group] = np.concatenate((np.zeros(1), np.cumsum(values)))[inside]
            found[3, :, group] = np.concatenate((np.zeros(1), at_ns))[inside]
        return found[0], found[1], found[2], found[3]


def _keep(kept: dict[int, Masses], number: int, found: Masses) -> None:
    """For the questions that follow, which seldom ask about many numbers."""
    if len(kept) >= _KEPT:
        kept.clear()
    kept[number] = found


CEILINGS_NS = _CEILINGS_NS


@dataclass(frozen=True, eq=False)
class GroupLaws:
    """Late, middle and early masses of one operation; `middle` is for the estimate alone."""

    late: Masses
    early: Masses
    middle: Masses

    @property
    def size(self) -> int:
        """Groups."""
        return self.late.size

    @staticmethod
    def of_bounds(bounds: LatencyBounds) -> "GroupLaws":
        """One group: a law that is known as a whole."""
        late, early, middle = (
            Masses.of_laws([law], continuous=bounds.continuous)
            for law in (bounds.late, bounds.early, bounds.middle)
        )
        return GroupLaws(late, early, middle)

    @staticmethod
    def of_records(records: IntervalRecords) -> "GroupLaws":
        """A group for each piece."""
        laws = PieceLaws.of(records)
        closed = np.isfinite(laws.high)
        return GroupLaws(
            Masses(laws.size, laws.piece[closed], laws.high[closed], laws.ratio[closed]),
            Masses(laws.size, laws.piece, laws.low, laws.ratio),
            Masses(laws.size, laws.piece, laws.middle, laws.ratio),
        )
