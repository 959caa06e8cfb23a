"""Whose record a question is about: a stored run, a published configuration, a tested load of a drive, or a
distribution that was sent.

For an answer at once, what a run's verdicts rest on is kept until the run has changed. A series that was
chosen by name stands for the operation that the budget asks about. Where a run was judged by the same
question already, its stored verdict is the answer.
"""

from collections.abc import Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from tailroom.comparison.subjects import PublicationUnknown, published_name
from tailroom.comparison.subjects import published_subject as comparison_subject
from tailroom.domain.latency.document import Distribution
from tailroom.domain.transactions.grid import FULL_BINS
from tailroom.domain.verdicts.assessment import BudgetAssessment
from tailroom.domain.verdicts.budget_kinds import Budget, TransactionBudget
from tailroom.domain.verdicts.evidence import TRANSACTION, RunEvidence
from tailroom.domain.verdicts.judge_budget import DISPLAY_BINS
from tailroom.domain.verdicts.other_tools import own_operations
from tailroom.evidence.errors import SubjectInvalid
from tailroom.evidence.publication import CLOCKS_OF_METRICS, Published, published
from tailroom.evidence.reader import (
    Choice,
    KeptEvidence,
    KeptRuns,
    WholeEvidence,
    kept_evidence,
    whole_evidence,
)
from tailroom.evidence.run import read_of
from tailroom.evidence.sent import Sent, distributions_sent
from tailroom.evidence.source import (
    OperationOpen,
    about_own,
    asks_about_own,
    contradicting,
    open_question,
    operations_of,
    plans_of,
)
from tailroom.records import repository
from tailroom.runs.service import get_run
from tailroom.sla.schemas import SubjectIn, SubjectKind, SubjectOut
from tailroom.sla.stored import StoredVerdicts
from tailroom.storage.drive_test import DriveTest
from tailroom.storage.run import UPLOAD, Run


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A record, the question about it, and what is said of it.

    `budget` names the record's own operation where the question left it open; `undecided` is the answer where
    nothing can be judged, `stored` the verdict on record where the run was judged by this question.
    """

    source: "KeptEvidence | WholeEvidence | RunEvidence"
    out: SubjectOut
    budget: Budget
    undecided: BudgetAssessment | None = None
    stored: dict[str, Any] | None = None
    operations: tuple[str, ...] = ()
    """Operations to choose from where several fit the question."""

    @property
    def evidence(self) -> RunEvidence:
        """What it is judged by; worked out now where it is kept for answers at once. Raises DomainError."""
        return self.source if isinstance(self.source, RunEvidence) else self.source.evidence

    @property
    def is_small(self) -> bool:
        """Whether a document printed it: then nothing is gained by a coarser grid."""
        return self.out.source == "publication"

    @property
    def kept(self) -> KeptEvidence | None:
        """Where it is a stored run read for an answer at once."""
        return self.source if isinstance(self.source, KeptEvidence) else None


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What a list reads of many runs at once, so that nothing is read of a run that is kept."""

    state: Hashable
    operations: tuple[str, ...] | None = None
    """Measured operations; None where nobody asks."""
    kind: SubjectKind | None = None
    drive_slug: str | None = None


