"""What whole transactions say that were measured as such: plain counts, with limits, free of any model.

They hold every dependence between their operations. Beside a model they show how far its assumption is off:
the dependence factor `D = P_measured(late) / P_model(late)` and the inflation of the variance.
Source: METHOD.md sections 1.5, 2.1, 2.2.
"""

from dataclasses import dataclass

from tailroom.domain.confidence.effective_samples import DesignEffect
from tailroom.domain.confidence.quantiles import known_total, rank_bounds
from tailroom.domain.confidence.shares import (
    clopper_pearson,
    quantile_ranks_one_sided,
    samples_for_none_over,
    share_lower,
    share_upper,
)
from tailroom.domain.latency.distribution import TimeBounds
from tailroom.domain.transactions.dependence import dependence_factor, variance_inflation
from tailroom.domain.transactions.plan import Plan, Scheduling
from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.evidence import TRANSACTION, OperationEvidence, RunEvidence
from tailroom.domain.verdicts.verdict import Ends


@dataclass(frozen=True, slots=True)
class MeasuredResult:
    """What whole transactions say: counts, one-sided limits, the quantile by order statistics."""

    operation: str
    clock: str
    within_lower: int
    within_upper: int
    total: int
    confident: Ends
    two_sided: Ends
    quantile: TimeBounds
    effect: DesignEffect
    dependence_factor: float | None
    variance_inflation: float | None
    contradicts: bool


def measured_of(budget: TransactionBudget, evidence: RunEvidence) -> OperationEvidence | None:
    """Measured transactions of exactly the asked kind: as many reads, one after another."""
    if not _is_sequential(budget.plan):
        return None
    whole = evidence.of(TRANSACTION)
    if whole is None or whole.reads_per_transaction != budget.reads or not whole.record.total:
        return None
    return whole


def transactions_needed(budget: TransactionBudget) -> int:
    """Fewest measured transactions, none late, that show the objective."""
    return samples_for_none_over(1.0 - budget.objective_ratio)


def measured_result(
    budget: TransactionBudget,
    whole: OperationEvidence,
    reads: OperationEvidence | None,
    modelled: tuple[float, Ends] | None,
) -> MeasuredResult:
    """Counts and limits; `modelled` is the model's estimate and limits of the share in time."""
    record = whole.record
    late = record.at_or_over(budget.reads_window_ns)
    effect = whole.effect_at(budget.reads_window_ns)
    factor, total = effect.factor, known_total(record)
    confident = Ends(
        1.0 - share_upper(late.upper / factor, total / factor),
        1.0 - share_lower(late.lower / factor, total / factor),
    )
    two_sided = Ends(
        1.0 - clopper_pearson(late.upper / factor, total / factor).upper,
        1.0 - clopper_pearson(late.lower / factor, total / factor).lower,
    )
    ranks = quantile_ranks_one_sided(total, budget.objective_ratio, factor)
    lowest = rank_bounds(record, ranks.lower).lower_ns if ranks.lower else 0
    highest = rank_bounds(record, ranks.upper).upper_ns if ranks.upper is not None else None
    dependence, contradicts = _dependence(late.upper / total, two_sided, modelled)
    return MeasuredResult(
        whole.operation,
        whole.clock,
        total - late.upper,
        total - late.lower,
        total,
        confident,
        two_sided,
        TimeBounds(lowest, highest),
        effect,
        dependence,
        _inflation(budget, whole, reads),
        contradicts,
    )


def _is_sequential(plan: Plan) -> bool:
    stage = plan.stages[0]
    return (
        len(plan.stages) == 1
        and isinstance(stage.count, int)
        and stage.effective is Scheduling.SEQUENTIAL
        and stage.overhead_ns == 0
    )


def _inflation(
    budget: TransactionBudget, whole: OperationEvidence, reads: OperationEvidence | None
) -> float | None:
    if reads is None or not reads.record.total or whole.record.misses.total == whole.record.total:
        return None
    return variance_inflation(whole.record, reads.record.bounds(), budget.reads)


def _dependence(
    late_ratio: float, measured: Ends, modelled: tuple[float, Ends] | None
) -> tuple[float | None, bool]:
    """Measured over modelled share of late transactions, and whether the two contradict each other."""
    if modelled is None:
        return None, False
    within, confident = modelled
    apart = measured.upper < confident.lower or measured.lower > confident.upper
    factor = dependence_factor(
        (1.0 - measured.upper, late_ratio, 1.0 - measured.lower),
        (1.0 - confident.upper, 1.0 - within, 1.0 - confident.lower),
    )
    if factor is None:
        return None, apart
    return factor.estimate, apart and not factor.agrees
