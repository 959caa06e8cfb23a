"""`tailroom judge FILE --budget …`: judge a result file by a budget, without a server.

The default budget of a run of the agent follows from its plan: its transactions, the objective of its
search, or the budget of its workload. Exits with 0 for PASS, 1 for FAIL, 3 for INDETERMINATE, 2 without a
budget or for an unreadable file; with `--require proven` 3 also for a PASS that is not proven for next runs.
"""

import json
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tailroom.cli.options import JsonOption, JunitOption, LoopOption, MarkdownOption, UnitOption
from tailroom.cli.pipeline_files import Check, CheckState, write_files
from tailroom.cli.terminal import echo, stop
from tailroom.domain.errors import DomainError
from tailroom.domain.transactions.plan import Scheduling
from tailroom.domain.verdicts.verdict import Judgement, Strength, Verdict
from tailroom.kit.exit_codes import ExitCode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tailroom.domain.verdicts.assessment import BudgetAssessment
    from tailroom.evidence.file import SeriesChoice
    from tailroom.importers.parsed_run import ParsedRun

_EXIT_CODES = {
    Verdict.PASS: ExitCode.FINE,
    Verdict.FAIL: ExitCode.FAILED,
    Verdict.INDETERMINATE: ExitCode.UNDECIDED,
}


class Required(StrEnum):
    """Scope in which a PASS must hold for exit code 0: this run (`observed`) or next runs too (`proven`)."""

    OBSERVED = "observed"
    PROVEN = "proven"


