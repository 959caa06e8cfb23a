"""What stands on one side, for comparisons and as it is shown: a stored run, or a published configuration."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tailroom.access.caller import Caller
from tailroom.analysis.figures import FiguresOut, MeasuredOut
from tailroom.analysis.pictures import FIGURES, PERCENTILES, picture_of
from tailroom.analysis.schemas import PercentilesOut
from tailroom.analysis.shares import quantile_points
from tailroom.comparison.errors import SubjectsInvalid
from tailroom.comparison.schemas import ComparedSubjectOut
from tailroom.comparison.subjects import Subject
from tailroom.domain.comparison.comparison import Measured, measured
from tailroom.domain.errors import DomainError
from tailroom.domain.rating.conditions import Conditions as TestConditions
from tailroom.domain.verdicts.budget_kinds import CLOCKS
from tailroom.runs.service import get_run

READ = "read"


@dataclass(frozen=True, slots=True)
class Chosen:
    """One operation of a subject. `test`: conditions of the tested load, where it is that of a drive."""

    measured: Measured
    out: ComparedSubjectOut
    test: TestConditions | None = None


@dataclass(frozen=True, slots=True)
class RunSubject:
    """A stored run by what is kept of it."""

    name: str
    label: str
    started_at: datetime | None
    figures: FiguresOut
    percentiles: PercentilesOut

    @property
    def clocks(self) -> dict[str, frozenset[str]]:
        """Clocks of each operation; a read goes by that name too."""
        found: dict[str, frozenset[str]] = {}
        for one in self.figures.operations:
            for name in {one.operation, READ} if one.is_read else {one.operation}:
                found[name] = found.get(name, frozenset()) | {one.clock}
        return found

    def choose(self, operation: str, clock: str | None) -> Chosen:
        """That operation, on the best clock where none is named. Raises SubjectsInvalid."""
        there = [one for one in self.figures.operations if one.operation == operation]
        if not there and operation == READ:
            there = [one for one in self.figures.operations if one.is_read]
        there = [one for one in there if clock in {None, one.clock}]
        if not there:
            raise not_there(self.label, self.clocks, operation, clock)
        one = min(there, key=lambda found: CLOCKS.index(found.clock))
        return Chosen(one.measured(), self._out(one))

    def _out(self, one: MeasuredOut) -> ComparedSubjectOut:
        curves = self.percentiles.curves
        curve = next((c.points for c in curves if (c.operation, c.clock) == (one.operation, one.clock)), [])
        at_once = one.measured().in_flight or (None, None)
        return ComparedSubjectOut(
            subject=self.name,
            label=self.label,
            source="run",
            run_id=self.figures.run_id,
            started_at=self.started_at,
            operation=one.operation,
            clock=one.clock,
            samples=one.samples,
            measured_ns=one.measured_ns or None,
            target_per_s=one.conditions.target_per_s,
            in_flight_lower=at_once[0],
            in_flight_upper=at_once[1],
            drives=drives_of(one.conditions.parameters),
            curve=curve,
        )


@dataclass(frozen=True, slots=True)
class PublishedSubject:
    """A published configuration."""

    name: str
    subject: Subject

    @property
    def label(self) -> str:
        """As the list of configurations calls it."""
        return self.subject.name

    @property
    def clocks(self) -> dict[str, frozenset[str]]:
        """Clocks of each operation."""
        return self.subject.clocks

    def choose(self, operation: str, clock: str | None) -> Chosen:
        """See `RunSubject.choose`."""
        try:
            side = self.subject.side(operation, clock)
        except DomainError:
            raise not_there(self.label, self.clocks, operation, clock) from None
        one, published = side.operation, self.subject.published
        assert published is not None  # noqa: S101 - of a publication
        known = measured(side)
        at_once = known.in_flight or (None, None)
        out = ComparedSubjectOut.model_validate(
            {
                "subject": self.name,
                "label": self.label,
                "source": "publication",
                "publication_slug": published.publication.slug,
                "publication_row": published.row,
                "note": published.note or None,
                "operation": one.operation,
                "clock": one.clock,
                "samples": one.record.total,
                "measured_ns": one.measured_ns or None,
                "target_per_s": side.conditions.target_per_s,
                "in_flight_lower": at_once[0],
                "in_flight_upper": at_once[1],
                "curve": [point.model_dump() for point in quantile_points(one.record)],
            }
        )
        return Chosen(known, out)


def run_subject(caller: Caller, name: str, run_id: UUID) -> RunSubject:
    """A run by its number. Raises SubjectsInvalid, RunUnknown, RunRetracted."""
    owner = caller.organisation_id
    with caller.session() as session:
        run = get_run(session, owner, run_id)
        label, started_at = run.title, run.started_at if run.started_at_known else None
    figures = FiguresOut.model_validate_json(picture_of(caller.session, owner, run_id, FIGURES))
    if figures.contradiction is not None:
        raise SubjectsInvalid(f"The data of {name} contradict themselves: {figures.contradiction}.")
    curves = PercentilesOut.model_validate_json(picture_of(caller.session, owner, run_id, PERCENTILES))
    return RunSubject(name, label or str(run_id), started_at, figures, curves)


def drives_of(parameters: Mapping[str, object]) -> int | None:
    """On how many drives a load was, where the parameters say so."""
    names = parameters.get("device-names")
    if isinstance(names, str):
        return len(names.replace(",", " ").split()) or None
    if isinstance(parameters.get("path"), str):
        further = parameters.get("further_paths")
        return 1 + (len(further.split(",")) if isinstance(further, str) and further else 0)
    return None


def not_there(
    label: str, clocks: Mapping[str, frozenset[str]], operation: str, clock: str | None
) -> SubjectsInvalid:
    """What to say where a subject has no such operation."""
    on = f" on the clock “{clock}”" if clock else ""
    there = ", ".join(f"{name} ({', '.join(sorted(found))})" for name, found in clocks.items())
    return SubjectsInvalid(f"{label} has no “{operation}”{on}. It has: {there or 'nothing yet'}.")
