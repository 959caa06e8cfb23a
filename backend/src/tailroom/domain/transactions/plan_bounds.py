"""Bounds of P(T ≤ t) of a plan over groups of the record, consistent between related questions.

All figures about a plan come from two functions of plan and time: the least and the largest share that the
distributions allow. Both are monotone in the number of operations, in time, and in the fan-out of a pool, by
construction: the grid depends on the time alone. Its steps are a power of two of nanoseconds, a fraction of
the next power of two over the time, so coarser grids round further outwards than finer grids; a quick answer
(fewer steps) therefore encloses a full answer. Bounds by moments (Bernstein's inequality) with latencies cut
at fixed ceilings need no grid and hold for any number of operations; the tighter bound counts. Operations of
a group are assumed independent.

Sums use a Fourier transform (`plan_sums`), widened by `WIDENING`; groups that the moments decide need none.
A pool of k is no later than barrier waves of k, and than `S/k + (1 − 1/k) · max` (Graham); it is no earlier
than an even share of the work, and than its slowest. Larger waves never end later: of two waves of
independent operations the sum of the maxima falls, in distribution, when an operation moves to the larger.
Source: docs/method.md sections 1.1 to 1.7 and 10 (C1 to C3).
"""

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Bools, Floats, Int64s
from tailroom.domain.transactions.group_distributions import CEILINGS_NS, GroupDistributions
from tailroom.domain.transactions.plan import Plan, RandomCount, Scheduling, Stage
from tailroom.domain.transactions.plan_sums import Factor, Factors, PlanSums, Terms
from tailroom.domain.transactions.waves import power_of_shares, wave_sizes
from tailroom.domain.transactions.work import spend

WIDENING = 1e-8
"""Allowance for rounding errors of tilt, transform and power per thousand operations, and for wrap-around."""
_LEAST_LEVEL, _MOST_LEVEL = 4, 46
_COMBINATIONS = 256
_POINTS_OF_A_STAGE = 60_000
"""Points that a stage of a combination costs besides its grid, at a single time."""
_FEW_BINS = 1 << 14
"""Most steps for an estimate, which decides nothing, and for a chart where hardly anything is late."""
_BINS_OF_MANY = 1 << 15
"""Most steps for a chart of many counts, each of which has a transform."""
_LEVELS_OF_A_BAND = 3
_CHEAP_BINS = 1 << 14
"""Up to this many steps the grid costs no more than the test whether it is needed."""


Moments = tuple[Floats, Floats, Floats]
"""Mean, variance, and how far an operation can lie beyond its mean, by ceilings and groups."""


class CountsTooMany(DomainError):
    """There are more combinations of random counts than can be computed."""


