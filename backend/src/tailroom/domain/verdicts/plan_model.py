"""Models of a plan from the records of its single operations: the mixture over slices, and others for
comparison. The default model is the mixture if the record has at least two slices over time: operations are
independent inside a group of slices, and every group has its own distribution. Otherwise all operations are
pooled and assumed independent. Slices and groups are a property of the record (`plan_groups`); all figures
come from the same monotone functions of plan and time (`plan_bounds`), so answers to related questions cannot
contradict each other. Source: docs/method.md sections 1.1 to 1.7, 2.3 and 10; docs/adr/0010.
"""

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property, partial

import numpy as np

from tailroom.domain.latency.bounds import Floats, Int64s
from tailroom.domain.latency.distribution import TimeBounds
from tailroom.domain.transactions.guarantees import (
    FEWEST_BLOCKS,
    MeanAndLargest,
    mean_guarantee,
    share_limits,
)
from tailroom.domain.transactions.plan import Plan, RandomCount
from tailroom.domain.transactions.plan_bounds import PlanBounds
from tailroom.domain.transactions.plan_search import LargestCount, largest_count, quantile
from tailroom.domain.transactions.plan_sums import FULL_BINS
from tailroom.domain.transactions.plan_terms import CountsTooMany
from tailroom.domain.transactions.worst_case import WorstCase, worst_case_dependence
from tailroom.domain.verdicts.block_counts import BlockCounts, next_size, smaller_sizes
from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.evidence import OperationEvidence
from tailroom.domain.verdicts.plan_groups import (
    FEWEST_STEPS,
    PlanGroups,
    PreparedPlan,
    prepared,
)
from tailroom.domain.verdicts.verdict import Bounds, Verdict, decide

BoundedEstimate = tuple[float, float, float]
"""Lower bound, estimate, upper bound of a share."""
Used = Mapping[str, OperationEvidence]

_QUICK_DIGITS, _FULL_DIGITS = 8, 11
"""Binary digits of the counts that the search for the largest count tries, quick and in full."""
SLICE_OPERATIONS_PER_OPERATION = 40
"""Least operations of a slice for each operation of a transaction; with fewer, longer slices count too."""
_MOST_SMALLER_PLANS = 16
"""Most plans of fewer operations that are tried for a proof of a miss."""
_CACHED_QUANTILES = 32


class BoundsPurpose(IntEnum):
    """Use of bounds; the value is the largest number of time steps in their sums."""

    TIMES = FULL_BINS
    """Shares within a few times of the same plan."""
    COUNTS = 1 << 14
    """Shares within the same time for many counts."""
    BRACKET = 1 << 12
    """The first search for a time; these bounds enclose those of `TIMES`."""


