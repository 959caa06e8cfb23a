"""Several subjects against the first of them, by the figures that each brings along.

Nothing is calculated inside a transaction. What a finished run brings is kept with it, so a comparison costs
little however long the runs were.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from tailroom.access.caller import Caller
from tailroom.analysis.figures import FiguresOut, MeasuredOut
from tailroom.analysis.pictures import FIGURES, PERCENTILES, picture_of
from tailroom.analysis.schemas import PercentilesOut, QuantilePointOut
from tailroom.analysis.shares import quantile_points
from tailroom.comparison.document import document_of
from tailroom.comparison.errors import SubjectMissing, SubjectsInvalid
from tailroom.comparison.schemas import ComparedSubjectOut, ComparisonOut, PairOut, QuantileRatioOut
from tailroom.comparison.subjects import PUBLICATION, PublicationUnknown, Subject, published_subject
from tailroom.comparison.words import factors_text, headline, known_ratio, quantity_text, ratio_text
from tailroom.domain.comparison.comparison import Measured, NothingInCommon, compare_measured, measured
from tailroom.domain.comparison.gains import SMALLEST_CHANGE_RATIO
from tailroom.domain.errors import DomainError
from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.verdicts.budget_kinds import CLOCKS
from tailroom.domain.verdicts.other_tools import requests
from tailroom.runs.service import get_run

SUBJECTS_MIN, SUBJECTS_MAX = 2, 6
_RUN = "run:"
_READ = "read"


@dataclass(frozen=True, slots=True)
class Chosen:
    """One operation of a subject: for comparisons, and as it is shown."""

    measured: Measured
    out: ComparedSubjectOut


@dataclass(frozen=True, slots=True)
class RunSubject:
    """A stored run by what is kept of it."""

    name: str
    label: str
    figures: FiguresOut
    percentiles: PercentilesOut

    @property
    def clocks(self) -> dict[str, frozenset[str]]:
        """Clocks of each operation; a read goes by that name too."""
        found: dict[str, frozenset[str]] = {}
        for one in self.figures.operations:
            for name in {one.operation, _READ} if one.is_read else {one.operation}:
                found[name] = found.get(name, frozenset()) | {one.clock}
        return found

    def choose(self, operation: str, clock: str | None) -> Chosen:
        """That operation, on the best clock where none is named. Raises SubjectsInvalid."""
        there = [one for one in self.figures.operations if one.operation == operation]
        if not there and operation == _READ:
            there = [one for one in self.figures.operations if one.is_read]
        there = [one for one in there if clock in {None, one.clock}]
        if not there:
            raise _not_there(self, operation, clock)
        one = min(there, key=lambda found: CLOCKS.index(found.clock))
        return Chosen(one.measured(), self._out(one))

    def _out(self, one: MeasuredOut) -> ComparedSubjectOut:
        curves = self.percentiles.curves
        curve = next((c.points for c in curves if (c.operation, c.clock) == (one.operation, one.clock)), [])
        return ComparedSubjectOut(
            subject=self.name,
            label=self.label,
            source="run",
            run_id=self.figures.run_id,
            operation=one.operation,
            clock=one.clock,
            samples=one.samples,
            measured_ns=one.measured_ns or None,
            target_per_s=one.conditions.target_per_s,
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
            raise _not_there(self, operation, clock) from None
        one, published = side.operation, self.subject.published
        assert published is not None  # noqa: S101 - of a publication
        out = ComparedSubjectOut.model_validate(
            {
                "subject": self.name,
                "label": self.label,
                "source": "publication",
                "publication_slug": published.publication.slug,
                "note": published.note or None,
                "operation": one.operation,
                "clock": one.clock,
                "samples": one.record.total,
                "measured_ns": one.measured_ns or None,
                "target_per_s": side.conditions.target_per_s,
                "curve": [point.model_dump() for point in quantile_points(one.record)],
            }
        )
        return Chosen(measured(side), out)


AnySubject = RunSubject | PublishedSubject


def compare_subjects(
    caller: Caller, names: Sequence[str], operation: str | None, clock: str | None
) -> ComparisonOut:
    """Every subject against the first. Raises SubjectsInvalid, SubjectMissing, RunUnknown, RunRetracted."""
    if not SUBJECTS_MIN <= len(names) <= SUBJECTS_MAX:
        raise SubjectsInvalid(f"{len(names)} subjects were named; name {SUBJECTS_MIN} to {SUBJECTS_MAX}.")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise SubjectsInvalid(f"“{twice}” is named twice; a subject is compared with others.")
    subjects = [_subject(caller, name) for name in names]
    common = [name for name in subjects[0].clocks if all(name in one.clocks for one in subjects[1:])]
    asked = operation or _usual(common, subjects)
    if clock is None:
        everywhere = [one.clocks.get(asked, frozenset()) for one in subjects]
        clock = min(frozenset.intersection(*everywhere), key=CLOCKS.index, default=None)
    chosen = [one.choose(asked, clock) for one in subjects]
    return ComparisonOut(
        operation=asked,
        operations=common,
        subjects=[one.out for one in chosen],
        pairs=[_pair(number, chosen[0], one) for number, one in enumerate(chosen) if number],
        smallest_change_ratio=SMALLEST_CHANGE_RATIO,
        method_version=METHOD_VERSION,
    )


def _subject(caller: Caller, name: str) -> AnySubject:
    if name.startswith(PUBLICATION):
        try:
            return PublishedSubject(name, published_subject(name))
        except PublicationUnknown as error:
            raise SubjectMissing(f"{error}") from None
    try:
        run_id = UUID(name.removeprefix(_RUN)) if name.startswith(_RUN) else None
    except ValueError:
        run_id = None
    if run_id is None:
        raise SubjectsInvalid(f"“{name}” is no subject: write run:ID or publication:SLUG#ROW.")
    owner = caller.organisation_id
    with caller.session() as session:
        label = get_run(session, owner, run_id).title
    figures = FiguresOut.model_validate_json(picture_of(caller.session, owner, run_id, FIGURES))
    if figures.contradiction is not None:
        raise SubjectsInvalid(f"The data of {name} contradict themselves: {figures.contradiction}.")
    curves = PercentilesOut.model_validate_json(picture_of(caller.session, owner, run_id, PERCENTILES))
    return RunSubject(name, label or str(run_id), figures, curves)


def _usual(common: Sequence[str], subjects: Sequence[AnySubject]) -> str:
    """What is compared where nobody names an operation: reads, or the first request that all have."""
    if _READ in common:
        return _READ
    wanted = [*requests(list(common)), *common]
    if not wanted:
        has = "; ".join(f"{one.label} has {', '.join(one.clocks) or 'nothing yet'}" for one in subjects)
        raise SubjectsInvalid(f"The subjects have no operation in common: {has}.")
    return wanted[0]


def _not_there(subject: AnySubject, operation: str, clock: str | None) -> SubjectsInvalid:
    on = f" on the clock “{clock}”" if clock else ""
    there = ", ".join(f"{name} ({', '.join(sorted(clocks))})" for name, clocks in subject.clocks.items())
    return SubjectsInvalid(f"{subject.label} has no “{operation}”{on}. It has: {there or 'nothing yet'}.")


def _pair(number: int, base: Chosen, new: Chosen) -> PairOut:
    try:
        found = compare_measured(base.measured, new.measured)
    except NothingInCommon as error:
        raise SubjectsInvalid(f"{base.out.label} and {new.out.label}: {error}.") from None
    document = document_of(found)
    for gain, shown in zip(found.gains, document["gains"], strict=True):
        shown |= {"label": quantity_text(gain.quantity), "ratio_text": ratio_text(*known_ratio(gain))}
    return PairOut.model_validate(
        {
            **{name: document[name] for name in PairOut.model_fields if name in document},
            "new": number,
            "headline": headline(found),
            "factors_text": factors_text(found),
            "quantile_ratios": _ratios(base.out.curve, new.out.curve),
        }
    )


def _ratios(base: Sequence[QuantilePointOut], new: Sequence[QuantilePointOut]) -> list[QuantileRatioOut]:
    """At every quantile that both have."""
    before = {point.quantile: point for point in base}
    return [
        QuantileRatioOut(
            quantile=point.quantile,
            lower=point.lower_ns / at.upper_ns if at.upper_ns else None,
            upper=point.upper_ns / at.lower_ns if point.upper_ns is not None and at.lower_ns else None,
        )
        for point in new
        if (at := before.get(point.quantile)) is not None
    ]
