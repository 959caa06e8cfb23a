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
from typing import Annotated

import typer

from tailroom.cli.options import JunitOption, MarkdownOption, ServerOption
from tailroom.cli.pipeline_files import write_files
from tailroom.cli.terminal import echo, stop
from tailroom.kit.exit_codes import ExitCode

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
    from tailroom.cli.gated_runs import RunComparison, first_quantile, judge_file
    from tailroom.cli.gated_search import SearchComparison, holds_search
    from tailroom.cli.upload import labels_of, local_server, send_files
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
        else RunComparison(baseline, operation, smallest, quantile or first_quantile(budget))
    )
    if confirm and is_search:
        stop("--confirm measures runs again; a search has measured its ends again already.")
    compared.run(names)
    if compared.is_worse and confirm:
        repeated_files = [_measure_again(command or "", files[0], number) for number in range(1, confirm + 1)]
        echo(f"Got worse: measured {confirm} times more before it counts.", err=True)
        names += [str(file) for file in repeated_files]
        compared.run(names)
    judged = [] if budget is None else [judge_file(name, budget, operation) for name in names]
    own_title = title if branch == baseline else branch
    if compared.is_worse or any(code == ExitCode.FAILED for *_, code in judged):
        own_title = f"{own_title}: worse"
    labels = {"branch": branch, **_commit_label(), **labels_of(label or [])}
    links = []
    for name in names:
        body = send_files(address, token, [Path(name)], {"title": own_title, "labels": labels})
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


def _worst(codes: Sequence[ExitCode]) -> ExitCode:
    """Return the first of FAILED, NO_BASELINE, UNDECIDED and FINE that is in `codes`."""
    order = (ExitCode.FAILED, ExitCode.NO_BASELINE, ExitCode.UNDECIDED, ExitCode.FINE)
    return next(code for code in order if code in codes)


def _ensure_baseline_title(server: str, token: str | None, name: str, watched: str | None) -> str:
    """Return the title of the runs that the watch `name` follows; `name` if there is no such watch.

    With the result file `watched`, make a missing watch for runs of its kind, or end the command.
    """
    from tailroom.cli.gated_runs import watch_budget
    from tailroom.cli.run_addresses import document_at
    from tailroom.cli.upload import request_json

    watches = document_at(server, "/api/v1/watches")["watches"]
    title = next(
        (watch["run_title"] for watch in watches if watch["name"].casefold() == name.casefold()), None
    )
    if title is None and watched is not None:
        body = {"name": name, "run_title": name, "budget_name": watch_budget(watched)}
        status, answer = request_json(server, token, "POST", "/api/v1/watches", body)
        if status != 201:
            stop(f"{server} did not make the watch {name}: {answer.get('detail', status)}")
    return title or name


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
    return _first_variable(_BRANCHES) or _git_output("rev-parse", "--abbrev-ref", "HEAD")


def _commit_label() -> dict[str, str]:
    """Return the label `commit` that the pipeline or git names; empty if neither does."""
    commit = _first_variable(_COMMITS) or _git_output("rev-parse", "HEAD")
    return {} if commit is None else {"commit": commit}


def _first_variable(names: Sequence[str]) -> str | None:
    return next((os.environ[name] for name in names if os.environ.get(name)), None)


def _git_output(*words: str) -> str | None:
    """Return what git prints; None if it fails, prints nothing, or prints `HEAD` (no branch)."""
    try:
        completed = subprocess.run(["git", *words], capture_output=True, text=True, check=False)  # noqa: S603, S607
    except OSError:
        return None
    text = completed.stdout.strip()
    return text if completed.returncode == 0 and text and text != "HEAD" else None
