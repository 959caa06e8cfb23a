"""`tailroom gate FILE… --baseline main`: judge, compare with a branch, store; one command for a pipeline.

The runs of the baseline are those of the watch of that name; a missing watch is made, with the first runs of
the branch as baseline. New runs are compared before they are stored. Those that got worse get another title,
so that they do not move the baseline. Probes of a search for the highest load are compared by their bracket:
the load that held and the load that failed.
"""

import os
import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tailroom.cli.exit_codes import stop
from tailroom.cli.options import JunitOption, MarkdownOption, ServerOption
from tailroom.cli.pipeline_files import Check, write_files
from tailroom.cli.terminal import echo
from tailroom.kit.exit_codes import ExitCode

if TYPE_CHECKING:
    from tailroom.domain.verdicts.assessment import BudgetAssessment

_BRANCHES = (
    *("GITHUB_HEAD_REF", "GITHUB_REF_NAME", "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "CI_COMMIT_BRANCH"),
    *("BRANCH_NAME", "BUILDKITE_BRANCH"),
)
_COMMITS = ("GITHUB_SHA", "CI_COMMIT_SHA", "GIT_COMMIT", "BUILDKITE_COMMIT")


def gate(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Result files of repeated runs.")],
    *,
    baseline: Annotated[str, typer.Option(metavar="BRANCH", help="Compare with the runs of this branch.")],
    branch: Annotated[
        str | None,
        typer.Option(help="Branch of the new runs; default: what the pipeline or git says."),
    ] = None,
    server: ServerOption = None,
    token: Annotated[
        str | None, typer.Option(envvar="TAILROOM_TOKEN", help="Access token of an engineer.")
    ] = None,
    budget: Annotated[
        str | None, typer.Option(metavar="NAME|FILE", help="Also judge each run by this budget.")
    ] = None,
    operation: Annotated[str | None, typer.Option(help="What is compared.")] = None,
    smallest_change: Annotated[str, typer.Option(help="Differences below this share count as none.")] = "5%",
    quantile: Annotated[
        str | None,
        typer.Option(
            metavar="p99",
            help="The quantile that counts beside throughput; default: that of the budget, or p99.",
        ),
    ] = None,
    confirm: Annotated[
        int, typer.Option(min=0, max=20, metavar="N", help="Measure N times more before a regression counts.")
    ] = 0,
    command: Annotated[
        str | None,
        typer.Option(metavar="COMMAND", help="What measures again; {result} stands for the file it writes."),
    ] = None,
    label: Annotated[
        list[str] | None, typer.Option("--label", metavar="KEY=VALUE", help="Label of the runs.")
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="End with 3 where single runs prove nothing.")
    ] = False,
    junit: JunitOption = None,
    markdown: MarkdownOption = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the answers.")] = False,
) -> None:
    """Judge new runs, compare them with a branch, and store them: 0 fine, 1 regression or FAIL."""
    from tailroom.cli.gated_search import SearchComparison, holds_search
    from tailroom.cli.upload import UploadFields, labels_of, local_server, send_files
    from tailroom.domain.units import share_ratio

    if confirm and command is None:
        stop("--confirm needs --command COMMAND, which measures again.")
    address = (server or local_server()).rstrip("/")
    os.environ["TAILROOM_SERVER"] = address
    if token is not None:
        os.environ["TAILROOM_TOKEN"] = token
    smallest = share_ratio(smallest_change)
    branch = branch or _current_branch() or baseline
    names = [str(file) for file in files]
    watched = names[0] if branch == baseline else None
    is_search = holds_search(names)
    title = baseline if is_search else _ensure_baseline_title(address, token, baseline, watched)
    compared: RunComparison | SearchComparison = (
        SearchComparison(address, baseline)
        if is_search
        else RunComparison(baseline, operation, smallest, quantile or _first_quantile(budget))
    )
    if confirm and is_search:
        stop("--confirm measures runs again; a search has measured its ends again already.")
    compared.run(names)
    if compared.is_worse and confirm:
        repeated_files = [_measure_again(command or "", files[0], number) for number in range(1, confirm + 1)]
        echo(f"Got worse: measured {confirm} times more before it counts.", err=True)
        names += [str(file) for file in repeated_files]
        compared.run(names)
    judged = [] if budget is None else [_judge_file(name, budget, operation) for name in names]
    own_title = title if branch == baseline else branch
    if compared.is_worse or any(code == ExitCode.FAILED for *_, code in judged):
        own_title = f"{own_title}: worse"
    labels = {"branch": branch, **_commit_label(), **labels_of(label or [])}
    links = []
    for name in names:
        body = send_files(address, token, [Path(name)], UploadFields(title=own_title, labels=labels))
        links += [f"{address}/runs/{run['run_id']}" for run in body["runs"]]
    checks = [check for _, of_run, _ in judged for check in of_run]
    answer = compared.answer(branch)
    checks += compared.checks()
    write_files(f"{branch} against {baseline}", answer, checks, to_junit=junit, to_markdown=markdown)
    lines = [answer, *(text for text, *_ in judged)]
    if not quiet:
        lines += [*compared.lines(), *links]
    echo("\n".join(lines))
    codes = [code for *_, code in judged] + [
        compared.exit_code(strict=strict, is_baseline=branch == baseline)
    ]
    raise typer.Exit(int(_worst(codes)))


