"""Operations that a budget asks about, for all sources of evidence: stored runs (`run`), imported files
(`file`), published configurations (`publication`) and distributions in requests (`sent`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

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
from tailroom.domain.verdicts.evidence import TRANSACTION
from tailroom.domain.verdicts.judge_budget import contradicting
from tailroom.domain.verdicts.verdict import Reason, undecided

_Kind = TypeVar("_Kind", bound=Budget)


class OperationOpen(DomainError):
    """A question about the record's own operation matches several; `operations` and the message list them."""

    def __init__(self, operations: Sequence[str]) -> None:
        self.operations = tuple(operations)
        names = ", ".join(f"`{name}`" for name in self.operations)
        super().__init__(f"the record holds {names}, and the question names none of them")


def unjudged(budget: Budget, error: DomainError, through_ns: int, bins: int) -> BudgetAssessment:
    """Return the undecided verdict on contradictory data, or on an `OperationOpen`."""
    if not isinstance(error, OperationOpen):
        return contradicting(budget, error, through_ns, bins)
    judgement = undecided(Reason.METADATA, str(error), "the name of the operation that is meant")
    return BudgetAssessment(budget, judgement, through_ns, bins)


def about_own(budget: _Kind, candidates: Sequence[str]) -> _Kind:
    """Return the budget with `OWN_OPERATION` replaced by the record's own operation, if it has it and there
    is a candidate. Raise OperationOpen if there are several.
    """
    if not asks_about_own(budget) or not candidates:
        return budget
    if len(candidates) > 1:
        raise OperationOpen(candidates)
    return about(budget, candidates[0])


def about(budget: _Kind, operation: str) -> _Kind:
    """Return the budget with `OWN_OPERATION` replaced in every plan and criterion; unchanged without it."""
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
            return replace(
                budget, criteria=tuple(about(criterion, operation) for criterion in budget.criteria)
            )
        case _:
            return budget


def asks_about_own(budget: Budget) -> bool:
    """Return whether any part of a budget asks about the record's own operation."""
    return OWN_OPERATION in named_operations(budget)


def named_operations(budget: Budget) -> tuple[str, ...]:
    """Return the operations that a budget names, without that of whole transactions. `EVERY_OPERATION` means
    all; empty for budgets about the run as a whole.
    """
    match budget:
        case TransactionBudget():
            return budget.plan.operations
        case ExceedanceBudget() | PercentileBudget():
            return (budget.operation,)
        case RuleSet():
            names = [name for criterion in budget.criteria for name in named_operations(criterion)]
            return tuple(dict.fromkeys(names))
        case _:
            return ()


def missing_series_text(subject: str, operation: str | None, clock: str | None, has: Iterable[str]) -> str:
    """Return the sentence that a subject lacks an operation (None: any) or clock, and which series it has."""
    on = f" on the clock “{clock}”" if clock else ""
    names = ", ".join(dict.fromkeys(has)) or "nothing yet"
    return f"{subject} has no “{operation or 'any operation'}”{on}. It has: {names}."


def operations_of(budget: Budget) -> frozenset[str] | None:
    """Return the operations that a budget needs, whole transactions included; None for all of the record."""
    match budget:
        case TransactionBudget():
            return frozenset((*budget.plan.operations, TRANSACTION))
        case RuleSet():
            parts = [operations_of(criterion) for criterion in budget.criteria]
            limited = [names for names in parts if names is not None]
            return frozenset().union(*limited) if len(limited) == len(parts) else None
        case _:
            names = frozenset(named_operations(budget))
            return names if names and EVERY_OPERATION not in names else None


def plans_of(budget: Budget) -> frozenset[tuple[str, ...]]:
    """Return the operations of each transaction plan of a budget, in the plan's order; may be empty."""
    match budget:
        case TransactionBudget():
            return frozenset((budget.plan.operations,))
        case RuleSet():
            return frozenset().union(*(plans_of(criterion) for criterion in budget.criteria))
        case _:
            return frozenset()