@dataclass(frozen=True, slots=True)
class SubjectReader:
    """Reads subjects in the transaction of one request, for one budget."""

    session: Session
    kept: KeptRuns
    budget: Budget
    beside: frozenset[str] = frozenset()
    """Operations that are needed besides those that the budget asks about."""
    stored: StoredVerdicts = field(default_factory=StoredVerdicts)

    def asked(self, organisation_id: UUID, asked: SubjectIn, *, coarse: bool) -> Subject:
        """What a question names. Raises RunUnknown, SubjectInvalid."""
        if asked.drive_test is not None:
            asked = of_drive_test(asked.drive_test)
        if asked.publication is not None:
            try:
                named = comparison_subject(asked.publication).published
            except PublicationUnknown as error:
                raise SubjectInvalid(f"{error}.") from None
            assert named is not None  # noqa: S101 - of a publication
            return published_subject(named, self.budget, asked.operation, asked.clock)
        if asked.run_id is None:
            return self._sent(asked)
        run = get_run(self.session, organisation_id, asked.run_id)
        stored = replace(self.stored, organisation_id=organisation_id)
        return replace(self, stored=stored).run(run, asked.operation, asked.clock, coarse=coarse)

    def _sent(self, asked: SubjectIn) -> Subject:
        series = distributions_sent(asked.distribution or {}, asked.operation)
        sent = Sent(series)
        try:
            budget = about_own(self.budget, sent.own_operations)
        except OperationOpen as error:
            out = _sent_out(series, RunEvidence(()), None)
            return _open(self.budget, error, RunEvidence(()), out, sent.measured_ns)
        sent = Sent(series, _sole_operation(budget) if len(series) == 1 else None)
        evidence = sent.evidence(budget)
        return Subject(evidence, _sent_out(series, evidence, leading_operation(budget)), budget)

    def run(
        self,
        run: Run,
        operation: str | None = None,
        clock: str | None = None,
        *,
        coarse: bool = True,
        facts: RunFacts | None = None,
    ) -> Subject:
        """A stored run. Raises SubjectInvalid where it has not what was asked for."""
        facts = facts or RunFacts(None)
        kind, slug = facts.kind, facts.drive_slug
        if kind is None:
            kind, slug = kinds_of(self.session, [run])[run.run_id]
        budget = self.budget
        if asks_about_own(budget):
            try:
                own = (operation,) if operation else self._own_operations(run, facts)
                budget, operation = about_own(budget, own), None
            except OperationOpen as error:
                through_ns = run.measured_duration_ns or 0
                nothing = RunEvidence((), measured_ns=through_ns)
                out = _run_out(run, nothing, is_final=True, kind=kind, drive_slug=slug)
                return _open(budget, error, nothing, out, through_ns)
        return replace(self, budget=budget)._run(
            run, operation, clock, coarse=coarse, facts=replace(facts, kind=kind, drive_slug=slug)
        )

    def _run(
        self, run: Run, operation: str | None, clock: str | None, *, coarse: bool, facts: RunFacts
    ) -> Subject:
        choice = self._choice(operation, clock)
        if coarse:
            found: KeptEvidence | WholeEvidence = kept_evidence(
                self.session, self.kept, run, choice, facts.state
            )
        else:
            found = whole_evidence(self.session, run, choice)
        asked = choice.named or leading_operation(self.budget)
        if (choice.named or clock) and found.contradiction is None:
            used = choice.stands_for or asked
            if found.read.of(used) is None if used else not found.read.operations:
                raise SubjectInvalid(self._not_on_record(run, operation, clock))
        contradiction = None
        if found.contradiction is not None:
            through_ns, bins = found.read.measured_ns, DISPLAY_BINS if coarse else FULL_BINS
            contradiction = contradicting(self.budget, found.contradiction, through_ns, bins)
        out = _run_out(
            run,
            found.read,
            choice.stands_for or asked,
            asked,
            is_final=found.is_final,
            kind=facts.kind or "run",
            drive_slug=facts.drive_slug,
        )
        stored = None
        if operation is None and clock is None and contradiction is None:
            stored = self.stored.of(self.session, run, self.budget)
        return Subject(found, out, self.budget, contradiction, stored)

    def _own_operations(self, run: Run, facts: RunFacts) -> tuple[str, ...]:
        names = facts.operations
        if names is None:
            names = repository.measured_operations(self.session, [run.run_id]).get(run.run_id, ())
        return own_operations(names, read_of(run, names))

    def _choice(self, operation: str | None, clock: str | None) -> Choice:
        """Which series of a run are asked about."""
        names = operations_of(self.budget)
        stands_for = None
        if operation is not None:
            sole = _sole_operation(self.budget)
            if sole != operation:
                stands_for, names = sole, frozenset((operation,))
        return Choice(
            names if names is None else names | self.beside,
            clock,
            operation,
            stands_for,
            plans_of(self.budget),
        )

    def _not_on_record(self, run: Run, operation: str | None, clock: str | None) -> str:
        series = repository.measured_series(self.session, run.run_id)
        found = sorted({f"{one.operation} ({one.clock})" for one, _ in series})
        asked = operation or " or ".join(sorted(operations_of(self.budget) or ())) or "any operation"
        on = f" on the clock “{clock}”" if clock else ""
        return f"Run {run.run_id} has no “{asked}”{on}. It has: {', '.join(found) or 'nothing yet'}."


