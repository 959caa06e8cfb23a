"""Subject of an SLA question: a record, and the budget with the record's own operation filled in."""

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from tailroom.comparison.subjects import published_name
from tailroom.domain.verdicts.assessment import BudgetAssessment
from tailroom.domain.verdicts.budget_kinds import Budget, TransactionBudget
from tailroom.domain.verdicts.evidence import TRANSACTION, RunEvidence
from tailroom.domain.verdicts.judge_budget import DISPLAY_BINS
from tailroom.evidence.errors import SubjectInvalid
from tailroom.evidence.publication import CLOCKS_OF_METRICS, Published, published
from tailroom.evidence.reader import StoredEvidence
from tailroom.evidence.source import (
    OperationOpen,
    about_own,
    missing_series_text,
    operations_of,
    unjudged,
)
from tailroom.sla.question_schemas import SubjectIn
from tailroom.sla.schemas import SubjectOut


@dataclass(frozen=True, slots=True, eq=False)
class QuestionSubject:
    """A record, its description for the API, and the budget that it is judged by, which names the record's
    own operation if the question names none. `undecided` is the answer if nothing can be judged; `stored` is
    the document of the stored verdict by this budget, or None.
    """

    source: StoredEvidence | RunEvidence
    out: SubjectOut
    budget: Budget
    undecided: BudgetAssessment | None = None
    stored: dict[str, Any] | None = None
    operations: tuple[str, ...] = ()
    """Operations to choose from if several fit the question."""

    @property
    def evidence(self) -> RunEvidence:
        """Evidence for the judge, without operations if series contradict each other."""
        return self.source if isinstance(self.source, RunEvidence) else self.source.evidence

    @property
    def is_small(self) -> bool:
        """Whether the record is a publication, for which a coarser calculation saves nothing."""
        return self.out.source == "publication"


def undecided_subject(
    budget: Budget, error: OperationOpen, out: SubjectOut, through_ns: int
) -> QuestionSubject:
    """Return a subject for which several operations fit the question; its undecided answer names them."""
    undecided = unjudged(budget, error, through_ns, DISPLAY_BINS)
    return QuestionSubject(RunEvidence(()), out, budget, undecided, operations=error.operations)


def leading_operation(budget: Budget) -> str | None:
    """Return a budget's main operation, a transaction's read or the only operation, or None."""
    if isinstance(budget, TransactionBudget):
        return budget.read_operation
    names = operations_of(budget)
    return next(iter(names)) if names is not None and len(names) == 1 else None


def sole_operation(budget: Budget) -> str | None:
    """Return the only operation of a budget, whole transactions aside, so that a series of another name can
    replace it; None if it is about any. Raise SubjectInvalid if it is about several.
    """
    names = operations_of(budget)
    if names is None:
        return None
    others = names - {TRANSACTION} or names
    if len(others) > 1:
        raise SubjectInvalid(
            f"“{budget.name}” asks about {' and '.join(sorted(others))}; one series cannot stand for all of "
            "them. Leave `operation` out."
        )
    return next(iter(others))


def published_subject(
    publication: Published, budget: Budget, operation: str | None = None, clock: str | None = None
) -> QuestionSubject:
    """Return a row of a publication as subject. Raise SubjectInvalid without the operation or clock."""
    out = SubjectOut(
        label=publication.label,
        workload=publication.workload,
        operation=None,
        clock=None,
        samples=None,
        measured_ns=publication.measured_ns or None,
        closed_loop=publication.closed_loop,
        kind="drive_test" if publication.of_drive else "publication",
        source="publication",
        publication=published_name(publication),
        publication_slug=publication.publication.slug,
        publication_title=publication.publication.title,
        publication_row=publication.row,
        drive_slug=publication.drive_slug,
        href=f"/drives/{publication.drive_slug}"
        if publication.drive_slug
        else f"/publications/{publication.publication.slug}",
        note=publication.note or None,
    )
    try:
        budget = about_own(budget, (operation,) if operation else publication.own_operations)
    except OperationOpen as error:
        return undecided_subject(budget, error, out, publication.measured_ns)
    leading = leading_operation(budget)
    evidence = publication.evidence(budget)
    if operation is not None or clock is not None:
        evidence = _choose_operations(
            publication, evidence, operation or leading, clock, sole_operation(budget)
        )
    used = evidence.of(leading) if leading is not None else None
    described = {
        "operation": operation or leading,
        "clock": used.clock if used else None,
        "samples": used.record.total if used else None,
    }
    return QuestionSubject(evidence, out.model_copy(update=described), budget)


def _choose_operations(
    publication: Published,
    evidence: RunEvidence,
    operation: str | None,
    clock: str | None,
    stands_for: str | None,
) -> RunEvidence:
    """Return the evidence of one operation on one clock, as `stands_for`. Raise SubjectInvalid."""
    chosen = tuple(
        replace(row, operation=stands_for or row.operation)
        for row in evidence.operations
        if operation in {None, row.operation} and clock in {None, row.clock}
    )
    if not chosen:
        series = [f"{row.operation} ({row.clock})" for row in publication.operations]
        raise SubjectInvalid(missing_series_text(publication.label, operation, clock, series))
    return replace(evidence, operations=chosen)


def drive_test_choice(test_id: str) -> SubjectIn:
    """Return run or publication row of a drive test by its id. Raise SubjectInvalid for an unknown row."""
    source, _, timed = test_id.partition(":")
    name, _, last = timed.rpartition(":")
    with suppress(ValueError):
        return SubjectIn.model_validate({"run_id": UUID(source), "operation": name, "clock": last})
    for row in published():
        if row.of_drive and (row.publication.slug, row.row) == (source, name):
            clocks = {operation.clock for operation in row.operations}
            if last in CLOCKS_OF_METRICS and CLOCKS_OF_METRICS[last] in clocks:
                return SubjectIn.model_validate(
                    {"publication": published_name(row), "clock": CLOCKS_OF_METRICS[last]}
                )
    raise SubjectInvalid(
        f"There is no tested load {test_id!r}. The page of a drive lists its tests, each with its id."
    )
