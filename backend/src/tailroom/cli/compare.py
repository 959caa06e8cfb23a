"""`tailroom compare BASE NEW`: compare two measurements without a server.

Exits with 0 if nothing got worse, 1 for a regression, 3 if nothing is shown or the two cannot be compared,
and 2 for bad input: the message then says what, where, why, and what to do.
"""

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from tailroom.cli.options import Loop, Unit
from tailroom.cli.pipeline_files import write_files
from tailroom.cli.terminal import echo
from tailroom.domain.comparison.smallest_change import SMALLEST_CHANGE_RATIO
from tailroom.domain.errors import DomainError
from tailroom.domain.quantities import share_ratio
from tailroom.domain.units import percent_text

if TYPE_CHECKING:
    from tailroom.cli.baselines import Baseline
    from tailroom.comparison.subjects import Subject
    from tailroom.domain.comparison.comparison import Side
    from tailroom.domain.comparison.history import Against

_UNUSABLE = 2
_SUBJECT = "A result file, - for a pipe, the address of a run, or publication:SLUG#ROW."


def compare(
    base: Annotated[str, typer.Argument(metavar="BASE", help=_SUBJECT)],
    new: Annotated[str | None, typer.Argument(metavar="NEW", help=_SUBJECT)] = None,
    *,
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
    fail_on: Annotated[
        str, typer.Option("--fail-on", help="What ends with 1; there is one choice: regression.")
    ] = "regression",
    unit: Annotated[
        Unit | None, typer.Option(help="Unit of the latencies, for files that do not state it.")
    ] = None,
    loop: Annotated[
        Loop | None, typer.Option(help="Whether the load waited for answers, for files that do not state it.")
    ] = None,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the answer as a JUnit file.")
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the answer as Markdown.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of lines.")] = False,
) -> None:
    """Say whether NEW is worse than BASE: exit 0 no, 1 yes, 3 not shown or not comparable."""
    from tailroom.cli import comparison_text
    from tailroom.cli.baselines import baseline_of
    from tailroom.cli.result_files import UNREADABLE, reason_of
    from tailroom.comparison.document import document_of
    from tailroom.comparison.subjects import common_operation, sides
    from tailroom.domain.comparison.comparison import compare as compare_sides
    from tailroom.domain.comparison.figures import MISSES
    from tailroom.domain.comparison.gains import Effect
    from tailroom.domain.comparison.history import outcome_with

    _check_options(new, baseline, fail_on)
    runs_before: Baseline | None = None
    if baseline is not None:
        try:
            runs_before = baseline_of(baseline, operation, base)
        except UNREADABLE as error:
            _stop(f"the baseline {baseline} cannot be read: {reason_of(error)}")
        base, new = runs_before.address, base
    assert new is not None  # noqa: S101 - one of the two was named
    if base == new == "-":
        _stop("only one of the two can come from the pipe")
    try:
        smallest = share_ratio(smallest_change)
    except DomainError as error:
        _stop(f"--smallest-change cannot be used: {error}")
    subjects = (_subject(base, operation, loop, unit), _subject(new, operation, loop, unit))
    try:
        compared = operation or common_operation(*subjects)
        before, after = sides(*subjects, compared, clock=clock, series=series)
        comparison = compare_sides(before, after, smallest_change=smallest)
        differences = _differences(runs_before, compared, after, smallest)
        worse = {gain.quantity for gain in comparison.gains if gain.effect is Effect.WORSE}
        outcome = outcome_with(comparison.outcome, differences, failed_more=MISSES in worse)
        comparison = replace(comparison, outcome=outcome)
    except UNREADABLE as error:
        _stop(f"{base} and {new} cannot be compared: {reason_of(error)}")
    try:
        write_files(
            f"{compared}: {base} against {new}",
            comparison_text.answer(comparison, smallest),
            comparison_text.checks(comparison),
            to_junit=junit,
            to_markdown=markdown,
        )
    except OSError as error:
        _stop(f"{error.filename} cannot be written: {error.strerror}")
    if as_json:
        documents = [_document(subject) for subject in subjects]
        document = {**document_of(comparison), "operation": compared, "subjects": documents}
        if runs_before is not None:
            document["history"] = [asdict(difference) for difference in differences]
        echo(json.dumps(document, allow_nan=False))
    else:
        history = comparison_text.history_lines(runs_before, differences)
        echo("\n".join([*comparison_text.lines(comparison, smallest), *history]))
    raise typer.Exit(comparison_text.EXIT_CODES[comparison.outcome])


def _check_options(new: str | None, baseline: str | None, fail_on: str) -> None:
    if fail_on != "regression":
        _stop(f"--fail-on {fail_on} is not known; the one choice is regression")
    if (new is None) == (baseline is None):
        _stop("name BASE and NEW, or --baseline BRANCH and NEW alone")


def _differences(
    baseline: "Baseline | None", operation: str, new: "Side", smallest: float
) -> "list[Against]":
    """Return how the new run differs from the runs of the baseline; nothing if they timed something else."""
    from tailroom.domain.comparison.comparison import measured
    from tailroom.domain.comparison.history import against_history

    if baseline is None or (baseline.operation, baseline.clock) != (operation, new.operation.clock):
        return []
    figures = {figure.quantity: figure.middle for figure in measured(new).figures}
    return against_history(baseline.history, figures, smallest_change=smallest)


def _subject(name: str, operation: str | None, loop: Loop | None, unit: Unit | None) -> "Subject":
    from tailroom.cli.result_files import UNREADABLE, answered, reason_of, runs_of
    from tailroom.comparison.subjects import PUBLICATION, Subject, published_subject

    try:
        if name.startswith(PUBLICATION):
            return published_subject(name)
        runs = tuple(answered(run, operation, loop, unit) for run in runs_of(name, unit))
    except UNREADABLE as error:
        _stop(f"{name} cannot be read: {reason_of(error)}")
    return Subject(name, runs)


def _document(subject: "Subject") -> dict[str, Any]:
    return {"name": subject.name, "operations": list(subject.operations)}


def _stop(message: str) -> NoReturn:
    echo(message, err=True)
    raise typer.Exit(_UNUSABLE)
