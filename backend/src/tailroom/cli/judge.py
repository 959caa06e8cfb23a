"""`tailroom judge FILE --budget …`: does what a file measured keep a budget? Without a server. A run of
transactions is asked by default what its own plan asks.

Ends with 0 for PASS, 1 for FAIL, 3 for INDETERMINATE, and 2 where no question was asked, or the file cannot
be read: the message then says what, where, why, and what to do. With `--require proven` a PASS in this run
that is not proven for the next one ends with 3 as well.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from tailroom.cli.budgets import budget_named
from tailroom.cli.options import Loop, Unit
from tailroom.cli.pipeline_files import Check, CheckState, write_files
from tailroom.cli.result_files import UNREADABLE, answered, reason_of, runs_of
from tailroom.cli.terminal import echo
from tailroom.cli.verdict_text import verdict_lines
from tailroom.domain.errors import DomainError
from tailroom.domain.quantities import duration_ns, share_ratio
from tailroom.domain.transactions.plan import Plan, Scheduling, Stage
from tailroom.domain.units import percent_text
from tailroom.domain.verdicts.assessment import BudgetAssessment
from tailroom.domain.verdicts.budget import BUDGETS
from tailroom.domain.verdicts.budget_kinds import (
    OWN_OPERATION,
    Budget,
    ExceedanceBudget,
    PercentileBudget,
    TransactionBudget,
)
from tailroom.domain.verdicts.documents import default_scheduling
from tailroom.domain.verdicts.headline import headline, words
from tailroom.domain.verdicts.judge_budget import judge_budget
from tailroom.domain.verdicts.objective_text import is_objective, objective_of
from tailroom.domain.verdicts.own_question import own_question
from tailroom.domain.verdicts.verdict import Judgement, Strength, Verdict
from tailroom.evidence.file import Choice, evidence_of, own_operations_of
from tailroom.evidence.source import OperationOpen, about_own, asks_about_own
from tailroom.importers.parsed_run import ParsedRun

_EXIT_CODES = {Verdict.PASS: 0, Verdict.FAIL: 1, Verdict.INDETERMINATE: 3}
_UNUSABLE = 2


class Required(StrEnum):
    """How far a PASS has to carry."""

    OBSERVED = "observed"
    PROVEN = "proven"


def judge(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Result file, or distribution as JSON; - reads from a pipe.")
    ],
    *,
    budget: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE",
            help="Built-in budget, or a budget document; default: what the run's own transactions ask.",
        ),
    ] = None,
    version: Annotated[
        int | None, typer.Option(help="Version of a built-in budget; default: newest.")
    ] = None,
    series: Annotated[
        str | None, typer.Option(help="Which series of the file: its number or name, as a refusal lists it.")
    ] = None,
    reads: Annotated[int | None, typer.Option(help="Operations of one transaction.")] = None,
    window: Annotated[str | None, typer.Option(help="Time that a transaction has: 1s, 400ms, 250us.")] = None,
    fan_out: Annotated[int | None, typer.Option(help="Operations under way at the same time.")] = None,
    scheduling: Annotated[
        Scheduling | None, typer.Option(help="Default: sequential, parallel when all are at once, else pool.")
    ] = None,
    objective: Annotated[
        str | None,
        typer.Option(
            help="A latency objective, such as “p99 get < 10ms”; beside --reads the share of transactions "
            "that must keep the window, default 99.9%."
        ),
    ] = None,
    reserve: Annotated[
        str | None, typer.Option(help="Part of the window that must stay free for computing.")
    ] = None,
    operation: Annotated[
        str | None, typer.Option(help="Operation that is asked about; default: the file's own.")
    ] = None,
    unit: Annotated[
        Unit | None, typer.Option(help="Unit of the latencies, for files that do not state it.")
    ] = None,
    loop: Annotated[
        Loop | None, typer.Option(help="Whether the load waited for answers, for files that do not state it.")
    ] = None,
    require: Annotated[
        Required,
        typer.Option(help="What a PASS has to be: observed in this run, or proven for the next one."),
    ] = Required.OBSERVED,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the answer as a JUnit file.")
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the answer as Markdown.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of lines.")] = False,
) -> None:
    """Say whether a measurement keeps a budget: PASS (0), FAIL (1), undecided (3); how far it carries."""
    built = {
        "--reads": reads,
        "--window": window,
        "--fan-out": fan_out,
        "--scheduling": scheduling,
        "--objective": objective,
        "--reserve": reserve,
    }
    try:
        asked = _question(built, budget, version, operation)
    except DomainError as error:
        _stop(f"the budget cannot be used: {error}")
    try:
        runs = [answered(run, operation, loop, unit) for run in runs_of(file, unit)]
        asked = asked or _of_the_plan(runs)
        if asks_about_own(asked):
            asked = about_own(asked, own_operations_of(runs, series))
        evidence, used = evidence_of(runs, asked, series)
        for one in evidence.operations:
            # Records that contradict themselves are refused here and not judged.
            if one.record.total != 0:
                one.record.bounds()
    except OperationOpen as error:
        _stop(f"{file} cannot be judged: {error}. Name the one that is meant with --operation")
    except UNREADABLE as error:
        _stop(f"{file} cannot be judged: {reason_of(error)}")
    assessment = judge_budget(asked, evidence)
    checks = _checks(assessment, require)
    judgement = assessment.judgement
    counted = _counted(judgement, require)
    short = "" if counted is judgement.verdict else "; a proven PASS is required"
    answer = f"{words(judgement)}: {asked.title or asked.name}{short}"
    try:
        write_files(f"{asked.name}: {file}", answer, checks, to_junit=junit, to_markdown=markdown)
    except OSError as error:
        _stop(f"{error.filename} cannot be written: {error.strerror}")
    if as_json:
        echo(json.dumps({**assessment.summary(), "subject": _subject(file, used)}, allow_nan=False))
    else:
        lines = verdict_lines(assessment, file, [one.label for one in used])
        echo("\n".join([answer, *lines[1:]]))
    raise typer.Exit(_EXIT_CODES[counted])


def _checks(assessment: BudgetAssessment, require: Required) -> list[Check]:
    """Return the verdict as a check of a gate; of a rule set each of its parts."""
    states = {
        Verdict.PASS: CheckState.PASSED,
        Verdict.FAIL: CheckState.FAILED,
        Verdict.INDETERMINATE: CheckState.SKIPPED,
    }
    return [
        Check(
            part.budget.title or part.budget.name,
            states[_counted(part.judgement, require)],
            headline(part).text,
            words(part.judgement),
        )
        for part in assessment.criteria or (assessment,)
    ]


def _counted(judgement: Judgement, require: Required) -> Verdict:
    """Return what a verdict counts as where a PASS has to be proven."""
    is_enough = require is Required.OBSERVED or judgement.strength is Strength.PROVEN
    is_short = judgement.verdict is Verdict.PASS and not is_enough
    return Verdict.INDETERMINATE if is_short else judgement.verdict


def _named(budget: str, version: int | None, operation: str | None, built: Mapping[str, object]) -> Budget:
    """A budget by its name or file, beside which nothing else says what to judge by."""
    given = [name for name, value in built.items() if value is not None]
    if given:
        _stop(f"--budget and {given[0]} both say what to judge by; use one of the two")
    return _for_operation(budget_named(budget, version), operation)


def _question(
    built: Mapping[str, Any], budget: str | None, version: int | None, operation: str | None
) -> Budget | None:
    """What the command line asks; None where it leaves that to the run."""
    if budget is not None:
        return _named(budget, version, operation, built)
    objective = built["--objective"]
    if objective is not None and is_objective(objective):
        return _for_operation(_objective(objective, version, built), operation)
    if all(value is None for value in (*built.values(), operation, version)):
        return None
    if version is not None:
        _stop("--version chooses a version of a built-in budget: name it with --budget")
    return _built(
        built["--reads"],
        built["--window"],
        fan_out=built["--fan-out"],
        scheduling=built["--scheduling"],
        objective=objective,
        reserve=built["--reserve"],
        operation=operation or OWN_OPERATION,
    )


def _objective(text: str, version: int | None, built: Mapping[str, object]) -> Budget:
    """A latency objective, beside which nothing else says what to judge by."""
    given = [name for name, value in built.items() if value is not None and name != "--objective"]
    if version is not None:
        given.append("--version")
    if given:
        _stop(f"--objective {text!r} is a whole question; leave {given[0]} out")
    return objective_of(text)


def _of_the_plan(runs: Sequence[ParsedRun]) -> Budget:
    """The question that a run of transactions was made to answer."""
    asked = [own_question(str(run.parameters.get("workload")), run.parameters) for run in runs]
    found = next((one for one in asked if one is not None), None)
    return _nothing_asked() if found is None else found


def _nothing_asked() -> NoReturn:
    names = ", ".join(one.name for one in BUDGETS)
    _stop(
        "say what to judge by: --budget NAME or FILE, --objective “p99 < 10ms”, or at least --reads and "
        f"--window (built-in budgets: {names})"
    )


def _for_operation(budget: Budget, operation: str | None) -> Budget:
    """The same budget asked of another operation."""
    if operation is None:
        return budget
    if isinstance(budget, ExceedanceBudget | PercentileBudget):
        return replace(budget, operation=operation)
    if isinstance(budget, TransactionBudget) and len(budget.plan.stages) == 1:
        return replace(budget, plan=Plan((replace(budget.plan.stages[0], operation=operation),)))
    return _stop(f"--operation fits a budget about one operation, and {budget.name} is about several or none")


def _built(
    reads: int | None,
    window: str | None,
    *,
    fan_out: int | None,
    scheduling: Scheduling | None,
    objective: str | None,
    reserve: str | None,
    operation: str,
) -> Budget:
    """A budget from the command line."""
    if reads is None or window is None:
        _nothing_asked()
    at_once = 1 if fan_out is None else fan_out
    if fan_out is None and scheduling is Scheduling.PARALLEL:
        at_once = reads
    how = scheduling or default_scheduling(at_once, reads)
    ratio = share_ratio(objective or "99.9%")
    plan = Plan((Stage(operation, reads, at_once, how),))
    named = {
        Scheduling.SEQUENTIAL: "one after another",
        Scheduling.PARALLEL: "at once",
        Scheduling.WAVES: f"in waves of {at_once}",
        Scheduling.POOL: f"{at_once} at a time",
    }[how]
    of = "" if operation == OWN_OPERATION else f"{operation} "
    return TransactionBudget(
        name="command-line",
        version=1,
        title=f"{reads} {of}operations, {named}, in {window}",
        question=f"Do {percent_text(ratio)} of transactions finish {reads} operations within {window}?",
        plan=plan,
        window_ns=duration_ns(window),
        objective_ratio=ratio,
        reserve_ns=duration_ns(reserve) if reserve else 0,
    )


def _subject(file: str, used: tuple[Choice, ...]) -> dict[str, Any]:
    return {
        "file": file,
        "series": [
            {
                "label": one.label,
                "operation": one.series.operation,
                "clock": one.series.clock,
                "samples": one.series.record.total,
                "closed_loop": one.run.closed_loop,
            }
            for one in used
        ],
    }


def _stop(message: str) -> NoReturn:
    echo(message, err=True)
    raise typer.Exit(_UNUSABLE)
