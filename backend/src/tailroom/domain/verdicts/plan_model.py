"""Models of a plan from the records of its single operations: the mixture over slices, and others for
comparison. The default model is the mixture if the record has at least two slices over time: operations are
independent inside a group of slices, and every group has its own distribution. Otherwise all operations are
pooled and assumed independent. Slices and groups are a property of the record (`plan_groups`); all figures
come from the same monotone functions of plan and time (`slice_model`). Source: docs/method.md sections 1.1 to
1.7, 2.3 and 10; docs/adr/0010 and 0038.
"""

from dataclasses import dataclass
from functools import cached_property

from tailroom.domain.latency.distribution import TimeBounds
from tailroom.domain.transactions.guarantees import record_distributions
from tailroom.domain.transactions.plan_search import LargestCount
from tailroom.domain.transactions.plan_sums import FULL_BINS
from tailroom.domain.transactions.plan_terms import CountsTooMany
from tailroom.domain.transactions.worst_case import WorstCase, worst_case_dependence
from tailroom.domain.verdicts.block_counts import BlockCounts
from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.plan_groups import FEWEST_STEPS, PlanGroups, PreparedPlan, prepared
from tailroom.domain.verdicts.slice_model import (
    SLICE_OPERATIONS_PER_OPERATION,
    BoundedEstimate,
    SliceModel,
    Used,
)
from tailroom.domain.verdicts.verdict import Bounds


@dataclass(frozen=True, eq=False)
class PlanModel:
    """All models of a plan: all operations pooled, and the mixture over groups of slices. `mixture` is None
    for the reason `no_mixture`. `samples` is the smallest number of recorded operations of any operation in
    the plan; None if unknown.
    """

    pooled: SliceModel
    mixture: SliceModel | None
    no_mixture: str | None
    samples: int | None
    blocks: int
    """Number of disjoint blocks of as many operations as the plan's transaction has; 0 if unknown."""

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
        """Bounds in ns of the time within which the objective's share ends, by the default model."""
        return self.default.quantile

    @cached_property
    def worst(self) -> WorstCase:
        """Bounds of the share in time for any dependence between operations."""
        budget = self.pooled.budget
        records = {name: operation.record for name, operation in self.pooled.used.items()}
        distributions = record_distributions(budget.plan, records)
        return worst_case_dependence(budget.plan, distributions, budget.reads_window_ns)

    @property
    def largest(self) -> LargestCount | None:
        """Largest number of operations by the default model; None for several stages or a random count."""
        return self.default.largest


def model_of(budget: TransactionBudget, used: Used, bins: int = FULL_BINS) -> PlanModel:
    """Return all models of a budget's plan; `used` must have a record with operations for each operation of
    the plan. `bins` is the largest number of steps of the grid of time, rounded down to a power of two and
    limited to the useful number.
    """
    record = prepared({name: used[name] for name in budget.plan.operations})
    steps = 1 << (max(2, bins).bit_length() - 1)
    if steps > FEWEST_STEPS:
        steps = min(steps, record.most_steps)
    counts = {name: BlockCounts.from_total(used[name].record.total) for name in budget.plan.operations}
    pooled = SliceModel(record.pooled, budget, used, steps, counts)
    mixture, why = None, record.groups if isinstance(record.groups, str) else None
    if not isinstance(record.groups, str):
        mixture = _mixture(record, budget, used, pooled)
        try:
            mixture.observed  # noqa: B018 - whether it can be calculated
        except CountsTooMany as error:
            mixture, why = None, str(error)
    totals = [operation.record.total for operation in used.values()]
    stated = [total for total in totals if total is not None]
    return PlanModel(
        pooled,
        mixture,
        why,
        min(stated) if len(stated) == len(totals) else None,
        int(pooled.independent_blocks()),
    )


def _mixture(record: PreparedPlan, budget: TransactionBudget, used: Used, pooled: SliceModel) -> SliceModel:
    """Return the mixture over the shortest slices with enough operations, or longest, beside the others."""
    levels = [level for level in (record.shorter, record.groups) if isinstance(level, PlanGroups)]
    enough = budget.plan.largest_count * SLICE_OPERATIONS_PER_OPERATION
    main = next((groups for groups in levels if groups.operations_per_slice >= enough), levels[-1])
    blocks = record.blocks
    others = tuple(
        SliceModel(groups, budget, used, pooled.bins, blocks) for groups in levels if groups is not main
    )
    return SliceModel(main, budget, used, pooled.bins, blocks, (*others, pooled))
