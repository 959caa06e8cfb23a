"""Evidence of runs that an importer has read; nothing is guessed.

A run of a file may hold an operation several times: on several clocks, devices or in several phases. The
verdict chooses the clock; among other candidates the user has to choose. How a run ended, and whether its
generator fell behind, comes from the content of the file, never from an exit status.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tailroom.domain.errors import DomainError
from tailroom.domain.units import count_text
from tailroom.domain.verdicts.assessment import BudgetAssessment
from tailroom.domain.verdicts.budget_kinds import CLOCKS, EVERY_OPERATION, OPERATIONS_PER_S, Budget
from tailroom.domain.verdicts.evidence import (
    TRANSACTION,
    OperationEvidence,
    RateBounds,
    RunEvidence,
    with_reliability,
)
from tailroom.domain.verdicts.generator import GeneratedLoad
from tailroom.domain.verdicts.judge_budget import judge_budget
from tailroom.domain.verdicts.order import issued_plan
from tailroom.domain.verdicts.other_tools import (
    READ,
    is_machine_log,
    is_production,
    own_operations,
    read_operation,
    requests,
)
from tailroom.domain.verdicts.unknown_conditions import unknown_of
from tailroom.evidence.source import about_own, asks_about_own, named_operations
from tailroom.importers.parsed_run import EndState, ParsedRun, ParsedSeries, last_end_ns

_NS_PER_S = 1e9
_ENDED_BY_ITSELF = {EndState.FINISHED: True, EndState.DEVICE_TOO_SLOW: False}


class SeriesAmbiguous(DomainError):
    """Several series match; the message lists them."""


class SeriesMissing(DomainError):
    """No series has the name, no series holds the operation of a budget, or there is no series at all."""


@dataclass(frozen=True, slots=True)
class SeriesChoice:
    """A series of a file, with the number and label by which it can be picked."""

    number: int
    run: ParsedRun
    series: ParsedSeries
    label: str

    @property
    def line(self) -> str:
        """The choice as a line of a list: number, label and number of operations, or `unknown` for that."""
        total = self.series.record.total
        return (
            f"{self.number}  {self.label}  ({'unknown' if total is None else count_text(total)} operations)"
        )

    def is_called(self, name: str) -> bool:
        """Return whether a name means this series: its number, label, operation, operation and clock
        (`read/service`), name in the file, or device.
        """
        series = self.series
        names = {str(self.number), self.label, series.operation, series.source_name, series.device}
        return name in names or name == f"{series.operation}/{series.clock}"


def choices_of(runs: Sequence[ParsedRun]) -> list[SeriesChoice]:
    """Return every series of every run as a choice, numbered from 1, machine logs included."""
    choices: list[SeriesChoice] = []
    for position, run in enumerate(runs, 1):
        for series in run.series:
            parts = [series.operation, series.clock, series.device, series.phase]
            label = "/".join(part for part in parts if part)
            label = f"run-{position}/{label}" if len(runs) > 1 else label
            choices.append(SeriesChoice(len(choices) + 1, run, series, label))
    return choices


def _judgeable_series(runs: Sequence[ParsedRun]) -> list[SeriesChoice]:
    choices = [choice for choice in choices_of(runs) if not is_machine_log(choice.run.tool)]
    if not choices and any(is_machine_log(run.tool) for run in runs):
        raise SeriesMissing(
            "these are means of what a device did in each interval; no budget is held against them, because "
            "they say nothing of single operations"
        )
    return choices


OperationCache = dict[tuple[int, str], OperationEvidence]
"""Evidence by id() of the series and operation, shared between budgets."""


def evidence_of(
    runs: Sequence[ParsedRun],
    budget: Budget,
    picked: str | None = None,
    cache: OperationCache | None = None,
) -> tuple[RunEvidence, tuple[SeriesChoice, ...]]:
    """Return the evidence of a file for a budget, and the series chosen for its operations: the only
    candidate, or that named `picked`. Whole transactions of the same run are in the evidence too. A missing
    `read`, and nothing else, may be replaced by the read of the tool. `cache` is filled with evidence of the
    same runs, which must live as long. Raise SeriesAmbiguous if several series or runs match, SeriesMissing
    if none does.
    """
    cache = {} if cache is None else cache
    choices = _candidates(runs, picked)
    names = named_operations(budget)
    if EVERY_OPERATION in names or not names:
        used = _requests(_require_one_run(choices)) if picked is None else _require_one_run(choices)
        if not used:
            raise SeriesMissing(f"no series of the file is of requests; there is: {_choices_text(choices)}")
        operations = [_cached(cache, choice, choice.series.operation) for choice in used]
        return _run_evidence(used[0].run, operations), tuple(used)
    used = []
    operations = []
    for operation in names:
        choice = _select_series(choices, operation, by_name=picked is not None and len(names) == 1)
        if choice is not None:
            used.append(choice)
            operations.append(_cached(cache, choice, operation))
    if not used:
        raise SeriesMissing(
            f"no series of {' or '.join(names)} in the file; there is: {_choices_text(choices)}. Name the "
            "operation that is meant, or pick a series"
        )
    transactions = [
        choice
        for choice in choices
        if choice.series.operation == TRANSACTION and choice.run is used[0].run and choice not in used
    ]
    operations += [_cached(cache, choice, TRANSACTION) for choice in transactions]
    return _run_evidence(used[0].run, operations), tuple(used)


def judge_runs(
    runs: Sequence[ParsedRun], budget: Budget, picked: str | None = None
) -> tuple[BudgetAssessment, tuple[SeriesChoice, ...]]:
    """Return the assessment of a file by a budget, and the series that it rests on (`evidence_of`).

    A budget about the file's own operation is first made one about its only operation. Raise DomainError if
    no series fits, several do, or a record contradicts itself.
    """
    if asks_about_own(budget):
        budget = about_own(budget, own_operations_of(runs, picked))
    evidence, used = evidence_of(runs, budget, picked)
    for measured in evidence.operations:
        if measured.record.total != 0:
            measured.record.bounds()
    return judge_budget(budget, evidence), used


def own_operations_of(runs: Sequence[ParsedRun], picked: str | None = None) -> tuple[str, ...]:
    """Return the operations that a question about the file's own operation may mean; may be empty. Raise
    SeriesMissing or SeriesAmbiguous if there is no single run.
    """
    choices = _require_one_run(_candidates(runs, picked))
    choices = [choice for choice in choices if choice.series.record.total != 0]
    names = list(dict.fromkeys(choice.series.operation for choice in choices))
    return own_operations(names, _read_of(choices[0].run, names) if choices else None)


def operation_of(
    runs: Sequence[ParsedRun], operation: str, *, clock: str | None = None, picked: str | None = None
) -> tuple[RunEvidence, SeriesChoice]:
    """Return the evidence of an operation, on a clock if given, and its series; machine logs are allowed.
    Raise SeriesMissing if there is none, SeriesAmbiguous if several match.
    """
    present = choices_of(runs)
    choices = [choice for choice in present if clock is None or choice.series.clock == clock]
    chosen = _select_series(_pick(choices, picked, present), operation, by_name=picked is not None)
    if chosen is None:
        there = _choices_text(present)
        timed = f" on the clock {clock}" if clock is not None else ""
        raise SeriesMissing(f"no series of {operation}{timed} in the file; there is: {there}")
    return _run_evidence(chosen.run, [_evidence(chosen, operation)]), chosen


def _candidates(runs: Sequence[ParsedRun], picked: str | None) -> list[SeriesChoice]:
    choices = _pick(_judgeable_series(runs), picked)
    if not choices:
        raise SeriesMissing("the file holds no latencies; `tailroom inspect` says what it holds")
    return choices


def _pick(
    choices: Sequence[SeriesChoice], picked: str | None, present: Sequence[SeriesChoice] = ()
) -> list[SeriesChoice]:
    """Return the choices named `picked`, all for None. Raise SeriesMissing, with those `present`."""
    named = [choice for choice in choices if picked is None or choice.is_called(picked)]
    if not named and picked is not None:
        raise SeriesMissing(f"there is no series {picked!r}; there is: {_choices_text(present or choices)}")
    return named


def _choices_text(choices: Sequence[SeriesChoice]) -> str:
    return "; ".join(choice.line for choice in choices) or "none"


def _require_one_run(choices: Sequence[SeriesChoice]) -> list[SeriesChoice]:
    runs = list(dict.fromkeys(id(choice.run) for choice in choices))
    if len(runs) > 1:
        raise SeriesAmbiguous(
            _choices_message("the file holds several runs; name a series of one of them", choices)
        )
    return list(choices)


def _select_series(choices: Sequence[SeriesChoice], operation: str, *, by_name: bool) -> SeriesChoice | None:
    """Return the series of an operation on the clock that verdicts prefer, that of all devices together if
    there is one. `by_name`: the choices were picked by name, so their only other operation may be used. Raise
    SeriesAmbiguous if several remain.
    """
    named = [choice for choice in choices if _matches(choice, operation)]
    if not named and by_name:
        named = [choice for choice in choices if choice.series.operation != TRANSACTION] or list(choices)
        if len({choice.series.operation for choice in named}) > 1:
            raise SeriesAmbiguous(
                _choices_message(f"the file has no operation {operation!r}, and several others", named)
            )
    if not named:
        return None
    clock = min((choice.series.clock for choice in named), key=CLOCKS.index)
    named = [choice for choice in named if choice.series.clock == clock]
    # The series of all devices together is the operation; those of single devices are its parts.
    combined = [choice for choice in named if choice.series.device is None]
    if len(combined) == 1:
        return combined[0]
    if len(named) > 1:
        raise SeriesAmbiguous(_choices_message(f"several series could be meant by {operation!r}", named))
    return named[0]


def _matches(choice: SeriesChoice, operation: str) -> bool:
    name = choice.series.operation
    if name == operation or operation != READ:
        return name == operation
    return name == _read_of(choice.run, [series.operation for series in choice.run.series])


def _read_of(run: ParsedRun, names: Sequence[str]) -> str | None:
    counts = {
        claim.operation: claim.lower
        for claim in run.claims
        if claim.quantity == "operation_count" and claim.lower == claim.upper and claim.start_ns is None
    }
    return read_operation(run.tool, names, run.parameters, counts)


def _requests(choices: Sequence[SeriesChoice]) -> list[SeriesChoice]:
    requested = requests(list(dict.fromkeys(choice.series.operation for choice in choices)))
    return [choice for choice in choices if choice.series.operation in requested]


def _choices_message(why: str, choices: Sequence[SeriesChoice]) -> str:
    lines = "".join(f"\n  {choice.line}" for choice in choices)
    return f"{why}:{lines}\nPick one by its number or name."


def _cached(cache: OperationCache, choice: SeriesChoice, operation: str) -> OperationEvidence:
    key = id(choice.series), operation
    if key not in cache:
        cache[key] = _evidence(choice, operation)
    return cache[key]


def _evidence(choice: SeriesChoice, operation: str) -> OperationEvidence:
    run, series = choice.run, choice.series
    operation_evidence = OperationEvidence(
        operation,
        series.clock,
        series.record,
        series.intervals,
        GeneratedLoad(
            series.target_count,
            series.record.total or 0,
            series.missing_intervals,
            fell_behind=_reason_of_lateness(run),
            is_production=is_production(run.tool),
        ),
        closed_loop=run.closed_loop,
        measured_ns=_duration_ns(run, series),
        issued=issued_plan(run.parameters) if series.operation == TRANSACTION else None,
    )
    return with_reliability(operation_evidence)


def _reason_of_lateness(run: ParsedRun) -> str | None:
    if run.state is not EndState.GENERATOR_TOO_SLOW:
        return None
    return run.state_text or "the generator of the load could not keep its schedule"


def _duration_ns(run: ParsedRun, series: ParsedSeries | None = None) -> int:
    if series is not None and series.intervals is not None:
        return series.intervals.end_ns
    return run.duration_ns or last_end_ns(run.series) or 0


def _run_evidence(run: ParsedRun, operations: Sequence[OperationEvidence]) -> RunEvidence:
    first = {(operation.operation, operation.clock): operation for operation in reversed(operations)}
    duration_ns = _duration_ns(run)
    return RunEvidence(
        tuple(reversed(first.values())),
        measured_ns=duration_ns,
        rates=_rates(run, duration_ns),
        completed=_ENDED_BY_ITSELF.get(run.state),
        completion_text=run.state_text if run.state is not EndState.FINISHED else "",
        unknown=unknown_of(run.missing),
    )


def _rates(run: ParsedRun, duration_ns: int) -> Mapping[str, RateBounds]:
    stated = [
        claim
        for claim in run.claims
        if claim.quantity == "throughput_ops_per_s" and claim.operation == "total" and claim.start_ns is None
    ]
    if len(stated) == 1 and stated[0].lower <= stated[0].upper:
        return {OPERATIONS_PER_S: RateBounds(stated[0].lower, stated[0].upper)}
    totals = _total_operations(run)
    if totals is None or duration_ns <= 0:
        return {}
    rate = totals / (duration_ns / _NS_PER_S)
    return {OPERATIONS_PER_S: RateBounds(rate, rate)}


def _total_operations(run: ParsedRun) -> int | None:
    """Return the number of operations of all series, none counted twice; None if any number is unknown."""
    best: dict[tuple[str, str | None, str | None], ParsedSeries] = {}
    requested = requests(list(dict.fromkeys(series.operation for series in run.series)))
    combined = {(series.operation, series.phase) for series in run.series if series.device is None}
    for series in run.series:
        if series.operation == TRANSACTION or series.operation not in requested:
            continue
        if series.device is not None and (series.operation, series.phase) in combined:
            # The series of all devices counts it already.
            continue
        key = (series.operation, series.device, series.phase)
        other = best.get(key)
        if other is None or CLOCKS.index(series.clock) < CLOCKS.index(other.clock):
            best[key] = series
    totals = [series.record.total for series in best.values()]
    counted = [total for total in totals if total is not None]
    return sum(counted) if counted and len(counted) == len(totals) else None
