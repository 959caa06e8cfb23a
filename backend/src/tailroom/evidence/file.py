"""From what an importer read to what verdicts are reached from, without guessing anything in between.

A run of a file may hold one operation several times: on several clocks, devices or in several phases. Clocks
are told apart by the verdict itself; where more is to choose from, somebody has to choose. How a run ended
decides about stress tests, and a generator that fell behind makes every PASS doubtful; both come from the
content of the file, never from an exit status.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tailroom.domain.errors import DomainError
from tailroom.domain.units import count_text
from tailroom.domain.verdicts.budget_kinds import (
    CLOCKS,
    EVERY_OPERATION,
    OPERATIONS_PER_S,
    Budget,
)
from tailroom.domain.verdicts.evidence import (
    TRANSACTION,
    OperationEvidence,
    RateBounds,
    RunEvidence,
    doubting,
)
from tailroom.domain.verdicts.generator import Generation
from tailroom.domain.verdicts.other_tools import READ, own_operations, read_operation, requests
from tailroom.domain.verdicts.own_question import issued_plan
from tailroom.domain.verdicts.unknown_conditions import unknown_of
from tailroom.evidence.source import named_operations
from tailroom.importers.parsed_run import EndState, ParsedRun, ParsedSeries

_NS_PER_S = 1e9
_ENDED_BY_ITSELF = {EndState.FINISHED: True, EndState.DEVICE_TOO_SLOW: False}


class SeriesAmbiguous(DomainError):
    """Several series could be meant; the message lists them."""


class SeriesMissing(DomainError):
    """No series goes by the name, or no series holds the operation that a budget asks for."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One series of a file, with the number and label by which it can be picked."""

    number: int
    run: ParsedRun
    series: ParsedSeries
    label: str

    @property
    def line(self) -> str:
        """For a list to choose from."""
        total = self.series.record.total
        return (
            f"{self.number}  {self.label}  ({'unknown' if total is None else count_text(total)} operations)"
        )

    def is_called(self, name: str) -> bool:
        """Whether somebody who says this name may mean it."""
        series = self.series
        names = {str(self.number), self.label, series.operation, series.source_name, series.device}
        return name in names or name == f"{series.operation}/{series.clock}"


def choices_of(runs: Sequence[ParsedRun]) -> list[Choice]:
    """Every series of every run, numbered from 1."""
    found: list[Choice] = []
    for position, run in enumerate(runs, 1):
        for series in run.series:
            parts = [series.operation, series.clock, series.device, series.phase]
            label = "/".join(part for part in parts if part)
            label = f"run-{position}/{label}" if len(runs) > 1 else label
            found.append(Choice(len(found) + 1, run, series, label))
    return found


KnownOperations = dict[tuple[int, str], OperationEvidence]
"""Evidence by series (its identity) and operation: what was worked out for one budget serves the next one."""


@dataclass(frozen=True, slots=True)
class FileRuns:
    """Runs that an importer has read, as a source of evidence. `picked` names the series that is meant."""

    runs: tuple[ParsedRun, ...]
    picked: str | None = None
    _known: KnownOperations = field(default_factory=dict, repr=False, compare=False)

    @property
    def measured_ns(self) -> int:
        """See `EvidenceSource`."""
        return max((_lasted_ns(run) for run in self.runs), default=0)

    @property
    def own_operations(self) -> tuple[str, ...]:
        """See `EvidenceSource`. Raises SeriesAmbiguous where the file holds several runs."""
        return own_operations_of(self.runs, self.picked)

    def evidence(self, budget: Budget) -> RunEvidence:
        """See `EvidenceSource`. Raises SeriesAmbiguous, SeriesMissing."""
        return evidence_of(self.runs, budget, self.picked, self._known)[0]


