"""`tailroom compare BASE NEW`: compare two measurements without a server.

Exits with 0 if nothing is shown to be worse, 1 for a regression, 3 if repeated runs show nothing or the two
cannot be compared, 4 without a baseline, and 2 for bad input: the message then says what, where and why.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from tailroom.cli.options import JsonOption, JunitOption, LoopOption, MarkdownOption, UnitOption
from tailroom.cli.pipeline_files import write_files
from tailroom.cli.subjects import compare_subjects, subject_named
from tailroom.cli.terminal import echo, stop
from tailroom.domain.comparison.smallest_change import SMALLEST_CHANGE_RATIO
from tailroom.domain.errors import DomainError
from tailroom.domain.units import percent_text, share_ratio
from tailroom.kit.exit_codes import ExitCode

if TYPE_CHECKING:
    from tailroom.cli.baselines import Baseline

_SUBJECT = "A result file, - for a pipe, the address of a run, or publication:SLUG#ROW."
_WHAT_TO_NAME = "Name BASE and NEW, or --a FILE… --b FILE…, or --baseline BRANCH and NEW alone."


class FailOn(StrEnum):
    """Outcomes that a comparison may fail on."""

    REGRESSION = "regression"


def compare(
    base: Annotated[str | None, typer.Argument(metavar="BASE", help=_SUBJECT)] = None,
    new: Annotated[str | None, typer.Argument(metavar="NEW", help=_SUBJECT)] = None,
    *,
    a: Annotated[
        list[str] | None, typer.Option("--a", metavar="FILE…", help="Repeated runs of the base.")
    ] = None,
    b: Annotated[
        list[str] | None, typer.Option("--b", metavar="FILE…", help="Repeated runs of the new side.")
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(metavar="BRANCH", help="Instead of BASE: the runs of the watch of this name."),
    ] = None,
    operation: Annotated[
        str | None, typer.Option(help="What is compared; default: read, or the only one that both have.")
    ] = None,
    clock: Annotated[
        str | None, typer.Option(help="response, service, queue or operation; default: the best both have.")
    ] = None,
    series: Annotated[
        str | None, typer.Option(help="Which series of each file: its number or name, as a refusal lists it.")
    ] = None,
    smallest_change: Annotated[
        str, typer.Option(help="Differences below this share count as none.")
    ] = percent_text(SMALLEST_CHANGE_RATIO).replace(" ", ""),
    quantile: Annotated[
        str | None,
        typer.Option(
            metavar="p99", help="Of repeated runs: the quantile that counts beside throughput; default: p99."
        ),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="End with 3 where each side is one run that proves nothing.")
    ] = False,
    fail_on: Annotated[  # noqa: ARG001 - there is one choice, and pipelines name it
        FailOn, typer.Option("--fail-on", help="What ends with 1.", show_default=False)
    ] = FailOn.REGRESSION,
    unit: UnitOption = None,
    loop: LoopOption = None,
    junit: JunitOption = None,
    markdown: MarkdownOption = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the answer.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Say whether NEW is worse than BASE: exit 0 no, 1 yes, 3 not shown or not comparable.

    One run on each side shows how two runs differ and not why; name several: --a a1 a2 a3 --b b1 b2 b3.
    """
    from tailroom.cli import comparison_text
    from tailroom.cli.baselines import NoBaseline, baseline_of
    from tailroom.cli.result_files import UNREADABLE, reason_of
    from tailroom.comparison.document import document_of

    bases, news, smallest = _parse_sides(base, new, a or [], b or [], baseline, smallest_change)
    runs_before: Baseline | None = None
    if baseline is not None:
        try:
            runs_before = baseline_of(baseline, operation, news)
        except NoBaseline as error:
            stop(f"There is no baseline yet: {error}.", ExitCode.NO_BASELINE)
        except UNREADABLE as error:
            stop(f"The baseline {baseline} cannot be read: {reason_of(error)}")
        bases = [runs_before.address]
    subjects = [subject_named(name, operation, loop, unit) for name in (*bases, *news)]
    try:
        compared, comparison, differences = compare_subjects(
            subjects[: len(bases)],
            subjects[len(bases) :],
            operation,
            smallest=smallest,
            baseline=runs_before,
            quantile=quantile,
            clock=clock,
            series=series,
        )
    except UNREADABLE as error:
        stop(f"{', '.join(bases)} and {', '.join(news)} cannot be compared: {reason_of(error)}")
    title = f"{compared}: {', '.join(bases)} against {', '.join(news)}"
    write_files(
        title,
        comparison_text.answer(comparison, differences),
        comparison_text.checks(comparison),
        to_junit=junit,
        to_markdown=markdown,
    )
    if as_json:
        document = {
            **document_of(comparison),
            "headline": comparison_text.answer(comparison, differences),
            "operation": compared,
            "subjects": [
                {"name": subject.name, "operations": list(subject.operations)} for subject in subjects
            ],
        }
        if runs_before is not None:
            document["history"] = [asdict(difference) for difference in differences]
        echo(json.dumps(document, allow_nan=False))
    elif quiet:
        echo(comparison_text.answer(comparison, differences))
    else:
        history = comparison_text.history_lines(runs_before, differences)
        echo("\n".join([*comparison_text.lines(comparison, differences), *history]))
    raise typer.Exit(comparison_text.exit_code(comparison, strict=strict))


def _parse_sides(  # noqa: PLR0917 - what the command line states of both sides
    base: str | None,
    new: str | None,
    bases: Sequence[str],
    news: Sequence[str],
    baseline: str | None,
    smallest_change: str,
) -> tuple[list[str], list[str], float]:
    """Return the names of base and new runs, and the smallest change as a ratio, or end the command."""
    if baseline is not None:
        named = [name for name in (base, *news) if name is not None]
        if bases or not named or new is not None:
            stop(_WHAT_TO_NAME)
        sides: tuple[list[str], list[str]] = ([], named)
    elif bases or news:
        if base is not None or not (bases and news):
            stop(_WHAT_TO_NAME)
        sides = (list(bases), list(news))
    elif base is None or new is None:
        stop(_WHAT_TO_NAME)
    else:
        sides = ([base], [new])
    if [*sides[0], *sides[1]].count("-") > 1:
        stop("Only one of them can come from the pipe.")
    try:
        return (*sides, share_ratio(smallest_change))
    except DomainError as error:
        stop(f"--smallest-change cannot be used: {error}")
