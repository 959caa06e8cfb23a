"""The budget that the options of `tailroom judge` name or describe."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from tailroom.cli.budgets import budget_named
from tailroom.domain.errors import DomainError
from tailroom.domain.rating.load_search import probe_of
from tailroom.domain.transactions.plan import Plan, Scheduling, Stage, default_scheduling
from tailroom.domain.units import duration_ns, exact_percent, share_ratio
from tailroom.domain.verdicts.budget import BUDGETS
from tailroom.domain.verdicts.budget_kinds import (
    OWN_OPERATION,
    Budget,
    ExceedanceBudget,
    PercentileBudget,
    TransactionBudget,
)
from tailroom.domain.verdicts.objective_text import is_objective, objective_of
from tailroom.domain.verdicts.order import own_question
from tailroom.domain.verdicts.other_tools import budgets_for_uploads
from tailroom.importers.agent_result.importer import TOOL as AGENT
from tailroom.importers.parsed_run import ParsedRun


class OptionsUnusable(DomainError):
    """The options name no budget or two, or do not fit the budget that they name."""


def budget_of_options(
    built: Mapping[str, Any], budget: str | None, version: int | None, operation: str | None
) -> Budget | None:
    """Return the budget that the options name or describe; None if none of them is given.

    `built`: options that describe a budget, by name; those that are None or missing are not given. Raise
    OptionsUnusable, or another DomainError for a budget that cannot be used.
    """
    given = [name for name, value in built.items() if value is not None]
    if budget is not None:
        if given:
            raise OptionsUnusable(f"--budget and {given[0]} both say what to judge by; use one of the two")
        return _replace_operation(budget_named(budget, version), operation)
    objective = built.get("--objective")
    if objective is not None and is_objective(objective):
        others = [name for name in given if name != "--objective"] + ["--version"] * (version is not None)
        if others:
            raise OptionsUnusable(f"--objective {objective!r} is a whole question; leave {others[0]} out")
        return _replace_operation(objective_of(objective), operation)
    if not given and operation is None and version is None:
        return None
    if version is not None:
        raise OptionsUnusable("--version chooses a version of a built-in budget: name it with --budget")
    return _built_budget(
        built.get("--reads"),
        built.get("--window"),
        fan_out=built.get("--fan-out"),
        scheduling=built.get("--scheduling"),
        objective=objective,
        reserve=built.get("--reserve"),
        operation=operation or OWN_OPERATION,
    )


def budget_of_plan(runs: Sequence[ParsedRun]) -> Budget:
    """Return the budget of the first run whose plan has one. Raise OptionsUnusable if no run has one.

    It is the run's own question, its search's objective, or the first budget of an agent's workload.
    """
    for run in runs:
        workload = str(run.parameters.get("workload"))
        own, probe = own_question(workload, run.parameters), probe_of({"ladder": run.ladder})
        if own is not None:
            return own
        if probe is not None:
            return objective_of(probe.objective)
        if run.tool == AGENT and budgets_for_uploads(workload):
            return budgets_for_uploads(workload)[0]
    return _refuse_without_budget()


def _refuse_without_budget() -> NoReturn:
    """Raise OptionsUnusable, with the ways to name a budget."""
    names = ", ".join(budget.name for budget in BUDGETS)
    raise OptionsUnusable(
        "say what to judge by: --budget NAME or FILE, --objective “p99 < 10ms”, or at least --reads and "
        f"--window (built-in budgets: {names})"
    )


def _replace_operation(budget: Budget, operation: str | None) -> Budget:
    """Return the budget for another operation, if one is named. Raise OptionsUnusable if it does not fit."""
    if operation is None:
        return budget
    if isinstance(budget, ExceedanceBudget | PercentileBudget):
        return replace(budget, operation=operation)
    if isinstance(budget, TransactionBudget) and len(budget.plan.stages) == 1:
        return replace(budget, plan=Plan((replace(budget.plan.stages[0], operation=operation),)))
    raise OptionsUnusable(
        f"--operation fits a budget about one operation, and {budget.name} is about several or none"
    )


def _built_budget(
    reads: int | None,
    window: str | None,
    *,
    fan_out: int | None,
    scheduling: Scheduling | None,
    objective: str | None,
    reserve: str | None,
    operation: str,
) -> Budget:
    """Return the transaction budget that the options describe. Raise DomainError if they do not."""
    if objective is not None and reads is None and window is None:
        raise OptionsUnusable(
            f"--objective {objective!r} cannot be read: write it as p99 get < 10ms, 99.9% read < 1ms or "
            "p99.9 < 5ms; a share alone, such as 99.9%, goes with --reads and --window"
        )
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
    of = "" if operation == OWN_OPERATION else f"{operation} "
    return TransactionBudget(
        name="command-line",
        version=1,
        title=f"{reads} {of}operations, {order}, in {window}",
        question=f"Do {exact_percent(ratio)} of transactions finish {reads} operations within {window}?",
        plan=plan,
        window_ns=duration_ns(window),
        objective_ratio=ratio,
        reserve_ns=duration_ns(reserve) if reserve else 0,
    )
