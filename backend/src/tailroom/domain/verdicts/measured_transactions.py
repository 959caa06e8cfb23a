"""Results of whole transactions that were measured as such: counts with limits, free of any model.

They include every dependence between their operations. Compared with a model they show the error of its
assumption: the dependence factor `D = P_measured(late) / P_model(late)` and the inflation of the variance.
Source: docs/method.md sections 1.5, 2.1, 2.2.
"""

import math
from dataclasses import dataclass
from enum import StrEnum

from tailroom.domain.confidence.effective_samples import DesignEffect
from tailroom.domain.confidence.shares import (
    known_total,
    rank_bounds,
    share_lower,
    share_upper,
)
from tailroom.domain.latency.distribution import TimeBounds
from tailroom.domain.transactions.design_effects import dependence_factor, variance_inflation
from tailroom.domain.transactions.plan import Plan, Scheduling, Stage
from tailroom.domain.transactions.plan_search import LargestCount
from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.evidence import TRANSACTION, OperationEvidence, RunEvidence
from tailroom.domain.verdicts.other_tools import READ
from tailroom.domain.verdicts.plan_model import PlanModel
from tailroom.domain.verdicts.refutation import ModelComparison
from tailroom.domain.verdicts.verdict import (
    FEWEST_OPERATIONS,
    Bounds,
    Judgement,
    Verdict,
    decide,
)


@dataclass(frozen=True, slots=True)
class MeasuredResult:
    """Counts of measured whole transactions. `within_lower` and `within_upper` are bounds of the number in
    time out of `total`. `confident` are one-sided 95 % limits of their share.
    `quantile` has bounds of the time by which the objective's share ended in this run, and `effect` is the
    design effect of late transactions.
    """

    operation: str
    clock: str
    within_lower: int
    within_upper: int
    total: int
    confident: Bounds
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
    """Return the measured transactions that are evidence about the budget's plan (`transfers`), or None."""
    transactions = evidence.of(TRANSACTION)
    if transactions is None or transactions.issued is None or not transactions.record.total:
        return None
    return None if transfers(budget.plan, transactions.issued) is None else transactions


