"""Subjects of a comparison before an operation is chosen: the runs in a file, or a row of a publication."""

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


class PublishedSubjectUnknown(DomainError):
    """The name is that of no publication or row, or of several rows; the message lists the existing names."""


class OperationUnclear(DomainError):
    """The operation to compare is not named and not clear, or a subject has no latencies."""


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A subject before its operation is chosen: either the runs in a file, or a row of a publication."""

    name: str
    runs: tuple[ParsedRun, ...] = ()
    published: Published | None = None

    @property
    def operations(self) -> tuple[str, ...]:
        """The names of the timed operations, in the order of the source."""
        if self.published is not None:
            names = [operation.operation for operation in self.published.operations]
        else:
            names = [choice.series.operation for choice in choices_of(self.runs)]
        return tuple(dict.fromkeys(names))

    @property
    def clocks(self) -> dict[str, frozenset[str]]:
        """The clocks (kinds of measured time) of each operation, by its name."""
        if self.published is not None:
            pairs = [(operation.operation, operation.clock) for operation in self.published.operations]
        else:
            pairs = [(choice.series.operation, choice.series.clock) for choice in choices_of(self.runs)]
        return {name: frozenset(clock for of, clock in pairs if of == name) for name, _ in pairs}

    def side(self, operation: str, clock: str | None = None, series: str | None = None) -> Side:
        """Return one operation as a side of a comparison, by default by the first of `CLOCKS` that it has.
        `series` names the series if a file has several. Raise SeriesMissing without such figures,
        SeriesAmbiguous if several series of a file match.
        """
        if self.published is not None:
            return _publication_side(self.published, operation, clock)
        evidence, choice = operation_of(self.runs, operation, clock=clock, picked=series)
        run, measured = choice.run, evidence.operations[0]
        return Side(
            evidence,
            measured,
            Conditions(
                tool=run.tool,
                tool_version=run.tool_version,
                operation=operation,
                clock=measured.clock,
                closed_loop=run.closed_loop,
                target_per_s=_target_per_s(measured),
                parameters=run.parameters,
                unknown=words_of(evidence.unknown),
                fell_behind=measured.generation.fell_behind,
            ),
        )


def published_subject(name: str) -> Subject:
    """Return the row of a publication named `publication:SLUG#ROW`. Raise PublishedSubjectUnknown if there is
    no such publication or row, or several rows match.
    """
    slug, _, row = name.removeprefix(PUBLICATION).partition("#")
    of_document = [configuration for configuration in published() if configuration.publication.slug == slug]
    if not of_document:
        slugs = sorted({configuration.publication.slug for configuration in published()})
        raise PublishedSubjectUnknown(f"there is no publication {slug!r}; there is: {', '.join(slugs)}")
    matches = [configuration for configuration in of_document if _is_called(configuration, row)]
    if len(matches) != 1:
        rows = "".join(
            f"\n  {configuration.row}  {configuration.label}" for configuration in matches or of_document
        )
        what = "several configurations in" if matches else "no"
        raise PublishedSubjectUnknown(
            f"{slug} has {what} row {row!r}: write {PUBLICATION}{slug}#ROW, or #ROW/PART OF THE NAME where a "
            f"row has several; there is:{rows}"
        )
    return Subject(matches[0].label, published=matches[0])


def published_name(configuration: Published) -> str:
    """Return the first of `publication:SLUG#ROW`, `…#ROW/PART OF LABEL`, `…#NUMBER` that no other has."""
    beside = [
        sibling
        for sibling in published()
        if (sibling.publication.slug, sibling.row) == (configuration.publication.slug, configuration.row)
    ]
    place = f"{PUBLICATION}{configuration.publication.slug}#{configuration.row}"
    if len(beside) == 1:
        return place
    for part in configuration.label.split(" · "):
        if [sibling for sibling in beside if part.casefold() in sibling.label.casefold()] == [configuration]:
            return f"{place}/{part}"
    return f"{PUBLICATION}{configuration.publication.slug}#{configuration.identifier}"


def _is_called(configuration: Published, name: str) -> bool:
    """Return whether `name` is a configuration's row, label or number, or `row/part of the label`."""
    row, _, part = name.partition("/")
    if part and row == configuration.row:
        return part.casefold() in configuration.label.casefold()
    return name in {configuration.row, configuration.label, str(configuration.identifier)}


def common_operation(base: Subject, new: Subject) -> str:
    """Return the operation to compare by default: reads if both have them, else the only common request.
    Raise OperationUnclear if that is not clear, or a subject has no latencies.
    """
    _require_latencies(base, new)
    both = [name for name in base.operations if name in new.operations]
    if _READ in both:
        return _READ
    candidates = requests(both)
    if len(candidates) == 1:
        return candidates[0]
    if not candidates:
        raise OperationUnclear(
            f"the two have no operation in common: {base.name} has {_names_text(base.operations)}, "
            f"{new.name} has {_names_text(new.operations)}"
        )
    raise OperationUnclear(f"both hold {_names_text(candidates)}: name one with --operation")


def sides(
    base: Subject, new: Subject, operation: str, *, clock: str | None = None, series: str | None = None
) -> tuple[Side, Side]:
    """Return both subjects as sides of a comparison, by default by the first of `CLOCKS` that both have.
    Raise OperationUnclear if a subject has no latencies, else as `Subject.side`.
    """
    _require_latencies(base, new)
    if clock is None:
        both = base.clocks.get(operation, frozenset()) & new.clocks.get(operation, frozenset())
        clock = min(both, key=CLOCKS.index, default=None)
    return base.side(operation, clock, series), new.side(operation, clock, series)


def _require_latencies(*subjects: Subject) -> None:
    """Raise OperationUnclear if a subject has no latencies."""
    without = [subject.name for subject in subjects if not subject.operations]
    if without:
        raise OperationUnclear(without_latencies(without))


def without_latencies(names: Sequence[str]) -> str:
    """Return the start of an error message that these subjects have no latencies, with the remedy."""
    have = "has" if len(names) == 1 else "have"
    return (
        f"{' and '.join(names)} {have} no latencies: a latency is not compared with a rate. "
        "Measure again with latencies switched on"
    )


def _publication_side(configuration: Published, operation: str, clock: str | None) -> Side:
    """Return an operation of a row of a publication, by default by the first of `CLOCKS` that it has. Raise
    SeriesMissing without such figures.
    """
    matches = [
        evidence
        for evidence in configuration.operations_for(frozenset({operation}))
        if evidence.operation == operation and clock in {None, evidence.clock}
    ]
    if not matches:
        names = _names_text([f"{has.operation} ({has.clock} time)" for has in configuration.operations])
        raise SeriesMissing(f"{configuration.label} has no figures of {operation}; there are: {names}")
    best = min(matches, key=lambda evidence: CLOCKS.index(evidence.clock))
    conditions = Conditions(
        tool=configuration.tool or "a tool that the document does not name",
        tool_version=None,
        operation=operation,
        clock=best.clock,
        closed_loop=configuration.closed_loop,
        parameters={"workload": configuration.workload, **configuration.parameters},
        unknown=() if configuration.tool else ("tool",),
    )
    return Side(configuration.evidence_of_all(), best, conditions)


def _target_per_s(operation: OperationEvidence) -> float | None:
    """Return the scheduled operations per second; None if there was no schedule or no measured time."""
    intended = operation.generation.intended
    if intended is None or operation.measured_ns <= 0:
        return None
    return intended / (operation.measured_ns / NS_PER_S)


def _names_text(names: Sequence[str]) -> str:
    """Return names as text, separated by commas; “none” if there are none."""
    return ", ".join(names) or "none"
