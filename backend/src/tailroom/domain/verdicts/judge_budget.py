"""Judge any budget by any evidence: the single entry for the page of a run, the command line and the API.

Pure: the same budget and evidence give the same answer, to the last digit. Data that contradict themselves
give an undecided verdict with the reason `metadata`. A FAIL that rests on unreliable slices does not hold:
a budget of any kind is judged once more with all of them at their best (`validity`, docs/adr/0017).
"""

from dataclasses import replace

from tailroom.domain.errors import DomainError
from tailroom.domain.transactions.plan_sums import FULL_BINS
from tailroom.domain.units import NS_PER_HOUR
from tailroom.domain.verdicts import exceedance, plan_verdict, unknown_conditions
from tailroom.domain.verdicts.assessment import BudgetAssessment
from tailroom.domain.verdicts.budget_kinds import (
    EVERY_OPERATION,
    OWN_OPERATION,
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
from tailroom.domain.verdicts.validity import Validity, confirm_fail
from tailroom.domain.verdicts.verdict import Judgement, Reason, Verdict, combined, undecided

DISPLAY_BINS = 1 << 12
"""Time steps in the sums of a plan for a quick answer while a slider is dragged."""


def judge_budget(budget: Budget, evidence: RunEvidence, *, bins: int = FULL_BINS) -> BudgetAssessment:
    """Return the verdict on a budget with all figures behind it. `bins` is the number of time steps in the
    sums of a plan; fewer than `FULL_BINS` are quicker and only widen the bounds.
    """
    assessment = _assess(budget, evidence, bins)
    return replace(assessment, is_published=True) if evidence.is_published else assessment


def _assess(budget: Budget, evidence: RunEvidence, bins: int) -> BudgetAssessment:
    """Return the verdict, undecided for unknown conditions or contradictions. A FAIL, except of a rule set as
    a whole, is judged again with all unreliable slices at their best.
    """
    if evidence.unknown:
        return BudgetAssessment(
            budget, unknown_conditions.judgement(evidence.unknown), evidence.lasted_ns, bins
        )
    try:
        evidence = evidence.for_budget(budget)
        assessment = _judge(budget, evidence, bins)
        is_confirmed = isinstance(budget, RuleSet) or not evidence.has_unreliable_slices
        if is_confirmed or not _fails_somewhere(assessment):
            return assessment
        return _confirm_fails(assessment, _judge(budget, evidence.at_best, bins))
    except DomainError as error:
        return contradicting(budget, error, evidence.lasted_ns, bins)


def contradicting(budget: Budget, error: DomainError, through_ns: int, bins: int) -> BudgetAssessment:
    """Return the undecided verdict on contradictory data; `through_ns` is the measured time."""
    text = f"the data contradict themselves: {error}"
    judgement = undecided(Reason.METADATA, text, "a consistent record")
    return BudgetAssessment(budget, judgement, through_ns, bins)


def _judge(budget: Budget, evidence: RunEvidence, bins: int) -> BudgetAssessment:
    match budget:
        case RuleSet():
            return _judge_rule_set(budget, evidence, bins)
        case TransactionBudget():
            transaction = plan_verdict.assess(budget, evidence, bins=bins)
            through = min((operation.measured_ns for operation in transaction.used), default=0)
            validity = Validity.worst(operation.validity for operation in transaction.used)
            return BudgetAssessment(
                budget, transaction.judgement, through, bins, validity=validity, transaction=transaction
            )
        case ExceedanceBudget() | PercentileBudget():
            return _judge_limits(budget, evidence, bins)
        case ThroughputBudget():
            judgement, floors = assess_throughput(budget, evidence)
            return BudgetAssessment(budget, judgement, evidence.lasted_ns, bins, floors=floors)
        case CompletionBudget():
            judgement = assess_completion(budget, evidence)
            return BudgetAssessment(budget, judgement, evidence.lasted_ns, bins)


def _fails_somewhere(assessment: BudgetAssessment) -> bool:
    judged = [assessment.judgement]
    if assessment.limits is not None:
        judged += [row.judgement for row in assessment.limits.rows]
        judged += [assessment.limits.certification] if assessment.limits.certification else []
    return any(judgement.verdict is Verdict.FAIL for judgement in judged)


def _confirm_fails(recorded: BudgetAssessment, at_best: BudgetAssessment) -> BudgetAssessment:
    """Return the assessment with each FAIL weakened that is none with slices at their best (`at_best`)."""
    validity = recorded.validity or Validity()
    limits, best = recorded.limits, at_best.limits
    if limits is None or best is None:
        judgement = confirm_fail(recorded.judgement, at_best.judgement, validity)
    else:
        rows = tuple(
            replace(row, judgement=confirm_fail(row.judgement, other.judgement, validity))
            for row, other in zip(limits.rows, best.rows, strict=True)
        )
        certified = limits.certification
        if certified is not None and best.certification is not None:
            certified = confirm_fail(certified, best.certification, validity)
        limits = replace(limits, rows=rows, certification=certified)
        judgement = _combine_limits(recorded.budget, rows, certified)
    rests_on_unreliable_slices = (
        recorded.judgement.verdict is Verdict.FAIL and judgement.verdict is not Verdict.FAIL
    )
    if rests_on_unreliable_slices and judgement.verdict is Verdict.INDETERMINATE:
        judgement = replace(validity.undecided(), observed=judgement.observed, proven=judgement.proven)
    transaction = recorded.transaction and replace(recorded.transaction, judgement=judgement)
    return replace(
        recorded,
        judgement=judgement,
        transaction=transaction,
        limits=limits,
        rests_on_unreliable_slices=rests_on_unreliable_slices,
    )


def _judge_rule_set(budget: RuleSet, evidence: RunEvidence, bins: int) -> BudgetAssessment:
    """Return the verdict on all parts; if undecided, the first part that rests on unreliable slices
    counts.
    """
    criteria = tuple(judge_budget(criterion, evidence, bins=bins) for criterion in budget.criteria)
    text = "; ".join(f"{part.budget.name}: {part.judgement.reason_text}" for part in criteria)
    judgement = combined([part.judgement for part in criteria], text)
    rests_on_unreliable_slices = [part for part in criteria if part.rests_on_unreliable_slices]
    if judgement.verdict is Verdict.INDETERMINATE and rests_on_unreliable_slices:
        # The recorded FAIL does not hold, and the reason for that comes first.
        judgement = rests_on_unreliable_slices[0].judgement
    validities = [part.validity for part in criteria if part.validity is not None]
    return BudgetAssessment(
        budget,
        judgement,
        min(part.data_through_ns for part in criteria),
        bins,
        validity=Validity.worst(validities) if validities else None,
        rests_on_unreliable_slices=bool(rests_on_unreliable_slices) and judgement.verdict is not Verdict.FAIL,
        criteria=criteria,
    )


def _judge_limits(
    budget: ExceedanceBudget | PercentileBudget, evidence: RunEvidence, bins: int
) -> BudgetAssessment:
    used = _select_operations(budget, evidence)
    if not used:
        is_any = budget.operation in {EVERY_OPERATION, OWN_OPERATION}
        subject = "operation" if is_any else f"operation `{budget.operation}`"
        on = f" on the {budget.clock} clock" if budget.clock else ""
        judgement = undecided(
            Reason.SAMPLES,
            f"no {subject} has been measured{on}",
            f"measured {subject}s{on}" if is_any else f"measured `{budget.operation}` operations",
        )
        return BudgetAssessment(budget, judgement, 0, bins)
    through = min(operation.measured_ns for operation in used)
    rows = tuple(exceedance.limit_row(limit, operation) for operation in used for limit in budget.limits)
    certified: Judgement | None = None
    if isinstance(budget, ExceedanceBudget) and budget.certification is not None:
        published = exceedance.overall(rows) if evidence.is_published else None
        certified = _judge_certification(budget, used, published)
    limits = exceedance.LimitsAssessment(used[0].operation, used[0].clock, rows, certified)
    validity = Validity.worst(operation.validity for operation in used)
    judgement = _combine_limits(budget, rows, certified)
    return BudgetAssessment(budget, judgement, through, bins, validity=validity, limits=limits)


def _combine_limits(
    budget: Budget, rows: tuple[exceedance.LimitRow, ...], certified: Judgement | None
) -> Judgement:
    """Return the judgement on the certification if the budget lets it decide, else that of the rows."""
    rule = budget.certification if isinstance(budget, ExceedanceBudget) else None
    return certified if certified is not None and rule and rule.decides else exceedance.overall(rows)


def _judge_certification(
    budget: ExceedanceBudget, used: tuple[OperationEvidence, ...], published: Judgement | None
) -> Judgement:
    """Return the judgement on the certification of all operations; for a published test from `published`."""
    if published is not None:
        return exceedance.certification_as_published(budget, published, used[0].measured_ns)
    thresholds = [limit.threshold_ns for limit in budget.limits]
    length_ns = budget.certification_slice_ns or NS_PER_HOUR
    judgements = [
        exceedance.certification(
            budget, operation.full_slices(thresholds, length_ns), operation.measured_ns, operation.load
        )
        for operation in used
    ]
    return combined(judgements, judgements[0].reason_text)


def _select_operations(
    budget: ExceedanceBudget | PercentileBudget, evidence: RunEvidence
) -> tuple[OperationEvidence, ...]:
    """Return the measured operations that a budget is about. `EVERY_OPERATION` means all but whole
    transactions, by name, because files and the database have them in different orders.
    """
    names = [budget.operation]
    if budget.operation == EVERY_OPERATION:
        names = sorted(name for name in evidence.names if name != TRANSACTION)
    operations = [evidence.of(name, budget.clock) for name in names]
    return tuple(operation for operation in operations if operation is not None)