@dataclass(eq=False)
class PlanBounds:
    """Bounds of the share of a plan's transactions within a time, for each group.

    `distributions` by operation, all with the same groups; `weights` are the shares of the groups; `bins` is
    the number of steps of the grid, a power of two. `coarser`: the same groups in wider buckets, as in quick
    answers. A slower distribution may scatter less, which tightens its moments; with the tighter of both,
    wider buckets never give narrower bounds.
    """

    distributions: Mapping[str, GroupDistributions]
    weights: Floats
    bins: int
    pointwise: bool = False
    """Whether to compute a single time for many counts: no curve is computed, and transforms are cached."""
    coarser: "PlanBounds | None" = None
    _terms: Terms = field(init=False)
    _sums: dict[int, PlanSums] = field(default_factory=dict)
    _shares: dict[tuple[str, Plan, int, bool], Floats] = field(default_factory=dict)
    _held: dict[Factors, tuple[int, Floats, Moments]] = field(default_factory=dict)
    _capped: dict[Factors, Moments] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._terms = Terms(self.distributions)

    def lower(self, plan: Plan, time_ns: int, *, grid: bool = True) -> Floats:
        """Return a lower bound of the share of each group's transactions within a time.

        Without `grid` it is quicker to compute, and lower.
        """
        return self._share(self._least, plan, time_ns, grid=grid)

    def upper(self, plan: Plan, time_ns: int, *, grid: bool = True) -> Floats:
        """Return an upper bound of the share of each group's transactions within a time.

        Without `grid` it is quicker to compute, and higher.
        """
        return self._share(self._most, plan, time_ns, grid=grid)

    def _share(self, end: Callable[..., Floats], plan: Plan, time_ns: int, *, grid: bool) -> Floats:
        """Return the bound of each group, averaged over random counts; `end` is `_least` or `_most`."""
        key = end.__name__, plan, time_ns, grid
        if key not in self._shares:
            share = np.zeros(self.weights.size)
            for fixed, weight in certain_counts(plan):
                share += weight * end(fixed, time_ns - fixed.overhead_ns, grid=grid)
            self._shares[key] = np.minimum(share, 1.0)
        return self._shares[key]

    def band(
        self, plan: Plan, times_ns: Int64s, weights: Floats, grids_ns: Int64s
    ) -> tuple[Floats, Floats, Floats]:
        """Return lower bound, estimate and upper bound at ascending times, for a chart: three arrays by time.

        `weights` average the groups. Times up to the latest of `grids_ns` are computed on the grids of these
        times (three at most), later times on a grid of few steps, so that the bounds may be wider than those
        at a single time, never narrower.
        """
        rows, net_ns = np.zeros((3, times_ns.size)), times_ns - plan.overhead_ns
        levels = sorted({_level(int(at)) for at in grids_ns - plan.overhead_ns if at > 0})
        counts = list(certain_counts(plan))
        bins = self.bins if len(counts) == 1 else min(self.bins, _BINS_OF_MANY)
        for fixed, weight in counts:
            rows += weight * self._band(fixed, net_ns, weights, levels[-_LEVELS_OF_A_BAND:], bins)
        return rows[0], rows[1], np.minimum(rows[2], 1.0)

    def _band(self, plan: Plan, net_ns: Int64s, weights: Floats, levels: Sequence[int], bins: int) -> Floats:
        """Return `band` for certain counts as three rows; `net_ns` are the times less the overheads."""
        rows = np.zeros((3, net_ns.size))
        slow = tuple(_slow(plan))
        if _is_at_once(slow):
            late = self.distributions[slow[0].operation].late.within_each(net_ns)
            rows[0] = weights @ power_of_shares(late, 1.0 - late, slow[0].at_once)
            rows[1] = weights @ self._terms.of("middle", slow[0]).within_each(net_ns)
            rows[2] = weights @ self._early_at_once(slow[0], net_ns)
            return np.where(net_ns > 0, np.clip(rows, 0.0, 1.0), 0.0)
        has_pool = any(stage.effective is Scheduling.POOL for stage in plan.stages)
        few = self._on(min(self.bins, _FEW_BINS))
        for level in (*levels, _level(int(net_ns[-1]))):
            reached = (net_ns <= 1 << level) | (level == _MOST_LEVEL)
            chosen = np.flatnonzero((net_ns > 0) & reached & (rows[2] == 0.0))
            if not chosen.size:
                continue
            sums = self._on(bins) if level in levels else few
            columns = np.minimum(sums.bins, (net_ns[chosen] * sums.bins) >> level)
            rows[0, chosen] = sums.curve("late", slow, level, weights)[columns] - _widening(slow)
            rows[2, chosen] = 1.0
            for fast in _fast(plan):
                if _is_at_once(fast):
                    most = weights @ self._early_at_once(fast[0], net_ns[chosen])
                else:
                    most = sums.curve("early", fast, level, weights)[columns] + _widening(fast)
                rows[2, chosen] = np.minimum(rows[2, chosen], most)
            middle = (rows[0, chosen] + rows[2, chosen]) / 2.0
            if not has_pool:
                columns = np.minimum(few.bins, (net_ns[chosen] * few.bins) >> level)
                middle = few.curve("middle", slow, level, weights)[columns]
            rows[1, chosen] = middle
        return np.clip(rows, 0.0, 1.0)

    def _early_at_once(self, factor: Factor, net_ns: Int64s) -> Floats:
        """Return upper bounds of P(slowest of `factor.at_once` operations ≤ time): groups by times."""
        early = self.distributions[factor.operation].early
        below = early.within_each(net_ns, strictly=early.continuous)
        return power_of_shares(below, 1.0 - below, factor.at_once)

    def ever(self, plan: Plan) -> Floats:
        """Return a lower bound of the share of each group's transactions that end at all."""
        share = np.zeros(self.weights.size)
        for fixed, weight in certain_counts(plan):
            ending = np.ones(self.weights.size)
            for stage in fixed.stages:
                answered = self.distributions[stage.operation].late.within(np.inf)
                ending *= power_of_shares(answered, 1.0 - answered, stage.largest_count)
            share += weight * ending
        return share

    def estimate(self, plan: Plan, time_ns: int, lower: Floats, upper: Floats) -> Floats:
        """Return an estimate of each group between the bounds, for a pool their middle; decides nothing."""
        if any(stage.effective is Scheduling.POOL for stage in plan.stages):
            return np.asarray((lower + upper) / 2.0)
        share = np.zeros(self.weights.size)
        for fixed, weight in certain_counts(plan):
            net_ns = time_ns - fixed.overhead_ns
            if net_ns <= 0:
                continue
            factors = tuple(_slow(fixed))
            if _is_at_once(factors):
                masses = self._terms.of("middle", factors[0])
                share += weight * masses.within(net_ns)
                continue
            open_between = upper - lower > WIDENING
            sums = self._on(min(self.bins, _FEW_BINS))
            middle = sums.share("middle", factors, (_level(net_ns), net_ns), open_between)
            share += weight * np.where(open_between, middle, lower)
        return np.clip(share, lower, upper)

    def _least(self, plan: Plan, net_ns: int, *, grid: bool) -> Floats:
        """Return `lower` for a plan of certain counts; `net_ns` is the time less the overheads."""
        if net_ns <= 0:
            return np.zeros(self.weights.size)
        factors = tuple(_slow(plan))
        if _is_at_once(factors):
            factor = factors[0]
            share = self._terms.of("late", replace(factor, at_once=1)).within(net_ns)
            return power_of_shares(share, 1.0 - share, factor.at_once)
        best = self._least_at_once(plan, net_ns)
        if not grid:
            return best
        # The grid cannot improve bounds that are already within its widening.
        unsettled = best < 1.0 - WIDENING
        if self.bins > _CHEAP_BINS and unsettled.any():
            unsettled &= self._most_at_once(plan, net_ns) > WIDENING
        if unsettled.any():
            np.maximum(best, self._least_on_grid(factors, net_ns, unsettled), out=best)
        return best

    def _least_at_once(self, plan: Plan, net_ns: int) -> Floats:
        """Return the least share without a grid.

        Pools count as sequential, so that more workers never look worse, and by Graham's bound where they are
        the only stage.
        """
        best = self._least_by_moments(tuple(_slow(_pools_in_a_row(plan))), net_ns)
        if len(plan.stages) == 1 and plan.only_stage.effective is Scheduling.POOL:
            np.maximum(best, self._graham(plan.only_stage, net_ns), out=best)
        if self.coarser is not None:
            np.maximum(best, self.coarser._least_at_once(plan, net_ns), out=best)
        return best

    def _least_on_grid(self, factors: Factors, net_ns: int, rows_open: Bools) -> Floats:
        """Return the least share on the level of the time; near its start also on the finer level below.

        Only for the groups in the mask `rows_open`. Rounding up costs at most a step for each term. While
        that is less than half of a level, the loss of the coarser level is recovered before the time has
        doubled.
        """
        terms = sum(factor.times for factor in factors)
        if 2 * terms > self.bins:
            return np.zeros(self.weights.size)
        level, sums = _level(net_ns), self._on(self.bins)
        widening = _widening(factors)
        share = sums.share("late", factors, (level, net_ns), rows_open) - widening
        finer_ns = 1 << (level - 1)
        if level > _LEAST_LEVEL and (net_ns - finer_ns) * self.bins < terms << level:
            finer = sums.share("late", factors, (level - 1, finer_ns), rows_open) - widening
            np.maximum(share, finer, out=share)
        return np.maximum(share, 0.0)

    def _most(self, plan: Plan, net_ns: int, *, grid: bool) -> Floats:
        """Return `upper` for a plan of certain counts; `net_ns` is the time less the overheads."""
        if net_ns <= 0:
            return np.zeros(self.weights.size) if net_ns < 0 else np.ones(self.weights.size)
        best = self._most_at_once(plan, net_ns)
        unsettled = best > WIDENING
        if not grid or not unsettled.any():
            return best
        # The grid cannot improve shares that are certainly in time within its widening.
        if self.bins > _CHEAP_BINS:
            unsettled &= self._least_at_once(plan, net_ns) < 1.0 - WIDENING
        for factors in _fast(plan):
            if _is_at_once(factors) or not unsettled.any():
                continue
            terms = sum(factor.times for factor in factors)
            clamped = factors
            if len(factors) == 1 and 2 * terms > self.bins:
                # Fewer operations end no later; more terms than steps of the grid would bound nothing.
                clamped = (replace(factors[0], times=self.bins // 2),)
            on_grid = self._on(self.bins).share("early", clamped, (_level(net_ns), net_ns), unsettled)
            np.minimum(best, np.where(unsettled, on_grid + _widening(factors), 1.0), out=best)
        return np.clip(best, 0.0, 1.0)

    def _most_at_once(self, plan: Plan, net_ns: int) -> Floats:
        """Return the largest share without a grid."""
        best = self._cap(plan, net_ns)
        for factors in _fast(plan):
            if not _is_at_once(factors):
                np.minimum(best, self._most_by_moments(factors, net_ns), out=best)
        if self.coarser is not None:
            np.minimum(best, self.coarser._most_at_once(plan, net_ns), out=best)
        return np.clip(best, 0.0, 1.0)

    def _cap(self, plan: Plan, net_ns: int) -> Floats:
        """Return the largest share in which every operation alone is in time, a cap of the plan's share."""
        cap = np.ones(self.weights.size)
        for stage in plan.stages:
            below = self.distributions[stage.operation].early.under(net_ns)
            cap *= power_of_shares(below, 1.0 - below, stage.largest_count)
        return cap

    def _least_by_moments(self, factors: Factors, net_ns: int) -> Floats:
        """Return the least share of each group by Bernstein's inequality at the best ceiling."""
        first, held, (mean, variance, above) = self._held_terms(factors)
        usable = int(np.searchsorted(CEILINGS_NS, net_ns, side="right")) - first
        if usable <= 0 or not held.size:
            return np.zeros(self.weights.size)
        chance = _bernstein(net_ns - mean[:usable], variance[:usable], above[:usable])
        best: Floats = (held[:usable] * (1.0 - chance)).max(axis=0)
        return best

    def _held_terms(self, factors: Factors) -> tuple[int, Floats, Moments]:
        """Return the first useful ceiling, the chance that all operations lie below each, and their sum.

        The ceiling is a position in `CEILINGS_NS`; the chance, and the moments of the sum of operations
        below, are arrays of ceilings by groups.
        """
        if factors not in self._held:
            distributions = [self._terms.of("late", factor) for factor in factors]
            first, last = (max(factor.held_ceilings[end] for factor in distributions) for end in (0, 1))
            shape = (max(0, last + 1 - first), self.weights.size)
            inside, mean, variance, above = np.ones(shape), np.zeros(shape), np.zeros(shape), np.zeros(shape)
            for factor, distribution in zip(factors, distributions, strict=True):
                held, middle, scatter, up = (part[first : last + 1] for part in distribution.moments)
                inside *= power_of_shares(held, 1.0 - held, factor.times)
                mean += factor.times * middle
                variance += factor.times * scatter
                np.maximum(above, up, out=above)
            self._held[factors] = first, inside, (mean, variance, above)
        return self._held[factors]

    def _graham(self, stage: Stage, net_ns: int) -> Floats:
        """Return Graham's bound: with every operation at most c, a time is kept if `S ≤ k t − (k − 1) c`."""
        usable = net_ns >= CEILINGS_NS
        if not usable.any():
            return np.zeros(self.weights.size)
        held, middle, scatter, up = (
            part[usable] for part in self.distributions[stage.operation].late.moments
        )
        count, workers = stage.largest_count, min(stage.fan_out, stage.largest_count)
        work_ns = (workers * net_ns - (workers - 1) * CEILINGS_NS[usable])[:, None]
        inside = power_of_shares(held, 1.0 - held, count)
        best: Floats = (inside * (1.0 - _bernstein(work_ns - count * middle, count * scatter, up))).max(
            axis=0
        )
        return best

    def _most_by_moments(self, factors: Factors, net_ns: int) -> Floats:
        """Return the largest share of each group by Bernstein's inequality at the best ceiling."""
        mean, variance, under = self._capped_terms(factors)
        best: Floats = _bernstein(mean - net_ns, variance, under).min(axis=0)
        return best

    def _capped_terms(self, factors: Factors) -> Moments:
        """Return the moments of the sum with every latency cut at a ceiling: arrays of ceilings by groups.

        Mean in ns, variance in ns², and the largest mean of a single cut operation in ns.
        """
        if factors not in self._capped:
            distributions = [self._terms.of("early", factor) for factor in factors]
            first = min(masses.capped_ceilings[0] for masses in distributions)
            last = max(masses.capped_ceilings[1] for masses in distributions)
            shape = (last + 1 - first, self.weights.size)
            mean, variance, under = np.zeros(shape), np.zeros(shape), np.zeros(shape)
            for factor, distribution in zip(factors, distributions, strict=True):
                middle, scatter = (part[first : last + 1] for part in distribution.capped_moments)
                mean += factor.times * middle
                variance += factor.times * scatter
                np.maximum(under, middle, out=under)
            self._capped[factors] = mean, variance, under
        return self._capped[factors]

    def _on(self, bins: int) -> PlanSums:
        """Return the sums on a grid of that many steps."""
        if bins not in self._sums:
            self._sums[bins] = PlanSums(self._terms, self.weights.size, bins, self.pointwise)
        return self._sums[bins]


def certain_counts(plan: Plan, points_of_a_stage: int = _POINTS_OF_A_STAGE) -> Iterator[tuple[Plan, float]]:
    """Yield every combination of counts of a plan with random counts, with its probability.

    `points_of_a_stage` are charged for each stage (`work.spend`). Raise `CountsTooMany` beyond 256
    combinations.
    """
    points = points_of_a_stage * len(plan.stages)
    if all(isinstance(stage.count, int) for stage in plan.stages):
        spend(points)
        yield plan, 1.0
        return
    choices = [_choices(stage) for stage in plan.stages]
    if math.prod(len(options) for options in choices) > _COMBINATIONS:
        raise CountsTooMany(f"more than {_COMBINATIONS} combinations of random counts cannot be added up")
    for combination in itertools.product(*choices):
        spend(points)
        yield Plan(tuple(stage for stage, _ in combination)), math.prod(weight for _, weight in combination)


def _choices(stage: Stage) -> list[tuple[Stage, float]]:
    """Return the stage with each of its possible counts, and the probability of each."""
    if not isinstance(stage.count, RandomCount):
        return [(stage, 1.0)]
    fan_out = 1 if stage.scheduling is Scheduling.PARALLEL else stage.fan_out
    weights = stage.count.weights.items()
    return [(replace(stage, count=n, fan_out=fan_out), weight) for n, weight in weights if weight > 0.0]


def _is_at_once(factors: Factors) -> bool:
    """Return whether a sum is a single undivided term, whose distribution needs no grid."""
    return len(factors) == 1 and factors[0].times == 1 and factors[0].shared == 1


def _slow(plan: Plan) -> Iterator[Factor]:
    """Yield terms whose sum is the plan's time, or for a pool never less than it."""
    for stage in plan.stages:
        name, count = stage.operation, stage.largest_count
        match stage.effective:
            case Scheduling.SEQUENTIAL:
                yield Factor(name, 1, 1, count)
            case Scheduling.PARALLEL:
                yield Factor(name, count, 1, 1)
            case _:
                full, rest = wave_sizes(count, stage.fan_out)
                if full:
                    yield Factor(name, stage.fan_out, 1, full)
                yield Factor(name, rest, 1, 1)


def _pools_in_a_row(plan: Plan) -> Plan:
    """Return the plan with its pools made sequential."""
    if all(stage.effective is not Scheduling.POOL for stage in plan.stages):
        return plan
    return Plan(
        tuple(
            replace(stage, fan_out=1, scheduling=Scheduling.SEQUENTIAL)
            if stage.effective is Scheduling.POOL
            else stage
            for stage in plan.stages
        )
    )


def _fast(plan: Plan) -> Iterator[Factors]:
    """Yield tuples of terms whose sum is never more than the plan's time."""
    if all(stage.effective is not Scheduling.POOL for stage in plan.stages):
        yield tuple(_slow(plan))
        return
    for share in (True, False):
        factors: list[Factor] = []
        for stage in plan.stages:
            if stage.effective is not Scheduling.POOL:
                factors.extend(_slow(Plan((stage,))))
            elif share:
                factors.append(Factor(stage.operation, 1, stage.fan_out, stage.largest_count))
            else:
                factors.append(Factor(stage.operation, stage.largest_count, 1, 1))
        yield tuple(factors)


def _level(net_ns: int) -> int:
    """Return the level of the grid of a time: the exponent of the next power of two in ns at or over it."""
    return min(max(_LEAST_LEVEL, (net_ns - 1).bit_length()), _MOST_LEVEL)


def _widening(factors: Factors) -> float:
    """Return the share by which bounds on the grid are widened for rounding errors of such a sum."""
    return WIDENING * (2.0 + sum(factor.times for factor in factors) / 1000.0)


def _bernstein(distance: Floats, variance: Floats, furthest: Floats) -> Floats:
    """Return the largest chance that a sum lies `distance` or more to one side of its mean (Bernstein).

    `distance` and `furthest`, the largest distance of a single operation from its mean, in ns; `variance` of
    the sum in ns². 1 for distances that are not positive.
    """
    spread = 2.0 * (variance + furthest * np.maximum(distance, 0.0) / 3.0)
    with np.errstate(over="ignore"):
        exponent = np.divide(distance**2, spread, out=np.full_like(distance, np.inf), where=spread > 0.0)
    chance: Floats = np.where(distance > 0.0, np.exp(-np.minimum(exponent, 700.0)), 1.0)
    return chance
