"""The budget that the options of `tailroom judge` ask for."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NoReturn

from tailroom.cli.budgets import budget_named
from tailroom.domain.errors import DomainError
from tailroom.domain.quantities import duration_ns, share_ratio
from tailroom.domain.transactions.plan import Plan, Scheduling, Stage
from tailroom.domain.units import percent_text
from tailroom.domain.verdicts.budget import BUDGETS
from tailroom.domain.verdicts.budget_kinds import (
    Budget,
    ExceedanceBudget,
    PercentileBudget,
    TransactionBudget,
)
from tailroom.domain.verdicts.documents import default_scheduling
from tailroom.domain.verdicts.own_question import own_question
from tailroom.importers.parsed_run import ParsedRun


class OptionsUnusable(DomainError):
    """Options that name no budget, or two."""


def named_budget(
    budget: str, version: int | None, operation: str | None, built: Mapping[str, object]
) -> Budget:
    """Return the budget of a name or file. Raise OptionsUnusable beside options of another budget."""
    conflicting = [name for name, value in built.items() if value is not None]
    if conflicting:
        raise OptionsUnusable(f"--budget and {conflicting[0]} both say what to judge by; use one of the two")
    return _for_operation(budget_named(budget, version), operation)


def budget_of_plan(runs: Sequence[ParsedRun]) -> Budget:
    """Return the budget that follows from the plan of a run of transactions."""
    for run in runs:
        budget = own_question(str(run.parameters.get("workload")), run.parameters)
        if budget is not None:
            return budget
    return _refuse_without_budget()


def _refuse_without_budget() -> NoReturn:
    names = ", ".join(budget.name for budget in BUDGETS)
    raise OptionsUnusable(
        "say what to judge by: --budget NAME or FILE, or at least --reads and --window "
        f"(built-in budgets: {names})"
    )


def _for_operation(budget: Budget, operation: str | None) -> Budget:
    """Return the same budget for another operation."""
    if operation is None:
        return budget
    if isinstance(budget, ExceedanceBudget | PercentileBudget):
        return replace(budget, operation=operation)
    if isinstance(budget, TransactionBudget) and len(budget.plan.stages) == 1:
        return replace(budget, plan=Plan((replace(budget.plan.stages[0], operation=operation),)))
    raise OptionsUnusable(
        f"--operation fits a budget about one operation, and {budget.name} is about several or none"
    )


def built_budget(
    reads: int | None,
    window: str | None,
    *,
    fan_out: int | None,
    scheduling: Scheduling | None,
    objective: str | None,
    reserve: str | None,
    operation: str,
) -> Budget:
    """Return a transaction budget from the options of the command line."""
    if reads is None or window is None:
        _refuse_without_budget()
    at_once = 1 if fan_out is None else fan_out
    if fan_out is None and scheduling is Scheduling.PARALLEL:
        at_once = reads
    how = scheduling or default_scheduling(at_once, reads)
    ratio = share_ratio(objective or "99.9%")
    plan = Plan((Stage(operation, reads, at_once, how),))
    order = {
        Scheduling.SEQUENTIAL: "one after another",
        Scheduling.PARALLEL: "at once",
        Scheduling.WAVES: f"in waves of {at_once}",
        Scheduling.POOL: f"{at_once} at a time",
    }[how]
    return TransactionBudget(
        name="command-line",
        version=1,
        title=f"{reads} {operation} operations, {order}, in {window}",
        question=f"Do {percent_text(ratio)} of transactions finish {reads} operations within {window}?",
        plan=plan,
        window_ns=duration_ns(window),
        objective_ratio=ratio,
        reserve_ns=duration_ns(reserve) if reserve else 0,
    )
