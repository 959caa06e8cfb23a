"""What can stand on one side of a comparison: runs of a file, or a row of a publication."""

from collections.abc import Sequence
from dataclasses import dataclass

from tailroom.domain.comparison.comparison import Side
from tailroom.domain.comparison.conditions import Conditions
from tailroom.domain.errors import DomainError
from tailroom.domain.units import NS_PER_S
from tailroom.domain.verdicts.budget_kinds import CLOCKS
from tailroom.domain.verdicts.evidence import OperationEvidence
from tailroom.domain.verdicts.other_tools import requests
from tailroom.domain.verdicts.unknown_conditions import words_of
from tailroom.evidence.file import SeriesMissing, choices_of, operation_of
from tailroom.evidence.publication import Published, published
from tailroom.importers.parsed_run import ParsedRun

PUBLICATION = "publication:"
_READ = "read"


class PublicationUnknown(DomainError):
    """No publication, or no row of it, goes by the name; the message lists what there is."""


class OperationUnclear(DomainError):
    """No operation was named, and the subjects have several, or none, in common."""


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """One side before its operation is chosen: runs of a file, or one published configuration."""

    name: str
    runs: tuple[ParsedRun, ...] = ()
    published: Published | None = None

    @property
    def operations(self) -> tuple[str, ...]:
        """Names of what was timed, in the order of the source."""
        if self.published is not None:
            names = [one.operation for one in self.published.operations]
        else:
            names = [one.series.operation for one in choices_of(self.runs)]
        return tuple(dict.fromkeys(names))

    @property
    def clocks(self) -> dict[str, frozenset[str]]:
        """Clocks of each operation."""
        if self.published is not None:
            pairs = [(one.operation, one.clock) for one in self.published.operations]
        else:
            pairs = [(one.series.operation, one.series.clock) for one in choices_of(self.runs)]
        return {name: frozenset(clock for of, clock in pairs if of == name) for name, _ in pairs}

    def side(self, operation: str, clock: str | None = None, series: str | None = None) -> Side:
        """One operation of it. Raises SeriesMissing, SeriesAmbiguous."""
        if self.published is not None:
            return _of_publication(self.published, operation, clock)
        evidence, choice = operation_of(self.runs, operation, clock=clock, picked=series)
        run, one = choice.run, evidence.operations[0]
        return Side(
            evidence,
            one,
            Conditions(
                tool=run.tool,
                tool_version=run.tool_version,
                operation=operation,
                clock=one.clock,
                closed_loop=run.closed_loop,
                target_per_s=_target_per_s(one),
                parameters=run.parameters,
                unknown=words_of(evidence.unknown),
                fell_behind=one.generation.fell_behind,
            ),
        )


def published_subject(name: str) -> Subject:
    """`publication:SLUG#ROW`: a configuration that somebody has published figures of."""
    slug, _, row = name.removeprefix(PUBLICATION).partition("#")
    of_document = [one for one in published() if one.publication.slug == slug]
    if not of_document:
        slugs = sorted({one.publication.slug for one in published()})
        raise PublicationUnknown(f"there is no publication {slug!r}; there is: {', '.join(slugs)}")
    found = [one for one in of_document if _is_called(one, row)]
    if len(found) != 1:
        rows = "".join(f"\n  {one.row}  {one.label}" for one in found or of_document)
        what = "several configurations in" if found else "no"
        raise PublicationUnknown(
            f"{slug} has {what} row {row!r}: write {PUBLICATION}{slug}#ROW, or #ROW/PART OF THE NAME where a "
            f"row has several; there is:{rows}"
        )
    return Subject(found[0].label, published=found[0])


def published_name(one: Published) -> str:
    """The shortest name by which `published_subject` finds it."""
    beside = [
        other
        for other in published()
        if (other.publication.slug, other.row) == (one.publication.slug, one.row)
    ]
    place = f"{PUBLICATION}{one.publication.slug}#{one.row}"
    if len(beside) == 1:
        return place
    for part in one.label.split(" · "):
        if [other for other in beside if part.casefold() in other.label.casefold()] == [one]:
            return f"{place}/{part}"
    return f"{PUBLICATION}{one.publication.slug}#{one.identifier}"


def _is_called(one: Published, name: str) -> bool:
    """By its row, its label, its number, or by `row/part of the label`."""
    row, _, part = name.partition("/")
    if part and row == one.row:
        return part.casefold() in one.label.casefold()
    return name in {one.row, one.label, str(one.identifier)}


def common_operation(base: Subject, new: Subject) -> str:
    """What is compared where nobody named an operation: reads, or the only one that both have."""
    _require_latencies(base, new)
    both = [name for name in base.operations if name in new.operations]
    if _READ in both:
        return _READ
    wanted = requests(both)
    if len(wanted) == 1:
        return wanted[0]
    if not wanted:
        raise OperationUnclear(
            f"the two have no operation in common: {base.name} has {_list(base.operations)}, "
            f"{new.name} has {_list(new.operations)}"
        )
    raise OperationUnclear(f"both hold {_list(wanted)}: name one with --operation")


def sides(
    base: Subject, new: Subject, operation: str, *, clock: str | None = None, series: str | None = None
) -> tuple[Side, Side]:
    """Both sides on the clock that was asked for, or else on the best that both have."""
    _require_latencies(base, new)
    if clock is None:
        both = base.clocks.get(operation, frozenset()) & new.clocks.get(operation, frozenset())
        clock = min(both, key=CLOCKS.index, default=None)
    return base.side(operation, clock, series), new.side(operation, clock, series)


def _require_latencies(*subjects: Subject) -> None:
    without = [one.name for one in subjects if not one.operations]
    if without:
        raise OperationUnclear(without_latencies(without))


def without_latencies(names: Sequence[str]) -> str:
    """What to say of subjects that have rates at best."""
    have = "has" if len(names) == 1 else "have"
    return (
        f"{' and '.join(names)} {have} no latencies: a latency is not compared with a rate. "
        "Measure again with latencies switched on"
    )


def _of_publication(one: Published, operation: str, clock: str | None) -> Side:
    there = [
        found
        for found in one.asked(frozenset({operation}))
        if found.operation == operation and clock in {None, found.clock}
    ]
    if not there:
        names = _list([f"{found.operation} ({found.clock} time)" for found in one.operations])
        raise SeriesMissing(f"{one.label} has no figures of {operation}; there are: {names}")
    evidence = min(there, key=lambda found: CLOCKS.index(found.clock))
    conditions = Conditions(
        tool=one.tool or "a tool that the document does not name",
        tool_version=None,
        operation=operation,
        clock=evidence.clock,
        closed_loop=one.closed_loop,
        parameters={"workload": one.workload, **one.parameters},
        unknown=() if one.tool else ("tool",),
    )
    return Side(one.evidence_of_all(), evidence, conditions)


def _target_per_s(one: OperationEvidence) -> float | None:
    intended = one.generation.intended
    if intended is None or one.measured_ns <= 0:
        return None
    return intended / (one.measured_ns / NS_PER_S)


def _list(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"
