"""Any budget held against any evidence: the one entry for the page of a run, the command line and the API.

Pure: the same budget and evidence give the same answer, to the last digit. Data that contradict themselves
allow no number; the verdict says so (metadata) instead of going missing.
"""

from tailroom.domain.errors import DomainError
from tailroom.domain.transactions.sequential import FULL_BINS
from tailroom.domain.units import NS_PER_HOUR
from tailroom.domain.verdicts import exceedance, plan_verdict
from tailroom.domain.verdicts.assessment import BudgetAssessment, LimitsAssessment
from tailroom.domain.verdicts.budget_kinds import (
    EVERY_OPERATION,
    Budget,
    CompletionBudget,
    ExceedanceBudget,
    PercentileBudget,
    RuleSet,
    ThroughputBudget,
    TransactionBudget,
)
from tailroom.domain.verdicts.evidence import TRANSACTION, OperationEvidence, RunEvidence
from tailroom.domain.verdicts.rates import assess_completion, assess_throughput
from tailroom.domain.verdicts.verdict import Judgement, Reason, Verdict, first_undecided

DISPLAY_BINS = 1 << 12
"""Steps of the grid for an answer while somebody drags a slider."""


def judge_budget(budget: Budget, evidence: RunEvidence, *, bins: int = FULL_BINS) -> BudgetAssessment:
    """The verdict with everything that it rests on. `bins` below `FULL_BINS` only make bounds wider."""
    try:
        return _judge(budget, evidence, bins)
    except DomainError as error:
        judgement = Judgement(
            Verdict.INDETERMINATE,
            Reason.METADATA,
            f"the data contradict themselves: {error}",
            "a consistent record",
        )
        return BudgetAssessment(budget, judgement, evidence.lasted_ns, bins)


def _judge(budget: Budget, evidence: RunEvidence, bins: int) -> BudgetAssessment:
    match budget:
        case RuleSet():
            return _rule_set(budget, evidence, bins)
        case TransactionBudget():
            transaction = plan_verdict.assess(budget, evidence, bins=bins)
            through = min((one.measured_ns for one in transaction.used), default=0)
            return BudgetAssessment(budget, transaction.judgement, through, bins, transaction=transaction)
        case ExceedanceBudget() | PercentileBudget():
            return _limits(budget, evidence, bins)
        case ThroughputBudget():
            judgement, floors = assess_throughput(budget, evidence)
            return BudgetAssessment(budget, judgement, evidence.lasted_ns, bins, floors=floors)
        case CompletionBudget():
            judgement = assess_completion(budget, evidence)
            return BudgetAssessment(budget, judgement, evidence.lasted_ns, bins)


def _rule_set(budget: RuleSet, evidence: RunEvidence, bins: int) -> BudgetAssessment:
    criteria = tuple(judge_budget(one, evidence, bins=bins) for one in budget.criteria)
    judgement = first_undecided([one.judgement for one in criteria])
    if judgement is None:
        text = "; ".join(f"{one.budget.name}: {one.judgement.reason_text}" for one in criteria)
        judgement = Judgement(Verdict.PASS, None, text, None)
    through = min(one.data_through_ns for one in criteria)
    return BudgetAssessment(budget, judgement, through, bins, criteria=criteria)


def _limits(
    budget: ExceedanceBudget | PercentileBudget, evidence: RunEvidence, bins: int
) -> BudgetAssessment:
    used = _chosen(budget, evidence)
    if not used:
        wanted = "operation" if budget.operation == EVERY_OPERATION else f"operation `{budget.operation}`"
        on = f" on the {budget.clock} clock" if budget.clock else ""
        judgement = Judgement(
            Verdict.INDETERMINATE,
            Reason.SAMPLES,
            f"no {wanted} has been measured{on}",
            f"measured {wanted}s{on}"
            if wanted == "operation"
            else f"measured `{budget.operation}` operations",
        )
        return BudgetAssessment(budget, judgement, 0, bins)
    through = min(one.measured_ns for one in used)
    rows = tuple(
        exceedance.limit_row(
            limit, one.record, one.load, one.effect_at, operation=one.operation, clock=one.clock
        )
        for one in used
        for limit in budget.limits
    )
    certified: Judgement | None = None
    judgement = exceedance.overall(rows)
    if isinstance(budget, ExceedanceBudget) and budget.certification is not None:
        certified = _certified(budget, used)
        judgement = certified if budget.certification.decides else judgement
    limits = LimitsAssessment(used[0].operation, used[0].clock, rows, certified)
    return BudgetAssessment(budget, judgement, through, bins, limits=limits)


def _certified(budget: ExceedanceBudget, used: tuple[OperationEvidence, ...]) -> Judgement:
    thresholds = [limit.threshold_ns for limit in budget.limits]
    length_ns = budget.certification_slice_ns or NS_PER_HOUR
    found = [
        exceedance.certification(budget, one.full_slices(thresholds, length_ns), one.measured_ns, one.load)
        for one in used
    ]
    return first_undecided(found) or found[0]


def _chosen(
    budget: ExceedanceBudget | PercentileBudget, evidence: RunEvidence
) -> tuple[OperationEvidence, ...]:
    names = [budget.operation]
    if budget.operation == EVERY_OPERATION:
        names = [name for name in evidence.names if name != TRANSACTION]
    found = [evidence.of(name, budget.clock) for name in names]
    return tuple(one for one in found if one is not None)
