"""Bounds of P(T ≤ t) of a plan over groups of the record, consistent between related questions.

All figures about a plan come from two functions of plan and time: the least and the largest share of
transactions in time that the distributions allow. Both are monotone in the number of operations, in time,
and in the fan-out of a pool, by construction: the grid depends on the time alone. Its steps are a power of
two of nanoseconds, a fraction of the next power of two over the time, so coarser grids round further
outwards than finer grids; a quick answer (fewer steps) therefore encloses a full answer. The tighter of the
bounds on the grid (`plan_sums`, widened by `WIDENING`) and by moments (`moment_bounds`) counts; groups that
the moments decide need no grid. Operations of a group are assumed independent.

A pool of k is no later than barrier waves of k, and than `S/k + (1 − 1/k) · max` (Graham); it is no earlier
than an even share of the work, and than its slowest. Larger waves never end later: of two waves of
independent operations the sum of the maxima falls, in distribution, when an operation moves to the larger.
Source: docs/method.md sections 1.1 to 1.7 and 10 (C1 to C3).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from tailroom.domain.latency.bounds import Bools, Floats, Int64s
from tailroom.domain.transactions.group_distributions import GroupDistributions, power_of_shares
from tailroom.domain.transactions.moment_bounds import MomentBounds
from tailroom.domain.transactions.plan import Plan, Scheduling
from tailroom.domain.transactions.plan_sums import PlanSums
from tailroom.domain.transactions.plan_terms import (
    Term,
    TermDistributions,
    TermSum,
    certain_counts,
    is_single_term,
    lower_sums,
    upper_sum,
    with_sequential_pools,
)

WIDENING = 1e-8
"""Allowance for rounding errors of transforms on the grid, added for each thousand operations."""
_LEAST_LEVEL, _MOST_LEVEL = 4, 46
"""Least and largest level of a grid; a level is the exponent of its length of `2^level` ns."""
_ESTIMATE_BINS = 1 << 14
"""Most steps of the grid for an estimate, and for the late part of a chart."""
_BINS_OF_MANY = 1 << 15
"""Most steps for a chart of many counts, each of which has a transform."""
_LEVELS_OF_A_BAND = 3
"""Most levels of a chart that are computed on a fine grid."""
_CHEAP_BINS = 1 << 14
"""Number of steps up to which the grid costs no more than the test whether it is needed."""

_Bound = Literal["lower", "upper"]


@dataclass(eq=False)
class PlanBounds:
    """Bounds of the share of a plan's transactions within a time, for each group of slices, from the
    distributions of its operations. `weights` are the groups' shares, `bins` the steps of the grid of time, a
    power of two. `coarser` has the same groups in wider buckets: a slower distribution may vary less, so the
    tighter moments of both count, and wider buckets never give narrower bounds.
    """

    distributions: Mapping[str, GroupDistributions]
    weights: Floats
    bins: int
    pointwise: bool = False
    """Whether bounds at one time are needed for many counts: then no curve is computed, and transforms are
    cached.
    """
    coarser: "PlanBounds | None" = None
    _terms: TermDistributions = field(init=False)
    _moments: MomentBounds = field(init=False)
    _sums: dict[int, PlanSums] = field(default_factory=dict)
    _shares: dict[tuple[_Bound, Plan, int, bool], Floats] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._terms = TermDistributions(self.distributions)
        self._moments = MomentBounds(self._terms, self.weights.size)

    def lower(self, plan: Plan, time_ns: int, *, grid: bool = True) -> Floats:
        """Return a lower bound of the share of each group's transactions within a time in ns; quicker, but
        maybe lower without `grid`. Raise CountsTooMany, or WorkExceeded beyond the work budget (`work`).
        """
        return self._share("lower", plan, time_ns, grid=grid)

    def upper(self, plan: Plan, time_ns: int, *, grid: bool = True) -> Floats:
        """Return an upper bound, as `lower` does; quicker, but maybe higher without `grid`."""
        return self._share("upper", plan, time_ns, grid=grid)

    def _share(self, bound: _Bound, plan: Plan, time_ns: int, *, grid: bool) -> Floats:
        key = bound, plan, time_ns, grid
        if key not in self._shares:
            of_counts = self._lower if bound == "lower" else self._upper
            share = np.zeros(self.weights.size)
            for fixed, weight in certain_counts(plan):
                share += weight * of_counts(fixed, time_ns - fixed.overhead_ns, grid=grid)
            self._shares[key] = np.minimum(share, 1.0)
        return self._shares[key]

    def band(
        self, plan: Plan, times_ns: Int64s, weights: Floats, grids_ns: Int64s
    ) -> tuple[Floats, Floats, Floats]:
        """Return lower bound, estimate and upper bound within ascending times, for a chart, averaged by
        `weights`. Up to the latest of `grids_ns` times are computed on the grids of those (three at most),
        later times on a grid of few steps, whose bounds are wider.
        """
        rows, net_ns = np.zeros((3, times_ns.size)), times_ns - plan.overhead_ns
        levels = sorted({_level(int(at)) for at in grids_ns - plan.overhead_ns if at > 0})
        counts = list(certain_counts(plan))
        bins = self.bins if len(counts) == 1 else min(self.bins, _BINS_OF_MANY)
        for fixed, weight in counts:
            rows += weight * self._band(fixed, net_ns, weights, levels[-_LEVELS_OF_A_BAND:], bins)
        return rows[0], rows[1], np.minimum(rows[2], 1.0)

    def _band(self, plan: Plan, net_ns: Int64s, weights: Floats, levels: Sequence[int], bins: int) -> Floats:
        """Return `band` for certain counts as rows, on grids of `bins` steps for `levels` of times."""
        rows = np.zeros((3, net_ns.size))
        terms = upper_sum(plan)
        if is_single_term(terms):
            late = self.distributions[terms[0].operation].late.within_each(net_ns)
            rows[0] = weights @ power_of_shares(late, 1.0 - late, terms[0].at_once)
            rows[1] = weights @ self._terms.of("middle", terms[0]).within_each(net_ns)
            rows[2] = weights @ self._upper_of_slowest(terms[0], net_ns)
            return np.where(net_ns > 0, np.clip(rows, 0.0, 1.0), 0.0)
        few = self._sums_on_grid(min(self.bins, _ESTIMATE_BINS))
        for level in (*levels, _level(int(net_ns[-1]))):
            reached = (net_ns <= 1 << level) | (level == _MOST_LEVEL)
            chosen = np.flatnonzero((net_ns > 0) & reached & (rows[2] == 0.0))
            if not chosen.size:
                continue
            sums = self._sums_on_grid(bins) if level in levels else few
            columns = np.minimum(sums.bins, (net_ns[chosen] * sums.bins) >> level)
            rows[0, chosen] = sums.curve("late", terms, level, weights)[columns] - _widening(terms)
            rows[2, chosen] = 1.0
            for fewest in lower_sums(plan):
                if is_single_term(fewest):
                    most = weights @ self._upper_of_slowest(fewest[0], net_ns[chosen])
                else:
                    most = sums.curve("early", fewest, level, weights)[columns] + _widening(fewest)
                rows[2, chosen] = np.minimum(rows[2, chosen], most)
            middle = (rows[0, chosen] + rows[2, chosen]) / 2.0
            if not plan.has_pool:
                columns = np.minimum(few.bins, (net_ns[chosen] * few.bins) >> level)
                middle = few.curve("middle", terms, level, weights)[columns]
            rows[1, chosen] = middle
        return np.clip(rows, 0.0, 1.0)

    def _upper_of_slowest(self, term: Term, net_ns: Int64s) -> Floats:
        early = self.distributions[term.operation].early
        below = early.within_each(net_ns, strictly=early.continuous)
        return power_of_shares(below, 1.0 - below, term.at_once)

    def ending(self, plan: Plan) -> Floats:
        """Return a lower bound of the share of each group's transactions that end at all, however late."""
        share = np.zeros(self.weights.size)
        for fixed, weight in certain_counts(plan):
            ending = np.ones(self.weights.size)
            for stage in fixed.stages:
                answered = self.distributions[stage.operation].late.within(np.inf)
                ending *= power_of_shares(answered, 1.0 - answered, stage.largest_count)
            share += weight * ending
        return share

    def estimate(self, plan: Plan, time_ns: int, lower: Floats, upper: Floats) -> Floats:
        """Return the estimated share of each group within a time; for pools the middle of the bounds."""
        if plan.has_pool:
            return np.asarray((lower + upper) / 2.0)
        share = np.zeros(self.weights.size)
        for fixed, weight in certain_counts(plan):
            net_ns = time_ns - fixed.overhead_ns
            if net_ns <= 0:
                continue
            terms = upper_sum(fixed)
            if is_single_term(terms):
                share += weight * self._terms.of("middle", terms[0]).within(net_ns)
                continue
            open_between = upper - lower > WIDENING
            sums = self._sums_on_grid(min(self.bins, _ESTIMATE_BINS))
            middle = sums.share("middle", terms, (_level(net_ns), net_ns), open_between)
            share += weight * np.where(open_between, middle, lower)
        return np.clip(share, lower, upper)

    def _lower(self, plan: Plan, net_ns: int, *, grid: bool) -> Floats:
        if net_ns <= 0:
            return np.zeros(self.weights.size)
        terms = upper_sum(plan)
        if is_single_term(terms):
            share = self.distributions[terms[0].operation].late.within(net_ns)
            return power_of_shares(share, 1.0 - share, terms[0].at_once)
        best = self._lower_without_grid(plan, net_ns)
        if not grid:
            return best
        # The grid cannot improve bounds that are already within its widening.
        unsettled = best < 1.0 - WIDENING
        if self.bins > _CHEAP_BINS and unsettled.any():
            unsettled &= self._upper_without_grid(plan, net_ns) > WIDENING
        if unsettled.any():
            np.maximum(best, self._lower_on_grid(terms, net_ns, unsettled), out=best)
        return best

    def _lower_without_grid(self, plan: Plan, net_ns: int) -> Floats:
        """Return a lower bound of each group's share by moments. Pools count as sequential, so that more
        workers never look worse; for a single stage Graham's bound counts if it is higher.
        """
        best = self._moments.lower(upper_sum(with_sequential_pools(plan)), net_ns)
        if len(plan.stages) == 1 and plan.only_stage.effective is Scheduling.POOL:
            np.maximum(best, self._moments.lower_of_pool(plan.only_stage, net_ns), out=best)
        if self.coarser is not None:
            np.maximum(best, self.coarser._lower_without_grid(plan, net_ns), out=best)
        return best

    def _lower_on_grid(self, terms: TermSum, net_ns: int, unsettled: Bools) -> Floats:
        """Return a lower bound of each group's share within `net_ns`, 0 outside the mask `unsettled`. Each
        operation rounds up by at most a step of the next power of two. If `net_ns` exceeds the power before
        by less than that, the finer steps up to there are tried too.
        """
        count = sum(term.count for term in terms)
        if 2 * count > self.bins:
            return np.zeros(self.weights.size)
        level, sums = _level(net_ns), self._sums_on_grid(self.bins)
        widening = _widening(terms)
        share = sums.share("late", terms, (level, net_ns), unsettled) - widening
        finer_ns = 1 << (level - 1)
        if level > _LEAST_LEVEL and (net_ns - finer_ns) * self.bins < count << level:
            finer = sums.share("late", terms, (level - 1, finer_ns), unsettled) - widening
            np.maximum(share, finer, out=share)
        return np.maximum(share, 0.0)

    def _upper(self, plan: Plan, net_ns: int, *, grid: bool) -> Floats:
        if net_ns <= 0:
            return np.zeros(self.weights.size) if net_ns < 0 else np.ones(self.weights.size)
        best = self._upper_without_grid(plan, net_ns)
        unsettled = best > WIDENING
        if not grid or not unsettled.any():
            return best
        # The grid cannot improve shares that are certainly in time within its widening.
        if self.bins > _CHEAP_BINS:
            unsettled &= self._lower_without_grid(plan, net_ns) < 1.0 - WIDENING
        for terms in lower_sums(plan):
            if is_single_term(terms) or not unsettled.any():
                continue
            clamped = terms
            if len(terms) == 1 and 2 * terms[0].count > self.bins:
                # Fewer operations end no later; more terms than steps of the grid would bound nothing.
                clamped = (replace(terms[0], count=self.bins // 2),)
            on_grid = self._sums_on_grid(self.bins).share(
                "early", clamped, (_level(net_ns), net_ns), unsettled
            )
            np.minimum(best, np.where(unsettled, on_grid + _widening(terms), 1.0), out=best)
        return np.clip(best, 0.0, 1.0)

    def _upper_without_grid(self, plan: Plan, net_ns: int) -> Floats:
        best = np.ones(self.weights.size)
        for name in plan.operations:
            below = self.distributions[name].early.under(net_ns)
            best *= power_of_shares(below, 1.0 - below, plan.largest_count_of(name))
        for terms in lower_sums(plan):
            if not is_single_term(terms):
                np.minimum(best, self._moments.upper(terms, net_ns), out=best)
        if self.coarser is not None:
            np.minimum(best, self.coarser._upper_without_grid(plan, net_ns), out=best)
        return np.clip(best, 0.0, 1.0)

    def _sums_on_grid(self, bins: int) -> PlanSums:
        if bins not in self._sums:
            self._sums[bins] = PlanSums(self._terms, self.weights.size, bins, self.pointwise)
        return self._sums[bins]


def _level(net_ns: int) -> int:
    """Return the exponent of the next power of two (ns) of a time, in `_LEAST_LEVEL` to `_MOST_LEVEL`."""
    return min(max(_LEAST_LEVEL, (net_ns - 1).bit_length()), _MOST_LEVEL)


def _widening(terms: TermSum) -> float:
    return WIDENING * (2.0 + sum(term.count for term in terms) / 1000.0)