def evidence_of(
    runs: Sequence[ParsedRun],
    budget: Budget,
    picked: str | None = None,
    known: KnownOperations | None = None,
) -> tuple[RunEvidence, tuple[Choice, ...]]:
    """Evidence for a budget, and the series that it was made of. `known` holds evidence of the same runs and
    is added to; the runs must live as long.

    `picked` names the series that stands for the budget's operation. Without it exactly one candidate is
    taken; clocks are preferred in the order of verdicts. A budget for an operation that the file does not
    have is asked of what its tool calls a read (domain.verdicts.other_tools), and never of another.
    `SeriesAmbiguous` and `SeriesMissing` say what there is.
    """
    known = {} if known is None else known
    everything = choices_of(runs)
    wanted = named_operations(budget)
    if picked is not None:
        everything = [one for one in everything if one.is_called(picked)] or _refuse(everything, picked)
    if EVERY_OPERATION in wanted or not wanted:
        used = _requests(_of_one_run(everything)) if picked is None else _of_one_run(everything)
        found = [_known(known, one, one.series.operation) for one in used]
        return _run_evidence(used[0].run, found), tuple(used)
    used = []
    found = []
    for operation in wanted:
        one = _only(everything, operation, by_name=picked is not None and len(wanted) == 1)
        if one is not None:
            used.append(one)
            found.append(_known(known, one, operation))
    if not used:
        there = "; ".join(one.line for one in everything)
        raise SeriesMissing(
            f"no series of {' or '.join(wanted)} in the file; there is: {there or 'none'}. Name the "
            "operation that is meant, or pick a series"
        )
    whole = [
        one
        for one in everything
        if one.series.operation == TRANSACTION and one.run is used[0].run and one not in used
    ]
    found += [_known(known, one, TRANSACTION) for one in whole]
    return _run_evidence(used[0].run, found), tuple(used)


def own_operations_of(runs: Sequence[ParsedRun], picked: str | None = None) -> tuple[str, ...]:
    """Return the operations that a question about the files' own may mean, of the series that was picked
    where one was. Raises SeriesAmbiguous, SeriesMissing.
    """
    choices = choices_of(runs)
    if picked is not None:
        choices = [one for one in choices if one.is_called(picked)] or _refuse(choices, picked)
    choices = [one for one in _of_one_run(choices) if one.series.record.total != 0]
    names = list(dict.fromkeys(one.series.operation for one in choices))
    return own_operations(names, _read_of(choices[0].run, names) if choices else None)


def operation_of(
    runs: Sequence[ParsedRun], operation: str, *, clock: str | None = None, picked: str | None = None
) -> tuple[RunEvidence, Choice]:
    """One operation, on one clock where that is said, and its series. Raises as `evidence_of`."""
    everything = [one for one in choices_of(runs) if clock is None or one.series.clock == clock]
    if picked is not None:
        everything = [one for one in everything if one.is_called(picked)] or _refuse(choices_of(runs), picked)
    one = _only(everything, operation, by_name=picked is not None)
    if one is None:
        there = "; ".join(choice.line for choice in choices_of(runs)) or "none"
        timed = f" on the clock {clock}" if clock is not None else ""
        raise SeriesMissing(f"no series of {operation}{timed} in the file; there is: {there}")
    return _run_evidence(one.run, [_evidence(one, operation)]), one


def _refuse(everything: Sequence[Choice], picked: str) -> list[Choice]:
    there = "; ".join(one.line for one in everything) or "none"
    raise SeriesMissing(f"there is no series {picked!r}; there is: {there}")


def _of_one_run(everything: Sequence[Choice]) -> list[Choice]:
    runs = list(dict.fromkeys(id(one.run) for one in everything))
    if not everything:
        raise SeriesMissing("the file holds no series")
    if len(runs) > 1:
        raise SeriesAmbiguous(_list("the file holds several runs; name a series of one of them", everything))
    return list(everything)


def _only(everything: Sequence[Choice], operation: str, *, by_name: bool) -> Choice | None:
    """The series of an operation, or `by_name` the one that somebody picked; none where the file has none."""
    named = [one for one in everything if _answers(one, operation)]
    if not named and by_name:
        named = [one for one in everything if one.series.operation != TRANSACTION] or list(everything)
        if len({one.series.operation for one in named}) > 1:
            raise SeriesAmbiguous(
                _list(f"the file has no operation {operation!r}, and several others", named)
            )
    if not named:
        return None
    clock = min((one.series.clock for one in named), key=CLOCKS.index)
    named = [one for one in named if one.series.clock == clock]
    # Beside its parts stands the series of all devices together: that is what the operation means.
    whole = [one for one in named if one.series.device is None]
    if len(whole) == 1:
        return whole[0]
    if len(named) > 1:
        raise SeriesAmbiguous(_list(f"several series could be meant by {operation!r}", named))
    return named[0]


