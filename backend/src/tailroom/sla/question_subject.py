"""Subject of an SLA question: a record, and the budget with the record's own operation filled in."""

from dataclasses import dataclass
from typing import Any

from tailroom.domain.verdicts.assessment import BudgetAssessment
from tailroom.domain.verdicts.budget_kinds import Budget, TransactionBudget
from tailroom.domain.verdicts.evidence import TRANSACTION, RunEvidence
from tailroom.domain.verdicts.judge_budget import DISPLAY_BINS
from tailroom.evidence.errors import SubjectInvalid
from tailroom.evidence.reader import CachedEvidence, FullEvidence
from tailroom.evidence.source import OperationOpen, open_question, operations_of
from tailroom.sla.schemas import SubjectOut


@dataclass(frozen=True, slots=True, eq=False)
class QuestionSubject:
    """A record, the budget that it is judged by, and its description for the API.

    `budget` names the record's own operation if the question did not name any. `undecided` is the answer if
    nothing can be judged; `stored` is the document of the stored verdict by this budget, None if there is
    none.
    """

    source: "CachedEvidence | FullEvidence | RunEvidence"
    out: SubjectOut
    budget: Budget
    undecided: BudgetAssessment | None = None
    stored: dict[str, Any] | None = None
    operations: tuple[str, ...] = ()
    """Operations to choose from if several fit the question."""

    @property
    def evidence(self) -> RunEvidence:
        """Evidence for the judge: of a cached source its compact form, computed on first use; of others as
        it is. Without operations if the series of the record contradict each other.
        """
        return self.source if isinstance(self.source, RunEvidence) else self.source.evidence

    @property
    def is_small(self) -> bool:
        """Whether the record is a publication, for which a coarser grid saves nothing."""
        return self.out.source == "publication"


def undecided_subject(
    budget: Budget, error: OperationOpen, nothing: RunEvidence, out: SubjectOut, through_ns: int
) -> QuestionSubject:
    """Return a subject for which several operations fit the question; its answer is undecided and
    names them.

    `nothing` is empty evidence, `through_ns` the measured time.
    """
    undecided = open_question(budget, error, through_ns, DISPLAY_BINS)
    return QuestionSubject(nothing, out, budget, undecided, operations=error.operations)


def leading_operation(budget: Budget) -> str | None:
    """Return the operation that a budget is mainly about: that of a transaction's reads, or the only one.

    None if it is about all or several.
    """
    if isinstance(budget, TransactionBudget):
        return budget.read_operation
    names = operations_of(budget)
    return next(iter(names)) if names is not None and len(names) == 1 else None


def sole_operation(budget: Budget) -> str | None:
    """Return the only operation of a budget, apart from whole transactions.

    None if the budget is about any operation. A series of another name can take its place. Raise
    SubjectInvalid if the budget is about several operations.
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
