"""Subjects of SLA questions: a stored run, a publication, a drive test, or a sent distribution.

For interactive answers, the evidence of a run is cached until the run changes. A series chosen by name
replaces the operation of the budget. If the run was already judged by the same question, its stored verdict
is the answer.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from tailroom.comparison.subjects import PublishedSubjectUnknown
from tailroom.comparison.subjects import published_subject as comparison_subject
from tailroom.domain.latency.document import Distribution
from tailroom.domain.transactions.plan_sums import FULL_BINS
from tailroom.domain.verdicts.budget_kinds import Budget
from tailroom.domain.verdicts.evidence import RunEvidence
from tailroom.domain.verdicts.judge_budget import DISPLAY_BINS, contradicting
from tailroom.domain.verdicts.other_tools import own_operations
from tailroom.evidence.errors import SubjectInvalid
from tailroom.evidence.reader import (
    EvidenceCache,
    OperationChoice,
    cached_evidence,
    full_evidence,
)
from tailroom.evidence.run import read_of
from tailroom.evidence.sent import distributions_sent, evidence_sent, measured_ns_sent, own_operations_sent
from tailroom.evidence.source import (
    OperationOpen,
    about_own,
    asks_about_own,
    missing_series_text,
    operations_of,
    plans_of,
)
from tailroom.records import repository
from tailroom.runs.service import get_run
from tailroom.sla.question_schemas import SubjectIn, SubjectKind
from tailroom.sla.question_subject import (
    QuestionSubject,
    drive_test_choice,
    leading_operation,
    published_subject,
    sole_operation,
    undecided_subject,
)
from tailroom.sla.schemas import SubjectOut
from tailroom.sla.stored import StoredVerdicts
from tailroom.storage.drive_test import DriveTest
from tailroom.storage.run import UPLOAD, Run


@dataclass(frozen=True, slots=True)
class PreloadedFacts:
    """Facts that a list reads for many runs at once. `state` changes with the run's evidence."""

    state: Hashable
    kind: SubjectKind
    drive_slug: str | None
    operations: tuple[str, ...] | None = None
    """Measured operations; None if the budget does not need them."""