def _answers(choice: Choice, operation: str) -> bool:
    """Whether a series is what a budget calls by this name: under it, or as what its tool calls a read."""
    name = choice.series.operation
    if name == operation or operation != READ:
        return name == operation
    return name == _read_of(choice.run, [one.operation for one in choice.run.series])


def _read_of(run: ParsedRun, names: Sequence[str]) -> str | None:
    """Return what a run's tool calls a read, among these operations."""
    counts = {
        one.operation: one.lower
        for one in run.claims
        if one.quantity == "operation_count" and one.lower == one.upper and one.start_ns is None
    }
    return read_operation(run.tool, names, run.parameters, counts)


def _requests(choices: Sequence[Choice]) -> list[Choice]:
    """Without sums of other series, and what is no request."""
    wanted = requests(list(dict.fromkeys(one.series.operation for one in choices)))
    return [one for one in choices if one.series.operation in wanted]


def _list(why: str, choices: Sequence[Choice]) -> str:
    lines = "".join(f"\n  {one.line}" for one in choices)
    return f"{why}:{lines}\nPick one by its number or name."


def _known(known: KnownOperations, choice: Choice, operation: str) -> OperationEvidence:
    key = id(choice.series), operation
    if key not in known:
        known[key] = _evidence(choice, operation)
    return known[key]


def _evidence(choice: Choice, operation: str) -> OperationEvidence:
    run, series = choice.run, choice.series
    found = OperationEvidence(
        operation,
        series.clock,
        series.record,
        series.intervals,
        Generation(
            series.target_count,
            series.record.total or 0,
            series.missing_intervals,
            fell_behind=_fell_behind(run),
        ),
        closed_loop=run.closed_loop,
        measured_ns=_lasted_ns(run, series),
        issued=issued_plan(run.parameters) if series.operation == TRANSACTION else None,
    )
    return doubting(found)


def _fell_behind(run: ParsedRun) -> str | None:
    if run.state is not EndState.GENERATOR_TOO_SLOW:
        return None
    return run.state_text or "the generator of the load could not keep its schedule"


def _lasted_ns(run: ParsedRun, series: ParsedSeries | None = None) -> int:
    if series is not None and series.intervals is not None:
        return series.intervals.end_ns
    ends = [one.intervals.end_ns for one in run.series if one.intervals is not None]
    return run.duration_ns or max(ends, default=0)


def _run_evidence(run: ParsedRun, found: Sequence[OperationEvidence]) -> RunEvidence:
    # One series for each operation and clock: of several the verdict could see only one anyway.
    kept = {(one.operation, one.clock): one for one in reversed(found)}
    lasted_ns = _lasted_ns(run)
    return RunEvidence(
        tuple(reversed(kept.values())),
        measured_ns=lasted_ns,
        rates=_rates(run, lasted_ns),
        completed=_ENDED_BY_ITSELF.get(run.state),
        completion_text=run.state_text if run.state is not EndState.FINISHED else "",
        unknown=unknown_of(run.missing),
    )


def _rates(run: ParsedRun, lasted_ns: int) -> Mapping[str, RateBounds]:
    """Operations per second: as the tool states it for the whole run, else counted over the time it took."""
    stated = [
        claim
        for claim in run.claims
        if claim.quantity == "throughput_ops_per_s" and claim.operation == "total" and claim.start_ns is None
    ]
    if len(stated) == 1 and stated[0].lower <= stated[0].upper:
        return {OPERATIONS_PER_S: RateBounds(stated[0].lower, stated[0].upper)}
    totals = _counted(run)
    if totals is None or lasted_ns <= 0:
        return {}
    rate = totals / (lasted_ns / _NS_PER_S)
    return {OPERATIONS_PER_S: RateBounds(rate, rate)}


def _counted(run: ParsedRun) -> int | None:
    """Operations of all series, each counted on one clock; none where any number is not known."""
    best: dict[tuple[str, str | None, str | None], ParsedSeries] = {}
    wanted = requests(list(dict.fromkeys(one.operation for one in run.series)))
    for series in run.series:
        if series.operation == TRANSACTION or series.operation not in wanted:
            continue
        key = (series.operation, series.device, series.phase)
        before = best.get(key)
        if before is None or CLOCKS.index(series.clock) < CLOCKS.index(before.clock):
            best[key] = series
    totals = [series.record.total for series in best.values()]
    known = [total for total in totals if total is not None]
    return sum(known) if known and len(known) == len(totals) else None
