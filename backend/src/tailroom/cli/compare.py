"""`tailroom compare BASE NEW`: what the difference of two measurements shows, without a server.

Ends with 0 where nothing got worse, 1 for a regression, 3 where nothing is shown or the two cannot be
compared, and 2 for bad input: the message then says what, where, why, and what to do.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from tailroom.cli.baselines import Baseline, baseline_of
from tailroom.cli.options import Loop, Unit
from tailroom.cli.pipeline_files import Check, CheckState, write_files
from tailroom.cli.result_files import UNREADABLE, answered, reason_of, runs_of
from tailroom.cli.terminal import echo
from tailroom.comparison.document import document_of
from tailroom.comparison.subjects import PUBLICATION, Subject, common_operation, published_subject, sides
from tailroom.comparison.words import quantity_text, ratio_text
from tailroom.domain.comparison.comparison import Comparison, Outcome, Side, measured
from tailroom.domain.comparison.comparison import compare as compare_sides
from tailroom.domain.comparison.figures import MISSES, THROUGHPUT, Figure, is_share
from tailroom.domain.comparison.gains import SMALLEST_CHANGE_RATIO, Effect, Gain
from tailroom.domain.comparison.history import Against, against_history, outcome_with
from tailroom.domain.errors import DomainError
from tailroom.domain.quantities import share_ratio
from tailroom.domain.units import latency_text, percent_text

_UNUSABLE = 2
_EXIT_CODES = {
    Outcome.REGRESSION: 1,
    Outcome.IMPROVEMENT: 0,
    Outcome.NO_CHANGE: 0,
    Outcome.NOT_SHOWN: 3,
    Outcome.NOT_COMPARABLE: 3,
}
_ANSWERS = {
    Outcome.REGRESSION: "Regression: {worse} got worse.",
    Outcome.IMPROVEMENT: "Improvement: {better} got better, and nothing worse.",
    Outcome.NO_CHANGE: "No change: every difference is smaller than {smallest}.",
    Outcome.NOT_SHOWN: "Not shown: these measurements neither show a change nor exclude one of {smallest}.",
    Outcome.NOT_COMPARABLE: "Not comparable: {reasons}",
}
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
    if fail_on != "regression":
        _stop(f"--fail-on {fail_on} is not known; the one choice is regression")
    if (new is None) == (baseline is None):
        _stop("name BASE and NEW, or --baseline BRANCH and NEW alone")
    kept: Baseline | None = None
    if baseline is not None:
        try:
            kept = baseline_of(baseline, operation, base)
        except UNREADABLE as error:
            _stop(f"the baseline {baseline} cannot be read: {reason_of(error)}")
        base, new = kept.address, base
    assert new is not None  # noqa: S101 - one of the two was named
    if base == new == "-":
        _stop("only one of the two can come from the pipe")
    try:
        smallest = share_ratio(smallest_change)
    except DomainError as error:
        _stop(f"--smallest-change cannot be used: {error}")
    subjects = (_subject(base, operation, loop, unit), _subject(new, operation, loop, unit))
    try:
        asked = operation or common_operation(*subjects)
        before, after = sides(*subjects, asked, clock=clock, series=series)
        found = compare_sides(before, after, smallest_change=smallest)
        against = _against(kept, asked, after, smallest)
        failed_more = any(one.quantity == MISSES and one.effect is Effect.WORSE for one in found.gains)
        outcome = outcome_with(found.outcome, against, failed_more=failed_more)
        found = replace(found, outcome=outcome)
    except UNREADABLE as error:
        _stop(f"{base} and {new} cannot be compared: {reason_of(error)}")
    suite = f"{asked}: {base} against {new}"
    answer, checks = _answer(found, smallest), _checks(found)
    try:
        write_files(suite, answer, checks, to_junit=junit, to_markdown=markdown)
    except OSError as error:
        _stop(f"{error.filename} cannot be written: {error.strerror}")
    if as_json:
        document = {**document_of(found), "operation": asked, "subjects": [_shown(one) for one in subjects]}
        if kept is not None:
            document["history"] = [asdict(one) for one in against]
        echo(json.dumps(document, allow_nan=False))
    else:
        echo("\n".join([*_lines(found, smallest), *_history_lines(kept, against)]))
    raise typer.Exit(_EXIT_CODES[found.outcome])


def _against(kept: Baseline | None, asked: str, new: Side, smallest: float) -> list[Against]:
    """How the new run lies among those of the baseline; nothing where these timed something else."""
    if kept is None or (kept.operation, kept.clock) != (asked, new.operation.clock):
        return []
    figures = {one.quantity: one.middle for one in measured(new).figures}
    return against_history(kept.history, figures, smallest_change=smallest)


def _history_lines(kept: Baseline | None, against: Sequence[Against]) -> list[str]:
    if kept is None:
        return []
    if not against:
        return ["", f"{kept.branch} has too few runs for a history: compared with its latest one."]
    return [
        "",
        f"By how {against[0].runs} runs of {kept.branch} differ:",
        *(
            f"{quantity_text(one.quantity):<12} {_value(one.quantity, one.value):>12} "
            f"(by chance {_value(one.quantity, one.lower)} to {_value(one.quantity, one.upper)}) "
            f"{one.effect.value}"
            for one in against
        ),
    ]


def _value(quantity: str, value: float) -> str:
    return f"{value:,.0f}/s" if quantity == THROUGHPUT else latency_text(round(value))


def _subject(name: str, operation: str | None, loop: Loop | None, unit: Unit | None) -> Subject:
    try:
        if name.startswith(PUBLICATION):
            return published_subject(name)
        runs = tuple(answered(run, operation, loop, unit) for run in runs_of(name, unit))
    except UNREADABLE as error:
        _stop(f"{name} cannot be read: {reason_of(error)}")
    return Subject(name, runs)


def _answer(found: Comparison, smallest: float) -> str:
    """The one sentence."""
    worse = [_name(one) for one in found.gains if one.effect is Effect.WORSE]
    better = [_name(one) for one in found.gains if one.effect is Effect.BETTER]
    return _ANSWERS[found.outcome].format(
        worse=", ".join(worse),
        better=", ".join(better),
        smallest=percent_text(smallest),
        reasons=" ".join(found.comparability.reasons),
    )


def _checks(found: Comparison) -> list[Check]:
    """Each figure as a check of a gate; of what cannot be compared none is decided."""
    comparable = found.outcome is not Outcome.NOT_COMPARABLE
    states = {Effect.WORSE: CheckState.FAILED, Effect.OPEN: CheckState.SKIPPED}
    return [
        Check(
            _name(one),
            states.get(one.effect, CheckState.PASSED) if comparable else CheckState.SKIPPED,
            _line(one, comparable=comparable),
        )
        for one in found.gains
    ]


def _lines(found: Comparison, smallest: float) -> list[str]:
    lines = [_answer(found, smallest), ""]
    lines += [_line(one, comparable=found.outcome is not Outcome.NOT_COMPARABLE) for one in found.gains]
    if found.comparability.factors:
        several = len(found.comparability.factors)
        lines += ["", f"{several} other {'factor differs' if several == 1 else 'factors differ'}: "]
        lines[-1] += ", ".join(found.comparability.factors)
    return [*lines, "", *found.notes]


def _line(one: Gain, *, comparable: bool) -> str:
    ratio = ratio_text(one.ratio_lower, one.ratio_upper) or "ratio not known"
    shown = one.effect.value if comparable else ""
    return f"{_name(one):<12} {_text(one.base):>24} → {_text(one.new):<24} {ratio:<18} {shown}".rstrip()


def _name(one: Gain) -> str:
    return quantity_text(one.quantity)


def _text(figure: Figure) -> str:
    if figure.quantity == THROUGHPUT:
        return f"{figure.middle:,.0f}/s"
    if is_share(figure.quantity):
        shares = [percent_text(one) for one in dict.fromkeys((figure.lower, figure.upper or 0.0))]
        return "–".join(shares)
    lower = latency_text(round(figure.lower))
    if figure.upper is None:
        return f"over {lower}"
    upper = latency_text(round(figure.upper))
    return lower if lower == upper else f"{lower}–{upper}"


def _shown(subject: Subject) -> dict[str, Any]:
    return {"name": subject.name, "operations": list(subject.operations)}


def _stop(message: str) -> NoReturn:
    echo(message, err=True)
    raise typer.Exit(_UNUSABLE)
