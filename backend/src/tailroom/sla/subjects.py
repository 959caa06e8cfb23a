"""Whose record a question is about: a stored run, or a distribution that was sent along.

For an answer at once, a run is read from its slices, at most `COARSE_PIECES` pieces over time, and kept until
the run has changed. A series that was chosen by name stands for the operation that the budget asks about.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import partial
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.analysis import repository
from tailroom.analysis.courses import fewer_digits
from tailroom.analysis.evidence import evidence_of, measured_ns, operations_of
from tailroom.analysis.judging import contradicting, is_final
from tailroom.analysis.quick_counts import QuickCounts
from tailroom.analysis.record import load_record
from tailroom.domain.errors import DomainError
from tailroom.domain.transactions.sequential import FULL_BINS
from tailroom.domain.verdicts.assessment import BudgetAssessment
from tailroom.domain.verdicts.budget_kinds import Budget, TransactionBudget
from tailroom.domain.verdicts.evidence import TRANSACTION, OperationEvidence, RunEvidence
from tailroom.domain.verdicts.judge_budget import DISPLAY_BINS
from tailroom.runs.service import get_run
from tailroom.sla.cache import RecordCache
from tailroom.sla.distributions import described, distributions_sent, evidence_sent
from tailroom.sla.errors import SubjectInvalid
from tailroom.sla.schemas import SubjectIn, SubjectOut
from tailroom.storage.run import Run

_DIGITS = 2
"""Significant digits of the buckets of pieces that are kept."""
_BYTES_PER_BUCKET = 32
_BYTES_PER_RECORD = 4096
_BUCKETS_OF_WHOLE = 4096


@dataclass(frozen=True, slots=True, eq=False)
class KeptEvidence:
    """Evidence that needs no database any more, and whether it is all that there will be."""

    evidence: RunEvidence
    is_final: bool
    contradiction: DomainError | None = None
    """Instead of evidence: how its series contradict themselves or each other."""


@dataclass(frozen=True, slots=True)
class _Choice:
    """Operations of a run (none: all) and clock (none: each verdict's own choice); the series that was named,
    and the operation of the budget that it stands for where that has another name.
    """

    names: frozenset[str] | None
    clock: str | None
    named: str | None
    stands_for: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A record and what is said of it."""

    evidence: RunEvidence
    out: SubjectOut
    contradiction: BudgetAssessment | None = None


KeptRuns = RecordCache[KeptEvidence]


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
        if asked.run_id is None:
            found = distributions_sent(asked.distribution or {}, asked.operation)
            evidence = evidence_sent(found, _sole_operation(self.budget) if len(found) == 1 else None)
            return Subject(evidence, described(found, evidence, leading_operation(self.budget)))
        run = get_run(self.session, organisation_id, asked.run_id)
        return self.run(run, asked.operation, asked.clock, coarse=coarse)

    def run_later(self, run: Run) -> Callable[[], Subject]:
        """The coarse record of a run, read when it is asked for."""
        return partial(self.run, run)

    def run(
        self, run: Run, operation: str | None = None, clock: str | None = None, *, coarse: bool = True
    ) -> Subject:
        """A stored run. Raises SubjectInvalid where it has not what was asked for."""
        choice = self._choice(operation, clock)
        load = partial(self._load, run, choice, coarse=coarse)
        if coarse:
            found = self.kept.get((run.run_id, choice), self._state(run), load)
        else:
            found, _ = load()
        asked = choice.named or leading_operation(self.budget)
        if (choice.named or clock) and found.contradiction is None:
            used = choice.stands_for or asked
            if found.evidence.of(used) is None if used else not found.evidence.operations:
                raise SubjectInvalid(self._not_on_record(run, operation, clock))
        contradiction = None
        if found.contradiction is not None:
            through_ns, bins = found.evidence.measured_ns, DISPLAY_BINS if coarse else FULL_BINS
            contradiction = contradicting(self.budget, found.contradiction, through_ns, bins)
        out = _run_out(run, found, choice.stands_for or asked, asked)
        return Subject(found.evidence, out, contradiction)

    def _choice(self, operation: str | None, clock: str | None) -> _Choice:
        """Which series of a run are asked about."""
        names = operations_of(self.budget)
        stands_for = None
        if operation is not None:
            sole = _sole_operation(self.budget)
            if sole != operation:
                stands_for, names = sole, frozenset((operation,))
        return _Choice(names if names is None else names | self.beside, clock, operation, stands_for)

    def _load(self, run: Run, choice: _Choice, *, coarse: bool) -> tuple[KeptEvidence, int]:
        record = load_record(self.session, run, coarse=coarse, only=choice.names)
        try:
            evidence = evidence_of(record, choice.names)
            chosen = [one for one in evidence.operations if choice.clock in (None, one.clock)]
            if choice.stands_for is not None:
                chosen = [
                    replace(one, operation=choice.stands_for) if one.operation == choice.named else one
                    for one in chosen
                ]
            if coarse:
                chosen = [_read_now(one) for one in chosen]
        except DomainError as error:
            nothing = RunEvidence((), measured_ns=measured_ns(record))
            return KeptEvidence(nothing, is_final(record), error), _BYTES_PER_RECORD
        evidence = replace(evidence, operations=tuple(chosen))
        return KeptEvidence(evidence, is_final(record)), _size(evidence)

    def _state(self, run: Run) -> Hashable:
        """What is different as soon as anything of the run is."""
        series = repository.histogram_series(self.session, run.run_id)
        ends = tuple((one.series_no, through_seq, int(one.received)) for one, through_seq in series)
        return (run.state, run.outcome, run.content_sha256, ends)

    def _not_on_record(self, run: Run, operation: str | None, clock: str | None) -> str:
        series = repository.measured_series(self.session, run.run_id)
        found = sorted({f"{one.operation} ({one.clock})" for one, _ in series})
        asked = operation or " or ".join(sorted(operations_of(self.budget) or ())) or "any operation"
        on = f" on the clock “{clock}”" if clock else ""
        return f"Run {run.run_id} has no “{asked}”{on}. It has: {', '.join(found) or 'nothing yet'}."


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


def _read_now(one: OperationEvidence) -> OperationEvidence:
    """With its pieces in memory, so that it can be kept after the transaction has ended."""
    course = None if one.course is None else fewer_digits(one.course, _DIGITS)
    effects = None if course is None else QuickCounts(course).effect_at
    best = None if one.load_at_best is None else _read_now(one.at_best)
    return replace(
        one,
        intervals=course,
        load_intervals=None,
        effects=effects,
        load_at_best=None if best is None else lambda: best,
    )


def _size(evidence: RunEvidence) -> int:
    size = _BYTES_PER_RECORD
    for one in evidence.operations:
        size += _BYTES_PER_RECORD
        if one.intervals is not None:
            buckets = one.intervals.indices.size + _BUCKETS_OF_WHOLE
            # With slices in doubt it is kept twice: as recorded, and with these at their best.
            size += _BYTES_PER_BUCKET * buckets * (1 if one.load_at_best is None else 2)
    return size


def _run_out(run: Run, found: KeptEvidence, operation: str | None, named: str | None) -> SubjectOut:
    """What is said of a run; `named` is the series that stands for the operation of the budget."""
    used = found.evidence.of(operation) if operation is not None else None
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
            "measured_ns": used.measured_ns if used else found.evidence.measured_ns,
            "closed_loop": any(one.load.closed_loop for one in found.evidence.operations),
            "source": "run",
            "provisional": not found.is_final,
        }
    )
