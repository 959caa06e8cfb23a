"""Results of whole transactions that were measured as such: counts with limits, free of any model.

They include every dependence between their operations. Compared with a model they show the error of its
assumption: the dependence factor `D = P_measured(late) / P_model(late)` and the inflation of the variance.
Source: docs/method.md sections 1.5, 2.1, 2.2.
"""

import math
from dataclasses import dataclass
from enum import StrEnum

from tailroom.domain.confidence.effective_samples import DesignEffect
from tailroom.domain.confidence.quantiles import known_total, rank_bounds
from tailroom.domain.confidence.shares import (
    clopper_pearson,
    share_lower,
    share_upper,
)
from tailroom.domain.latency.distribution import TimeBounds
from tailroom.domain.transactions.dependence import dependence_factor, variance_inflation
from tailroom.domain.transactions.plan import Plan, Scheduling, Stage
from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.evidence import TRANSACTION, OperationEvidence, RunEvidence
from tailroom.domain.verdicts.other_tools import READ
from tailroom.domain.verdicts.refutation import ModelComparison
from tailroom.domain.verdicts.verdict import Bounds


@dataclass(frozen=True, slots=True)
class MeasuredResult:
    """Counts of measured whole transactions within the window, and figures from them.

    `within_lower` and `within_upper` are bounds of the number in time out of `total`. `confident` and
    `two_sided` are 95 % limits of their share, on one side each and on both. `quantile` are bounds of the
    time by which the objective's share ended in this run, `effect` is the design effect of late transactions.
    """

    operation: str
    clock: str
    within_lower: int
    within_upper: int
    total: int
    confident: Bounds
    two_sided: Bounds
    quantile: TimeBounds
    effect: DesignEffect
    dependence_factor: float | None
    variance_inflation: float | None
    plan: Plan
    """Plan of each measured transaction; another than the budget's if the evidence was transferred."""
    refutation: ModelComparison | None = None
    """Comparison with the model of single operations; None if these were not measured."""

    @property
    def observed(self) -> Bounds:
        """Bounds of the share of the run's transactions in time."""
        return Bounds(self.within_lower / self.total, self.within_upper / self.total)

    @property
    def reads(self) -> int:
        """Number of reads of each measured transaction."""
        return self.plan.largest_count

    @property
    def contradicts(self) -> bool:
        """Whether these transactions refute the model for this record."""
        return self.refutation is not None and self.refutation.is_refuted


def measured_of(budget: TransactionBudget, evidence: RunEvidence) -> OperationEvidence | None:
    """Return the measured transactions that are evidence about the budget's plan (`transfers`); None if there
    are none, or the plan that they followed is unknown.
    """
    transactions = evidence.of(TRANSACTION)
    if transactions is None or transactions.issued is None or not transactions.record.total:
        return None
    return None if transfers(budget.plan, transactions.issued) is None else transactions


def transfers(plan: Plan, issued: Plan) -> "Transfer | None":
    """Return in which way measured transactions of reads are evidence about a plan; None if they are no
    evidence, such as for a plan that does not begin with reads.

    For the same plan everything transfers. For a plan that never takes longer (no more reads, as many or more
    at a time) a proven PASS transfers; for a plan that never takes less (no fewer reads, no more at a time,
    also with further stages) a proven FAIL. Other plans of reads alone are UNRELATED. Raise PlanInvalid if
    `issued` has several stages.
    """
    if any(stage.operation != READ for stage in plan.stages[:1]):
        return None
    measured = issued.only_stage
    stages = [stage for stage in plan.stages if stage.operation == READ]
    fixed = [stage for stage in stages if isinstance(stage.count, int)]
    if len(plan.stages) == 1 and plan.overhead_ns == 0 and ends_no_later(plan.only_stage, measured):
        is_same = bool(fixed) and ends_no_later(measured, plan.only_stage)
        return Transfer.EXACT if is_same else Transfer.NO_LATER
    in_a_row = sum(stage.largest_count for stage in fixed if stage.effective is Scheduling.SEQUENTIAL)
    if in_a_row >= measured.largest_count or any(ends_no_later(measured, stage) for stage in fixed):
        return Transfer.NO_EARLIER
    return Transfer.UNRELATED if len(stages) == len(plan.stages) else None


def ends_no_later(stage: Stage, other: Stage) -> bool:
    """Return whether a stage cannot take longer than another of the same operation, for any read latencies.

    It has no more reads, and as many or more at a time: reads of a larger pool begin no later, and no later
    than in waves of its size. Waves are comparable only if one size is a multiple of the other.
    """
    if stage.largest_count > other.largest_count:
        return False
    match stage.effective, other.effective:
        case (_, Scheduling.SEQUENTIAL) | (Scheduling.PARALLEL, _):
            return True
        case (Scheduling.POOL, Scheduling.POOL | Scheduling.WAVES):
            return stage.fan_out >= other.fan_out
        case (Scheduling.WAVES, Scheduling.WAVES):
            return stage.fan_out % other.fan_out == 0
        case _:
            return False


class Transfer(StrEnum):
    """In which way measured transactions are evidence about a plan."""

    EXACT = "exact"
    """The plan is that of the measured transactions."""
    NO_LATER = "no_later"
    """The plan ends no later than the measured transactions."""
    NO_EARLIER = "no_earlier"
    """The plan ends no earlier than the measured transactions."""
    UNRELATED = "unrelated"
    """The plans are not comparable: the measurement can only refute the model."""


def measured_result(
    budget: TransactionBudget,
    transactions: OperationEvidence,
    reads: OperationEvidence | None,
    modelled_late: float | None,
    refutation: ModelComparison | None,
) -> MeasuredResult:
    """Return counts and limits of the measured transactions; `budget` must have the plan that they followed.

    `reads` are single operations of the same run, `modelled_late` is the model's share of late transactions;
    None if not measured.
    """
    record = transactions.record
    late = record.at_or_over(budget.reads_window_ns)
    effect = transactions.effect_at(budget.reads_window_ns)
    factor, total = effect.factor, known_total(record)
    confident = Bounds(
        1.0 - share_upper(late.upper / factor, total / factor),
        1.0 - share_lower(late.lower / factor, total / factor),
    )
    two_sided = Bounds(
        1.0 - clopper_pearson(late.upper / factor, total / factor).upper,
        1.0 - clopper_pearson(late.lower / factor, total / factor).lower,
    )
    rank = min(total, max(1, math.ceil(budget.objective_ratio * total - 1e-9)))
    return MeasuredResult(
        transactions.operation,
        transactions.clock,
        total - late.upper,
        total - late.lower,
        total,
        confident,
        two_sided,
        rank_bounds(record, rank),
        effect,
        None if modelled_late is None else dependence_factor(late.upper / total, modelled_late),
        _variance_inflation(budget, transactions, reads),
        budget.plan,
        refutation,
    )


def _variance_inflation(
    budget: TransactionBudget, transactions: OperationEvidence, reads: OperationEvidence | None
) -> float | None:
    """Return the inflation of the variance; None if there are no reads or no answers, reads do not vary, or
    the first stage of the plan is not sequential.
    """
    if (
        reads is None
        or not reads.record.total
        or transactions.record.misses.total == transactions.record.total
    ):
        return None
    if budget.plan.stages[0].effective is not Scheduling.SEQUENTIAL:
        return None  # The inflation compares sums of reads; the time of waves and pools is no sum.
    return variance_inflation(transactions.record, reads.record.bounds(), budget.reads)