def judge(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE…", help="Result file, or distribution as JSON; - reads from a pipe."),
    ],
    *,
    budget: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE",
            help="Built-in budget, or a budget document; default: what the plan of the agent's run asks.",
        ),
    ] = None,
    version: Annotated[
        int | None, typer.Option(help="Version of a built-in budget; default: newest.")
    ] = None,
    series: Annotated[
        str | None, typer.Option(help="Which series of the file: its number or name, as a refusal lists it.")
    ] = None,
    metric: Annotated[
        str | None, typer.Option(help="Which histogram of Prometheus or OpenTelemetry is meant, by its name.")
    ] = None,
    match: Annotated[
        str | None,
        typer.Option(metavar="LABELS", help='Which of its labels: \'route="/pay",method!="GET"\'.'),
    ] = None,
    join: Annotated[
        bool, typer.Option("--join", help="The files are of several clients of one test: add them up.")
    ] = False,
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
    unit: UnitOption = None,
    loop: LoopOption = None,
    require: Annotated[
        Required,
        typer.Option(help="What a PASS has to be: observed in this run, or proven for the next one."),
    ] = Required.OBSERVED,
    junit: JunitOption = None,
    markdown: MarkdownOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say whether a measurement keeps a budget: PASS (0), FAIL (1), undecided (3); how far it carries."""
    from tailroom.cli.histograms import require_one_histogram
    from tailroom.cli.judge_options import OptionsUnusable, budget_of_options, budget_of_plan
    from tailroom.cli.result_files import UNREADABLE, name_of, reason_about, runs_of_files, with_answers
    from tailroom.cli.verdict_text import verdict_lines
    from tailroom.domain.verdicts.headline import words
    from tailroom.evidence.file import judge_runs
    from tailroom.evidence.source import OperationOpen
    from tailroom.importers.metric_choice import MetricChoice

    file = name_of(files)
    built = {
        "--reads": reads,
        "--window": window,
        "--fan-out": fan_out,
        "--scheduling": scheduling,
        "--objective": objective,
        "--reserve": reserve,
    }
    try:
        chosen = budget_of_options(built, budget, version, operation)
    except OptionsUnusable as error:
        stop(str(error))
    except DomainError as error:
        stop(f"the budget cannot be used: {error}")
    try:
        runs = [
            with_answers(run, operation, loop, unit)
            for run in runs_of_files(files, unit, MetricChoice.of(metric, match), join=join)
        ]
        if (metric, match, series) == (None, None, None):
            require_one_histogram(runs)
        assessment, used = judge_runs(runs, chosen or budget_of_plan(runs), series)
    except OptionsUnusable as error:
        stop(str(error))
    except OperationOpen as error:
        stop(f"{file} cannot be judged: {error}. Name the one that is meant with --operation")
    except UNREADABLE as error:
        stop(f"{file} cannot be judged: {reason_about(file, error)}")
    chosen = assessment.budget
    checks = checks_of(assessment, require)
    counted = _required_verdict(assessment.judgement, require)
    short = "" if counted is assessment.judgement.verdict else "; a proven PASS is required"
    answer = f"{words(assessment.judgement)}: {chosen.title or chosen.name}{short}"
    write_files(f"{chosen.name}: {file}", answer, checks, to_junit=junit, to_markdown=markdown)
    notes = _join_notes(runs) if join else []
    if as_json:
        subject = _subject(file, used) | ({"joined": notes} if join else {})
        echo(json.dumps({**assessment.summary(), "subject": subject}, allow_nan=False))
    else:
        lines = verdict_lines(assessment, file, [choice.label for choice in used])[1:]
        lines += [*_run_lines(used), *(f"  joined         {note}" for note in notes)]
        echo("\n".join([answer, *lines]))
    raise typer.Exit(int(_EXIT_CODES[counted]))


def checks_of(assessment: "BudgetAssessment", require: Required) -> list[Check]:
    """Return the verdict as a check of a pipeline, or for a budget of several criteria a check for each.

    INDETERMINATE is skipped, and so is a PASS that is not proven if `require` asks for a proven PASS.
    """
    from tailroom.domain.verdicts.headline import headline, words

    states = {
        Verdict.PASS: CheckState.PASSED,
        Verdict.FAIL: CheckState.FAILED,
        Verdict.INDETERMINATE: CheckState.SKIPPED,
    }
    return [
        Check(
            part.budget.title or part.budget.name,
            states[_required_verdict(part.judgement, require)],
            headline(part).text,
            words(part.judgement),
        )
        for part in assessment.criteria or (assessment,)
    ]


def exit_code_of(judgement: Judgement, require: Required) -> ExitCode:
    """Return 0 for PASS, 1 for FAIL, 3 for INDETERMINATE or a PASS that is not proven as `require` asks."""
    return _EXIT_CODES[_required_verdict(judgement, require)]


def _required_verdict(judgement: Judgement, require: Required) -> Verdict:
    """Return the verdict; INDETERMINATE instead of a PASS that is not proven but has to be."""
    is_enough = require is Required.OBSERVED or judgement.strength is Strength.PROVEN
    is_short = judgement.verdict is Verdict.PASS and not is_enough
    return Verdict.INDETERMINATE if is_short else judgement.verdict


def _subject(file: str, used: "tuple[SeriesChoice, ...]") -> dict[str, Any]:
    from tailroom.domain.simulated import is_simulated

    return {
        "file": file,
        "series": [
            {
                "label": choice.label,
                "operation": choice.series.operation,
                "clock": choice.series.clock,
                "samples": choice.series.record.total,
                "closed_loop": choice.run.closed_loop,
                "simulated": is_simulated({"parameters": choice.run.parameters}),
                "state": str(choice.run.state),
                "state_text": choice.run.state_text,
            }
            for choice in used
        ],
    }


def _run_lines(used: "tuple[SeriesChoice, ...]") -> list[str]:
    """Return facts about the judged runs that counts do not show, a line each: simulation, and early ends."""
    from tailroom.cli.inspection_brief import state_line
    from tailroom.domain.simulated import is_simulated
    from tailroom.importers.parsed_run import EndState

    endings = dict.fromkeys((choice.run.state, choice.run.state_text) for choice in used)
    complete = (EndState.FINISHED, EndState.UNKNOWN)
    facts = [state_line(state, text) for state, text in endings if state not in complete]
    if any(is_simulated({"parameters": choice.run.parameters}) for choice in used):
        facts.insert(0, "Simulated by an engine without a drive or server.")
    return [f"  the run        {fact}" for fact in facts]


def _join_notes(runs: "Sequence[ParsedRun]") -> list[str]:
    notes = [problem.reason for run in runs for problem in run.problems if problem.file is None]
    counts = [run.parameters["clients"] for run in runs]
    summaries = [
        "one file: nothing to add up" if count == 1 else f"{count} files added up" for count in counts
    ]
    return summaries + notes