def of_drive_test(test_id: str) -> SubjectIn:
    """Return the run or the published row that a tested load of a drive comes from, and its clock.

    Ids are `<run>:<operation>:<clock>` or `<publication>:<row>:<metric class>` (`storage.drive_test`). Raises
    SubjectInvalid.
    """
    source, _, timed = test_id.partition(":")
    name, _, last = timed.rpartition(":")
    with suppress(ValueError):
        return SubjectIn.model_validate({"run_id": UUID(source), "operation": name, "clock": last})
    for one in published():
        if one.of_drive and (one.publication.slug, one.row) == (source, name):
            clocks = {operation.clock for operation in one.operations}
            if last in CLOCKS_OF_METRICS and CLOCKS_OF_METRICS[last] in clocks:
                return SubjectIn.model_validate(
                    {"publication": published_name(one), "clock": CLOCKS_OF_METRICS[last]}
                )
    raise SubjectInvalid(
        f"There is no tested load {test_id!r}. The page of a drive lists its tests, each with its id."
    )


def kinds_of(session: Session, runs: Sequence[Run]) -> dict[UUID, tuple[SubjectKind, str | None]]:
    """Return of each run which kind of record it is, and the drive that it tested."""
    rows = session.execute(
        select(DriveTest.run_id, DriveTest.drive_slug).where(
            DriveTest.run_id.in_([run.run_id for run in runs])
        )
    )
    drives = {run_id: slug for run_id, slug in rows if run_id is not None}
    return {run.run_id: (_kind_of(run, drives.get(run.run_id)), drives.get(run.run_id)) for run in runs}


def _kind_of(run: Run, drive_slug: str | None) -> SubjectKind:
    if drive_slug is not None:
        return "drive_test"
    campaign = run.plan.get("campaign")
    if isinstance(campaign, dict) and "merged" in campaign:
        return "campaign"
    return "upload" if run.source == UPLOAD else "run"


def published_subject(
    one: Published, budget: Budget, operation: str | None = None, clock: str | None = None
) -> Subject:
    """A published configuration as the subject of a question. Raises SubjectInvalid where it has no figures
    of the operation or on the clock that was chosen.
    """
    out = SubjectOut(
        label=one.label,
        workload=one.workload,
        operation=None,
        clock=None,
        samples=None,
        measured_ns=one.measured_ns or None,
        closed_loop=one.closed_loop,
        kind="drive_test" if one.of_drive else "publication",
        source="publication",
        publication=published_name(one),
        publication_slug=one.publication.slug,
        publication_title=one.publication.title,
        publication_row=one.row,
        drive_slug=one.drive_slug,
        href=f"/drives/{one.drive_slug}" if one.drive_slug else f"/publications/{one.publication.slug}",
        note=one.note or None,
    )
    try:
        budget = about_own(budget, (operation,) if operation else one.own_operations)
    except OperationOpen as error:
        return _open(budget, error, RunEvidence(()), out, one.measured_ns)
    leading = leading_operation(budget)
    evidence = one.evidence(budget)
    if operation is not None or clock is not None:
        evidence = _chosen(one, evidence, operation or leading, clock, _sole_operation(budget))
    used = evidence.of(leading) if leading is not None else None
    shown = {
        "operation": operation or leading,
        "clock": used.clock if used else None,
        "samples": used.record.total if used else None,
    }
    return Subject(evidence, out.model_copy(update=shown), budget)


