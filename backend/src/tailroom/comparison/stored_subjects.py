"""Subjects of a comparison that have stored figures: a run, or a row of a publication."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tailroom.access.caller import Caller
from tailroom.analysis.drive_counters import figure_out
from tailroom.analysis.figures import FiguresOut, MeasuredOut
from tailroom.analysis.pictures import FIGURES, PERCENTILES, picture_of
from tailroom.analysis.schemas import PercentilesOut
from tailroom.analysis.shares import quantile_points
from tailroom.comparison.errors import SubjectsInvalid
from tailroom.comparison.schemas import ComparedSubjectOut
from tailroom.comparison.subjects import Subject
from tailroom.domain.comparison.comparison import Measured, measured
from tailroom.domain.drive_counters.of_test import figures_of_drives
from tailroom.domain.drive_counters.summary import CounterFigure
from tailroom.domain.errors import DomainError
from tailroom.domain.rating.conditions import TestConditions
from tailroom.domain.verdicts.budget_kinds import CLOCKS
from tailroom.evidence.source import missing_series_text
from tailroom.judging.drive_counters import drive_summaries
from tailroom.runs.service import get_run

READ = "read"


@dataclass(frozen=True, slots=True)
class ChosenOperation:
    """The figures of a subject's operation by one clock, to compare and for the API (`out`). `test` has the
    conditions of a drive's test.
    """

    measured: Measured
    out: ComparedSubjectOut
    test: TestConditions | None = None


@dataclass(frozen=True, slots=True)
class RunSubject:
    """A stored run with its stored figures and percentile curves."""

    name: str
    label: str
    started_at: datetime | None
    figures: FiguresOut
    percentiles: PercentilesOut
    counters: Sequence[CounterFigure]

    @property
    def start_text(self) -> str:
        """When the run began, for people."""
        return "start not stated" if self.started_at is None else f"{self.started_at:%Y-%m-%d %H:%M:%S}"

    @property
    def clocks(self) -> dict[str, frozenset[str]]:
        """The clocks (kinds of measured time) of each operation; reads are listed as `read` too."""
        by_operation: dict[str, frozenset[str]] = {}
        for operation in self.figures.operations:
            for name in {operation.operation, READ} if operation.is_read else {operation.operation}:
                by_operation[name] = by_operation.get(name, frozenset()) | {operation.clock}
        return by_operation

    def choose(self, operation: str, clock: str | None) -> ChosenOperation:
        """Return the figures of an operation by a clock, by default the first of `CLOCKS` that it has. `read`
        means any read if none has this name. Raise SubjectsInvalid without such figures.
        """
        matches = [figures for figures in self.figures.operations if figures.operation == operation]
        if not matches and operation == READ:
            matches = [figures for figures in self.figures.operations if figures.is_read]
        matches = [figures for figures in matches if clock in {None, figures.clock}]
        if not matches:
            raise _not_measured_error(self.label, self.clocks, operation, clock)
        best = min(matches, key=lambda figures: CLOCKS.index(figures.clock))
        return ChosenOperation(best.measured(self.figures.operations), self._out(best))

    def _out(self, figures: MeasuredOut) -> ComparedSubjectOut:
        """Return the run for the API, with these figures and their latency curve, which may be empty."""
        curves = self.percentiles.curves
        curve = next(
            (c.points for c in curves if (c.operation, c.clock) == (figures.operation, figures.clock)), []
        )
        in_flight = figures.measured().in_flight or (None, None)
        return ComparedSubjectOut(
            subject=self.name,
            label=self.label,
            source="run",
            run_id=self.figures.run_id,
            started_at=self.started_at,
            operation=figures.operation,
            clock=figures.clock,
            samples=figures.samples,
            measured_ns=figures.measured_ns or None,
            target_per_s=figures.conditions.target_per_s,
            in_flight_lower=in_flight[0],
            in_flight_upper=in_flight[1],
            drives=drives_of(figures.conditions.parameters),
            counters=[figure_out(figure) for figure in self.counters],
            curve=curve,
        )


@dataclass(frozen=True, slots=True)
class PublishedSubject:
    """A row of a publication as subject of a comparison."""

    name: str
    subject: Subject

    @property
    def label(self) -> str:
        """Label of the row, which names what was measured."""
        return self.subject.name

    @property
    def clocks(self) -> dict[str, frozenset[str]]:
        """The clocks of each operation."""
        return self.subject.clocks

    def choose(self, operation: str, clock: str | None) -> ChosenOperation:
        """Return the figures of an operation by a clock, by default the first of `CLOCKS` that it has. Raise
        SubjectsInvalid without such figures.
        """
        try:
            side = self.subject.side(operation, clock)
        except DomainError:
            raise _not_measured_error(self.label, self.clocks, operation, clock) from None
        evidence, published = side.operation, self.subject.published
        assert published is not None  # noqa: S101 - of a publication
        figures = measured(side)
        in_flight = figures.in_flight or (None, None)
        out = ComparedSubjectOut.model_validate(
            {
                "subject": self.name,
                "label": self.label,
                "source": "publication",
                "publication_slug": published.publication.slug,
                "publication_row": published.row,
                "note": published.note or None,
                "operation": evidence.operation,
                "clock": evidence.clock,
                "samples": evidence.record.total,
                "measured_ns": evidence.measured_ns or None,
                "target_per_s": side.conditions.target_per_s,
                "in_flight_lower": in_flight[0],
                "in_flight_upper": in_flight[1],
                "curve": [point.model_dump() for point in quantile_points(evidence.record)],
            }
        )
        return ChosenOperation(figures, out)


def run_subject(caller: Caller, name: str, run_id: UUID) -> RunSubject:
    """Return a run as the subject `name`; missing figures are computed and stored. Raise SubjectsInvalid if
    its data contradict themselves, RunUnknown or RunRetracted if the caller may not read it.
    """
    owner = caller.organisation_id
    with caller.session() as session:
        run = get_run(session, owner, run_id)
        counters = figures_of_drives(drive_summaries(session, run))
        label, started_at = run.title, run.started_at if run.started_at_known else None
    figures = FiguresOut.model_validate_json(picture_of(caller.session, owner, run_id, FIGURES))
    if figures.contradiction is not None:
        raise SubjectsInvalid(f"The data of {name} contradict themselves: {figures.contradiction}.")
    curves = PercentilesOut.model_validate_json(picture_of(caller.session, owner, run_id, PERCENTILES))
    return RunSubject(name, label or str(run_id), started_at, figures, curves, counters)


def drives_of(parameters: Mapping[str, object]) -> int | None:
    """Return the number of drives in `device-names`, else in `path` and `further_paths`; None without any."""
    names = parameters.get("device-names")
    if isinstance(names, str):
        return len(names.replace(",", " ").split()) or None
    if isinstance(parameters.get("path"), str):
        further = parameters.get("further_paths")
        return 1 + (len(further.split(",")) if isinstance(further, str) and further else 0)
    return None


def _not_measured_error(
    label: str, clocks: Mapping[str, frozenset[str]], operation: str, clock: str | None
) -> SubjectsInvalid:
    """Return the error for a subject without this operation by this clock."""
    series = [f"{name} ({', '.join(sorted(of_name))})" for name, of_name in clocks.items()]
    return SubjectsInvalid(missing_series_text(label, operation, clock, series))