@dataclass(frozen=True, eq=False)
class SliceModel:
    """A model of a plan: bounds and estimate of the share in time, limits of the sample, quantile, largest
    count. `others` are the same model over longer or shorter slices, and over the whole record. A slow period
    that is shorter than a slice is averaged in it, and in slices of few operations chance looks like
    clumping. So the highest upper bound of all models counts, but only the lower bounds of slices up to the
    shortest with enough operations (`_lower_models`).
    """

    groups: PlanGroups
    budget: TransactionBudget
    used: Used
    bins: int
    blocks: Mapping[str, BlockCounts]
    others: tuple["SliceModel", ...] = ()
    _bounds: dict[BoundsPurpose, PlanBounds] = field(default_factory=dict)

    def bounds(self, use: BoundsPurpose) -> PlanBounds:
        """Return the bounds that the buckets, also wider ones, allow; cached. `use` limits the steps."""
        if use not in self._bounds:
            groups, coarser = self.groups, self.groups.coarser
            bins, pointwise = min(self.bins, use), use is BoundsPurpose.COUNTS
            wider = (
                None
                if coarser is None
                else PlanBounds(coarser.distributions, groups.weights, bins, pointwise)
            )
            self._bounds[use] = PlanBounds(groups.distributions, groups.weights, bins, pointwise, wider)
        return self._bounds[use]

    @cached_property
    def by_group(self) -> tuple[Floats, Floats, Floats]:
        """Lower bound, estimate and upper bound of the share within the window, each an array by group."""
        plan, window_ns = self.budget.plan, self.budget.reads_window_ns
        bounds = self.bounds(BoundsPurpose.TIMES)
        lower = bounds.lower(plan, window_ns)
        upper = np.maximum(lower, bounds.upper(plan, window_ns))
        return lower, bounds.estimate(plan, window_ns, lower, upper), upper

    @cached_property
    def at_window(self) -> BoundedEstimate:
        """Lower bound, estimate and upper bound of the share within the window, without sampling error."""
        lower, upper = self.observed.lower, self.observed.upper
        share = self._averaged(self.by_group[1])
        estimate = share + self.groups.outside_ratio * share
        return lower, min(max(estimate, lower), upper), upper

    @cached_property
    def observed(self) -> Bounds:
        """Bounds of the share of transactions in time in this run, at the budget's window."""
        plan, window_ns = self.budget.plan, self.budget.reads_window_ns
        lower = self.lower(BoundsPurpose.TIMES, plan, window_ns)
        return Bounds(lower, max(lower, self.upper(BoundsPurpose.TIMES, plan, window_ns)))

    @cached_property
    def confident(self) -> Bounds:
        """One-sided 95 % limits of the share at the window, from disjoint blocks of the record. More
        operations are in time no more often, so a miss that is proven for fewer operations holds for the
        plan.
        """
        lower, upper = self.observed.lower, self.observed.upper
        objective = self.budget.objective_ratio
        blocks = self.independent_blocks()
        least, _ = share_limits(lower, upper, blocks)
        _, most = share_limits(
            lower, upper, min(blocks, max(FEWEST_BLOCKS, self.independent_blocks(next_size)))
        )
        if upper < objective <= most and has_one_count(self.budget):
            plans = map(self.budget.plan.with_count, smaller_sizes(self.budget.plan.largest_count))
            for plan in itertools.islice(plans, _MOST_SMALLER_PLANS):
                share = max(upper, self.upper(BoundsPurpose.TIMES, plan, self.budget.reads_window_ns))
                if share >= objective or most < objective:
                    break
                most = min(most, share_limits(0.0, share, self.independent_blocks(plan=plan))[1])
        return Bounds(min(least, lower), max(most, upper))

    def independent_blocks(
        self, size_of: Callable[[int], int] = lambda operations: operations, plan: Plan | None = None
    ) -> float:
        """Return the number of independent disjoint blocks, for the operation of the plan that has fewest. A
        block has as many operations as `plan` (by default the budget's), or as `size_of` makes of that
        number.
        """
        plan = plan or self.budget.plan
        return min(
            self.blocks[name].independent(size_of(plan.largest_count_of(name))) for name in plan.operations
        )

    @cached_property
    def quantile(self) -> TimeBounds:
        """Bounds in ns of the time by which the objective's share of transactions ends; the same for any
        window, and cached for later questions about the same plan.
        """
        if not has_one_count(self.budget):
            return self._quantile()
        # The next question is likely to be about the same plan in another window.
        cached = self.groups.quantiles
        key = (self.budget.plan, self.budget.objective_ratio, self.bins, len(self.others))
        bounds = cached.get(key)
        if bounds is None:
            bounds = self._quantile()
            if len(cached) >= _CACHED_QUANTILES:
                cached.clear()
            cached[key] = bounds
        return bounds

    def _quantile(self) -> TimeBounds:
        plan = self.budget.plan
        # Bounds on a coarse grid bracket the search on a fine grid; without grid, that on a coarse grid.
        is_fine = self.bins > BoundsPurpose.BRACKET
        return quantile(
            (
                lambda at: self.lower(BoundsPurpose.TIMES, plan, at),
                lambda at: self.upper(BoundsPurpose.TIMES, plan, at),
            ),
            (
                lambda at: self.lower(BoundsPurpose.BRACKET, plan, at, grid=is_fine),
                lambda at: self.upper(BoundsPurpose.BRACKET, plan, at, grid=is_fine),
            ),
            self._ending,
            self.budget.objective_ratio,
            self.bins,
        )

    @cached_property
    def largest(self) -> LargestCount | None:
        """Largest number of operations that keeps the window; None for several stages or a random count."""
        if not has_one_count(self.budget):
            return None
        window_ns = self.budget.reads_window_ns
        is_quick = self.bins < BoundsPurpose.COUNTS

        def share(end: Callable[..., float], count: int) -> float:
            return end(BoundsPurpose.COUNTS, self.budget.plan.with_count(count), window_ns) if count else 1.0

        return largest_count(
            (partial(share, self.lower), partial(share, self.upper)),
            self.budget.objective_ratio,
            _QUICK_DIGITS if is_quick else _FULL_DIGITS,
        )

    def band(self, times_ns: Int64s, grids_ns: Int64s) -> tuple[Floats, Floats, Floats]:
        """Return lower bound, estimate and upper bound of the share within ascending times in ns: arrays that
        never fall with time. `grids_ns`: times whose grids of steps are used (`PlanBounds.band`).
        """
        plan = self.budget.plan
        bands = {id(model): model._own_band(times_ns, grids_ns) for model in self._all_models}
        lower = np.min([bands[id(model)][0] for model in self._lower_models(plan)], axis=0)
        upper = np.max([bands[id(model)][2] for model in self._upper_models], axis=0)
        lower = np.maximum.accumulate(lower)
        upper = np.maximum(np.minimum.accumulate(upper[::-1])[::-1], lower)
        return lower, np.clip(np.maximum.accumulate(bands[id(self)][1]), lower, upper), upper

    def _own_band(self, times_ns: Int64s, grids_ns: Int64s) -> tuple[Floats, Floats, Floats]:
        lower, estimate, upper = self.bounds(BoundsPurpose.TIMES).band(
            self.budget.plan, times_ns, self.groups.weights, grids_ns
        )
        outside = self.groups.outside_ratio
        return (1.0 - outside) * lower, estimate, np.minimum(1.0, (1.0 - outside) * upper + outside)

    def lower(self, use: BoundsPurpose, plan: Plan, time_ns: int, *, grid: bool = True) -> float:
        """Return a lower bound of the share within a time in ns; quicker, maybe lower without `grid`."""
        return min(model._own_lower(use, plan, time_ns, grid=grid) for model in self._lower_models(plan))

    def upper(self, use: BoundsPurpose, plan: Plan, time_ns: int, *, grid: bool = True) -> float:
        """Return an upper bound of the share within a time in ns; quicker, maybe higher without `grid`."""
        return max(model._own_upper(use, plan, time_ns, grid=grid) for model in self._upper_models)

    def _own_lower(self, use: BoundsPurpose, plan: Plan, time_ns: int, *, grid: bool) -> float:
        """Return `lower` by these slices alone, for a record without slices also by means."""
        share = self._averaged(self.bounds(use).lower(plan, time_ns, grid=grid))
        if self.groups.slice_count > 1:
            return share
        return max(share, mean_guarantee(plan, self._means, time_ns))

    @cached_property
    def _means(self) -> dict[str, MeanAndLargest]:
        return {
            name: MeanAndLargest.from_record(self.used[name].record, distributions.late)
            for name, distributions in self.groups.distributions.items()
        }

    def _own_upper(self, use: BoundsPurpose, plan: Plan, time_ns: int, *, grid: bool) -> float:
        share = self._averaged(self.bounds(use).upper(plan, time_ns, grid=grid))
        return min(1.0, share + self.groups.outside_ratio)

    @property
    def _ending(self) -> float:
        plan = self.budget.plan
        return min(
            model._averaged(model.bounds(BoundsPurpose.TIMES).ending(plan))
            for model in self._lower_models(plan)
        )

    @property
    def _all_models(self) -> tuple["SliceModel", ...]:
        """This model and the others, shortest slices first; not stored, to free the sums of its cycle."""
        return tuple(sorted((self, *self.others), key=lambda model: model.groups.operations_per_slice))

    @property
    def _upper_models(self) -> tuple["SliceModel", ...]:
        """The models over slices; for a record without slices, the model of the whole record."""
        return tuple(model for model in self._all_models if model.groups.slice_count > 1) or self._all_models

    def _lower_models(self, plan: Plan) -> list["SliceModel"]:
        """Return the models from the shortest slices to the first with enough operations; all if none."""
        models: list[SliceModel] = []
        for model in self._all_models:
            models.append(model)
            if plan.largest_count * SLICE_OPERATIONS_PER_OPERATION <= model.groups.operations_per_slice:
                break
        return models

    def _averaged(self, by_group: Floats) -> float:
        """Return the weighted mean over groups. Operations outside all slices count as late."""
        return (1.0 - self.groups.outside_ratio) * min(1.0, float(self.groups.weights @ by_group))