def _chosen(
    one: Published, evidence: RunEvidence, operation: str | None, clock: str | None, stands_for: str | None
) -> RunEvidence:
    """The figures of one operation on one clock, under the name that the budget has for it."""
    chosen = tuple(
        replace(found, operation=stands_for or found.operation)
        for found in evidence.operations
        if operation in {None, found.operation} and clock in {None, found.clock}
    )
    if not chosen:
        there = ", ".join(dict.fromkeys(f"{found.operation} ({found.clock})" for found in one.operations))
        on = f" on the clock “{clock}”" if clock else ""
        raise SubjectInvalid(f"{one.label} has no figures of “{operation}”{on}. It has: {there}.")
    return replace(evidence, operations=chosen)


def _open(
    budget: Budget, error: OperationOpen, nothing: RunEvidence, out: SubjectOut, through_ns: int
) -> Subject:
    """A subject of which several operations fit the question: the answer asks which is meant."""
    asked = open_question(budget, error, through_ns, DISPLAY_BINS)
    return Subject(nothing, out, budget, asked, operations=error.operations)


def leading_operation(budget: Budget) -> str | None:
    """The operation that a budget is mainly about; none where it asks about all, or several."""
    if isinstance(budget, TransactionBudget):
        return budget.read_operation
    names = operations_of(budget)
    return next(iter(names)) if names is not None and len(names) == 1 else None


def _sole_operation(budget: Budget) -> str | None:
    """The one operation that a series of another name can stand for; none where any name will do.

    Raises SubjectInvalid where a budget asks about several.
    """
    names = operations_of(budget)
    if names is None:
        return None
    asked = names - {TRANSACTION} or names
    if len(asked) > 1:
        raise SubjectInvalid(
            f"“{budget.name}” asks about {' and '.join(sorted(asked))}; one series cannot stand for all of "
            "them. Leave `operation` out."
        )
    return next(iter(asked))


def _sent_out(found: Sequence[Distribution], evidence: RunEvidence, asked: str | None) -> SubjectOut:
    """What is said of it. `asked` is the operation that the budget is mainly about."""
    single = found[0] if len(found) == 1 else None
    used = evidence.of(asked) if asked is not None else None
    label = next((one.source for one in found if one.source), "") or "distribution"
    return SubjectOut(
        label=label[:200],
        operation=single.operation if single else asked,
        clock=used.clock if used else None,
        samples=used.record.total if used else None,
        measured_ns=used.measured_ns or None if used else None,
        closed_loop=False,
        kind="distribution",
        source="distribution",
    )


def _run_out(
    run: Run,
    evidence: RunEvidence,
    operation: str | None = None,
    named: str | None = None,
    *,
    is_final: bool,
    kind: SubjectKind,
    drive_slug: str | None,
) -> SubjectOut:
    """What is said of a run; `named` is the series that stands for the operation of the budget."""
    used = evidence.of(operation) if operation is not None else None
    host_name = run.host.get("hostname")
    return SubjectOut.model_validate(
        {
            "label": run.title or str(run.run_id),
            "run_id": run.run_id,
            "title": run.title,
            "host_name": host_name if isinstance(host_name, str) else None,
            "workload": run.workload,
            "started_at": run.started_at,
            "operation": named or operation,
            "clock": used.clock if used else None,
            "samples": used.record.total if used else None,
            "measured_ns": used.measured_ns if used else evidence.measured_ns,
            "closed_loop": any(one.load.closed_loop for one in evidence.operations),
            "kind": kind,
            "source": "run",
            "href": f"/runs/{run.run_id}",
            "drive_slug": drive_slug,
            "provisional": not is_final,
        }
    )
