"""Where evidence comes from: whatever the door, a verdict is reached from a source and nothing else.

A source is a stored run (`run`), an imported file (`file`), what somebody has published (`publication`) or a
distribution that was sent (`sent`). The same record gives the same numbers and reason by any of them.

A question about the record's own operation is resolved here (`about_own`), before any evidence is read.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from tailroom.domain.errors import DomainError
from tailroom.domain.transactions.plan import Plan
from tailroom.domain.verdicts.assessment import BudgetAssessment
from tailroom.domain.verdicts.budget_kinds import (
    EVERY_OPERATION,
    OWN_OPERATION,
    Budget,
    ExceedanceBudget,
    PercentileBudget,
    RuleSet,
    TransactionBudget,
)
from tailroom.domain.verdicts.evidence import RunEvidence
from tailroom.domain.verdicts.judge_budget import judge_budget
from tailroom.domain.verdicts.verdict import Reason, undecided

_Kind = TypeVar("_Kind", bound=Budget)


class OperationOpen(DomainError):
    """A question about a record's own operation, where several fit; the message lists them."""

    def __init__(self, operations: Sequence[str]) -> None:
        self.operations = tuple(operations)
        names = ", ".join(f"`{name}`" for name in self.operations)
        super().__init__(f"the record holds {names}, and the question names none of them")


class EvidenceSource(Protocol):
    """Something that latencies are on record of."""

    @property
    def own_operations(self) -> Sequence[str]:
        """Operations that a question about its own operation may mean (`other_tools.own_operations`)."""
        ...

    @property
    def measured_ns(self) -> int:
        """How long it was measured, also where its series contradict each other; 0 where nobody says."""
        ...

    def evidence(self, budget: Budget) -> RunEvidence:
        """What it has of the operations that a budget asks about.

        Raises DomainError where its series contradict themselves.
        """
        ...


def assess(source: EvidenceSource, budget: Budget, bins: int) -> BudgetAssessment:
    """A budget held against a source. Series that contradict each other allow no number; that is said."""
    try:
        budget = about_own(budget, source.own_operations)
    except OperationOpen as error:
        return open_question(budget, error, source.measured_ns, bins)
    try:
        evidence = source.evidence(budget)
    except DomainError as error:
        return contradicting(budget, error, source.measured_ns, bins)
    return judge_budget(budget, evidence, bins=bins)


def contradicting(budget: Budget, error: DomainError, through_ns: int, bins: int) -> BudgetAssessment:
    """The verdict on data that contradict themselves."""
    judgement = undecided(
        Reason.METADATA,
        f"the data contradict themselves: {error}",
        "a consistent record",
    )
    return BudgetAssessment(budget, judgement, through_ns, bins)


def open_question(budget: Budget, error: OperationOpen, through_ns: int, bins: int) -> BudgetAssessment:
    """Return the answer to a question that several operations of the record fit: which of them is meant."""
    judgement = undecided(Reason.METADATA, str(error), "the name of the operation that is meant")
    return BudgetAssessment(budget, judgement, through_ns, bins)


def about_own(budget: _Kind, own: Sequence[str]) -> _Kind:
    """Return the budget with the record's own operation in the place of `OWN_OPERATION`.

    Unchanged where it names its operations, or nothing has been measured. Raises OperationOpen where several
    operations fit.
    """
    if not asks_about_own(budget) or not own:
        return budget
    if len(own) > 1:
        raise OperationOpen(own)
    return about(budget, own[0])


def about(budget: _Kind, operation: str) -> _Kind:
    """Return the budget with this operation in the place of `OWN_OPERATION`."""
    match budget:
        case TransactionBudget():
            stages = tuple(
                replace(stage, operation=operation) if stage.operation == OWN_OPERATION else stage
                for stage in budget.plan.stages
            )
            return replace(budget, plan=Plan(stages))
        case ExceedanceBudget() | PercentileBudget():
            return replace(budget, operation=operation) if budget.operation == OWN_OPERATION else budget
        case RuleSet():
            return replace(budget, criteria=tuple(about(one, operation) for one in budget.criteria))
        case _:
            return budget


def asks_about_own(budget: Budget) -> bool:
    """Return whether any part of a budget asks about the record's own operation."""
    return OWN_OPERATION in named_operations(budget)


def named_operations(budget: Budget) -> tuple[str, ...]:
    """Operations that a budget names, in its order, without that of whole transactions; none where it asks
    about the run as a whole. `EVERY_OPERATION` stands for all.
    """
    match budget:
        case TransactionBudget():
            return budget.plan.operations
        case ExceedanceBudget() | PercentileBudget():
            return (budget.operation,)
        case RuleSet():
            names = [name for one in budget.criteria for name in named_operations(one)]
            return tuple(dict.fromkeys(names))
        case _:
            return ()


def operations_of(budget: Budget) -> frozenset[str] | None:
    """Operations that evidence for a budget needs, whole transactions among them; none: all on record."""
    match budget:
        case TransactionBudget():
            return frozenset((*budget.plan.operations, budget.transaction_operation))
        case RuleSet():
            together = [operations_of(one) for one in budget.criteria]
            named = [one for one in together if one is not None]
            return frozenset().union(*named) if len(named) == len(together) else None
        case _:
            named_here = named_operations(budget)
            return frozenset(named_here) if named_here and EVERY_OPERATION not in named_here else None


def plans_of(budget: Budget) -> frozenset[tuple[str, ...]]:
    """Operations of every plan of a budget, each in the plan's order."""
    match budget:
        case TransactionBudget():
            return frozenset((budget.plan.operations,))
        case RuleSet():
            return frozenset().union(*(plans_of(one) for one in budget.criteria))
        case _:
            return frozenset()