def has_one_count(budget: TransactionBudget) -> bool:
    """Return whether the plan has a single stage with a certain count."""
    return len(budget.plan.stages) == 1 and not isinstance(budget.plan.stages[0].count, RandomCount)


@dataclass(frozen=True, eq=False)
class PlanModel:
    """The models of a plan: `pooled` treats all operations alike, `mixture` is over groups of slices.
    `samples` is the smallest number of records that an operation of the plan has; None if unknown.
    """

    pooled: SliceModel
    mixture: SliceModel | None
    samples: int | None
    blocks: int
    """Number of disjoint blocks, each of as many operations as a transaction of the plan; 0 if unknown."""

    @property
    def default(self) -> SliceModel:
        """The model that decides: the mixture if there is one, else the pooled model."""
        return self.mixture or self.pooled

    @property
    def at_window(self) -> BoundedEstimate:
        """Lower bound, estimate and upper bound of the default model, before sampling error."""
        return self.default.at_window

    @property
    def observed(self) -> Bounds:
        """Bounds of the share in time in this run, by the default model."""
        return self.default.observed

    @property
    def confident(self) -> Bounds:
        """One-sided 95 % limits of the share in time, by the default model."""
        return self.default.confident

    @property
    def quantile(self) -> TimeBounds:
        """Bounds in ns of the time within which the objective's share ends. They are searched on steps of
        time; if the shares within the window decide, it replaces the bound beyond it.
        """
        budget, bounds = self.default.budget, self.default.quantile
        verdict, window_ns = decide(self.observed, budget.objective_ratio), budget.reads_window_ns
        if verdict is Verdict.PASS and (bounds.upper_ns is None or bounds.upper_ns > window_ns):
            return TimeBounds(min(bounds.lower_ns, window_ns), window_ns)
        if verdict is Verdict.FAIL and bounds.lower_ns < window_ns:
            upper_ns = bounds.upper_ns
            return TimeBounds(window_ns, None if upper_ns is None else max(upper_ns, window_ns))
        return bounds

    @cached_property
    def worst(self) -> WorstCase:
        """Bounds of the share in time for any dependence between operations. Raise WorkExceeded."""
        budget = self.pooled.budget
        distributions = {name: self.pooled.used[name].record.bounds() for name in budget.plan.operations}
        return worst_case_dependence(budget.plan, distributions, budget.reads_window_ns)


