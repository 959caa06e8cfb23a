"""Whose record a question is about: a stored run, a published configuration, or a distribution that was sent.

For an answer at once, what a run's verdicts rest on is kept until the run has changed. A series that was
chosen by name stands for the operation that the budget asks about.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.comparison.subjects import PublicationUnknown
from tailroom.comparison.subjects import published_subject as comparison_subject
from tailroom.domain.latency.document import Distribution
from tailroom.domain.transactions.grid import FULL_BINS
from tailroom.domain.verdicts.assessment import BudgetAssessment
from tailroom.domain.verdicts.budget_kinds import Budget, TransactionBudget
from tailroom.domain.verdicts.evidence import TRANSACTION, RunEvidence
from tailroom.domain.verdicts.judge_budget import DISPLAY_BINS
from tailroom.evidence.errors import SubjectInvalid
from tailroom.evidence.publication import Published
from tailroom.evidence.reader import (
    Choice,
    KeptEvidence,
    KeptRuns,
    WholeEvidence,
    kept_evidence,
    whole_evidence,
)
from tailroom.evidence.sent import Sent, distributions_sent
from tailroom.evidence.source import contradicting, operations_of, plans_of
from tailroom.records import repository
from tailroom.runs.service import get_run
from tailroom.sla.schemas import SubjectIn, SubjectOut
from tailroom.storage.run import Run


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A record and what is said of it."""

    source: "KeptEvidence | WholeEvidence | RunEvidence"
    out: SubjectOut
    contradiction: BudgetAssessment | None = None

    @property
    def evidence(self) -> RunEvidence:
        """What it is judged by; worked out now where it is kept for answers at once. Raises DomainError."""
        return self.source if isinstance(self.source, RunEvidence) else self.source.evidence

    @property
    def kept(self) -> KeptEvidence | None:
        """Where it is a stored run read for an answer at once."""
        return self.source if isinstance(self.source, KeptEvidence) else None


@dataclass(frozen=True, slots=True)
class SubjectReader:
    """Reads subjects in the transaction of one request, for one budget."""

    session: Session
    kept: KeptRuns
    budget: Budget
    beside: frozenset[str] = frozenset()
    """Operations that are needed besides those that the budget asks about."""

    def asked(self, organisation_id: UUID, asked: SubjectIn, *, coarse: bool) -> Subject:
        """What a question names. Raises RunUnknown, SubjectInvalid."""
        if asked.publication is not None:
            try:
                named = comparison_subject(asked.publication).published
            except PublicationUnknown as error:
                raise SubjectInvalid(f"{error}.") from None
            assert named is not None  # noqa: S101 - of a publication
            return published_subject(named, self.budget, asked.clock)
        if asked.run_id is None:
            found = distributions_sent(asked.distribution or {}, asked.operation)
            sent = Sent(found, _sole_operation(self.budget) if len(found) == 1 else None)
            evidence = sent.evidence(self.budget)
            return Subject(evidence, _sent_out(found, evidence, leading_operation(self.budget)))
        run = get_run(self.session, organisation_id, asked.run_id)
        return self.run(run, asked.operation, asked.clock, coarse=coarse)

    def run(
        self,
        run: Run,
        operation: str | None = None,
        clock: str | None = None,
        *,
        coarse: bool = True,
        state: Hashable = None,
    ) -> Subject:
        """A stored run, `state` as in `kept_evidence`. Raises SubjectInvalid where it has not what was
        asked for.
        """
        choice = self._choice(operation, clock)
        if coarse:
            found: KeptEvidence | WholeEvidence = kept_evidence(self.session, self.kept, run, choice, state)
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
        out = _run_out(run, found, choice.stands_for or asked, asked)
        return Subject(found, out, contradiction)

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


def published_subject(one: Published, budget: Budget, clock: str | None = None) -> Subject:
    """A published configuration as the subject of a question, on one clock where one is named."""
    evidence = one.evidence(budget)
    if clock is not None:
        chosen = tuple(operation for operation in evidence.operations if operation.clock == clock)
        evidence = replace(evidence, operations=chosen)
    leading = leading_operation(budget)
    used = evidence.of(leading) if leading is not None else None
    out = SubjectOut(
        label=one.label,
        workload=one.workload,
        operation=leading,
        clock=used.clock if used else None,
        samples=used.record.total if used else None,
        measured_ns=evidence.measured_ns or None,
        closed_loop=one.closed_loop,
        source="publication",
        publication_slug=one.publication.slug,
        publication_title=one.publication.title,
        publication_row=one.row,
        note=one.note or None,
    )
    return Subject(evidence, out)


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
        source="distribution",
    )


def _run_out(
    run: Run, found: KeptEvidence | WholeEvidence, operation: str | None, named: str | None
) -> SubjectOut:
    """What is said of a run; `named` is the series that stands for the operation of the budget."""
    used = found.read.of(operation) if operation is not None else None
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
            "measured_ns": used.measured_ns if used else found.read.measured_ns,
            "closed_loop": any(one.load.closed_loop for one in found.read.operations),
            "source": "run",
            "provisional": not found.is_final,
        }
    )