def transfers(plan: Plan, issued: Plan) -> "Transfer | None":
    """Return how measured transactions of reads are evidence about a plan; None if they are not, as for a
    plan that does not begin with reads. For the same plan (EXACT) everything transfers. A plan with no more
    reads and as many or more at a time never takes longer (NO_LATER): a proven PASS transfers. A plan with no
    fewer reads and no more at a time, also with further stages, never takes less (NO_EARLIER): a proven FAIL
    transfers. Other plans of reads alone are UNRELATED. Raise PlanInvalid if `issued` has several stages.
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
    """Return whether a stage certainly takes no longer than another of the same operation. It has no more
    reads, and as many or more at a time; waves are comparable only if one size is a multiple of the other.
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
    """Return counts and limits of measured transactions of the budget's plan. `reads` are single operations
    of the run; `modelled_late` is the model's share of late transactions, None without a model.
    """
    record = transactions.record
    late = record.at_or_over(budget.reads_window_ns)
    effect = transactions.effect_at(budget.reads_window_ns)
    factor, total = effect.factor, known_total(record)
    confident = Bounds(
        1.0 - share_upper(late.upper / factor, total / factor),
        1.0 - share_lower(late.lower / factor, total / factor),
    )
    rank = min(total, max(1, math.ceil(budget.objective_ratio * total - 1e-9)))
    return MeasuredResult(
        transactions.operation,
        transactions.clock,
        total - late.upper,
        total - late.lower,
        total,
        confident,
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
    """Return the inflation of the variance over independent reads; None if it is not defined."""
    if (
        reads is None
        or not reads.record.total
        or transactions.record.misses.total == transactions.record.total
    ):
        return None
    if budget.plan.stages[0].effective is not Scheduling.SEQUENTIAL:
        return None  # The inflation compares sums of reads; the time of waves and pools is no sum.
    return variance_inflation(transactions.record, reads.record.bounds(), budget.reads)


class Evidence(StrEnum):
    """Kind of evidence on which a verdict rests: a model of single operations, or measured transactions."""

    MODEL = "model"
    MEASURED = "measured"


@dataclass(frozen=True, slots=True)
class TransactionAssessment:
    """Verdict on a transaction budget with all evidence. `model` is None if an operation of the plan was not
    recorded, `measured` if no measured transactions are evidence about it, `evidence` if neither decides.
    """

    budget: TransactionBudget
    judgement: Judgement
    model: PlanModel | None
    measured: MeasuredResult | None
    evidence: Evidence | None
    used: tuple[OperationEvidence, ...] = ()
    observed: Bounds | None = None
    """Bounds of the share in time in this run that the verdict rests on; None if nothing was measured."""
    transfer: Transfer = Transfer.EXACT
    """In which way measured transactions of another plan are evidence about this plan."""
    unrelated: MeasuredResult | None = None
    """Measured transactions of another plan that bound the largest count but do not decide; None if there are
    none.
    """

    @property
    def quantile(self) -> TimeBounds | None:
        """Bounds in ns of the time by which the objective's share ended in this run, by the evidence that
        decides; None without evidence. Measured transactions of another plan and the model bound it together.
        """
        if self.transfer is not Transfer.EXACT and self.measured is not None:
            return self._transferred(self.measured)
        decisive = self.measured if self.evidence is Evidence.MEASURED else self.model
        return decisive.quantile if decisive else None

    @property
    def largest(self) -> LargestCount | None:
        """Largest number of operations that fits in this run, by the model and by measured transactions. If
        these refute the model, it bounds nothing: at least 0, without upper bound. None without a model, or
        for a plan of several stages or a random count.
        """
        largest = self.model.default.largest if self.model is not None else None
        measured = self.measured or self.unrelated
        if measured is None or len(self.budget.plan.stages) > 1 or self.budget.plan.overhead_ns:
            return largest
        if measured.contradicts and largest is not None:
            largest = LargestCount(0, None)
        objective = self.budget.objective_ratio
        if largest is None or not (measured.contradicts or is_deciding(self.budget, measured)):
            return largest
        counted = decide(measured.observed, objective)
        required, issued = self.budget.plan.with_count(measured.reads).only_stage, measured.plan.only_stage
        if counted is Verdict.PASS and ends_no_later(required, issued):
            possible = None if largest.possible is None else max(largest.possible, measured.reads)
            return LargestCount(max(largest.guaranteed, measured.reads), possible)
        if counted is Verdict.FAIL and ends_no_later(issued, required):
            fewer = measured.reads - 1
            possible = fewer if largest.possible is None else min(largest.possible, fewer)
            return LargestCount(min(largest.guaranteed, possible), possible)
        return largest

    def _transferred(self, measured: MeasuredResult) -> TimeBounds:
        """Return the quantile's bounds by another plan's transactions and, unless refuted, by the model."""
        modelled, counted = TimeBounds(0, None), measured.quantile
        if self.model is not None and not measured.contradicts:
            modelled = self.model.quantile
        if self.transfer is Transfer.UNRELATED:
            return modelled
        if self.transfer is Transfer.NO_LATER:
            uppers = [at for at in (modelled.upper_ns, counted.upper_ns) if at is not None]
            return TimeBounds(min(modelled.lower_ns, counted.lower_ns), min(uppers, default=None))
        upper = None
        if modelled.upper_ns is not None and counted.upper_ns is not None:
            upper = max(modelled.upper_ns, counted.upper_ns)
        return TimeBounds(max(modelled.lower_ns, counted.lower_ns), upper)


def is_deciding(budget: TransactionBudget, measured: MeasuredResult) -> bool:
    """Return whether measured transactions decide: there are `FEWEST_OPERATIONS`, or they prove a FAIL."""
    if measured.total >= FEWEST_OPERATIONS:
        return True
    return decide(measured.confident, budget.objective_ratio) is Verdict.FAIL