class RunComparison:
    """Comparison of new runs with those of the baseline; made by `run`."""

    def __init__(self, baseline: str, operation: str | None, smallest: float, quantile: str | None) -> None:
        """Store the options. Differences below the ratio `smallest` count as none."""
        self.baseline, self.operation, self.smallest = baseline, operation, smallest
        self.quantile = quantile
        self.comparison: Any = None
        self.differences: list[Any] = []
        self.runs_before: Any = None

    @property
    def is_worse(self) -> bool:
        """Whether a regression is shown; False without a comparison."""
        return (
            self.comparison is not None and self.exit_code(strict=False, is_baseline=False) is ExitCode.FAILED
        )

    def run(self, names: Sequence[str]) -> None:
        """Compare the runs of these files with the baseline and store the result in this object.

        Without a baseline, no comparison is stored. End the command if a run cannot be read or compared.
        """
        from tailroom.cli.baselines import NoBaseline, baseline_of
        from tailroom.cli.result_files import UNREADABLE, reason_of
        from tailroom.cli.subjects import compare_subjects, subject_named

        new = [subject_named(name, self.operation, None, None) for name in names]
        try:
            self.runs_before = baseline_of(self.baseline, self.operation, names)
            base = subject_named(self.runs_before.address, self.operation, None, None)
            _, self.comparison, self.differences = compare_subjects(
                [base],
                new,
                self.operation,
                None,
                None,
                self.smallest,
                self.runs_before,
                self.quantile,
            )
        except NoBaseline:
            return
        except UNREADABLE as error:
            stop(f"{', '.join(names)} cannot be compared with {self.baseline}: {reason_of(error)}")

    def answer(self, branch: str) -> str:
        """Return the result as a sentence; `branch`: branch of the new runs."""
        from tailroom.cli import comparison_text

        if self.comparison is None and branch == self.baseline:
            return f"First runs of {branch}: they are the baseline."
        if self.comparison is None:
            return f"There is no baseline yet: {self.baseline} has no run."
        return comparison_text.answer(self.comparison, self.differences)

    def lines(self) -> list[str]:
        """Return lines with figures, factors, notes and differences from the baseline; empty without one."""
        from tailroom.cli import comparison_text

        if self.comparison is None:
            return []
        figures = comparison_text.lines(self.comparison, self.differences)[1:]
        return [*figures, *comparison_text.history_lines(self.runs_before, self.differences)]

    def checks(self) -> list[Check]:
        """Return the figures as checks of a pipeline; empty without a comparison."""
        from tailroom.cli import comparison_text

        return [] if self.comparison is None else comparison_text.checks(self.comparison)

    def exit_code(self, *, strict: bool, is_baseline: bool) -> ExitCode:
        """Return the exit code of the comparison.

        Without a comparison: FINE if the new runs are of the baseline's branch, else NO_BASELINE. With
        `strict`, UNDECIDED instead of FINE for two single runs, which prove nothing.
        """
        from tailroom.cli import comparison_text

        if self.comparison is None:
            return ExitCode.FINE if is_baseline else ExitCode.NO_BASELINE
        return ExitCode(comparison_text.exit_code(self.comparison, strict=strict))


def _worst(codes: Sequence[ExitCode]) -> ExitCode:
    """Return the first of FAILED, NO_BASELINE, UNDECIDED and FINE that is in `codes`."""
    order = (ExitCode.FAILED, ExitCode.NO_BASELINE, ExitCode.UNDECIDED, ExitCode.FINE)
    return next(code for code in order if code in codes)


def _ensure_baseline_title(server: str, token: str | None, name: str, watched: str | None) -> str:
    """Return the title of the runs that the watch `name` follows; `name` if there is no such watch.

    With the result file `watched`, make a missing watch for runs of its kind, or end the command.
    """
    from tailroom.cli.run_addresses import document_at
    from tailroom.cli.upload import request_json

    watches = document_at(server, "/api/v1/watches")["watches"]
    title = next(
        (watch["run_title"] for watch in watches if watch["name"].casefold() == name.casefold()), None
    )
    if title is None and watched is not None:
        body = {"name": name, "run_title": name, "budget_name": _watch_budget(watched)}
        status, answer = request_json(server, token, "POST", "/api/v1/watches", body)
        if status != 201:
            stop(f"{server} did not make the watch {name}: {answer.get('detail', status)}")
    return title or name