def model_of(budget: TransactionBudget, used: Used, bins: int = FULL_BINS) -> PlanModel:
    """Return all models of a budget's plan from the records of its operations. `bins` is the largest number
    of time steps, rounded down to a power of two and cut to the useful number.
    """
    record = prepared({name: used[name] for name in budget.plan.operations})
    steps = 1 << (max(2, bins).bit_length() - 1)
    if steps > FEWEST_STEPS:
        steps = min(steps, record.most_steps)
    counts = {name: BlockCounts.from_total(used[name].record.total) for name in budget.plan.operations}
    pooled = SliceModel(record.pooled, budget, used, steps, counts)
    mixture = _mixture(record, budget, used, pooled)
    try:
        mixture and mixture.observed  # noqa: B018 - whether it can be calculated
    except CountsTooMany:
        mixture = None
    totals = [operation.record.total for operation in used.values()]
    stated = [total for total in totals if total is not None]
    return PlanModel(
        pooled,
        mixture,
        min(stated) if len(stated) == len(totals) else None,
        int(pooled.independent_blocks()),
    )


def _mixture(
    record: PreparedPlan, budget: TransactionBudget, used: Used, pooled: SliceModel
) -> SliceModel | None:
    """Return the mixture over the shortest slices with enough operations, else over the longest."""
    levels = [level for level in (record.shorter, record.groups) if level is not None]
    if not levels:
        return None
    enough = budget.plan.largest_count * SLICE_OPERATIONS_PER_OPERATION
    main = next((groups for groups in levels if groups.operations_per_slice >= enough), levels[-1])
    blocks = record.blocks
    others = tuple(
        SliceModel(groups, budget, used, pooled.bins, blocks) for groups in levels if groups is not main
    )
    return SliceModel(main, budget, used, pooled.bins, blocks, (*others, pooled))