@dataclass(frozen=True, slots=True)
class SubjectReader:
    """Reader of subjects for one budget, in the transaction of one request."""

    session: Session
    cache: EvidenceCache
    budget: Budget
    further_operations: frozenset[str] = frozenset()
    """Operations that are needed in addition to those of the budget."""
    stored: StoredVerdicts = field(default_factory=StoredVerdicts)

    def subject_of(self, organisation_id: UUID, choice: SubjectIn, *, coarse: bool) -> QuestionSubject:
        """Return the subject that a question names, with compact evidence from the cache if `coarse`, else
        with every slice. Raise RunUnknown if the organisation may not read the run, SubjectInvalid if the
        publication or drive test does not exist, or lacks the operation or clock.
        """
        if choice.drive_test is not None:
            choice = drive_test_choice(choice.drive_test)
        if choice.publication is not None:
            try:
                named = comparison_subject(choice.publication).published
            except PublishedSubjectUnknown as error:
                raise SubjectInvalid(f"{error}.") from None
            assert named is not None  # noqa: S101 - of a publication
            return published_subject(named, self.budget, choice.operation, choice.clock)
        if choice.run_id is None:
            return self._sent_subject(choice)
        run = get_run(self.session, organisation_id, choice.run_id)
        stored = replace(self.stored, organisation_id=organisation_id)
        return replace(self, stored=stored).run(run, choice.operation, choice.clock, coarse=coarse)

    def _sent_subject(self, choice: SubjectIn) -> QuestionSubject:
        series = distributions_sent(choice.distribution or {}, choice.operation)
        try:
            budget = about_own(self.budget, own_operations_sent(series))
        except OperationOpen as error:
            out = _sent_out(series, RunEvidence(()), None)
            return undecided_subject(self.budget, error, out, measured_ns_sent(series))
        evidence = evidence_sent(series, sole_operation(budget) if len(series) == 1 else None)
        return QuestionSubject(evidence, _sent_out(series, evidence, leading_operation(budget)), budget)

    def run(
        self,
        run: Run,
        operation: str | None = None,
        clock: str | None = None,
        *,
        coarse: bool = True,
        facts: PreloadedFacts | None = None,
    ) -> QuestionSubject:
        """Return a stored run as subject, of this operation and clock (None: by the budget). It is undecided
        if several operations fit. `facts` are those that a list has read. Raise SubjectInvalid if the run
        lacks the operation or clock.
        """
        if facts is None:
            facts = PreloadedFacts(None, *kinds_of(self.session, [run])[run.run_id])
        budget = self.budget
        if asks_about_own(budget):
            try:
                operations = (operation,) if operation else self._own_operations(run, facts)
                budget, operation = about_own(budget, operations), None
            except OperationOpen as error:
                through_ns = run.measured_duration_ns or 0
                out = _run_out(run, RunEvidence((), measured_ns=through_ns), facts, is_final=True)
                return undecided_subject(budget, error, out, through_ns)
        return replace(self, budget=budget)._run(run, operation, clock, coarse=coarse, facts=facts)

    def _run(
        self, run: Run, operation: str | None, clock: str | None, *, coarse: bool, facts: PreloadedFacts
    ) -> QuestionSubject:
        choice = self._operation_choice(operation, clock)
        if coarse:
            evidence = cached_evidence(self.session, self.cache, run, choice, facts.state)
        else:
            evidence = full_evidence(self.session, run, choice)
        shown = choice.named or leading_operation(self.budget)
        if (choice.named or clock) and evidence.contradiction is None:
            used = choice.stands_for or shown
            if evidence.read.of(used) is None if used else not evidence.read.operations:
                raise SubjectInvalid(self._missing_series_message(run, operation, clock))
        contradiction = None
        if evidence.contradiction is not None:
            through_ns, bins = evidence.read.measured_ns, DISPLAY_BINS if coarse else FULL_BINS
            contradiction = contradicting(self.budget, evidence.contradiction, through_ns, bins)
        out = _run_out(
            run,
            evidence.read,
            facts,
            choice.stands_for or shown,
            shown,
            is_final=evidence.is_final,
        )
        stored = None
        if operation is None and clock is None and contradiction is None:
            stored = self.stored.of(self.session, run, self.budget)
        return QuestionSubject(evidence, out, self.budget, contradiction, stored)

    def _own_operations(self, run: Run, facts: PreloadedFacts) -> tuple[str, ...]:
        names = facts.operations
        if names is None:
            names = repository.measured_operations(self.session, [run.run_id]).get(run.run_id, ())
        return own_operations(names, read_of(run, names))

    def _operation_choice(self, operation: str | None, clock: str | None) -> OperationChoice:
        names = operations_of(self.budget)
        stands_for = None
        if operation is not None:
            sole = sole_operation(self.budget)
            if sole != operation:
                stands_for, names = sole, frozenset((operation,))
        return OperationChoice(
            names if names is None else names | self.further_operations,
            clock,
            operation,
            stands_for,
            plans_of(self.budget),
        )

    def _missing_series_message(self, run: Run, operation: str | None, clock: str | None) -> str:
        series = repository.measured_series(self.session, run.run_id)
        measured = sorted(f"{row.operation} ({row.clock})" for row, _ in series)
        names = operation or " or ".join(sorted(operations_of(self.budget) or ()))
        return missing_series_text(f"Run {run.run_id}", names, clock, measured)


def kinds_of(session: Session, runs: Sequence[Run]) -> dict[UUID, tuple[SubjectKind, str | None]]:
    """Return by run id the kind of its record and the slug of its tested drive, None if unknown."""
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


def _sent_out(
    distributions: Sequence[Distribution], evidence: RunEvidence, operation: str | None
) -> SubjectOut:
    single = distributions[0] if len(distributions) == 1 else None
    used = evidence.of(operation) if operation is not None else None
    label = next((row.source for row in distributions if row.source), "") or "distribution"
    return SubjectOut(
        label=label[:200],
        operation=single.operation if single else operation,
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
    facts: PreloadedFacts,
    operation: str | None = None,
    named: str | None = None,
    *,
    is_final: bool,
) -> SubjectOut:
    """Return the description of a run for the API; `named` is shown in place of the judged `operation`."""
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
            "closed_loop": any(operation.load.closed_loop for operation in evidence.operations),
            "kind": facts.kind,
            "source": "run",
            "href": f"/runs/{run.run_id}",
            "drive_slug": facts.drive_slug,
            "provisional": not is_final,
        }
    )