def _watch_budget(file: str) -> str:
    """Return the name of the first budget that judges runs of this result file, or end the command."""
    from tailroom.cli.result_files import UNREADABLE, reason_of, runs_of
    from tailroom.domain.verdicts.other_tools import budgets_for_uploads
    from tailroom.uploads.storable import workload_of

    try:
        runs = runs_of(file, None)
    except UNREADABLE as error:
        stop(f"{file} cannot be read: {reason_of(error)}")
    budgets = [budget.name for run in runs for budget in budgets_for_uploads(workload_of(run))]
    if not budgets:
        stop(f"{file} holds no run that a budget judges, so no branch can be watched by it.")
    return budgets[0]


def _first_quantile(budget: str | None) -> str | None:
    """Return the first quantile of a budget that can be compared, as `p99.9`; None without one.

    End the command if the budget cannot be read.
    """
    if budget is None:
        return None
    from tailroom.cli.budgets import budget_named
    from tailroom.cli.result_files import UNREADABLE, reason_of
    from tailroom.domain.comparison.figures import QUANTILES
    from tailroom.domain.units import percentile_name
    from tailroom.domain.verdicts.budget_kinds import PercentileBudget

    try:
        chosen = budget_named(budget)
    except UNREADABLE as error:
        stop(f"the budget {budget} cannot be read: {reason_of(error)}")
    limits = chosen.limits if isinstance(chosen, PercentileBudget) else ()
    return next((percentile_name(limit.quantile) for limit in limits if limit.quantile in QUANTILES), None)


def _judge_file(name: str, budget: str, operation: str | None) -> tuple[str, list[Check], ExitCode]:
    """Return the verdict on a result file as a line, as checks and as an exit code, or end the command."""
    from tailroom.cli.budgets import budget_named
    from tailroom.cli.judge import Required, checks_of, exit_code_of
    from tailroom.cli.result_files import UNREADABLE, reason_about, runs_of, with_answers
    from tailroom.domain.verdicts.headline import words
    from tailroom.domain.verdicts.judge_budget import judge_budget
    from tailroom.evidence.file import evidence_of, own_operations_of
    from tailroom.evidence.source import about_own, asks_about_own

    try:
        chosen = budget_named(budget)
        runs = [with_answers(run, operation, None, None) for run in runs_of(name, None)]
        if asks_about_own(chosen):
            chosen = about_own(chosen, own_operations_of(runs, None))
        assessment: BudgetAssessment = judge_budget(chosen, evidence_of(runs, chosen, None)[0])
    except UNREADABLE as error:
        stop(f"{name} cannot be judged: {reason_about(name, error)}")
    text = f"{words(assessment.judgement)}: {chosen.title or chosen.name}, {name}"
    code = exit_code_of(assessment.judgement, Required.OBSERVED)
    checks = [
        check._replace(name=f"{check.name}, {name}") for check in checks_of(assessment, Required.OBSERVED)
    ]
    return text, checks, code


def _measure_again(command: str, first: Path, number: int) -> Path:
    """Run the command that measures, with `{result}` replaced by a file name; return that file.

    It is in the folder of `first`; its name ends in `-again-` and `number`. End `tailroom gate` if the
    command fails or writes no such file.
    """
    result = first.with_name(f"{first.stem}-again-{number}{first.suffix}")
    words = [word.replace("{result}", str(result)) for word in shlex.split(command)]
    try:
        completed = subprocess.run(words, check=False)  # noqa: S603 - what the pipeline names
    except OSError as error:
        stop(f"{command} cannot be run: {error.strerror}")
    if completed.returncode or not result.is_file():
        stop(f"{command} ended with {completed.returncode} and wrote no {result}.")
    return result


def _current_branch() -> str | None:
    """Return the branch that the pipeline or git names; None if neither does."""
    return _first_variable(_BRANCHES) or _git_output("rev-parse", "--abbrev-ref", "HEAD")


def _commit_label() -> dict[str, str]:
    """Return the label `commit` that the pipeline or git names; empty if neither does."""
    commit = _first_variable(_COMMITS) or _git_output("rev-parse", "HEAD")
    return {} if commit is None else {"commit": commit}


def _first_variable(names: Sequence[str]) -> str | None:
    """Return the value of the first of these environment variables that is not empty; None if all are."""
    return next((os.environ[name] for name in names if os.environ.get(name)), None)


def _git_output(*words: str) -> str | None:
    """Return what git prints; None if it fails, prints nothing, or prints `HEAD` (no branch)."""
    try:
        completed = subprocess.run(["git", *words], capture_output=True, text=True, check=False)  # noqa: S603, S607
    except OSError:
        return None
    text = completed.stdout.strip()
    return text if completed.returncode == 0 and text and text != "HEAD" else None
